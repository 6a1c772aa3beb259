import { t } from '@lingui/core/macro';
import { Button, Stack } from '@mantine/core';
import {
  agreementFrom,
  type GoldenCase,
  retireGoldenCase,
  type SecondLookFigures as Figures,
  getSecondLookFigures,
  listGoldenCases,
} from '#contract/moderation/second-looks.ts';
import { reportTypeWords } from '#contract/moderation/reports.ts';
import { useCommand, useEndpoint } from '../../../api/endpoint-query.ts';
import { Nothing } from '../../../ui/data/table/cells.tsx';
import { DataTable } from '../../../ui/data/table/DataTable.tsx';
import type { TableColumn } from '../../../ui/data/table/rows.ts';
import { UserText } from '../../../ui/data/RichText.tsx';
import { ErrorNotice } from '../../../ui/feedback/Notice.tsx';
import { QueryStates, Skeleton } from '../../../ui/feedback/PageStates.tsx';
import { Panel } from '../../../ui/layout/Page.tsx';
import { Hint } from '../../../ui/layout/text-blocks.tsx';
import { formatNumber, formatPercent } from '../../../ui/text/format.ts';
import { outcomeWords } from '../cases/decision-words.ts';

interface Line {
  id: string;
  name: string;
  judged: number;
  agreed: number | null;
}

const columnsOf = (header: () => string): TableColumn<Line>[] => [
  { id: 'name', header, card: 'head', cell: ({ name }) => name },
  { id: 'judged', header: () => t`Second looks`, isNumber: true, cell: ({ judged }) => formatNumber(judged) },
  {
    id: 'agreed',
    header: () => t`Agreed`,
    isNumber: true,
    cell: ({ judged, agreed }) => (agreed === null ? <Nothing /> : formatPercent(Math.round((100 * agreed) / judged))),
  },
];
const people = (of: Figures['deciders']): Line[] => of.map(({ _id, ...line }) => ({ id: _id, ...line }));

function Tables({ figures: { all, rules, deciders, training } }: { figures: Figures }) {
  const byRule = rules.map(({ clause, ...line }) => ({
    id: clause ?? 'none',
    name: clause === null ? t`No rule` : t`Rule ${clause}`,
    ...line,
  }));
  const tables = [
    [t`Second looks by rule`, [{ id: 'all', name: t`All rules`, ...all }, ...byRule], () => t`Rule`],
    [t`Second looks by who decided`, people(deciders), () => t`Colleague`],
    [t`Training cases by who judged`, people(training), () => t`Colleague`],
  ] as const;
  return (
    <Stack gap="1rem">
      {tables.map(
        ([label, rows, header]) =>
          rows.length > 0 && <DataTable key={label} label={label} rows={rows} columns={columnsOf(header)} />,
      )}
      <Hint>{t`The last 12 months. Shares appear from ${{ count: agreementFrom }} second looks.`}</Hint>
    </Stack>
  );
}

function GoldenList({ cases }: { cases: readonly GoldenCase[] }) {
  const retire = useCommand(retireGoldenCase, (id: string) => ({ params: { id } }), { waits: true });
  if (cases.length === 0)
    return <Hint>{t`None yet. Open a decided case and choose “Keep for training” below its decision.`}</Hint>;
  return (
    <>
      <ErrorNotice error={retire.error} />
      <Stack component="ul" gap="1rem">
        {cases.map((one) => (
          <li key={one._id}>
            <strong>{`${t(reportTypeWords[one.problem_type])} · ${t(outcomeWords[one.outcome])}`}</strong>
            <UserText>{one.story}</UserText>
            <Button
              variant="default"
              size="xs"
              aria-disabled={retire.isPending || undefined}
              aria-label={t`Remove: ${{ story: one.story.slice(0, 40) }}`}
              onClick={() => !retire.isPending && retire.mutate(one._id)}
            >
              {t`Remove`}
            </Button>
          </li>
        ))}
      </Stack>
    </>
  );
}

/** How often second looks agreed, and the training cases, for leads of the team. */
export function SecondLookFigures() {
  const figures = useEndpoint(getSecondLookFigures);
  const golden = useEndpoint(listGoldenCases);
  return (
    <Stack gap="1.25rem" mt="2rem" data-in-order>
      <Panel title={t`Agreement`}>
        <QueryStates
          query={figures}
          loadingText={t`Loading figures...`}
          skeleton={<Skeleton height="8rem" />}
          errorText={(error) => t`Error loading figures: ${error}`}
        >
          {(data) => <Tables figures={data} />}
        </QueryStates>
      </Panel>
      <Panel title={t`Training cases`} lead={t`Every fifth second look is one of these.`}>
        <QueryStates
          query={golden}
          loadingText={t`Loading training cases...`}
          skeleton={<Skeleton height="4rem" />}
          errorText={(error) => t`Error loading training cases: ${error}`}
        >
          {({ cases }) => <GoldenList cases={cases} />}
        </QueryStates>
      </Panel>
    </Stack>
  );
}
