import { unsentPrefix } from '../../../../worker/agreement.ts';
import { readSession } from '../../../api/session/stored-session.ts';

/** The files of this tab's unsent messages. A file keeps its upload key as long as it is the same object. */
const files = new Map<string, File>();

const addressOf = (name: string) => `/unsent/${name}`;

/** The cache with the signed-in member's files; null in browsers without one, and without a session. */
async function openCache(): Promise<Cache | null> {
  const caches = window.caches as CacheStorage | undefined;
  const id = readSession().user?._id;
  return caches === undefined || id === undefined ? null : await caches.open(unsentPrefix + id);
}

/** Keeps a file until its message is sent or discarded, also across reloads if the browser has room for it. */
export function keepFile(name: string, file: File): void {
  files.set(name, file);
  const store = async () => {
    const cache = await openCache();
    await cache?.put(addressOf(name), new Response(file));
    // It was sent in the meantime.
    if (!files.has(name)) await cache?.delete(addressOf(name));
  };
  store().catch(() => undefined);
}

/** A file that was kept on this device; null if it is no longer there. */
export async function readFile(name: string): Promise<File | null> {
  const known = files.get(name);
  if (known !== undefined) return known;
  const stored = await (await openCache())?.match(addressOf(name));
  if (stored === undefined) return null;
  const blob = await stored.blob();
  const file = new File([blob], name, { type: blob.type });
  files.set(name, file);
  return file;
}

/** Deletes files whose message was sent or discarded. */
export async function dropFiles(names: readonly string[]): Promise<void> {
  for (const name of names) files.delete(name);
  const cache = await openCache();
  for (const name of names) await cache?.delete(addressOf(name));
}
