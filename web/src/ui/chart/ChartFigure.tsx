import { Group } from '@mantine/core';
import { type ReactNode, type Ref, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import classes from './Chart.module.css';

export const chartHeight = 300;

/** The colours of the chart, used for the series or slices in this order. */
export const chartColors = [
  'var(--hw-chart-1)',
  'var(--hw-chart-2)',
  'var(--hw-chart-3)',
  'var(--hw-chart-4)',
  'var(--hw-chart-5)',
] as const;

interface ChartFigureProps {
  /** The title of the chart, which is also the caption of its table. */
  title: string;
  /** The table's column headings; the first is for the names of the rows. */
  columns: readonly string[];
  /** The drawn values as text: the name of each row, then its cells. */
  rows: readonly (readonly [name: string, ...cells: string[]])[];
  legend?: ReactNode;
  drawingRef: Ref<HTMLDivElement>;
  /** The drawing contains links, so it isn't hidden from screen readers. */
  hasLinks?: boolean;
  /** The SVG, which is hidden from screen readers unless it has links. */
  children: ReactNode;
}

/** A chart, with its values as a table for screen readers. */
export function ChartFigure(props: ChartFigureProps) {
  const { title, columns, rows, legend, drawingRef, hasLinks = false, children } = props;
  return (
    <figure className={classes.figure}>
      {legend}
      <div
        ref={drawingRef}
        className={classes.drawing}
        style={{ height: chartHeight }}
        {...(!hasLinks && { 'aria-hidden': true })}
      >
        {children}
      </div>
      <div className="visually-hidden">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([name, ...cells]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {cells.map((cell, index) => (
                  <td key={columns[index + 1]}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

/** A bar or slice that opens the list behind it; without an address, only the drawing. */
export function ShapeLink({ label, to, children }: { label: string; to: string | undefined; children: ReactNode }) {
  if (to === undefined) return <g aria-hidden="true">{children}</g>;
  return (
    <Link to={to} aria-label={label} className={classes.shape ?? ''}>
      {children}
    </Link>
  );
}

/** The legend. It is hidden from screen readers, because the table contains the same information. */
export function Legend({ names, colors }: { names: readonly string[]; colors?: readonly string[] }) {
  return (
    <Group component="ul" gap="0.25rem 1.1rem" mb="0.5rem" c="dimmed" fz="0.88rem" aria-hidden="true">
      {names.map((name, index) => (
        <KeyEntry key={name} index={index} {...(colors && { color: colors[index] })}>
          {name}
        </KeyEntry>
      ))}
    </Group>
  );
}

interface KeyEntryProps {
  index: number;
  /** The colour, if it isn't that of the index. */
  color?: string | undefined;
  children: ReactNode;
}

/** Explains the colour of one series or slice. */
export function KeyEntry({ index, color, children }: KeyEntryProps) {
  return (
    <Group component="li" gap="0.45rem" wrap="nowrap" miw={0}>
      <span className={classes.swatch} style={{ background: color ?? chartColors[index % chartColors.length] }} />
      {children}
    </Group>
  );
}

/** Measures the width of the element with this ref in whole CSS pixels; 0 until it is known. */
export function useWidth<T extends HTMLElement>(): [RefObject<T | null>, number] {
  const element = useRef<T>(null);
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const observed = element.current;
    if (!observed) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(observed.clientWidth)));
    observer.observe(observed);
    return () => observer.disconnect();
  }, []);
  return [element, width];
}
