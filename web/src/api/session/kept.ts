import { readSession } from './stored-session.ts';

const prefix = 'kept:';

/** The name of an entry of whoever is signed in; null without a session. */
function entryOf(name: string): string | null {
  const id = readSession().user?._id;
  return id === undefined ? null : `${prefix}${id}:${name}`;
}

/** What this device keeps under a name for whoever is signed in, over reloads too; null when there is nothing. */
export function readKept(name: string): string | null {
  const entry = entryOf(name);
  return entry === null ? null : localStorage.getItem(entry);
}

/** Keeps a text on this device until it is dropped or the session ends; an empty one is dropped at once. */
export function keep(name: string, text: string): void {
  const entry = entryOf(name);
  if (entry === null) return;
  if (text === '') localStorage.removeItem(entry);
  else localStorage.setItem(entry, text);
}

/** All names that begin so and have something kept under them. */
export function keptNames(start: string): string[] {
  const entry = entryOf(start);
  if (entry === null) return [];
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(entry))
    .map((key) => start + key.slice(entry.length));
}

/** Calls `listener` with the name of what another tab keeps or drops for the same person; returns how to stop it. */
export function onKeptElsewhere(listener: (name: string) => void): () => void {
  function hear({ key }: StorageEvent) {
    const start = entryOf('');
    if (key !== null && start !== null && key.startsWith(start)) listener(key.slice(start.length));
  }
  window.addEventListener('storage', hear);
  return () => window.removeEventListener('storage', hear);
}
