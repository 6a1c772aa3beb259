import { useState } from 'react';
import { keep, readKept } from '../../../api/session/kept.ts';

/**
 * The message that is being written to a match. It is kept across reloads and an expired session, and removed by
 * `setText('')` or by signing out.
 */
export function useMessageDraft(matchId: string): [text: string, setText: (text: string) => void] {
  const name = `draft:${matchId}`;
  const [text, setText] = useState(() => readKept(name) ?? '');
  return [
    text,
    (next) => {
      setText(next);
      keep(name, next);
    },
  ];
}
