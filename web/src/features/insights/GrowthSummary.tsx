import { msg, t } from '@lingui/core/macro';
import { Text } from '@mantine/core';
import { scaleLinear, scalePoint } from '@visx/scale';
import { type getGrowth, type InsightPeriod } from '#contract/insights/series.ts';
import type { DataOf } from '../../api/endpoint-query.ts';
import { Curve } from '../../ui/chart/LineChart.tsx';
import { chartColors, useWidth } from '../../ui/chart/ChartFigure.tsx';
import { Panel } from '../../ui/layout/Page.tsx';
import { fill } from '../../ui/text/i18n.ts';
import classes from './insights.module.css';
import { changeText, countText, latest, type SeriesLine, summed } from './series.ts';
import { Headline } from './Tile.tsx';

const joinedWords = {
  more: msg({
    message: '{count, plural, one {# more person joined than before} other {# more people joined than before}}',
  }),
  fewer: msg({
    message: '{count, plural, one {# fewer person joined than before} other {# fewer people joined than before}}',
  }),
  same: msg`As many people joined as before`,
};

/** The text for the figure that is compared besides sign-ups. */
const compared = [
  { measure: 'dailyActive', more: msg`more active members`, fewer: msg`fewer active members` },
  { measure: 'likes', more: msg`more likes`, fewer: msg`fewer likes` },
  { measure: 'matches', more: msg`more matches`, fewer: msg`fewer matches` },
  { measure: 'messages', more: msg`more messages`, fewer: msg`fewer messages` },
  { measure: 'conversations', more: msg`more conversations`, fewer: msg`fewer conversations` },
] as const;

/** The smallest change that is mentioned, as a share. */
const worthSaying = 0.05;

type Growth = DataOf<typeof getGrowth>;

/** The biggest change in one sentence; null if nothing is compared. */
export function sentenceOf({ values, before }: Pick<Growth, 'values' | 'before'>): string | null {
  const headlineOf = (measure: keyof Growth['values']) =>
    summed('', values[measure], before?.values[measure] ?? null).headline;
  const joined = headlineOf('signUps');
  if (joined.now === null || joined.before === null) return null;
  const difference = joined.now - joined.before;
  const kind = difference === 0 ? 'same' : difference > 0 ? 'more' : 'fewer';
  const first = fill(joinedWords[kind], { count: Math.abs(difference) });
  const [most] = compared
    .map(({ measure, more, fewer }) => {
      const { now, before: then } = headlineOf(measure);
      const change = now === null || then === null ? 0 : (now - then) / Math.max(1, then);
      return { size: Math.abs(change), words: change > 0 ? more : fewer };
    })
    .filter(({ size }) => size >= worthSaying)
    .sort((one, other) => other.size - one.size);
  return most === undefined ? t`${first}.` : t`${first}; ${{ change: t(most.words) }}.`;
}

const height = 48;

/** A small line without axes: its values and, in grey, the earlier ones. */
function Spark({ line, periods }: { line: SeriesLine; periods: readonly InsightPeriod[] }) {
  const [drawing, width] = useWidth<HTMLDivElement>();
  const drawn = [
    ...(line.before === null ? [] : [{ name: 'before', values: line.before, isComparison: true }]),
    { name: line.name, values: line.values },
  ];
  const highest = Math.max(1, ...drawn.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const x = scalePoint({ domain: periods.map((_, index) => index), range: [2, Math.max(2, width - 2)] });
  const y = scaleLinear({ domain: [0, highest], range: [height - 2, 2] });
  const points = periods.map(({ from, isOver }) => ({ label: from, longLabel: from, isOpen: !isOver }));
  return (
    <div ref={drawing} className={classes.spark} aria-hidden="true">
      {width > 0 && (
        <svg width={width} height={height} focusable="false">
          {drawn.map((each) => (
            <Curve
              key={each.name}
              line={each}
              points={points}
              color={'isComparison' in each ? 'var(--hw-ink-soft)' : chartColors[0]}
              x={(index) => x(index) ?? 0}
              y={y}
            />
          ))}
        </svg>
      )}
    </div>
  );
}

/** The growth in one sentence and four figures, before the charts. */
export function GrowthSummary({ data }: { data: Growth }) {
  const { periods, values: now } = data;
  const before = data.before?.values ?? null;
  const lines = [
    summed(t`Joined`, now.signUps, before?.signUps),
    latest(t`Active in 7 days`, now.weeklyActive, before?.weeklyActive),
    summed(t`Matches`, now.matches, before?.matches),
    summed(t`Conversations of six`, now.conversations, before?.conversations),
  ];
  const sentence = sentenceOf(data);
  return (
    <Panel title={t`At a glance`}>
      {sentence !== null && (
        <Text fz="lead" mb="1rem">
          {sentence}
        </Text>
      )}
      <div className={classes.glance}>
        {lines.map((line) => (
          <div key={line.name}>
            <dl>
              <Headline
                name={line.name}
                value={line.headline.now === null ? '–' : countText(line.headline.now)}
                change={changeText(line.headline.now, line.headline.before, countText)}
              />
            </dl>
            <Spark line={line} periods={periods} />
          </div>
        ))}
      </div>
    </Panel>
  );
}
