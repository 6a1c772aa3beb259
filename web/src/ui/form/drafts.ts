import { useLayoutEffect } from 'react';

const prefix = 'draft:';

/** A touched field: what it holds, and what it held when it was touched first. */
export interface Edit {
  value: string | boolean;
  from: string | boolean;
}

/** The touched fields of a form, by name. */
export type Edits = Partial<Record<string, Edit>>;

/** What was typed into a form and not sent before a reload; null if there is nothing. */
export function readDraft<T = Record<string, string>>(name: string): T | null {
  const json = sessionStorage.getItem(prefix + name);
  return json === null ? null : (JSON.parse(json) as T);
}

/** Stores what is typed until the tab or the session is closed. */
export function keepDraft(name: string, typed: object): void {
  sessionStorage.setItem(prefix + name, JSON.stringify(typed));
}

/** Removes a draft that was sent or discarded. */
export function dropDraft(name: string): void {
  sessionStorage.removeItem(prefix + name);
}

/**
 * Stores what is typed as a draft, or removes it with null. It runs before the next input is handled; otherwise a
 * draft that was discarded at once would come back.
 */
export function useKeptDraft(name: string | undefined, typed: object | null): void {
  const json = JSON.stringify(typed);
  useLayoutEffect(() => {
    if (name === undefined) return;
    const kept = JSON.parse(json) as object | null;
    if (kept === null) dropDraft(name);
    else keepDraft(name, kept);
  }, [name, json]);
}
