import { t } from '@lingui/core/macro';
import type { getGrowth } from '#contract/insights/series.ts';
import type { DataOf } from '../../api/endpoint-query.ts';
import { Hint } from '../../ui/layout/text-blocks.tsx';
import { Columns } from '../../ui/layout/Page.tsx';
import { formatDay } from '../../ui/text/format.ts';
import { countText, latest, rate, summed } from './series.ts';
import { SeriesTile } from './SeriesTile.tsx';

/** Sign-ups, activity, and interactions between members. */
export function GrowthTiles({ data }: { data: DataOf<typeof getGrowth> }) {
  const { by, periods, values: now, visitsSince } = data;
  const before = data.before?.values ?? null;
  const daysOf = (of: DataOf<typeof getGrowth>['periods']) => of.map(({ days }) => days);
  const shared = { periods, by };
  // Recorded visits can't be compared with activity derived from other rows.
  const isEstimated = visitsSince !== null && ((data.before ?? data).periods[0]?.from ?? '') < visitsSince;
  const active = isEstimated ? null : data.before;
  return (
    <>
      <Columns isEven isStretched>
        <SeriesTile
          {...shared}
          id="sign-ups"
          title={t`Sign-ups`}
          definition={t`People who joined on the day. Those who delete their account later stay counted.`}
          lines={[
            summed(t`Joined`, now.signUps, before?.signUps),
            { ...latest(t`Members in total`, now.members, before?.members), apart: countText },
          ]}
        />
        <SeriesTile
          {...shared}
          id="active-members"
          title={t`Active members`}
          definition={t`Members who were active: on a day (the average of the days), and in the 7 and the 30 days that end with the period.`}
          lines={[
            rate(
              t`A day`,
              { parts: now.dailyActive, wholes: daysOf(periods) },
              active && { parts: active.values.dailyActive, wholes: daysOf(active.periods) },
            ),
            latest(t`In 7 days`, now.weeklyActive, active?.values.weeklyActive),
            latest(t`In 30 days`, now.monthlyActive, active?.values.monthlyActive),
          ]}
        />
        <SeriesTile
          {...shared}
          id="matches"
          title={t`Matches and conversations`}
          definition={t`Matches made on the day, and conversations whose sixth message was sent on it after both had written. For a group, each counts once for each of its members in the group.`}
          lines={[
            summed(t`Matches`, now.matches, before?.matches),
            summed(t`Conversations of six`, now.conversations, before?.conversations),
          ]}
        />
        <SeriesTile
          {...shared}
          id="likes"
          title={t`Likes and messages`}
          definition={t`Likes and messages that members sent on the day. Likes that were taken back on the same day don’t count.`}
          lines={[summed(t`Likes`, now.likes, before?.likes), summed(t`Messages`, now.messages, before?.messages)]}
        />
      </Columns>
      {isEstimated && (
        <Hint mb="1.25rem">
          {t`Before ${{ day: formatDay(visitsSince) }}, active members are only those who joined, liked or wrote: visits were not recorded.`}
        </Hint>
      )}
    </>
  );
}
