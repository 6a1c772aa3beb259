/**
 * Reads what people paste where an email address or an id is expected: links, quotes and brackets around it, full-width letters, and the
 * hyphens of word processors.
 */

/** Hyphens that word processors and keyboards put in the place of the ASCII one. */
const hyphens = /[\u2010\u2011\ufe63]/gu;
const apostrophes = /[\u2018\u2019]/gu;

/**
 * Converts full-width characters from Chinese, Japanese and Korean keyboards to ASCII: `＠` to `@`, and `。` to a full
 * stop.
 */
export const halfWidth = (text: string) =>
  text.replaceAll(/[！-～﹫]/gu, (character) => character.normalize('NFKC')).replaceAll(/[。｡]/gu, '.');

// All kinds of spaces, and invisible or direction marks, which are often copied along with an address.
const unseen = /[\s\p{Z}\p{Default_Ignorable_Code_Point}]/u;

function withoutUnseenEnds(text: string): string {
  const characters = [...text];
  const isSeen = (character: string) => !unseen.test(character);
  return characters.slice(characters.findIndex(isSeen), characters.findLastIndex(isSeen) + 1).join('');
}

/** What can enclose an address or an id. No domain ends in one of the closing signs, so a pair belongs to the text around it. */
const pairs: Record<string, string> = Object.fromEntries(
  "\"\" '' `` ** __ ~~ || <> [] () {} ‚' “” „“ ”” «» »« ‹› ›‹"
    .split(' ')
    .map((pair) => [pair.charAt(0), pair.charAt(1)]),
);

/** Anything longer, including what encloses it, is neither an address nor an id. */
const longest = 1000;

/** The address of a mailto link, in which signs may be written as their codes, such as `%2B`. */
function inLink(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** A text without what encloses all of it: spaces, quotes, brackets, the name before `<…>` and a mailto link. */
function unwrapped(given: string): string {
  const text = withoutUnseenEnds(given);
  if (text.length > longest) return text;
  const link = /^mailto:([^?]*)/iu.exec(text)?.[1];
  if (link !== undefined) return unwrapped(inLink(link));
  const inner =
    /^[^<>]*<([^<>]*)>$/u.exec(text)?.[1] ??
    (text.length > 2 && pairs[text.charAt(0)] === text.at(-1) ? text.slice(1, -1) : text);
  return inner === text ? text : unwrapped(inner);
}

const ofKeyboard = (text: string) => halfWidth(text).replaceAll(hyphens, '-').replaceAll(apostrophes, "'");

/** The address or id within typed or pasted text, such as a mailto link or `Ada <ada@example.org>`. */
export const pastedValue = (typed: string): string => unwrapped(ofKeyboard(typed));

/** What separates addresses and ids in prose and lists. */
const separators = /[\s\p{Z}<>()[\]\\,;«»‹›“”„、「」【】《》]+/u;

/** Whether a word is meant as an address: it contains the @ sign, and is neither a handle such as `@ada` nor a URL. */
const isAddressed = (word: string) => word.includes('@') && !/^@[\p{L}\p{N}_]|:\/\//u.test(word);

const isOfWord = (sign: string | undefined) => sign !== undefined && /[\p{L}\p{M}\p{N}\p{Cs}]/u.test(sign);

/**
 * The words without opening signs before one of them whose closing sign follows the same or a later word, as around a pasted list.
 * Mailboxes can begin with some of these signs, so they would be read as part of an address.
 */
function withoutPairs(words: readonly string[]): string[] {
  const cuts = words.map((word) => ({ word, from: 0, to: word.length }));
  const open: { cut: (typeof cuts)[number]; from: number; closing: string }[] = [];
  for (const cut of cuts) {
    const { word } = cut;
    let end = word.length;
    while (end > 0 && !isOfWord(word[end - 1])) end -= 1;
    for (let at = 0; at < end && !isOfWord(word[at]); at += 1) {
      const closing = pairs[word.charAt(at)];
      if (closing !== undefined) open.push({ cut, from: at + 1, closing });
    }
    for (let at = end; at < word.length && end > 0; at += 1) {
      const place = open.findLastIndex(({ closing }) => closing === word[at]);
      const [opened] = place < 0 ? [] : open.splice(place);
      if (opened === undefined) continue;
      opened.cut.from = Math.max(opened.cut.from, opened.from);
      cut.to = Math.min(cut.to, at);
    }
  }
  return cuts.map(({ word, from, to }) => word.slice(from, to));
}

/**
 * List markers, incomplete quotes and similar signs before an address. Mailboxes can begin with `_` and `-`, and a quote with its closing
 * sign may be part of one.
 */
const marks = /^(?:(?!".*"|[%_@-])\p{P}|[`|~])+/u;

/** Removes the label (`Email:`) and marks before an address in prose, the query of a link, and the punctuation after it. */
function addressOf(word: string): string {
  const at = word.lastIndexOf('@');
  const mailbox = word.slice(0, at).replace(/^[^@]*:/u, '');
  const domain = word.slice(at).replace(/\?.*$/u, '');
  return unwrapped(mailbox.replace(marks, '') + domain.replace(/[^\p{L}\p{M}\p{N}@]+$/u, ''));
}

/** The words of a pasted text, each without the quotes, brackets and punctuation around it. */
export const pastedWords = (text: string): string[] =>
  withoutPairs(ofKeyboard(text).split(separators).map(unwrapped))
    .map((word) => (isAddressed(word) ? addressOf(word) : word))
    .filter((word) => word !== '');

/** The email addresses in a pasted text, each once. A part is never taken for the whole, so an unreadable one is returned unchanged. */
export const addressesIn = (text: string): string[] => [...new Set(pastedWords(text).filter(isAddressed))];

const wholeId = /^([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})[\p{P}\s]*$/u;
const profilePath = /\/(?:app\/members|members|users)\/([^\s/?#]+)/;

/** The id within typed or pasted text, even in braces, without hyphens or in the address of a profile; null for any other text. */
export function pastedId(typed: string): string | null {
  const text = pastedValue(typed).toLowerCase();
  const inPath = profilePath.exec(text)?.[1];
  const parts = wholeId.exec((inPath ?? text).replace(/^(?:#|urn:uuid:)/, ''));
  return parts === null ? null : parts.slice(1).join('-');
}
