import { useLayoutEffect } from 'react';
import { dropDraft, keepDraft } from './drafts.ts';

/**
 * Stores what is typed as a draft, or with null removes it. It runs before the next input is handled: otherwise a draft that was
 * given up at once would come back.
 */
export function useKeptDraft(name: string, typed: Record<string, string> | null): void {
  const json = JSON.stringify(typed);
  useLayoutEffect(() => {
    const kept = JSON.parse(json) as Record<string, string> | null;
    if (kept === null) dropDraft(name);
    else keepDraft(name, kept);
  }, [name, json]);
}
