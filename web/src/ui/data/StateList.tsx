import type { ReactNode } from 'react';
import classes from './StateList.module.css';

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
