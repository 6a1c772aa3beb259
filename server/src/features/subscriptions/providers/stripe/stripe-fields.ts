/** An answer of Stripe's without what it must have; names the field, never what stood there. */
export class UnreadableAnswer extends Error {
  override name = 'UnreadableAnswer';
  readonly field: string;

  constructor(field: string) {
    super(`Stripe’s answer has no ${field}`);
    this.field = field;
  }
}

// The SDK takes any JSON for what was asked for, so nothing that came over the network is believed by its type alone.

/** A text that is not empty. */
export function textIn(value: unknown, field: string): string {
  if (typeof value !== 'string' || value === '') throw new UnreadableAnswer(field);
  return value;
}

/** A whole number. */
export function wholeIn(value: unknown, field: string): number {
  if (!Number.isSafeInteger(value)) throw new UnreadableAnswer(field);
  return value as number;
}

/** Yes or no. */
export function flagIn(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean') throw new UnreadableAnswer(field);
  return value;
}

/** A moment, from whole seconds since 1970. */
export function momentIn(value: unknown, field: string): Date {
  return new Date(wholeIn(value, field) * 1000);
}

/** A moment, or null where Stripe says that there is none. */
export function momentOrNull(value: number | null, field: string): Date | null {
  return value === null ? null : momentIn(value, field);
}

/** The entries of a list. */
export function entriesIn<T>(list: { data: T[] } | undefined, field: string): T[] {
  if (!Array.isArray(list?.data)) throw new UnreadableAnswer(field);
  return list.data;
}

/** The id behind a reference, whether it was expanded or not. */
export function idIn(reference: string | { id: string } | null, field: string): string {
  return textIn(typeof reference === 'string' ? reference : reference?.id, field);
}

/** The id of an answered object, which has to be of this kind, and this one where `id` says which. */
export function idOf(answer: { id?: unknown; object?: unknown }, kind: string, id?: string): string {
  if (answer.object !== kind || (id !== undefined && answer.id !== id)) throw new UnreadableAnswer(kind);
  return textIn(answer.id, `id of a ${kind}`);
}

/** What a reference was expanded to; null for none. */
export function expandedIn<T extends object>(reference: string | T | null, field: string): T | null {
  if (reference !== null && typeof reference !== 'object') throw new UnreadableAnswer(field);
  return reference;
}
