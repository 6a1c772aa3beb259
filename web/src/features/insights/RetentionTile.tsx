import { t } from '@lingui/core/macro';
import type { CSSProperties } from 'react';
import { getRetention, type Retention } from '#contract/insights/cohorts.ts';
import type { InsightGender } from '#contract/insights/series.ts';
import { calm } from './filters.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { EmptyState, QueryStates } from '../../ui/feedback/PageStates.tsx';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { formatDay, formatMonthAndYear, formatNumber, formatPercent } from '../../ui/text/format.ts';
import classes from './insights.module.css';
import { ratio } from './series.ts';
import { Tile } from './Tile.tsx';
import { genderWords } from './words.ts';

type Cohort = Retention['cohorts'][number];

const unknown = '–';

/** The share of a cohort that was active in a month. */
function cellText({ joined, active }: Cohort, after: number): string {
  const share = ratio(active[after]?.people, joined, 100);
  return share === null ? unknown : formatPercent(Math.round(share));
}

/** A share of a hundred with one decimal. */
const roundedShare = (people: number | null, joined: number | null) => {
  const share = ratio(people, joined, 1000);
  return share === null ? null : Math.round(share) / 10;
};

/** The larger the active share of a cohort, the stronger the background. */
function heatOf({ joined }: Cohort, people: number | null): CSSProperties {
  const share = ratio(people, joined, 60) ?? 0;
  return { backgroundColor: `color-mix(in srgb, var(--hw-chart-3) ${Math.round(share)}%, transparent)` };
}

function Grid({ cohorts, visitsSince, gender }: Retention & { gender: InsightGender | '' }) {
  const months = Math.max(0, ...cohorts.map(({ active }) => active.length));
  const after = Array.from({ length: months }, (_, month) => month);
  const texts = cohorts.map((cohort) => [
    formatMonthAndYear(cohort.month),
    cohort.joined === null ? unknown : formatNumber(cohort.joined),
    ...cohort.active.map((_, month) => cellText(cohort, month)),
  ]);
  const figures = cohorts.map(({ month, joined, active }) => [
    month,
    joined,
    ...after.map((at) => roundedShare(active[at]?.people ?? null, joined)),
  ]);
  const heads = [t`Joined in`, t`People`, ...after.map((month) => t`+${month}`)];
  return (
    <Tile
      id="retention"
      title={t`Retention`}
      lead={gender === '' ? t`All genders` : t(genderWords[gender])}
      definition={t`Of those who joined in a month, the share who were active in that month (+0) and in each calendar month after it. People who left stay counted as joined. Numbers below ten are not shown, nor what they could be computed from.`}
      rows={[[...heads.slice(0, 2), ...after.map((month) => t`Month ${month} (%)`)], ...figures]}
      texts={[heads, ...texts]}
    >
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t`Retention by month`}>
        <table className={classes.grid} aria-label={t`Retention by month`}>
          <thead>
            <tr>
              {heads.map((head) => (
                <th key={head} scope="col">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {cohorts.map((cohort, row) => (
              <tr key={cohort.month}>
                <th scope="row">{texts[row]?.[0]}</th>
                <td>{texts[row]?.[1]}</td>
                {cohort.active.map(({ people, isOver }, month) => (
                  <td key={after[month]} style={heatOf(cohort, people)} data-open={!isOver || undefined}>
                    {texts[row]?.[month + 2]}
                    {!isOver && <span className="visually-hidden"> {t`so far`}</span>}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <Hint mt="0.75rem">
        {visitsSince !== null &&
          `${t`Before ${{ day: formatDay(visitsSince) }}, active members are only those who joined, liked or wrote: visits were not recorded.`} `}
        {t`Hatched months are not over yet. Months in which fewer than ten joined are not shown, nor those from which their activity could be computed.`}
      </Hint>
    </Tile>
  );
}

/** The active members in the months after joining, by month of joining. Of the filters, only the gender applies. */
export function RetentionTile({ gender }: { gender: InsightGender | '' }) {
  const query = useEndpoint(getRetention, { query: { gender } }, calm);
  return (
    <QueryStates
      query={query}
      loadingText={t`Loading retention...`}
      skeleton="24rem"
      errorText={(error) => t`Error loading retention: ${error}`}
    >
      {(retention) =>
        retention.countedAt === null ? null : retention.cohorts.length === 0 ? (
          <EmptyState text={t`No one has joined in the last months`} isFramed />
        ) : (
          <Grid {...retention} gender={gender} />
        )
      }
    </QueryStates>
  );
}
