import { useState } from 'react';
import { keep, readKept } from '../../../api/session/kept.ts';

/** What is being written to a match. It survives a reload and an expired session, and is removed with `setText('')` or by signing out. */
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
