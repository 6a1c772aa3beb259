import { useEffect, useRef, useState } from 'react';
import type { MessageView } from '#contract/messages.ts';
import type { History } from '../../../api/realtime/message-history.ts';
import { t } from '../../../ui/text/text.ts';

/** At most this many are announced; more that arrive at once are on the screen. */
const mostRead = 5;

/** Announces each message that arrives while the conversation is open to screen readers, once. */
export function NewMessages({ history, otherId, name }: { history: History; otherId: string; name: string }) {
  const [arrived, setArrived] = useState<readonly MessageView[]>([]);
  const knownUpTo = useRef(history.lastSeq);

  useEffect(() => {
    const fresh: MessageView[] = [];
    for (let seq = Math.max(knownUpTo.current, history.lastSeq - mostRead) + 1; seq <= history.lastSeq; seq += 1) {
      const message = history.messages.get(seq);
      if (message?.from === otherId && message.text !== null) fresh.push(message);
    }
    knownUpTo.current = history.lastSeq;
    if (fresh.length > 0) setArrived((before) => [...before, ...fresh].slice(-mostRead));
  }, [history, otherId]);

  return (
    <div role="log" className="visually-hidden" aria-label={t('New messages')}>
      {arrived.map(({ seq, text }) => (
        <p key={seq}>{t('{name}: {text}', { name, text: text ?? '' })}</p>
      ))}
    </div>
  );
}
