import type { ReactNode } from 'react';
import { Time } from '../../../ui/data/Time.tsx';
import { UserText } from '../../../ui/data/UserText.tsx';
import classes from './report.module.css';

interface BubbleProps {
  /** An item of a list, unless it stands alone. */
  as?: 'li' | 'div';
  /** Who wrote it is on this side; notes of staff are on neither. */
  side: 'start' | 'end' | 'internal';
  /** What the report is about. */
  isMarked?: boolean;
  /** Who wrote it, and marks. */
  who: ReactNode;
  at: string;
  /** Null for a text that is gone. */
  text: string | null;
  children?: ReactNode;
}

/** A message, reply or note: who wrote it, when, and the text. */
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
