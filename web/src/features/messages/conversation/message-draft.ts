import { useState } from 'react';
import { keep, readKept } from '../../../api/session/kept.ts';

/** What is being written to a match. It survives a reload and is removed with `setText('')` or with the session. */
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
