import type { IconUsers } from '@tabler/icons-react';
import type { CSSProperties } from 'react';
import { Link } from 'react-router';
import { Skeleton } from '../feedback/PageStates.tsx';
import classes from './StatCard.module.css';

export interface Figure {
  label: string;
  value: string;
  /** The address of the list behind the figure; undefined for viewers who may not see the list. */
  to?: string | undefined;
  /** A second line below the figure, with the list behind it. */
  note?: string | undefined;
  noteTo?: string | undefined;
  /** A third line, apart from the second one. */
  more?: { text: string; to?: string | undefined } | undefined;
  Icon: typeof IconUsers;
  tone?: 'accent' | 'honey' | 'moss' | 'dusk';
}

/** A note about a figure; none if the figure is missing. */
export const noteOn = (figure: number, note: string) => (Number.isNaN(figure) ? undefined : note);

/** The colour of a figure's icon or bar, from the chart colours. */
export const toneColours: Record<NonNullable<Figure['tone']>, string> = {
  accent: 'var(--hw-chart-1)',
  honey: 'var(--hw-chart-2)',
  moss: 'var(--hw-chart-3)',
  dusk: 'var(--hw-chart-4)',
};

interface FigureLinkProps {
  label: string;
  text: string;
  to: string | undefined;
  /** The number is at the end of its line, and as wide as a finger there. */
  isAtEnd?: boolean;
}

const atEnd = { minWidth: '2.75rem', justifyContent: 'flex-end' };

/** A number that opens the list behind it. Its accessible name also says what it counts. */
export function FigureLink({ label, text, to, isAtEnd = false }: FigureLinkProps) {
  if (to === undefined) return text;
  return (
    <Link to={to} className={classes.link ?? ''} aria-label={`${label}: ${text}`} {...(isAtEnd && { style: atEnd })}>
      {text}
    </Link>
  );
}

/** One figure with its name. */
function StatCard({ iconSize, ...figure }: Figure & { iconSize: number }) {
  const { label, value, to, note, noteTo, more, Icon, tone = 'accent' } = figure;
  return (
    <div className={classes.card} style={{ '--tone': toneColours[tone] } as CSSProperties}>
      <dt className={classes.label}>
        <span className={classes.icon} aria-hidden="true">
          <Icon size={iconSize} stroke={1.8} />
        </span>
        {label}
      </dt>
      <dd className={classes.value}>
        <FigureLink label={label} text={value} to={to} />
      </dd>
      {note !== undefined && (
        <dd className={classes.note}>
          <FigureLink label={label} text={note} to={noteTo} />
        </dd>
      )}
      {more !== undefined && (
        <dd className={classes.note}>
          <FigureLink label={label} text={more.text} to={more.to} />
        </dd>
      )}
    </div>
  );
}

interface StatCardsProps {
  /** The accessible name of the group. */
  label: string;
  figures: Figure[];
  isDense?: boolean;
  /** On a phone, one row that scrolls sideways, so that the list below it begins on the first screen. */
  isStrip?: boolean;
  /** Uses rows of three instead of four, if there is room. */
  columns?: 3;
}

/** Key figures as a wrapping row of cards. */
export function StatCards({ label, figures, isDense, isStrip, columns }: StatCardsProps) {
  return (
    <section className={classes.room} aria-label={label}>
      <dl className={classes.cards} data-dense={isDense} data-strip={isStrip || undefined} data-columns={columns}>
        {figures.map((figure) => (
          <StatCard key={figure.label} {...figure} iconSize={isDense ? 15 : 18} />
        ))}
      </dl>
    </section>
  );
}

type SkeletonProps = Pick<StatCardsProps, 'isDense' | 'isStrip'> & { count: number };

/** Placeholders while the cards are loading. */
export function StatCardsSkeleton({ count, isDense, isStrip }: SkeletonProps) {
  return (
    <div className={classes.room}>
      <div className={classes.cards} data-dense={isDense} data-strip={isStrip || undefined}>
        <Skeleton height={isDense ? '5.6rem' : '8.4rem'} count={count} />
      </div>
    </div>
  );
}
