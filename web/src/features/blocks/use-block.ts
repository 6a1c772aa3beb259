import { useRef, useState } from 'react';
import { blockUser, unblockUser } from '#contract/connections/blocks.ts';
import { ApiError } from '../../api/api-error.ts';
import { call } from '../../api/call.ts';
import { errorTexts } from '../../api/error-texts.ts';

type News = { kind: 'blocked' | 'unblocked' } | { kind: 'failed'; text: string };

/** Blocking one person and taking it back: shown at once, sent one after the other, and back as it was when it fails. */
export function useBlock(userId: string) {
  const [isBlocked, setBlocked] = useState(false);
  const [news, setNews] = useState<News | null>(null);
  const queue = useRef(Promise.resolve());
  const wanted = useRef(false);

  function want(next: boolean) {
    if (wanted.current === next) return;
    wanted.current = next;
    setBlocked(next);
    setNews({ kind: next ? 'blocked' : 'unblocked' });
    queue.current = queue.current
      .then(() => call(next ? blockUser : unblockUser, { params: { userId } }))
      .then(
        () => undefined,
        (error: unknown) => {
          wanted.current = !next;
          setBlocked(!next);
          setNews({ kind: 'failed', text: error instanceof ApiError ? error.message : errorTexts.unknown });
        },
      );
  }

  return { isBlocked, news, block: () => want(true), unblock: () => want(false), dismiss: () => setNews(null) };
}
