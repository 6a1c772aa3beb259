import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { emailMaxLength, searchMaxLength } from './constants.ts';
import { halfWidth, pastedValue } from './pasted.ts';
import { said } from './said.ts';
import { parseUrl } from './url.ts';

// Line breaks and tabs are allowed; other control characters are not. PostgreSQL can't store NUL and lone surrogates.
const isStorable = (text: string) => !/[^\P{Cc}\t\n\r]/u.test(text) && text.isWellFormed();

/** Normalizes the two encodings of a letter with an accent to the same text. */
const composed = (text: string) => text.normalize('NFC');

/** The messages of texts that are too long or too short, or can't be stored. */
export const atMost = (maximum: number) => said(msg`Use at most ${{ maximum }} characters`);
export const atLeast = (minimum: number) => said(msg`Use at least ${{ minimum }} characters`);
export const unstorable = said(msg`Contains characters that cannot be stored`);
export const required = said(msg`This is required`);

/** Text of `min` to `max` characters (code points), composed (Unicode NFC), without control characters and lone surrogates. */
export function text(min: number, max: number) {
  return rawText(min, max, composed);
}

function rawText(min: number, max: number, clean: (text: string) => string) {
  return z
    .string()
    .check(
      z.overwrite(clean),
      z.minLength(min, min === 1 ? required : atLeast(min)),
      z.maxLength(max, atMost(max)),
      z.refine(isStorable, unstorable),
    );
}

/** Characters that change the direction of text, which could disguise an address or scramble the words around it. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/gu;

/** Removes characters that change the text direction; the letters themselves determine it. */
export const withoutDirectionMarks = (text: string) => text.replaceAll(directionMarks, '');

/**
 * Characters that are never visible: they hide words from searches, create a second name with the same letters, and fill up a minimum
 * length. Characters that writing needs are not included: joiners, marks of right-to-left languages, the tags in flags of regions, and the
 * variation selectors of emoji and keycaps.
 */
const hidden =
  /[\ufe00-\ufe0d\u{e0100}-\u{e01ef}]|(?<!\p{Emoji})[\ufe0e\ufe0f]|(?<=[\d#*])[\ufe0e\ufe0f](?!\u20e3)|[\u00ad\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]|(?<!\u{1f3f4}[\u{e0030}-\u{e007a}]{0,6})[\u{e0000}-\u{e007f}]/gu;
const withoutHidden = (text: string) => text.replaceAll(hidden, '');
const readable = (text: string) => withoutHidden(withoutDirectionMarks(text));

// Invisible letters and symbols: Hangul fillers, blank hieroglyphs, the empty Braille pattern and a note without a
// head.
const blanks = /[\u115f\u1160\u2800\u3164\uffa0\u{13441}\u{13442}\u{1d159}]/gu;
// Private-use characters, and those newer than this version of Unicode such as new emoji, may be visible.
const visible = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}\p{P}\p{S}\p{Co}\p{Cn}]/u;
const isVisible = (text: string) => text === '' || visible.test(text.replaceAll(blanks, ''));

/**
 * The number of visible characters: letters, digits, punctuation and symbols. Spaces in a row count as one; marks and hidden characters
 * don't count.
 */
export function visibleLength(text: string): number {
  const seen = [...composed(text).replaceAll(blanks, '')].filter((one) => visible.test(one) || /\s/.test(one));
  return [...seen.join('').replaceAll(/\s+/g, ' ').trim()].length;
}

function visibleText(min: number, max: number, clean: (text: string) => string) {
  return rawText(min, max, (given) => clean(composed(given))).check(z.refine(isVisible, required));
}

/**
 * Like `text`, but first trimmed and without direction marks and hidden characters, so that blank text counts as empty. A minimum length
 * counts only visible characters, because invisible ones would fill it up.
 */
export function trimmedText(min: number, max: number) {
  return visibleText(min, max, (text) => readable(text).trim()).check(
    // A text that is too short only because hidden characters were removed already has this error.
    z.refine((text) => text.length < min || min === 1 || visibleLength(text) >= min, atLeast(min)),
  );
}

const decodedSigns = (text: string) =>
  text
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .normalize('NFKC')
    .replaceAll(/%(?:25)*40/g, '@');

