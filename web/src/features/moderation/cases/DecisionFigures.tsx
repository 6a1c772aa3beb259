import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import {
  type CountedDecisions,
  decisionMonths,
  decisionSharesFrom,
  type DecisionFigures as Figures,
  getDecisionFigures,
} from '#contract/moderation/decided-cases.ts';
import { useEndpoint } from '../../../api/endpoint-query.ts';
import { useMay } from '../../../api/session/permission.ts';
import { saveCsv } from '../../../ui/data/csv.ts';
import { brandFile } from '../../../ui/data/save-file.ts';
import { Nothing } from '../../../ui/data/table/cells.tsx';
import { DataTable } from '../../../ui/data/table/DataTable.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatMonthAndYear, formatNumber, formatPercent } from '../../../ui/text/format.ts';
import { lastDayOf } from '../../../ui/text/months.ts';
import { durationText } from '../reports/report-words.ts';
import { addressIn, type CaseList } from './queries.ts';
import classes from './queue.module.css';

/** A group of decisions, with the list of the cases in which they were made. */
interface Group extends CountedDecisions {
  id: string;
  name: string;
  list?: CaseList;
}

const share = (part: number | null, { decided }: Group): ReactNode =>
  part === null ? <Nothing /> : formatPercent(Math.round((100 * part) / decided));

const columnsOf = (header: () => string): TableColumn<Group>[] => [
  {
    id: 'name',
    header,
    card: 'head',
    cell: ({ name, list }) => (list === undefined ? name : <Link to={addressIn(list)}>{name}</Link>),
  },
  { id: 'decided', header: () => t`Decisions`, isNumber: true, cell: ({ decided }) => formatNumber(decided) },
  { id: 'appealed', header: () => t`Appealed`, isNumber: true, cell: (group) => share(group.appealed, group) },
  { id: 'overturned', header: () => t`Overturned`, isNumber: true, cell: (group) => share(group.overturned, group) },
  {
    id: 'average',
    header: () => t`Time to decision, average`,
    isNumber: true,
    cell: ({ averageMs }) => (averageMs === null ? <Nothing /> : durationText(averageMs)),
  },
];
const [ruleColumns, monthColumns, peopleColumns] = [
  columnsOf(() => t`Rule`),
  columnsOf(() => t`Month`),
  columnsOf(() => t`Colleague`),
];

const ruleName = (rule: Figures['rules'][number]['rule']) =>
  rule === null ? t`No rule` : `${rule.clause}. ${rule.title}`;

/** Everything as CSV, with times in hours: each rule in each month, then each colleague. */
function saveFigures({ all, rules, people }: Figures): void {
  const cells = ({ decided, appealed, overturned, averageMs }: CountedDecisions) => [
    decided,
    appealed,
    overturned,
    averageMs === null ? null : Math.round(averageMs / 360_000) / 10,
  ];
  const series = [{ name: t`All rules`, ...all }, ...rules.map(({ rule, ...of }) => ({ name: ruleName(rule), ...of }))];
  const rows = series.flatMap(({ name, total, months }) =>
    [{ month: t`Total`, ...total }, ...months].map(({ month, ...counted }) => [name, month, '', ...cells(counted)]),
  );
  const ofPeople = people.map((one) => ['', '', one.name, ...cells(one)]);
  const titles = [t`Rule`, t`Month`, t`Colleague`, t`Decisions`, t`Appealed`, t`Overturned`, t`Average hours`];
  saveCsv([titles, ...rows, ...ofPeople], brandFile('decisions.csv'));
}

function Tables({ figures, list }: { figures: Figures; list: CaseList }) {
  const { all, rules, people } = figures;
  const isLead = useMay('cases.lead');
  const chosen = rules.find(({ rule }) => rule !== null && rule.clause === list.rule);
  const closed: CaseList = { view: 'decided' };
  const ofRule: CaseList = { ...closed, rule: chosen?.rule?.clause };
  return (
    <Stack gap="1rem">
      <DataTable
        label={t`Decisions by rule`}
        rows={[
          { id: 'all', name: t`All rules`, ...all.total },
          ...rules.map(({ rule, total }) => ({
            id: rule?.clause ?? 'none',
            name: ruleName(rule),
            ...(rule !== null && { list: { ...closed, rule: rule.clause } }),
            ...total,
          })),
        ]}
        columns={ruleColumns}
      />
      <DataTable
        label={chosen === undefined ? t`Decisions by month` : t`Decisions by month: ${{ rule: ruleName(chosen.rule) }}`}
        rows={(chosen ?? all).months
          .toReversed()
          .filter(({ decided }) => decided > 0)
          .map(({ month, ...counted }) => ({
            id: month,
            name: formatMonthAndYear(month),
            list: { ...ofRule, decidedFrom: `${month}-01`, decidedTo: lastDayOf(month) },
            ...counted,
          }))}
        columns={monthColumns}
      />
      {people.length > 0 && (
        <DataTable
          label={t`Decisions by colleague`}
          rows={people.map(({ _id, isOwn, ...one }) => ({
            id: _id,
            list: { ...closed, decider: _id },
            ...one,
            name: isOwn ? t`${{ name: one.name }} (you)` : one.name,
          }))}
          columns={peopleColumns}
        />
      )}
      <Hint>
        {isLead
          ? t`Decisions with reasons, by month in UTC. Shares and times appear from ${{ count: decisionSharesFrom }} decisions. Choose a rule to see its months.`
          : t`Decisions with reasons, by month in UTC. Shares and times appear from ${{ count: decisionSharesFrom }} decisions, unless those of a single colleague could be computed. Choose a rule to see its months.`}
      </Hint>
      <Button variant="default" w="fit-content" onClick={() => saveFigures(figures)}>
        {t`Download CSV`}
      </Button>
    </Stack>
  );
}

/** The decisions of the last months by rule, month and colleague. They are loaded once they are opened. */
export function DecisionFigures({ list }: { list: CaseList }) {
  const [isOpen, setOpen] = useState(false);
  const query = useEndpoint(getDecisionFigures, {}, { enabled: isOpen });
  return (
    <details className={classes.timesLine} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>{t`Decisions of the last ${{ count: decisionMonths }} months`}</span>
      </summary>
      {isOpen && (
        <QueryStates
          query={query}
          loadingText={t`Loading figures...`}
          skeleton={<Skeleton height="10rem" count={2} />}
          errorText={(error) => t`Error loading figures: ${error}`}
        >
          {(figures) => <Tables figures={figures} list={list} />}
        </QueryStates>
      )}
    </details>
  );
}
