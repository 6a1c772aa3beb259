import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Caution } from '#contract/messages.ts';
import { t } from '../../../ui/text/text.ts';
import classes from '../messages.module.css';

/** The warning shown to the receiver, by what the message contains. */
const cautionTexts: Record<Caution, string> = {
  money: "Careful: never send money to someone you haven't met.",
  contact:
    'Careful: keep writing here until you know each other. People who want to move to another app quickly may not mean well.',
  link: 'Careful: only open a link if you know where it leads.',
};

export interface BubbleProps {
  isOwn: boolean;
  /** The sender, for those who cannot see on which side the bubble is. */
  by: string;
  /** Null once it was deleted. */
  text: string | null;
  /** Time and state, below the text. */
  meta: ReactNode;
  caution?: Caution | null;
  /** Shown beside the bubble: the button that opens its actions. */
  aside?: ReactNode;
  /** Shown below the bubble. */
  children?: ReactNode;
}

/** One message: own ones at the end of the line, received ones at its start. */
export function Bubble({ isOwn, by, text, meta, caution = null, aside, children }: BubbleProps) {
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
