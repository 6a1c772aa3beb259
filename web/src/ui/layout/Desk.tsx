import type { ReactNode } from 'react';
import { useSingleKeys } from '../keyboard/shortcuts.tsx';
import classes from './desk.module.css';

interface DeskProps {
  label: string;
  children: ReactNode;
  /** What to do with what is shown; in reach at the bottom while the page scrolls. */
  acts?: ReactNode;
  /** The reason why the last act failed, above the acts. */
  problem?: ReactNode;
  /** Goes back a step on Esc; null where there is none. */
  onBack?: (() => void) | null;
}

/** A page of a queue: what waits, and below it what to do with it. */
export function Desk({ label, children, acts, problem, onBack = null }: DeskProps) {
  useSingleKeys({
    Escape: () => {
      onBack?.();
      return onBack !== null;
    },
  });
  return (
    <section aria-label={label}>
      {children}
      {(acts || problem) && (
        <div className={classes.acts}>
          {problem && <div className={classes.problem}>{problem}</div>}
          {acts}
        </div>
      )}
    </section>
  );
}
