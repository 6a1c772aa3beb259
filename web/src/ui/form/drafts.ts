import { useLayoutEffect } from 'react';
import { tabStorage } from '../../browser-storage.ts';

const prefix = 'draft:';

/** An edited field: its value, and the value it had before the first edit. */
export interface Edit {
  value: string | boolean;
  from: string | boolean;
}

/** The edited fields of a form, by name. */
export type Edits = Partial<Record<string, Edit>>;

/** The unsent input of a form from before a reload; null if there is none. */
export function readDraft<T = Record<string, string>>(name: string): T | null {
  const json = tabStorage.read(prefix + name);
  return json === null ? null : (JSON.parse(json) as T);
}

/** Stores unsent input until the tab is closed or the session ends. */
export function keepDraft(name: string, typed: object): void {
  tabStorage.write(prefix + name, JSON.stringify(typed));
}

/** Removes a draft after it was sent or discarded. */
export function dropDraft(name: string): void {
  tabStorage.remove(prefix + name);
}

/**
 * Stores input as a draft, or removes the draft if it is null. This happens before the next input is handled; otherwise
 * a draft that was discarded at once would come back.
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
