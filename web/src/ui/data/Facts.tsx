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

interface StateListProps {
  /** The accessible name of the list. */
  label?: string;
  /** The order of the rows has a meaning. */
  isOrdered?: boolean;
  rows: readonly { id: string; name: ReactNode; end: ReactNode }[];
}

/** A list whose lines end with a state or a button. */
export function StateList({ label, isOrdered = false, rows }: StateListProps) {
  const List = isOrdered ? 'ol' : 'ul';
  return (
    <List className={classes.list} aria-label={label}>
      {rows.map(({ id, name, end }) => (
        <li key={id}>
          <span>{name}</span>
          {end}
        </li>
      ))}
    </List>
  );
}