/** Stands in for the hidden part of an email address. */
export const addressMask = '•••';

/** Whether a text contains an email address, even in full-width letters or encoded as in URLs. */
export const hasAddress = (text: string) => /[^\s@]@[^\s@]/u.test(decodedSigns(text));
export const noAddressText = said(msg`Email addresses are not allowed here`);

/** The search text of a list, which may be empty. Approvals and the audit trail show it to others. */
export const searchText = z.string().check(
  z.overwrite(readable),
  z.trim(),
  z.maxLength(searchMaxLength),
  z.refine((t) => !t.includes('\0') && t.isWellFormed(), 'Contains characters that cannot be searched'),
);

// Line breaks and direction marks would affect the text around a name.
const isOneLine = (text: string) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text) && withoutDirectionMarks(text) === text;
const hasNoLink = (text: string) => !/:\/\/|www\./i.test(text);

/** A name of a person or place: one visible line of `min` to `max` characters, trimmed, without hidden characters and links. */
export function nameText(min: number, max: number) {
  return visibleText(min, max, (text) => withoutHidden(text).trim()).check(
    z.refine(isOneLine, said(msg`Use one line of plain text`)),
    z.refine(hasNoLink, said(msg`Links are not allowed here`)),
  );
}

/**
 * Top-level domains that programs turn into links, besides all country codes of two letters. Only common ones are
 * included, because all 1,400 would turn ordinary words into links.
 */
export const commonDomains =
  'com|net|org|info|biz|zip|mov|pro|store|website|space|app|link|site|xyz|online|live|club|shop|top|dating|vip|blog|page|chat|love|cam|sexy|icu|cloud|tech|world|today|life|fun';

const addressMarks = /[@+\\]|:(?!\p{L})|(?<!\p{L}):/u;
// An ideographic full stop between letters is always treated as part of an address.
const webAddress = /(?<=[\p{L}\p{N}])(?:。\p{L}|\.(?<ending>\p{L}{2,})(?!\p{L}))/giu;
const namedDomains = new Set(commonDomains.split('|'));
const hasWebAddress = (plain: string) =>
  [...plain.matchAll(webAddress)].some(({ groups }) => {
    const ending = groups?.ending;
    return ending === undefined || [...ending].length === 2 || namedDomains.has(ending.toLowerCase());
  });
const digitsInName = 3;

// Emails show names to people who don't know the member, so a name must not contain a web address, an email address or
// a phone number.
function isNameOnly(text: string): boolean {
  const plain = text.normalize('NFKC');
  return !addressMarks.test(plain) && !hasWebAddress(plain) && plain.replaceAll(/\P{Nd}/gu, '').length <= digitsInName;
}

/**
 * A person's name: like `nameText`, without addresses and with at most three digits. A colon or full stop between two
 * letters is allowed, as in S:t and Jean.Paul.
 */
export function personNameText(min: number, max: number) {
  return nameText(min, max).check(
    z.refine(isNameOnly, said(msg`Use letters only. Addresses and numbers are not allowed.`)),
  );
}

/** An opaque identifier that callers send back; an unknown one is simply not found. */
export const idSchema = z.string().check(z.minLength(1), z.maxLength(64), z.refine(isStorable, 'Not an id'));

/** An id from the payment provider, in its own form: the server reads only texts of `idSchema` itself as row ids. */
export const providerIdSchema = idSchema.check();

/** The id of a row in lower case, as the database writes it, so that an id is equal to itself however it was written. */
export const uuidSchema = z.uuid().check(z.toLowerCase());

/** One to `max` ids; repeated ones count once. */
export const uuidSet = (max: number) =>
  z.array(uuidSchema).check(
    z.minLength(1),
    z.maxLength(max),
    z.overwrite((ids) => [...new Set(ids)]),
  );

/** A time in ISO 8601, UTC. The server writes it from a date. */
export const timeSchema: z.ZodMiniType<string, string | Date> = z.iso.datetime();

/**
 * An ASCII email address: at most 64 characters before the @ (RFC 5321), only those that RFC 5322 allows without
 * quotes, and a domain of two or more labels (RFC 1035) that doesn't end in a number. It contains no control
 * characters, because it is used in mail headers.
 */
