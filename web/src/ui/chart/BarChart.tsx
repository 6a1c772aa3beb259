import { AxisBottom, AxisLeft } from '@visx/axis';
import { GridRows } from '@visx/grid';
import { Group } from '@visx/group';
import { scaleBand, scaleLinear } from '@visx/scale';
import { BarRounded } from '@visx/shape';
import { formatNumber } from '../text/format.ts';
import classes from './Chart.module.css';
import { chartColors, ChartFigure, chartHeight, Legend, ShapeLink, useWidth } from './ChartFigure.tsx';

const margin = { top: 22, right: 4, bottom: 28, left: 44 };
const widestBar = 44;
/** The least width of a label below the bars; of several that don't fit, some are left out. */
const labelWidth = 40;
/** Bars narrower than this have no room for their value above them. */
const labelledBar = 20;

export interface BarGroup {
  /** The label below the bars. */
  label: string;
  /** The label in the table, if it differs from the one below the bars. */
  longLabel?: string;
  /** One value for each series; null if it is unknown. */
  values: readonly (number | null)[];
  /** The address of the list behind each value, if the viewer may see it. */
  links?: readonly (string | undefined)[];
}

interface BarChartProps {
  title: string;
  /** The kind of groups, used as the heading of the table's first column. */
  groupName: string;
  series: readonly string[];
  groups: readonly BarGroup[];
}

/** A chart with groups of bars, with their values above them if there is room. */
export function BarChart({ title, groupName, series, groups }: BarChartProps) {
  const [drawing, width] = useWidth<HTMLDivElement>();
  const innerWidth = Math.max(0, width - margin.left - margin.right);
  const innerHeight = chartHeight - margin.top - margin.bottom;
  const highest = Math.max(1, ...groups.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const groupScale = scaleBand({ domain: groups.map(({ label }) => label), range: [0, innerWidth], padding: 0.24 });
  const barScale = scaleBand({ domain: [...series], range: [0, groupScale.bandwidth()], padding: 0.1 });
  const valueScale = scaleLinear({ domain: [0, highest], range: [innerHeight, 0], nice: 5 });
  const barWidth = Math.min(widestBar, barScale.bandwidth());
  const every = Math.max(1, Math.ceil((groups.length * labelWidth) / Math.max(1, innerWidth)));
  /** Together, the bars can be pressed anywhere in the chart, so that small and narrow ones can be, too. */
  const pressedWidth = groupScale.step() / series.length;
  const tickClass = classes.tick ?? '';

  return (
    <ChartFigure
      title={title}
      columns={[groupName, ...series]}
      rows={groups.map(({ label, longLabel, values }) => [
        longLabel ?? label,
        ...values.map((value) => (value === null ? '–' : formatNumber(value))),
      ])}
      legend={series.length > 1 && <Legend names={series} />}
      drawingRef={drawing}
      hasLinks={groups.some(({ links = [] }) => links.some((to) => to !== undefined))}
    >
      {width > 0 && (
        <svg width={width} height={chartHeight} focusable="false">
          <Group left={margin.left} top={margin.top}>
            <g aria-hidden="true">
              <GridRows className={classes.grid ?? ''} scale={valueScale} width={innerWidth} numTicks={5} />
            </g>
            {groups.map(({ label, longLabel = label, values, links = [] }) => (
              <Group key={label} left={groupScale(label) ?? 0}>
                {series.map((name, index) => {
                  const value = values[index];
                  if (value == null) return null;
                  const top = valueScale(value);
                  const left = (barScale(name) ?? 0) + (barScale.bandwidth() - barWidth) / 2;
                  return (
                    <ShapeLink
                      key={name}
                      label={`${title}, ${longLabel}, ${name}: ${formatNumber(value)}`}
                      to={links[index]}
                    >
                      <rect
                        x={groupScale.bandwidth() / 2 + (index - series.length / 2) * pressedWidth}
                        width={pressedWidth}
                        height={innerHeight}
                        fill="transparent"
                      />
                      <BarRounded
                        className={classes.bar ?? ''}
                        x={left}
                        y={top}
                        width={barWidth}
                        height={innerHeight - top}
                        radius={Math.min(4, barWidth / 2, innerHeight - top)}
                        top
                        fill={chartColors[index % chartColors.length] ?? ''}
                      />
                      {barWidth >= labelledBar && (
                        <text className={classes.figureLabel} x={left + barWidth / 2} y={top - 6} textAnchor="middle">
                          {formatNumber(value)}
                        </text>
                      )}
                    </ShapeLink>
                  );
                })}
              </Group>
            ))}
            <g aria-hidden="true">
              <AxisLeft
                scale={valueScale}
                numTicks={5}
                hideAxisLine
                hideTicks
                tickFormat={(value) => (Number.isInteger(value) ? formatNumber(Number(value)) : '')}
                tickLabelProps={{ className: tickClass, textAnchor: 'end', dx: '-0.4em', dy: '0.33em' }}
              />
              <AxisBottom
                scale={groupScale}
                top={innerHeight}
                hideTicks
                tickValues={groups.map(({ label }) => label).filter((_, index) => index % every === 0)}
                axisLineClassName={classes.baseline ?? ''}
                stroke="var(--hw-line)"
                tickLabelProps={{ className: tickClass, textAnchor: 'middle', dy: '0.4em' }}
              />
            </g>
          </Group>
        </svg>
      )}
    </ChartFigure>
  );
}
