/** A whole answer as JSON in UTF-8, for handlers that put it together from parts that were serialized by the schema before. */
export class ReadyAnswer {
  readonly bytes: Buffer;
  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }
}

/**
 * JSON text with one character per UTF-8 byte, so that putting an answer together copies bytes and encodes nothing. It is in parts: what
 * signs the addresses of pictures for one viewer belongs between them.
 */
export type UnsignedText = string[];

/** The text with one character per byte of its UTF-8. */
export const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/** The answer with this `data`, JSON with one character per byte. */
export function answerOf(data: string): ReadyAnswer {
  return new ReadyAnswer(Buffer.from(`{"success":true,"message":"OK","data":${data}}`, 'latin1'));
}

/** Entries that take up to a number of bytes, by the estimates they come with; those not used for longest are forgotten. */
export interface Memory<T> {
  get(key: string): T | undefined;
  put(key: string, entry: T, bytes: number): void;
}

/** An empty memory of at most `mostBytes`. */
export function createMemory<T>(mostBytes: number): Memory<T> {
  const entries = new Map<string, { entry: T; bytes: number }>();
  let total = 0;
  function take(key: string): { entry: T; bytes: number } | undefined {
    const kept = entries.get(key);
    if (kept === undefined) return undefined;
    entries.delete(key);
    total -= kept.bytes;
    return kept;
  }
  function put(key: string, entry: T, bytes: number): void {
    take(key);
    entries.set(key, { entry, bytes });
    total += bytes;
    for (const oldest of entries.keys()) {
      if (total <= mostBytes) break;
      take(oldest);
    }
  }
  return {
    get(key) {
      const kept = take(key);
      if (kept !== undefined) put(key, kept.entry, kept.bytes);
      return kept?.entry;
    },
    put,
  };
}

/** Makes an entry the newest, and forgets the oldest when there are more than `most`. */
export function keep<T>(entries: Map<string, T>, key: string, entry: T, most: number): void {
  entries.delete(key);
  entries.set(key, entry);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
