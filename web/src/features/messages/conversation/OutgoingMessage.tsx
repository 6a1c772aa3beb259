import { Button } from '@mantine/core';
import { t } from '../../../ui/text/text.ts';
import { Bubble } from './Bubble.tsx';
import classes from './Bubble.module.css';
import { discard, type Outgoing, tryAgain, useOutgoing } from '../outbox.ts';
import unsent from './UnsentMessages.module.css';

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
    <section className={unsent.unsent} aria-label={t('Unsent messages')}>
      <p className={unsent.kept}>{t('Unsent messages are saved on this device.')}</p>
      <ol className={unsent.list}>
        {outgoing.map((one) => (
          <li key={one.clientId}>
            <OutgoingMessage matchId={matchId} outgoing={one} isHeldUp={one !== outgoing[0]} />
          </li>
        ))}
      </ol>
    </section>
  );
}
