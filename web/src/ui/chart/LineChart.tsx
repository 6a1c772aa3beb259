import { AxisBottom, AxisLeft } from '@visx/axis';
import { GridRows } from '@visx/grid';
import { Group } from '@visx/group';
import { scaleLinear, scalePoint } from '@visx/scale';
import { LinePath } from '@visx/shape';
import classes from './Chart.module.css';
import { chartColors, ChartFigure, chartHeight, Legend, useWidth } from './ChartFigure.tsx';

const margin = { top: 12, right: 16, bottom: 28 };
/** The room for a letter of the labels beside the chart. */
const letterWidth = 7;
/** The least width of a label below the chart. */
const labelWidth = 72;
/** Up to this many periods, each has a dot. */
const mostDots = 40;

export interface LinePoint {
  /** The label below the line. */
  label: string;
  /** The label in the table. */
  longLabel: string;
  /** Its values are not final, so that the line to it is dashed and its dots are hollow. */
  isOpen?: boolean;
}

export interface Line {
  name: string;
  /** One value for each point; null if it is unknown. */
  values: readonly (number | null)[];
  /** Drawn thin and grey: the earlier values that the line before it is compared with. */
  isComparison?: boolean;
}

interface LineChartProps {
  title: string;
  /** The kind of points, used as the heading of the table's first column. */
  groupName: string;
  points: readonly LinePoint[];
  lines: readonly Line[];
  format: (value: number) => string;
}

const unknown = '–';

/** The colour of each line; comparisons are grey. */
function colorsOf(lines: readonly Line[]): string[] {
  let index = -1;
  return lines.map(({ isComparison }) => {
    if (isComparison === true) return 'var(--hw-ink-soft)';
    index += 1;
    return chartColors[index % chartColors.length] ?? '';
  });
}

interface CurveProps {
  line: Line;
  points: readonly LinePoint[];
  color: string;
  x: (index: number) => number;
  y: (value: number) => number;
}

/** A line, dashed from the last point whose values are final. */
export function Curve({ line: { values, isComparison = false }, points, color, x, y }: CurveProps) {
  const places = values.map((_, index) => index);
  const open = isComparison ? -1 : points.findIndex(({ isOpen }) => isOpen === true);
  const parts = open < 1 ? [places] : [places.slice(0, open), places.slice(open - 1)];
  return parts.map((part, nth) => (
    <LinePath
      key={nth}
      data={part}
      x={x}
      y={(index) => y(values[index] ?? 0)}
      defined={(index) => values[index] != null}
      stroke={color}
      strokeWidth={isComparison ? 1.5 : 2.25}
      {...((nth > 0 || open === 0) && { strokeDasharray: '4 4' })}
      fill="none"
    />
  ));
}

/** A chart of lines over time. Pointing at a period shows its values. */
export function LineChart({ title, groupName, points, lines, format }: LineChartProps) {
  const [drawing, width] = useWidth<HTMLDivElement>();
  const innerHeight = chartHeight - margin.top - margin.bottom;
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.map((value) => value ?? 0)));
  const places = points.map((_, index) => index);
  const y = scaleLinear({ domain: [0, highest === 0 ? 1 : highest], range: [innerHeight, 0], nice: 5 });
  // Small numbers have ticks at fractions, whose rounded labels would repeat.
  const ticks = y
    .ticks(5)
    .filter((value, at, all) => at === all.length - 1 || format(value) !== format(all[at + 1] ?? 0));
  const left = 14 + letterWidth * Math.max(...ticks.map((value) => format(value).length));
  const innerWidth = Math.max(0, width - left - margin.right);
  const x = scalePoint({ domain: places, range: [0, innerWidth], padding: 0.5 });
  const every = Math.max(1, Math.ceil((points.length * labelWidth) / Math.max(1, innerWidth)));
  const colors = colorsOf(lines);
  const textOf = (value: number | null | undefined) => (value == null ? unknown : format(value));
  const tickClass = classes.tick ?? '';

  return (
    <ChartFigure
      title={title}
      columns={[groupName, ...lines.map(({ name }) => name)]}
      rows={points.map(({ longLabel }, index) => [longLabel, ...lines.map(({ values }) => textOf(values[index]))])}
      legend={lines.length > 1 && <Legend names={lines.map(({ name }) => name)} colors={colors} />}
      drawingRef={drawing}
    >
      {width > 0 && (
        <svg width={width} height={chartHeight} focusable="false">
          <Group left={left} top={margin.top}>
            <GridRows className={classes.grid ?? ''} scale={y} width={innerWidth} tickValues={ticks} />
            {lines.map(({ name, values, isComparison }, at) => (
              <g key={name}>
                <Curve
                  line={{ name, values, ...(isComparison === true && { isComparison }) }}
                  points={points}
                  color={colors[at] ?? ''}
                  x={(index) => x(index) ?? 0}
                  y={y}
                />
                {isComparison !== true &&
                  points.length <= mostDots &&
                  places.map(
                    (index) =>
                      values[index] != null && (
                        <circle
                          key={index}
                          cx={x(index)}
                          cy={y(values[index])}
                          r={3}
                          stroke={colors[at]}
                          fill={points[index]?.isOpen === true ? 'var(--hw-surface)' : colors[at]}
                        />
                      ),
                  )}
              </g>
            ))}
            {points.map(({ longLabel }, index) => (
              <rect
                key={longLabel}
                x={(x(index) ?? 0) - x.step() / 2}
                width={x.step() || innerWidth}
                height={innerHeight}
                fill="transparent"
              >
                <title>
                  {[longLabel, ...lines.map(({ name, values }) => `${name}: ${textOf(values[index])}`)].join('\n')}
                </title>
              </rect>
            ))}
            <AxisLeft
              scale={y}
              tickValues={ticks}
              hideAxisLine
              hideTicks
              tickFormat={(value) => format(Number(value))}
              tickLabelProps={{ className: tickClass, textAnchor: 'end', dx: '-0.4em', dy: '0.33em' }}
            />
            <AxisBottom
              scale={x}
              top={innerHeight}
              hideTicks
              tickValues={places.filter((index) => index % every === 0)}
              tickFormat={(index) => points[Number(index)]?.label ?? ''}
              axisLineClassName={classes.baseline ?? ''}
              stroke="var(--hw-line)"
              tickLabelProps={{ className: tickClass, textAnchor: 'middle', dy: '0.4em' }}
            />
          </Group>
        </svg>
      )}
    </ChartFigure>
  );
}
