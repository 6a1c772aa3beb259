import { asciiDomain } from './text.ts';

/** The spellings of a part of a term: those still to be folded, and those of a domain in ASCII, as addresses are stored. */
interface TermPart {
  toFold: string[];
  ascii: string[];
}

/** Quotes and brackets that come along when a name or an address is copied from a mail. */
const brackets = /[<>‹›«»"“”„;,]/gu;
const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/gu;
const isOfAddress = (word: string) => /@|\p{L}\.\p{L}/u.test(word);

/** The words of a term as typed or pasted. Hyphens separate words, as blanks do, except in addresses and domains. */
function wordsOf(term: string): string[] {
  const words = term
    .normalize('NFC')
    .replaceAll(invisible, '')
    .replaceAll(brackets, ' ')
    .split(/\s+/u)
    .map((word) => word.replace(/^mailto:/iu, ''));
  return words
    .flatMap((word) => (isOfAddress(word) ? [word] : word.split(/[-\u05be\u2010\u2011]/u)))
    .filter((word) => word !== '');
}

/** The parts of a search term; `hasAddresses` if the searched text has e-mail addresses, whose domains are stored in ASCII. */
export function partsOf(term: string, hasAddresses: boolean): TermPart[] {
  const words = wordsOf(term);
  return words.map((word) => {
    if (!hasAddresses) return { toFold: [word], ascii: [] };
    const at = word.lastIndexOf('@');
    const domain = asciiDomain(word.slice(at + 1).toLowerCase());
    if (at >= 0) return { toFold: [word.slice(0, at + 1) + domain], ascii: [] };
    // A single word may be a label of a domain. Several are a name, where looking for labels as well would only cost time.
    const isOther = domain !== word.toLowerCase() && (words.length === 1 || isOfAddress(word));
    return { toFold: [word], ascii: isOther ? [domain] : [] };
  });
}
