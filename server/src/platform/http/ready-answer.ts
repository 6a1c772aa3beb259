import { Readable } from 'node:stream';

/** A whole answer as JSON in UTF-8, for handlers that put it together from parts that were serialized by the schema before. */
export class ReadyAnswer {
  /** A stream if the answer is long. */
  readonly body: Buffer | Readable;
  constructor(body: Buffer | Readable) {
    this.body = body;
  }
}

/**
 * JSON text with one character per UTF-8 byte, so that putting an answer together copies bytes and encodes nothing. It is in parts: what
 * signs the addresses of pictures for one viewer belongs between them.
 */
export type UnsignedText = string[];

/** The text with one character per byte of its UTF-8. */
export const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');

/**
 * Longer answers are made in pieces of about this many bytes while they are sent. As one text and one buffer, megabytes would be new memory
 * for each answer, and making a new page of memory available takes longer than filling it.
 */
const pieceBytes = 64 * 1024;

/** The answer with this `data`, JSON with one character per byte, in parts. */
export function answerOf(data: readonly string[]): ReadyAnswer {
  const pieces = piecesOf(['{"success":true,"message":"OK","data":', ...data, '}']);
  const { value: first = Buffer.alloc(0) } = pieces.next();
  const second = pieces.next();
  if (second.done === true) return new ReadyAnswer(first);
  return new ReadyAnswer(Readable.from(chain([first, second.value], pieces), { objectMode: false }));
}

function* chain<T>(first: readonly T[], rest: Iterable<T>): Generator<T, void> {
  yield* first;
  yield* rest;
}

function* piecesOf(parts: readonly string[]): Generator<Buffer, void> {
  let [from, bytes] = [0, 0];
  for (const [at, part] of parts.entries()) {
    bytes += part.length;
    if (bytes < pieceBytes && at < parts.length - 1) continue;
    yield Buffer.from(parts.slice(from, at + 1).join(''), 'latin1');
    [from, bytes] = [at + 1, 0];
  }
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
