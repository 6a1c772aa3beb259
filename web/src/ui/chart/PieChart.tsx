import { Text } from '@mantine/core';
import { Link } from 'react-router';
import { Group } from '@visx/group';
import { Pie } from '@visx/shape';
import { formatNumber, formatPercent } from '../text/format.ts';
import classes from './Chart.module.css';
import { chartColors, ChartFigure, KeyEntry, ShapeLink, useWidth } from './ChartFigure.tsx';

const largestRadius = 96;

interface PieChartProps {
  title: string;
  /** The table's column headings: slices, counts and shares. */
  columns: readonly [slice: string, count: string, share: string];
  /** `to` is the address of the list behind a slice, if the viewer may see it. */
  slices: readonly { label: string; count: number; to?: string | undefined }[];
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
      hasLinks={slices.some(({ to }) => to !== undefined)}
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
              >
                {({ arcs, path }) =>
                  arcs.map((arc, index) => (
                    <ShapeLink
                      key={arc.data.label}
                      label={`${title}, ${arc.data.label}: ${formatNumber(arc.data.count)}`}
                      to={arc.data.to}
                    >
                      <path
                        d={path(arc) ?? ''}
                        fill={chartColors[index % chartColors.length]}
                        className={classes.slice}
                      />
                    </ShapeLink>
                  ))
                }
              </Pie>
            </Group>
          </svg>
          <ul className={classes.pieKey} aria-hidden="true">
            {slices.map(({ label, count, to }, index) => (
              <KeyEntry key={label} index={index}>
                {label}
                <Text span ms="auto" c="var(--hw-ink)" fw={600}>
                  {to === undefined ? (
                    formatNumber(count)
                  ) : (
                    <Link to={to} tabIndex={-1} style={{ color: 'inherit' }}>
                      {formatNumber(count)}
                    </Link>
                  )}{' '}
                  · {shareOf(count)}
                </Text>
              </KeyEntry>
            ))}
          </ul>
        </div>
      )}
    </ChartFigure>
  );
}
