import { useState } from 'react';
import { dropDraft, keepDraft, readDraft } from '../../../api/session/drafts.ts';

/** A text that is being written: it survives a reload and a failed send, and goes with `setText('')` or the session. */
export function useDraftText(name: string): [text: string, setText: (text: string) => void] {
  const [text, setText] = useState(() => readDraft(name)?.['text'] ?? '');

  function change(next: string) {
    setText(next);
    if (next === '') dropDraft(name);
    else keepDraft(name, { text: next });
  }

  return [text, change];
}
