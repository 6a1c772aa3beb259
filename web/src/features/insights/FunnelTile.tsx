import { t } from '@lingui/core/macro';
import { Button, Group } from '@mantine/core';
import { type Funnel, type FunnelWindow, funnelWindowNames, getFunnel } from '#contract/insights/cohorts.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { BarChart } from '../../ui/chart/BarChart.tsx';
import { FilterSelect } from '../../ui/data/table/ListFilters.tsx';
import { EmptyState, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { formatMonthAndYear, formatNumber } from '../../ui/text/format.ts';
import { type InsightFilters, calm } from './filters.ts';
import classes from './insights.module.css';
import { ratio, shareText } from './series.ts';
import { Tile } from './Tile.tsx';
import { genderWords, stepWords, windowWords } from './words.ts';

interface Column {
  name: string;
  /** The number of people who reached each step; null for too few people. */
  people: (number | null)[];
}

/** Everyone, and each gender. */
function columnsOf({ steps }: Funnel, within: FunnelWindow): Column[] {
  const genders = steps[0]?.genders.map(({ gender }) => gender) ?? [];
  return [
    { name: t`Everyone`, people: steps.map(({ all }) => all[within]) },
    ...genders.map((gender) => ({
      name: t(genderWords[gender]),
      people: steps.map((step) => step.genders.find((each) => each.gender === gender)?.[within] ?? null),
    })),
  ];
}

/** A number of people and their share of those who joined. */
function cellText(people: number | null, joined: number | null | undefined): string {
  const share = ratio(people, joined, 100);
  if (people === null) return '–';
  return share === null ? formatNumber(people) : `${formatNumber(people)} · ${shareText(share)}`;
}

/** How many people reached the step before and no further; null if either number is unknown. */
function lossBefore(people: Column['people'], index: number): string {
  const [now, before] = [people[index] ?? null, people[index - 1] ?? null];
  return now === null || before === null || before < now ? '–' : formatNumber(before - now);
}

interface FunnelTileProps {
  shown: InsightFilters;
  choose: (changed: Partial<InsightFilters>) => void;
}

function FunnelFigures({ funnel, shown, choose }: FunnelTileProps & { funnel: Funnel }) {
  const { month, months, steps, unfinished } = funnel;
  const { within } = shown;
  const columns = columnsOf(funnel, within);
  const genders = columns.slice(1).filter(({ people }) => people[0] != null);
  // A single gender would look like everyone.
  const drawn = genders.length > 1 ? genders : columns.slice(0, 1);
  const names = steps.map(({ step }) => t(stepWords[step]));
  return (
    <Tile
      id={`funnel-${month}-${within}`}
      title={t`From joining to premium`}
      lead={t`Members who joined in ${{ month: formatMonthAndYear(month) }}`}
      definition={t`How many of those who joined in the month reached each step, and all steps before it, within the time since they joined. A profile is complete with its first picture. Numbers below ten are not shown, nor genders of which fewer than ten joined, nor what either could be computed from.`}
      rows={[
        ['step', ...columns.map(({ name }) => name)],
        ...names.map((name, index) => [name, ...columns.map(({ people }) => people[index] ?? null)]),
      ]}
    >
      <Group gap="0.75rem 1.5rem" align="end" mb="1rem">
        <FilterSelect
          label={t`Joined in`}
          value={month}
          choices={(months.includes(month) ? months : [month, ...months]).map((each) => [
            each,
            formatMonthAndYear(each),
          ])}
          onChoose={(chosen) => choose({ month: chosen })}
        />
        <Group role="group" aria-label={t`Reached within`} gap="0.3rem">
          {funnelWindowNames.map((window) => (
            <Button
              key={window}
              variant={window === within ? 'filled' : 'default'}
              aria-pressed={window === within}
              onClick={() => choose({ within: window })}
            >
              {t(windowWords[window])}
            </Button>
          ))}
        </Group>
      </Group>
      <BarChart
        title={t`From joining to premium`}
        groupName={t`Step`}
        series={drawn.map(({ name }) => name)}
        groups={names.map((label, index) => ({ label, values: drawn.map(({ people }) => people[index] ?? null) }))}
      />
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t`Steps by gender`}>
        <table className={classes.grid} aria-label={t`Steps by gender`}>
          <thead>
            <tr>
              <th scope="col">{t`Step`}</th>
              <th scope="col">{t`Dropped off`}</th>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {names.map((name, index) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{lossBefore(columns[0]?.people ?? [], index)}</td>
                {columns.map((column) => (
                  <td key={column.name}>{cellText(column.people[index] ?? null, column.people[0])}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {unfinished.includes(within) && (
        <Hint mt="0.75rem">
          {within === 'ever'
            ? t`So far: steps may still be reached.`
            : t`Not over yet: the last who joined have not had this time.`}
        </Hint>
      )}
    </Tile>
  );
}

/** How many people who joined in a month reached each step, by gender and by the time since they joined. */
export function FunnelTile({ shown, choose }: FunnelTileProps) {
  const query = useEndpoint(getFunnel, { query: { month: shown.month } }, calm);
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading steps...`}
      skeleton="36rem"
      errorText={(error) => t`Error loading steps: ${error}`}
    >
      {(funnel) =>
        funnel.countedAt === null ? null : funnel.months.length === 0 ? (
          <EmptyState text={t`No one has joined yet`} isFramed />
        ) : (
          <FunnelFigures funnel={funnel} shown={shown} choose={choose} />
        )
      }
    </QueryStates>
  );
}
