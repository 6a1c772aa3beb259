import { pastedWords } from './pasted.ts';
import { asciiDomain } from './text.ts';

/**
 * The spellings of one part of a search term: those that still need folding, and the ASCII form of a domain, as
 * addresses are stored.
 */
interface TermPart {
  toFold: string[];
  ascii: string[];
}

const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/gu;
const isOfAddress = (word: string) => /@|\p{L}\.\p{L}/u.test(word);

/** The words of a term as typed or pasted. Hyphens and spaces separate words, except in addresses and domains. */
function wordsOf(term: string): string[] {
  return pastedWords(term.normalize('NFC').replaceAll(invisible, ''))
    .flatMap((word) => (isOfAddress(word) ? [word] : word.split(/[-\u05be\u2010\u2011]/u)))
    .filter((word) => word !== '');
}

/**
 * The parts of a search term. Set `hasAddresses` if the searched text contains email addresses, whose domains are
 * stored in ASCII.
 */
export function partsOf(term: string, hasAddresses: boolean): TermPart[] {
  const words = wordsOf(term);
  return words.map((word) => {
    if (!hasAddresses) return { toFold: [word], ascii: [] };
    const at = word.lastIndexOf('@');
    const domain = asciiDomain(word.slice(at + 1).toLowerCase());
    if (at >= 0) return { toFold: [word.slice(0, at + 1) + domain], ascii: [] };
    // A single word may be a domain label. Several words are a name, for which searching labels would only cost time.
    const isOther = domain !== word.toLowerCase() && (words.length === 1 || isOfAddress(word));
    return { toFold: [word], ascii: isOther ? [domain] : [] };
  });
}
