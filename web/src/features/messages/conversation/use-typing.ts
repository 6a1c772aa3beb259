import { useEffect, useState } from 'react';
import { typingEveryMs, typingLastsMs } from '#contract/realtime.ts';
import { emit, onRealtime } from '../../../api/realtime/realtime.ts';

/** Whether the other person is typing. */
export function useTyping(matchId: string): boolean {
  const [isTyping, setTyping] = useState(false);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = onRealtime((event) => {
      if ((event.kind !== 'typing' && event.kind !== 'message') || event.matchId !== matchId) return;
      clearTimeout(timer);
      setTyping(event.kind === 'typing');
      if (event.kind === 'typing') timer = setTimeout(() => setTyping(false), typingLastsMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [matchId]);

  return isTyping;
}

let sentAt = -Infinity;
let sentFor = '';

/** Tells the other person that the member is typing, at most every few seconds. */
export function emitTyping(matchId: string): void {
  const now = performance.now();
  if (sentFor === matchId && now - sentAt < typingEveryMs) return;
  sentAt = now;
  sentFor = matchId;
  emit('typing', { matchId });
}

/** The message was sent: typing on is reported at once. */
export function endTyping(): void {
  sentFor = '';
}
