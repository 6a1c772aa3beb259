import type { IconUsers } from '@tabler/icons-react';
import { Skeleton } from '../feedback/PageStates.tsx';
import classes from './StatCard.module.css';

export interface Figure {
  label: string;
  value: string;
  /** A second line below the figure. */
  note?: string;
  Icon: typeof IconUsers;
  tone?: 'accent' | 'honey' | 'moss' | 'dusk';
}

/** One figure with its name. */
function StatCard({ label, value, note, Icon, tone = 'accent', iconSize }: Figure & { iconSize: number }) {
  return (
    <div className={classes.card} data-tone={tone}>
      <dt className={classes.label}>
        <span className={classes.icon} aria-hidden="true">
          <Icon size={iconSize} stroke={1.8} />
        </span>
        {label}
      </dt>
      <dd className={classes.value}>{value}</dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
    </div>
  );
}

/** Key figures as a row of cards that wraps; `label` names the group. */
export function StatCards({ label, figures, isDense }: { label: string; figures: Figure[]; isDense?: boolean }) {
  return (
    <section className={classes.room} aria-label={label}>
      <dl className={classes.cards} data-dense={isDense}>
        {figures.map((figure) => (
          <StatCard key={figure.label} {...figure} iconSize={isDense ? 15 : 18} />
        ))}
      </dl>
    </section>
  );
}

/** Placeholders for cards that are loading. */
export function StatCardsSkeleton({ count, isDense }: { count: number; isDense?: boolean }) {
  return (
    <div className={classes.room}>
      <div className={classes.cards} data-dense={isDense}>
        <Skeleton height={isDense ? '5.6rem' : '8.4rem'} count={count} />
      </div>
    </div>
  );
}
