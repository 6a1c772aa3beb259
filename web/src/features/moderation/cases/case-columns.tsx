import { t } from '@lingui/core/macro';
import { Group, Stack } from '@mantine/core';
import { Link } from 'react-router';
import type { DecidedLine } from '#contract/moderation/decided-filters.ts';
import type { ListedCase } from '#contract/moderation/case-list.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { CutText, Nothing } from '../../../ui/data/table/cells.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { linkId } from '../../../ui/data/table/use-row-keys.ts';
import { Time } from '../../../ui/data/Time.tsx';
import { formatNumber } from '../../../ui/text/format.ts';
import { AppealTag } from '../appeals/AppealMarks.tsx';
import { decisionSummary } from '../appeals/appeal-words.ts';
import { PriorityTag } from '../reports/ReportMarks.tsx';
import { personWord } from '../reports/report-words.ts';
import { CriticalMark, HolderMark, HoldMark, StageTag, TimeLeft } from './CaseMarks.tsx';
import { sourceWords } from './decision-words.ts';
import { addressIn, type CaseList } from './queries.ts';
import classes from './queue.module.css';

function personColumn(list: CaseList): TableColumn<ListedCase> {
  return {
    id: 'person',
    header: () => t`Person`,
    card: 'head',
    cell: ({ _id, person }) => (
      <Link id={linkId(_id)} to={addressIn(list, _id)} className={classes.link} dir="auto">
        {personWord(person)}
      </Link>
    ),
  };
}

const stageColumn: TableColumn<ListedCase> = {
  id: 'stage',
  header: () => t`Stage`,
  card: 'tags',
  width: ['13rem', '9rem'],
  cell: ({ stage }) => <StageTag stage={stage} />,
};

/** Why there is a case: what was reported, and what makes it critical or holds the person. */
function Reasons({ of: { types, criticalBecause, openLinks, hold } }: { of: ListedCase }) {
  return (
    <>
      {types.length > 0 || openLinks === 0 ? (
        <span>{types.map((type) => t(reportTypeWords[type])).join(', ') || '—'}</span>
      ) : null}
      {/* A hold because of a strong link says so. */}
      {openLinks > 0 && hold?.cause !== 'ban_trace' && <span>{t`May be a banned person who came back`}</span>}
      <CriticalMark because={criticalBecause} />
      <HoldMark hold={hold} />
    </>
  );
}

/** The columns of a list of open cases. On a card, they are three or four lines. */
export function openColumns(list: CaseList): TableColumn<ListedCase>[] {
  return [
    personColumn(list),
    {
      id: 'what',
      header: () => t`Reported for`,
      only: 'table',
      cell: (line) => (
        <Stack component="span" gap="0.2rem" align="start">
          <Reasons of={line} />
        </Stack>
      ),
    },
    {
      id: 'priority',
      header: () => t`Priority`,
      card: 'head',
      width: ['7rem', '6.3rem'],
      cell: ({ priority }) => <PriorityTag priority={priority} />,
    },
    stageColumn,
    {
      id: 'due',
      header: () => t`Time left`,
      card: 'tags',
      width: ['13rem', '11rem'],
      cell: (line) => <TimeLeft of={line} />,
    },
    {
      id: 'holder',
      header: () => t`Handled by`,
      only: 'table',
      width: ['10rem', '7.5rem'],
      cell: ({ holder }) => <HolderMark holder={holder} />,
    },
    {
      id: 'line',
      only: 'card',
      card: 'body',
      cell: (line) => (
        <Group component="span" gap="0.2rem 0.6rem">
          <Reasons of={line} />
          {line.holder !== null && <HolderMark holder={line.holder} label={t`Handled by`} />}
        </Group>
      ),
    },
    {
      id: 'reports',
      only: 'table',
      header: () => t`Reports`,
      width: ['5.6rem', '5rem'],
      isNumber: true,
      cell: ({ reportCount, openReports }) =>
        t`${{ open: formatNumber(openReports) }} of ${{ count: formatNumber(reportCount) }}`,
    },
  ];
}

/** The decision, with its rule and version. */
function Outcome({ of }: { of: DecidedLine | null | undefined }) {
  if (of == null) return t`Closed without a decision`;
  const { rule } = of;
  return (
    <Stack component="span" gap="0.2rem" align="start">
      {decisionSummary(of)}
      {rule !== null && (
        <CutText
          text={t`${{ clause: rule.clause }}. ${{ title: rule.title }} (version ${{ version: rule.version }})`}
          isSoft
        />
      )}
    </Stack>
  );
}

/** The columns of a list of closed cases, with the decision that was found in each. */
export function decidedColumns(list: CaseList): TableColumn<ListedCase>[] {
  return [
    personColumn(list),
    { id: 'decision', header: () => t`Decision`, card: 'body', cell: ({ decision }) => <Outcome of={decision} /> },
    {
      id: 'decided',
      header: () => t`Decided`,
      width: ['12rem', '9rem'],
      cell: ({ decision }) => (decision ? <Time at={decision.at} /> : <Nothing />),
    },
    {
      id: 'decider',
      header: () => t`Decided by`,
      width: ['11rem', '8rem'],
      cell: ({ decision }) =>
        decision ? (
          <Link
            to={addressIn({ ...list, decider: decision.by._id })}
            title={t`Show only decisions by ${{ name: decision.by.name }}`}
            className={classes.link}
            dir="auto"
          >
            {decision.by.name}
          </Link>
        ) : (
          <Nothing />
        ),
    },
    {
      id: 'source',
      header: () => t`Discovered through`,
      width: ['11rem', '9rem'],
      cell: ({ decision }) => (decision ? t(sourceWords[decision.source]) : <Nothing />),
    },
    {
      id: 'appeal',
      header: () => t`Appeal`,
      width: ['10rem', '8rem'],
      cell: ({ decision }) => (decision?.appeal ? <AppealTag state={decision.appeal} /> : <Nothing />),
    },
    { ...stageColumn, width: '8.5rem' },
  ];
}
