import * as z from 'zod/mini';

// Lines and tabs are text; other control characters are not, and NUL and lone surrogates no database text holds.
const isStorable = (text: string) => !/[^\P{Cc}\t\n\r]/u.test(text) && text.isWellFormed();

/** Text of `min` to `max` characters (code points), without control characters and lone surrogates. */
export function text(min: number, max: number) {
  const tooShort = min === 1 ? 'This is required' : `Use at least ${min} characters`;
  return z
    .string()
    .check(
      z.minLength(min, tooShort),
      z.maxLength(max, `Use at most ${max} characters`),
      z.refine(isStorable, 'Contains characters that cannot be stored'),
    );
}

// Fillers of Hangul, blank hieroglyphs, the empty pattern of Braille and a note without a head: letters and signs that look like nothing.
const blanks = /[\u115f\u1160\u2800\u3164\uffa0\u{13441}\u{13442}\u{1d159}]/gu;
const isVisible = (text: string) => text === '' || /[\p{L}\p{N}\p{P}\p{S}]/u.test(text.replaceAll(blanks, ''));

/** As `text`, with white space cut at both ends first, so that blank counts as empty, and so do invisible characters. */
export function trimmedText(min: number, max: number) {
  const tooShort = min === 1 ? 'This is required' : `Use at least ${min} characters`;
  return z
    .string()
    .check(
      z.trim(),
      z.minLength(min, tooShort),
      z.maxLength(max, `Use at most ${max} characters`),
      z.refine(isStorable, 'Contains characters that cannot be stored'),
      z.refine(isVisible, 'This is required'),
    );
}

// Line breaks and marks that turn the direction of what follows would spill out of a name into the words around it.
const isOneLine = (text: string) => !/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u.test(text);
const hasNoLink = (text: string) => !/:\/\/|www\./i.test(text);

/** A name of a person or place: one visible line of `min` to `max` characters, trimmed, without links. */
export function nameText(min: number, max: number) {
  return trimmedText(min, max).check(
    z.refine(isOneLine, 'Use one line of plain text'),
    z.refine(hasNoLink, 'Links do not belong here'),
  );
}

const addressMarks = /[:@+\\]/;
const dotInWord = /[\p{L}\p{N}][.。]\p{L}{2}/u;
const digitsInName = 3;

// Mails carry names to people who don't know the member, so a name must not be able to name a page, an address or a telephone.
function isNameOnly(text: string): boolean {
  const plain = text.normalize('NFKC');
  return !addressMarks.test(plain) && !dotInWord.test(plain) && plain.replaceAll(/\P{Nd}/gu, '').length <= digitsInName;
}

/** A person's name: as `nameText`, without signs of addresses, dots between letters, and more than three digits. */
export function personNameText(min: number, max: number) {
  return nameText(min, max).check(
    z.refine(
      isNameOnly,
      'Use letters only, and a space after each full stop. Addresses and numbers do not belong here.',
    ),
  );
}

/** An opaque identifier as callers hand it back; whatever is not one of ours is simply not found. */
export const idSchema = z.string().check(z.minLength(1), z.maxLength(64), z.refine(isStorable, 'Not an id'));

/** A moment in ISO 8601, UTC. */
export const timeSchema = z.iso.datetime();

/** A calendar day `YYYY-MM-DD` that exists. */
export const daySchema = z.iso.date('Use a date like 1990-12-31');

/** A whole number in a query string, refused outside `min`…`max` rather than clamped. */
export function queryInteger(min: number, max: number) {
  return z.pipe(
    z.string().check(z.regex(/^-?\d{1,9}$/, 'Use a whole number')),
    z.pipe(
      z.transform((digits: string) => Number(digits)),
      z.number().check(z.minimum(min, `Use ${min} or more`), z.maximum(max, `Use ${max} or less`)),
    ),
  );
}

/** `true` or `false` in a query string. */
export const queryBoolean = z.pipe(
  z.enum(['true', 'false']),
  z.transform((word: 'true' | 'false') => word === 'true'),
);

const emptyAsAbsent = z.pipe(
  z.literal(''),
  z.transform(() => undefined),
);

/** A parameter of a query string that may be absent, and counts as absent when it is empty. */
export function skippedWhenEmpty<T extends z.ZodMiniType>(schema: T) {
  return z.optional(z.union([schema, emptyAsAbsent]));
}
