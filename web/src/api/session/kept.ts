import { readSession } from './stored-session.ts';
import { deviceStorage } from '../../browser-storage.ts';

const prefix = 'kept:';

/** The storage key of an entry of the signed-in user; null without a session. */
function entryOf(name: string): string | null {
  const id = readSession().user?._id;
  return id === undefined ? null : `${prefix}${id}:${name}`;
}

/** The text that this device stores under a name for the signed-in user; null if there is none. */
export function readKept(name: string): string | null {
  const entry = entryOf(name);
  return entry === null ? null : deviceStorage.read(entry);
}

/**
 * Stores a string on this device until the session ends (unsent messages: until their writer signs out); false if the
 * browser can't, and it lasts only as long as this page. An empty string removes it.
 */
export function keep(name: string, text: string): boolean {
  const entry = entryOf(name);
  if (entry === null) return false;
  if (text !== '') return deviceStorage.write(entry, text);
  deviceStorage.remove(entry);
  return true;
}

/** The storage key of a choice of the signed-in user, which stays on this device when the session ends. */
const choiceOf = (name: string) => `device:${name}:${readSession().user?._id ?? ''}`;

/** What the signed-in user has chosen on this device under a name; null if nothing. */
export const readChoice = (name: string): string | null => deviceStorage.read(choiceOf(name));

/** Stores a choice of the signed-in user on this device; null removes it. */
export function keepChoice(name: string, choice: string | null): void {
  if (choice === null) deviceStorage.remove(choiceOf(name));
  else deviceStorage.write(choiceOf(name), choice);
}

/** All stored names that start with `start`. */
export function keptNames(start: string): string[] {
  const entry = entryOf(start);
  if (entry === null) return [];
  return deviceStorage
    .keys()
    .filter((key) => key.startsWith(entry))
    .map((key) => start + key.slice(entry.length));
}

/**
 * Calls `listener` with the name of each entry that another tab stores or removes for the same user. Returns a function
 * that unsubscribes.
 */
export function onKeptElsewhere(listener: (name: string) => void): () => void {
  function onStorage({ key }: StorageEvent) {
    const start = entryOf('');
    if (key !== null && start !== null && key.startsWith(start)) listener(key.slice(start.length));
  }
  window.addEventListener('storage', onStorage);
  return () => window.removeEventListener('storage', onStorage);
}
