import type { ReactNode } from 'react';
import classes from './Tag.module.css';

export type TagTone = 'positive' | 'attention' | 'info' | 'quiet' | 'accent';

/** A short state in words on a tinted ground; the dot is decoration, the word says it. */
export function Tag({ tone, hasDot = false, children }: { tone: TagTone; hasDot?: boolean; children: ReactNode }) {
  return (
    <span className={classes.tag} data-tone={tone} data-dot={hasDot || undefined}>
      {children}
    </span>
  );
}
