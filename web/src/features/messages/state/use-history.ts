import { useCallback, useEffect, useRef, useState } from 'react';
import { listMessages } from '#contract/messages.ts';
import type { RealtimeEvent } from '#contract/realtime.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { onMissed, onRealtime } from '../../../api/realtime/realtime.ts';
import { emptyHistory, missingPages, withMessages, withRead } from './history.ts';

const pageSize = 50;
/** So many messages beyond those in view are asked for ahead. */
const aheadOf = 40;

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** The messages of one match, which this component shows as long as it lives: the newest first, older ones where one looks. */
export function useHistory(matchId: string) {
  const [history, setHistory] = useState(emptyHistory);
  const [isThere, setThere] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [isGapStuck, setGapStuck] = useState(false);
  const [isEnded, setEnded] = useState(false);
  const [round, setRound] = useState(0);
  const asked = useRef(new Set<number>());
  const latest = useRef(history);
  useEffect(() => {
    latest.current = history;
  }, [history]);

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;

    async function askNewest(): Promise<void> {
      try {
        const { data } = await call(listMessages, { params: { id: matchId }, query: { limit: pageSize }, signal });
        setHistory((before) => withMessages(before, data.messages, data.lastSeq));
        setThere(true);
        setError(null);
      } catch (failure) {
        if (signal.aborted) return;
        if (failure instanceof ApiError && failure.status === 404) setEnded(true);
        setError(asError(failure));
      }
    }

    function hear(event: RealtimeEvent): void {
      if (!('matchId' in event) || event.matchId !== matchId) return;
      if (event.kind === 'matchEnded') setEnded(true);
      if (event.kind === 'message') setHistory((before) => withMessages(before, [event.message]));
      if (event.kind === 'read')
        setHistory((before) => withRead(before, event.by, event.seq, new Date().toISOString()));
    }

    void askNewest();
    const stops = [onRealtime(hear), onMissed(() => void askNewest())];
    return () => {
      leaving.abort();
      for (const stop of stops) stop();
    };
  }, [matchId, round]);

  /** Asks for what is in view or near it, and not known. */
  const show = useCallback(
    (from: number, to: number) => {
      for (const page of missingPages(latest.current, from - aheadOf, to + aheadOf, pageSize)) {
        if (asked.current.has(page)) continue;
        asked.current.add(page);
        call(listMessages, { params: { id: matchId }, query: { after: page * pageSize, limit: pageSize } }).then(
          ({ data }) => {
            asked.current.delete(page);
            setHistory((before) => withMessages(before, data.messages, data.lastSeq));
          },
          () => setGapStuck(true),
        );
      }
    },
    [matchId],
  );

  return {
    history,
    isThere,
    error,
    isEnded,
    show,
    retry: () => {
      setError(null);
      setRound(round + 1);
    },
    /** Some messages could not be fetched. */
    isGapStuck,
    retryGap: () => {
      asked.current.clear();
      setGapStuck(false);
    },
  };
}
