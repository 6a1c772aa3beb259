import { unsentPrefix } from '../../../../worker/agreement.ts';
import { openCache } from '../../../browser-storage.ts';
import { readSession } from '../../../api/session/stored-session.ts';

/** A file of an unsent message, which is kept on this device under this name. */
export interface UnsentFile {
  name: string;
  /** Its public id once it was uploaded. */
  id?: string;
}

export interface UnsentPhoto extends UnsentFile {
  width: number;
  height: number;
}

export interface UnsentVoice extends UnsentFile {
  durationMs: number;
  peaks: readonly number[];
}

/** The media of an unsent message. */
export interface Parts {
  pictures?: readonly UnsentPhoto[];
  /** The photos can be viewed once. */
  isOnce?: boolean;
  voice?: UnsentVoice;
  /** The number of the message that it answers. */
  replyTo?: number;
}

/** The files of this tab's unsent messages. A file keeps its upload key as long as it is the same object. */
const files = new Map<string, File>();

const addressOf = (name: string) => `/unsent/${name}`;

/** Whether the browser has room for each of them. */
const stored = new Map<string, Promise<boolean>>();

/** The cache with the signed-in member's files; null in browsers without one, and without a session. */
async function cacheOfMember(): Promise<Cache | null> {
  const id = readSession().user?._id;
  return id === undefined ? null : await openCache(unsentPrefix + id);
}

/** Keeps a file until its message is sent or discarded, even across reloads if the browser has room for it. */
export function keepFile(name: string, file: File): void {
  files.set(name, file);
  const store = async () => {
    const cache = await cacheOfMember();
    await cache?.put(addressOf(name), new Response(file));
    // It was sent in the meantime.
    if (!files.has(name)) await cache?.delete(addressOf(name));
    return cache !== null;
  };
  stored.set(
    name,
    store().catch(() => false),
  );
}

/** Whether these files would still be here after this page was closed. */
export async function areStored(names: readonly string[]): Promise<boolean> {
  return (await Promise.all(names.map((name) => stored.get(name) ?? Promise.resolve(true)))).every(Boolean);
}

/** A file that was kept on this device; null if it is no longer there. */
export async function readFile(name: string): Promise<File | null> {
  const known = files.get(name);
  if (known !== undefined) return known;
  const kept = await (await cacheOfMember())?.match(addressOf(name));
  if (kept === undefined) return null;
  const blob = await kept.blob();
  const file = new File([blob], name, { type: blob.type });
  files.set(name, file);
  return file;
}

/** Deletes files whose message was sent or discarded. */
export async function dropFiles(names: readonly string[]): Promise<void> {
  for (const name of names) {
    files.delete(name);
    stored.delete(name);
  }
  const cache = await cacheOfMember();
  for (const name of names) await cache?.delete(addressOf(name));
}
