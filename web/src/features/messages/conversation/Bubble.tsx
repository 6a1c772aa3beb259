import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Caution } from '#contract/messages.ts';
import { useText } from '../../../ui/text/text.ts';
import classes from './Bubble.module.css';
import { cautionTexts } from './caution-words.ts';

export interface BubbleProps {
  isOwn: boolean;
  /** Whose it is, for those who do not see on which side it stands. */
  by: string;
  /** Null once it was deleted. */
  text: string | null;
  /** Time and state, below the text. */
  meta: ReactNode;
  caution?: Caution | null;
  /** Beside it: the way to what can be done about it. */
  aside?: ReactNode;
  /** Below it. */
  children?: ReactNode;
}

/** One message: one's own at the end of the line, the other's at its beginning. */
export function Bubble({ isOwn, by, text, meta, caution = null, aside, children }: BubbleProps) {
  const t = useText();
  return (
    <div className={classes.message} data-own={isOwn || undefined}>
      <div className={classes.line}>
        <div className={classes.bubble} data-deleted={text === null || undefined}>
          <span className="visually-hidden">{t('{name}:', { name: by })} </span>
          <p className={classes.text} dir="auto">
            {text ?? t('Message deleted')}
          </p>
          <p className={classes.meta}>{meta}</p>
        </div>
        {aside}
      </div>
      {caution !== null && (
        <p className={classes.caution}>
          <IconAlertTriangle size={17} stroke={1.75} aria-hidden="true" />
          {t(cautionTexts[caution])}
        </p>
      )}
      {children}
    </div>
  );
}
