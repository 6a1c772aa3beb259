import { useLayoutEffect } from 'react';

const prefix = 'draft:';

/** What was typed into a form and not sent before a reload; null if there is nothing. */
export function readDraft(name: string): Record<string, string> | null {
  const json = sessionStorage.getItem(prefix + name);
  return json === null ? null : (JSON.parse(json) as Record<string, string>);
}

/** Stores what is typed until the tab or the session is closed. */
export function keepDraft(name: string, values: Record<string, string>): void {
  sessionStorage.setItem(prefix + name, JSON.stringify(values));
}

/** Removes a draft that was sent or discarded. */
export function dropDraft(name: string): void {
  sessionStorage.removeItem(prefix + name);
}

/**
 * Stores the typed values as a draft, or removes it with null. It runs before the next input is handled; otherwise a
 * draft that was discarded at once would come back.
 */
export function useKeptDraft(name: string | undefined, typed: Record<string, string | boolean> | null): void {
  const json = JSON.stringify(typed);
  useLayoutEffect(() => {
    if (name === undefined) return;
    const kept = JSON.parse(json) as Record<string, string | boolean> | null;
    if (kept === null) dropDraft(name);
    else keepDraft(name, Object.fromEntries(Object.entries(kept).map(([field, value]) => [field, String(value)])));
  }, [name, json]);
}
