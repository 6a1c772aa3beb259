import type { CSSProperties, ReactNode } from 'react';
import classes from './Tag.module.css';

export type TagTone = 'positive' | 'attention' | 'info' | 'quiet' | 'accent';

interface TagProps {
  tone: TagTone;
  hasDot?: boolean;
  children: ReactNode;
}

const hues: Record<TagTone, string> = {
  positive: 'moss',
  attention: 'honey',
  info: 'dusk',
  quiet: 'gray',
  accent: 'heartwood',
};

/**
 * A short state as text on a coloured background, which wraps in a narrow place; the dot is decorative. It uses plain
 * elements, so that long tables scroll fast.
 */
export function Tag({ tone, hasDot = false, children }: TagProps) {
  return (
    <span
      className={classes.tag}
      style={
        {
          '--tag': `var(--mantine-color-${hues[tone]}-light)`,
          '--tag-text': `var(--mantine-color-${hues[tone]}-light-color)`,
        } as CSSProperties
      }
      data-tone={tone}
      data-dot={hasDot || undefined}
    >
      {hasDot && <span className={classes.dot} aria-hidden="true" />}
      <span className={classes.text}>{children}</span>
    </span>
  );
}

const most = 99;

/** The number of new items, with a label for screen readers; nothing if it is zero. */
export function CountBadge({ count, text }: { count: number; text: string | undefined }) {
  if (count === 0) return null;
  return (
    <span className={`${classes.tag} ${classes.count}`}>
      <span className={classes.text}>
        <span aria-hidden="true">{count > most ? `${most}+` : count}</span>
        <span className="visually-hidden">{text}</span>
      </span>
    </span>
  );
}
