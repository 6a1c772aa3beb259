import { useEffect, useState } from 'react';
import { typingEveryMs, typingLastsMs } from '#contract/realtime.ts';
import { onRealtime, say } from '../../../api/realtime/realtime.ts';

/** Whether the other one is writing just now, as far as was heard. */
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

let saidAt = -Infinity;
let saidOf = '';

/** Lets the other one know that something is being written, now and then. */
export function sayTyping(matchId: string): void {
  const now = performance.now();
  if (saidOf === matchId && now - saidAt < typingEveryMs) return;
  saidAt = now;
  saidOf = matchId;
  say('typing', { matchId });
}

/** What was being written is sent: what is written next is told at once. */
export function endTyping(): void {
  saidOf = '';
}
