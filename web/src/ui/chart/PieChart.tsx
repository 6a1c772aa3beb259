import { Text } from '@mantine/core';
import { Group } from '@visx/group';
import { Pie } from '@visx/shape';
import { formatNumber, formatPercent } from '../text/format.ts';
import classes from './Chart.module.css';
import { chartColors, ChartFigure, KeyEntry, useWidth } from './ChartFigure.tsx';

const largestRadius = 96;

interface PieChartProps {
  title: string;
  /** The table's column headings: slices, counts and shares. */
  columns: readonly [slice: string, count: string, share: string];
  slices: readonly { label: string; count: number }[];
  /** Shown instead of a pie if all values are zero. */
  nothingText: string;
}

/** A pie chart with a legend below: each slice's name, count and share of the whole. */
export function PieChart({ title, columns, slices, nothingText }: PieChartProps) {
  const [drawing, width] = useWidth<HTMLDivElement>();
  const total = slices.reduce((sum, { count }) => sum + count, 0);
  const shareOf = (count: number) => formatPercent(total === 0 ? 0 : Math.round((100 * count) / total));
  const radius = Math.min(largestRadius, width / 2 - 4);

  return (
    <ChartFigure
      title={title}
      columns={columns}
      rows={slices.map(({ label, count }) => [label, formatNumber(count), shareOf(count)])}
      drawingRef={drawing}
    >
      {width > 0 && total === 0 && (
        <Text c="dimmed" ta="center" pt="5rem">
          {nothingText}
        </Text>
      )}
      {width > 0 && total > 0 && (
        <div className={classes.pie}>
          <svg
            width={width}
            height="100%"
            viewBox={`${-width / 2} ${-radius - 2} ${width} ${2 * radius + 4}`}
            focusable="false"
          >
            <Group>
              <Pie
                data={[...slices]}
                pieValue={({ count }) => count}
                pieSort={null}
                pieSortValues={null}
                outerRadius={radius}
                fill={({ index }) => chartColors[index % chartColors.length] ?? ''}
                className={classes.slice ?? ''}
              />
            </Group>
          </svg>
          <ul className={classes.pieKey}>
            {slices.map(({ label, count }, index) => (
              <KeyEntry key={label} index={index}>
                {label}
                <Text span ms="auto" c="var(--hw-ink)" fw={600}>
                  {formatNumber(count)} · {shareOf(count)}
                </Text>
              </KeyEntry>
            ))}
          </ul>
        </div>
      )}
    </ChartFigure>
  );
}
