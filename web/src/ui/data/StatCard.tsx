import type { IconUsers } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
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

/** The colour of a figure's icon or bar, from the chart colours. */
export const toneColours: Record<NonNullable<Figure['tone']>, string> = {
  accent: 'var(--hw-chart-1)',
  honey: 'var(--hw-chart-2)',
  moss: 'var(--hw-chart-3)',
  dusk: 'var(--hw-chart-4)',
};

/** One figure with its name. */
function StatCard({ label, value, note, Icon, tone = 'accent', iconSize }: Figure & { iconSize: number }) {
  return (
    <div className={classes.card} style={{ '--tone': toneColours[tone] } as CSSProperties}>
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

interface StatCardsProps {
  /** The accessible name of the group. */
  label: string;
  figures: Figure[];
  isDense?: boolean;
  /** Uses rows of three instead of four, if there is room. */
  columns?: 3;
}

/** Key figures as a wrapping row of cards. */
export function StatCards({ label, figures, isDense, columns }: StatCardsProps) {
  return (
    <section className={classes.room} aria-label={label}>
      <dl className={classes.cards} data-dense={isDense} data-columns={columns}>
        {figures.map((figure) => (
          <StatCard key={figure.label} {...figure} iconSize={isDense ? 15 : 18} />
        ))}
      </dl>
    </section>
  );
}

/** Placeholders while the cards are loading. */
export function StatCardsSkeleton({ count, isDense }: { count: number; isDense?: boolean }) {
  return (
    <div className={classes.room}>
      <div className={classes.cards} data-dense={isDense}>
        <Skeleton height={isDense ? '5.6rem' : '8.4rem'} count={count} />
      </div>
    </div>
  );
}
