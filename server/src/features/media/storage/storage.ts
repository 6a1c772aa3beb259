import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Storage of picture bytes. Keys are generated here: letters, digits, `-`, `_` and `.`; never client input. */
export interface Storage {
  /** Stores the bytes; they are durable once it resolves. */
  put(key: string, bytes: Buffer): Promise<void>;
  /** The bytes, or null if there are none. */
  get(key: string): Promise<Buffer | null>;
  /** Deletes the bytes, if any. */
  remove(key: string): Promise<void>;
  /** The keys that start with `prefix` and sort behind `after`, in their order. */
  list(prefix: string, after: string): Promise<string[]>;
  /** A direct address valid for one minute, or null if only `get` is supported. */
  address(key: string): Promise<string | null>;
  /** Deletes leftovers of processes that died during `put`. */
  tidy(): Promise<void>;
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Throws for anything that isn't a generated key, before it becomes a path or URL. */
export function checkKey(key: string): void {
  if (!/^[\w-][\w.-]{4,80}$/.test(key)) throw new Error('not a generated key');
}

const unfinishedMark = 'unfinished-';
/** Longer than any request, so nothing is still being written. */
const unfinishedMs = 3_600_000;

/** Bytes as files below `directory`, spread over 4,096 folders; a file is either complete or absent. */
export function diskStorage(directory: string): Storage {
  const pathOf = (key: string) => {
    checkKey(key);
    return join(directory, key.slice(-8, -6), key.slice(0, 2), key);
  };
  return {
    async put(key, bytes) {
      const path = pathOf(key);
      const unfinished = join(directory, `${unfinishedMark}${randomUUID()}`);
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      try {
        const file = await open(unfinished, 'wx', 0o600);
        try {
          await file.writeFile(bytes);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    async get(key) {
      try {
        return await readFile(pathOf(key));
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    remove: (key) => rm(pathOf(key), { force: true }),
    async list(prefix, after) {
      checkKey(prefix);
      const namesIn = (path: string) =>
        readdir(path).catch((error: unknown) => {
          if (isMissing(error)) return [];
          throw error;
        });
      const folders = (await namesIn(directory)).filter((name) => name.length === 2);
      const names = await Promise.all(folders.map((name) => namesIn(join(directory, name, prefix.slice(0, 2)))));
      return names
        .flat()
        .filter((name) => name.startsWith(prefix) && name > after)
        .sort();
    },
    address: () => Promise.resolve(null),
    async tidy() {
      const names = await readdir(directory).catch(() => []);
      for (const name of names.filter((one) => one.startsWith(unfinishedMark))) {
        const path = join(directory, name);
        const { mtimeMs } = await stat(path);
        if (Date.now() - mtimeMs > unfinishedMs) await rm(path, { force: true });
      }
    },
  };
}
