import { useText } from '../../../ui/text/text.ts';
import { OutgoingMessage } from './OutgoingMessage.tsx';
import { useOutgoing } from '../state/outbox.ts';
import classes from './UnsentMessages.module.css';

/** What one has written in a match and the server has not answered yet, where the rest of it could not be loaded. */
export function UnsentMessages({ matchId }: { matchId: string }) {
  const t = useText();
  const outgoing = useOutgoing(matchId);
  if (outgoing.length === 0) return null;
  return (
    <section className={classes.unsent} aria-label={t('What you have written')}>
      <p className={classes.kept}>{t('What you have written is kept on this device.')}</p>
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
