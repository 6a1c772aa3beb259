import type { CSSProperties, ReactNode } from 'react';
import classes from './Facts.module.css';

/** A name and its value; `isWide` gives it its own row. Facts whose value is null are left out. */
export type Fact = readonly [name: string, value: ReactNode, isWide?: boolean] | null | false;

interface FactsProps {
  facts: readonly Fact[];
  /** The maximum number of columns, each at least `leastRem` wide. */
  columns?: number;
  leastRem?: number;
}

/** Names and values in columns. */
export function Facts({ facts, columns = 2, leastRem = 7.5 }: FactsProps) {
  return (
    <dl className={classes.facts} style={{ '--columns': columns, '--least': `${leastRem}rem` } as CSSProperties}>
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact[0]} data-wide={fact[2]}>
              <dt>{fact[0]}</dt>
              <dd dir="auto">{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
