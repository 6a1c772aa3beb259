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

/** Makes an entry the newest, and forgets the oldest when there are more than `most`. */
export function keep<T>(entries: Map<string, T>, key: string, entry: T, most: number): void {
  entries.delete(key);
  entries.set(key, entry);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
