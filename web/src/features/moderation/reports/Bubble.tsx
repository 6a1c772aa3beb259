import type { ReactNode } from 'react';
import { Time } from '../../../ui/data/Time.tsx';
import { UserText } from '../../../ui/data/RichText.tsx';
import classes from './report.module.css';

interface BubbleProps {
  /** Rendered as a list item unless it is used alone. */
  as?: 'li' | 'div';
  /** The side on which the author is shown; staff notes are on neither side. */
  side: 'start' | 'end' | 'internal';
  /** The report is about this message. */
  isMarked?: boolean;
  /** The author, and marks. */
  who: ReactNode;
  at: string;
  /** Null if the text was removed. */
  text: string | null;
  children?: ReactNode;
}

/** A message, reply or note with its author, time and text. */
export function Bubble({ as: Item = 'li', side, isMarked, who, at, text, children }: BubbleProps) {
  return (
    <Item className={classes.bubble} data-side={side} data-marked={isMarked || undefined}>
      <p className={classes.who}>
        {who}
        <Time at={at} />
      </p>
      {text !== null && <UserText>{text}</UserText>}
      {children}
    </Item>
  );
}
