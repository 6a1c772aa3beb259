import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Caution } from '#contract/messages.ts';
import { t } from '../../../ui/text/text.ts';
import classes from '../messages.module.css';
import { discard, type Outgoing, tryAgain, useOutgoing } from '../outbox.ts';

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

const stateTexts: Record<Outgoing['state'], string> = {
  waiting: 'Sending…',
  sending: 'Sending…',
  delayed: "No connection. We'll send it as soon as you're back online.",
  failed: 'Not sent',
};

/** Why a message was refused, by error code; otherwise the server's text. */
const problemTexts: Record<string, string> = {
  NOT_FOUND: 'This match is over, so this was not sent.',
};

interface OutgoingMessageProps {
  matchId: string;
  outgoing: Outgoing;
  /** An earlier message has to be sent first. */
  isHeldUp: boolean;
}

/** An own message that is not sent yet or was refused, with buttons to try again or discard it. */
export function OutgoingMessage({ matchId, outgoing, isHeldUp }: OutgoingMessageProps) {
  const { clientId, text, state, problem } = outgoing;
  return (
    <Bubble
      isOwn
      by={t('You')}
      text={text}
      meta={t(isHeldUp && state === 'waiting' ? 'Waiting for the message before it.' : stateTexts[state])}
    >
      {problem !== null && (
        <>
          <p role="alert" className={classes.problem}>
            {t(problemTexts[problem.code ?? ''] ?? problem.text)}
          </p>
          <div className={classes.actions}>
            {problem.code !== 'NOT_FOUND' && (
              <Button size="sm" variant="default" onClick={() => tryAgain(matchId, clientId)}>
                {t('Try again')}
              </Button>
            )}
            <Button size="sm" variant="default" onClick={() => discard(matchId, clientId)}>
              {t('Discard')}
            </Button>
          </div>
        </>
      )}
    </Bubble>
  );
}

/** The unsent messages of a match, shown when its conversation could not be loaded. */
export function UnsentMessages({ matchId }: { matchId: string }) {
  const outgoing = useOutgoing(matchId);
  if (outgoing.length === 0) return null;
  return (
    <section className={classes.unsent} aria-label={t('Unsent messages')}>
      <p className={classes.kept}>{t('Unsent messages are saved on this device.')}</p>
      <ol className={classes.list}>
        {outgoing.map((one) => (
          <li key={one.clientId}>
            <OutgoingMessage matchId={matchId} outgoing={one} isHeldUp={one !== outgoing[0]} />
          </li>
        ))}
      </ol>
    </section>
  );
}
