import { useEffect, useRef } from 'react';
import { readMessages } from '#contract/messages.ts';
import { call } from '../../../api/call.ts';
import { tellOwn } from '../../../api/realtime/realtime.ts';
import { type History, newest } from '../state/history.ts';

/** Tells the server that everything is read, once the newest message is in view. */
export function useReadMark(matchId: string, ownId: string, history: History, isSeen: boolean): void {
  const toldUpTo = useRef(0);
  const unread = newest(history, ({ from }) => from !== ownId);
  const seq = unread?.readAt === null ? unread.seq : 0;

  useEffect(() => {
    if (!isSeen || seq <= toldUpTo.current) return;
    const before = toldUpTo.current;
    toldUpTo.current = seq;
    call(readMessages, { params: { id: matchId }, body: { seq } }).then(
      ({ data }) => tellOwn({ kind: 'read', matchId, by: ownId, seq: data.seq }),
      () => {
        // The next message, or the next look at this one, tells it anew.
        if (toldUpTo.current === seq) toldUpTo.current = before;
      },
    );
  }, [matchId, ownId, seq, isSeen]);
}