const addressPattern =
  /^(?=[^@]{1,64}@)[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?:[a-z]{2,63}|xn--[a-z0-9-]{0,58}[a-z0-9])$/;

/** The characters of a typed domain, including Chinese and Japanese full stops. */
const domainPattern = /^[\p{L}\p{M}\p{N}.。．｡-]{1,255}$/u;

/**
 * The ASCII form of a domain or a part of one, as mail servers expect it: `почта.рф` becomes `xn--80a1acny.xn--p1ai`.
 * Other text is returned unchanged.
 */
export function asciiDomain(domain: string): string {
  // Digits and full stops alone would be parsed as an IPv4 address.
  if (!/\P{ASCII}/u.test(domain) || !domainPattern.test(domain)) return domain;
  return parseUrl(`http://${domain}`)?.hostname ?? domain;
}

/** The address with its domain in ASCII. Text that is not an address is returned unchanged. */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? address : address.slice(0, at + 1) + asciiDomain(address.slice(at + 1));
}

/** Decodes a label after `xn--` (RFC 3492) to its code points; undefined if it is invalid. */
function decodedLabel(encoded: string): string | undefined {
  const end = encoded.lastIndexOf('-');
  const points = Array.from(encoded.slice(0, Math.max(end, 0)), (character) => character.codePointAt(0) ?? 0);
  let [point, bias, index] = [128, 72, 0];
  for (let read = end + 1; read < encoded.length;) {
    const before = index;
    for (let [weight, base] = [1, 36]; ; base += 36) {
      const digit = 'abcdefghijklmnopqrstuvwxyz0123456789'.indexOf(encoded[read++] ?? '?');
      if (digit < 0) return undefined;
      index += digit * weight;
      const threshold = Math.min(Math.max(base - bias, 1), 26);
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const count = points.length + 1;
    let delta = Math.floor((index - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / count);
    for (bias = 0; delta > 455; bias += 36) delta = Math.floor(delta / 35);
    bias += Math.floor((36 * delta) / (delta + 38));
    point += Math.floor(index / count);
    index %= count;
    if (point > 0x10_ff_ff) return undefined;
    points.splice(index++, 0, point);
  }
  return String.fromCodePoint(...points);
}

/** Labels written in a single script, apart from digits and hyphens; Japanese uses three scripts. */
const oneScript = [
  /^[\p{scx=Latin}\d-]+$/u,
  /^[\p{scx=Cyrillic}\d-]+$/u,
  /^[\p{scx=Greek}\d-]+$/u,
  /^[\p{scx=Armenian}\d-]+$/u,
  /^[\p{scx=Georgian}\d-]+$/u,
  /^[\p{scx=Hebrew}\d-]+$/u,
  /^[\p{scx=Arabic}\d-]+$/u,
  /^[\p{scx=Devanagari}\d-]+$/u,
  /^[\p{scx=Bengali}\d-]+$/u,
  /^[\p{scx=Gurmukhi}\d-]+$/u,
  /^[\p{scx=Gujarati}\d-]+$/u,
  /^[\p{scx=Oriya}\d-]+$/u,
  /^[\p{scx=Tamil}\d-]+$/u,
  /^[\p{scx=Telugu}\d-]+$/u,
  /^[\p{scx=Kannada}\d-]+$/u,
  /^[\p{scx=Malayalam}\d-]+$/u,
  /^[\p{scx=Sinhala}\d-]+$/u,
  /^[\p{scx=Thai}\d-]+$/u,
  /^[\p{scx=Lao}\d-]+$/u,
  /^[\p{scx=Khmer}\d-]+$/u,
  /^[\p{scx=Myanmar}\d-]+$/u,
  /^[\p{scx=Tibetan}\d-]+$/u,
  /^[\p{scx=Ethiopic}\d-]+$/u,
  /^[\p{scx=Mongolian}\d-]+$/u,
  /^[\p{scx=Hangul}\d-]+$/u,
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\d-]+$/u,
];
/** Cyrillic and Greek letters that look like Latin ones: a label of only these could be mistaken for another. */
const likeLatin = /^[асԁеһіјӏорԛѕԝхугкпьтмвзҽоνοαρυικτχω\d-]+$/u;

/**
 * A domain in its own script, unless it could be mistaken for another one. A label stays in ASCII if it mixes scripts,
 * looks like Latin letters, or doesn't decode to itself.
 */
function readableDomain(domain: string): string {
  const labels = domain.split('.').map((label) => {
    const decoded = label.startsWith('xn--') ? decodedLabel(label.slice(4)) : undefined;
    if (decoded === undefined || likeLatin.test(decoded) || !oneScript.some((one) => one.test(decoded))) return label;
    return asciiDomain(decoded) === label ? decoded : label;
  });
  return labels.join('.');
}

/** An email address with its domain in its own script, such as `u@почта.рф`. For display only. */
export function readableAddress(address: string): string {
  const at = address.lastIndexOf('@');
  return address.slice(0, at + 1) + readableDomain(address.slice(at + 1));
}

/** Whether the text contains an at sign of any width. Such text must not appear in URLs or be shown to others. */
export const hasAtSign = (text: string): boolean => halfWidth(text).includes('@');

/**
 * A typed or pasted email address: surrounding text is removed, letters are lower-cased, and the domain is converted to
 * ASCII, so that both spellings mean the same account.
 */
export const emailSchema = z
  .string()
  .check(
    z.overwrite(pastedValue),
    z.toLowerCase(),
    z.maxLength(emailMaxLength, atMost(emailMaxLength)),
    z.overwrite(asciiAddress),
    z.maxLength(emailMaxLength, atMost(emailMaxLength)),
    z.email({ pattern: addressPattern, ...said(msg`Use an address like name@example.org`) }),
  );

/** A password to verify: any text as typed, so that a rule from an earlier release never locks anyone out. */
export const givenPasswordSchema = rawText(1, 1024, (given) => given);

/** The value of a digit in any script; each script has ten consecutive digits. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let first = code;
  while (first > code - 10 && /\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((code - first) % 10);
}

/** Replaces the digits of all scripts by 0 to 9. */
export const withPlainDigits = (text: string) => text.replaceAll(/(?![0-9])\p{Nd}/gu, digitOf);

/** A token or handle that the client sends back. */
export const tokenText = text(1, 512);

/** A calendar day `YYYY-MM-DD` that exists. Year 0 is rejected, because PostgreSQL has none. */
export const daySchema = z.iso
  .date(said(msg`Use a date like 1990-12-31`))
  .check(z.refine((day) => !day.startsWith('0000'), said(msg`Use a date like 1990-12-31`)));

/** The name of a time zone, such as `Europe/Vienna`. */
export const zoneSchema = z.string().check(z.maxLength(64), z.refine(isTimeZone, 'This is not a time zone'));

function isTimeZone(zone: string): boolean {
  try {
    return (
      /^[A-Za-z]/.test(zone) && new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
    );
  } catch {
    return false;
  }
}

/** An integer in a query string, in digits of any script; values outside `min`…`max` are rejected, not clamped. */
export function queryInteger(min: number, max: number) {
  return z.pipe(
    z.string().check(z.overwrite(withPlainDigits), z.regex(/^-?\d{1,9}$/, 'Use a whole number')),
    z.pipe(
      z.transform((digits: string) => Number(digits)),
      z.number().check(z.minimum(min, `Use ${min} or more`), z.maximum(max, `Use ${max} or less`)),
    ),
  );
}

/** Up to `max` distinct values in a query string, separated by commas. */
export function wordList<T extends z.ZodMiniType<unknown, string>>(schema: T, max: number) {
  return z.pipe(
    z.string().check(z.maxLength(max * 65, 'This is too long')),
    z.pipe(
      z.transform((list: string) => [...new Set(list.split(','))]),
      z.array(schema).check(z.maxLength(max, `Use at most ${max}`)),
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

/** An optional query parameter; an empty value counts as absent. */
export function skippedWhenEmpty<T extends z.ZodMiniType>(schema: T) {
  return z.optional(z.union([schema, emptyAsAbsent]));
}

/**
 * A value for a text of a catalogue. Lingui decodes escape sequences in the finished text, and must not decode those that
 * a person typed.
 */
export const verbatim = (value: string): string =>
  value.replaceAll(/\\(?=u[\da-f]{4}|x[\da-f]{2})/gi, () => String.raw`\u005c`);
