import { Button } from '@mantine/core';
import { useText } from '../../../ui/text/text.ts';
import { Bubble } from './Bubble.tsx';
import classes from './Bubble.module.css';
import type { Outgoing } from '../state/kept-outgoing.ts';
import { discard, tryAgain } from '../state/outbox.ts';

const stateTexts: Record<Outgoing['state'], string> = {
  waiting: 'Sending…',
  sending: 'Sending…',
  delayed: 'No connection. It is sent as soon as there is one.',
  failed: 'Not sent',
};

/** Why a message was refused, by the code of it; the server's own words otherwise. */
const problemTexts: Record<string, string> = {
  NOT_FOUND: 'This match is over, so this was not sent.',
};

interface OutgoingMessageProps {
  matchId: string;
  outgoing: Outgoing;
  /** There is one before it, which is to arrive first. */
  isHeldUp: boolean;
}

/** A message of one's own that is on its way, or that was refused, with what can be done about that. */
export function OutgoingMessage({ matchId, outgoing, isHeldUp }: OutgoingMessageProps) {
  const t = useText();
  const { clientId, text, state, problem } = outgoing;
  return (
    <Bubble
      isOwn
      by={t('You')}
      text={text}
      meta={t(isHeldUp && state === 'waiting' ? 'Waits for the one before it.' : stateTexts[state])}
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
