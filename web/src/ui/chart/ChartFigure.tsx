import { Group } from '@mantine/core';
import { type ReactNode, type Ref, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import classes from './Chart.module.css';

export const chartHeight = 300;

/** The drawn colours, one for each series or slice in turn. */
export const chartColors = [
  'var(--hw-chart-1)',
  'var(--hw-chart-2)',
  'var(--hw-chart-3)',
  'var(--hw-chart-4)',
  'var(--hw-chart-5)',
] as const;

interface ChartFigureProps {
  /** What the chart shows; the caption of its table. */
  title: string;
  /** Column names of the table, the first for the rows' names. */
  columns: readonly string[];
  /** The drawn values as text: a row's name, then its cells. */
  rows: readonly (readonly [name: string, ...cells: string[]])[];
  legend?: ReactNode;
  drawingRef: Ref<HTMLDivElement>;
  /** The SVG; decoration for people who can't see it. */
  children: ReactNode;
}

/** A chart, and the same values as a table for screen readers. */
export function ChartFigure({ title, columns, rows, legend, drawingRef, children }: ChartFigureProps) {
  return (
    <figure className={classes.figure}>
      {legend}
      <div ref={drawingRef} className={classes.drawing} style={{ height: chartHeight }} aria-hidden="true">
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

/** The legend, for sighted users; the table says the same. */
export function Legend({ names }: { names: readonly string[] }) {
  return (
    <Group component="ul" gap="0.25rem 1.1rem" mb="0.5rem" c="dimmed" fz="0.88rem" aria-hidden="true">
      {names.map((name, index) => (
        <KeyEntry key={name} index={index}>
          {name}
        </KeyEntry>
      ))}
    </Group>
  );
}

/** What the colour of this series or slice stands for. */
export function KeyEntry({ index, children }: { index: number; children: ReactNode }) {
  return (
    <Group component="li" gap="0.45rem" wrap="nowrap" miw={0}>
      <span className={classes.swatch} style={{ background: chartColors[index % chartColors.length] }} />
      {children}
    </Group>
  );
}

/** The width of the element that gets the ref, in whole CSS pixels; 0 until it is known. */
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
