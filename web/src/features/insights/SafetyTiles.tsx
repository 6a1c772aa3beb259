import { msg, t } from '@lingui/core/macro';
import type { getSafetySeries } from '#contract/insights/series.ts';
import type { DataOf } from '../../api/endpoint-query.ts';
import { Columns } from '../../ui/layout/Page.tsx';
import { countText, rate, rateText, shareText, summed } from './series.ts';
import { SeriesTile } from './SeriesTile.tsx';

const hourMs = 3_600_000;

/** A duration in minutes, hours or days. */
function durationText(ms: number): string {
  const hours = ms / hourMs;
  if (hours < 1) return t`${{ count: Math.round(hours * 60) }} min`;
  return hours < 48 ? t`${{ count: rateText(hours) }} h` : t`${{ count: rateText(hours / 24) }} days`;
}

/** Daily active members are fewer than monthly ones, so the rates of days and months can't be compared. */
const perActive = {
  day: msg`Per 1,000 active that day`,
  week: msg`Per 1,000 active in 7 days`,
  month: msg`Per 1,000 active in 30 days`,
} as const;

/** Reports relative to activity, people with repeated violations, and how long decisions take. */
export function SafetyTiles({ data }: { data: DataOf<typeof getSafetySeries> }) {
  const { by, periods, values: now } = data;
  const before = data.before?.values ?? null;
  const activeIn = (values: DataOf<typeof getSafetySeries>['values']) =>
    ({ day: values.dailyActive, week: values.weeklyActive, month: values.monthlyActive })[by];
  const shared = { periods, by };
  return (
    <Columns isEven isStretched>
      <SeriesTile
        {...shared}
        id="reports"
        title={t`Reports per 1,000 active members`}
        definition={t`Reports by members, for each thousand who were active: on the day, in the 7 days of the week, or in the last 30 days of the month. A group is that of the reporters.`}
        lines={[
          rate(
            t(perActive[by]),
            { parts: now.reports, wholes: activeIn(now), times: 1000 },
            before && { parts: before.reports, wholes: activeIn(before) },
          ),
          { ...summed(t`Reports`, now.reports, before?.reports), apart: countText },
        ]}
        format={rateText}
      />
      <SeriesTile
        {...shared}
        id="repeat-rate"
        title={t`Repeat rate`}
        definition={t`Decisions with an action against a person who had been acted on before, as a share of all with an action. Decisions that an appeal took back later stay counted. A group is that of the person acted on.`}
        lines={[
          rate(
            t`Repeated`,
            { parts: now.repeatActions, wholes: now.actions, times: 100 },
            before && { parts: before.repeatActions, wholes: before.actions },
          ),
          { ...summed(t`Actions`, now.actions, before?.actions), apart: countText },
        ]}
        format={shareText}
      />
      <SeriesTile
        {...shared}
        id="time-to-decision"
        title={t`Time to decision`}
        definition={t`The average time from the first report that a decision answers to the decision, pauses included. Decisions without a report don’t count. A group is that of the person decided about.`}
        lines={[
          rate(
            t`Average`,
            { parts: now.decisionMs, wholes: now.decisions },
            before && { parts: before.decisionMs, wholes: before.decisions },
          ),
          { ...summed(t`Decisions`, now.decisions, before?.decisions), apart: countText },
        ]}
        format={durationText}
        unit={{ name: t`hours`, per: hourMs }}
      />
    </Columns>
  );
}
