import type { ReactNode } from 'react';
import classes from './StatCard.module.css';

interface StatCardProps {
  label: string;
  value: string;
  /** A second line: the figure's companion. */
  note?: string;
  icon: ReactNode;
  tone?: 'accent' | 'honey' | 'moss' | 'dusk';
}

/** One figure with its name. */
export function StatCard({ label, value, note, icon, tone = 'accent' }: StatCardProps) {
  return (
    <div className={classes.card} data-tone={tone}>
      <dt className={classes.label}>
        <span className={classes.icon} aria-hidden="true">
          {icon}
        </span>
        {label}
      </dt>
      <dd className={classes.value}>{value}</dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
    </div>
  );
}

/** A row of `StatCard`s that wraps; `label` names the group. */
export function StatCards({
  label,
  children,
  isDense = false,
}: {
  label: string;
  children: ReactNode;
  isDense?: boolean;
}) {
  return (
    <section className={classes.room} aria-label={label}>
      <dl className={classes.cards} data-dense={isDense || undefined}>
        {children}
      </dl>
    </section>
  );
}
