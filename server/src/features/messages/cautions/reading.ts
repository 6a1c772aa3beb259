import { messageMaxLength } from '#contract/constants.ts';
import { withPlainDigits } from '#contract/text.ts';

// Every pattern in this folder runs in linear time: no unbounded repetition can start at each position of a long run of the same
// characters.

/** Letters of other alphabets that look like Latin ones. */
const lookalikes = new Map(
  [...'аеорсухіјѕԁԛԝһкмтвнοαρνικτυχεη'].flatMap((letter, index) => {
    const latin = [...'aeopcyxijsdqwhkmtbhoapviktuxen'][index] ?? letter;
    return [
      [letter, latin],
      [letter.toUpperCase(), latin.toUpperCase()],
    ] as const;
  }),
);
const mixedWord = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Latin}]+/gu;

/** A Latin word with look-alike letters replaced; words of a single alphabet are unchanged. */
const inOneAlphabet = (word: string) =>
  /[a-z]/i.test(word) ? word.replaceAll(/[^a-z]/gi, (letter) => lookalikes.get(letter) ?? letter) : word;

/** Normalising can turn one character into eighteen, so the result is cut. Ordinary text never reaches half of this length. */
const longestRead = 2 * messageMaxLength;

/** The text without the accents of Latin letters, which people often omit; other letters are unchanged. */
const withoutAccents = (text: string) =>
  text
    .normalize('NFKD')
    .replaceAll(/(?<=[a-z])[\u0300-\u036f]+/gi, '')
    .normalize('NFC')
    .replaceAll('ı', 'i')
    .replaceAll('ł', 'l');

// Direction marks, zero-width blanks, and the marks that turn a digit into an emoji.
const invisible = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\ufe00-\ufe0f]|\u20e3/g;
const spacedLetters = /(?<!\S)(?:\S ){3,}\S(?!\S)/gu;

/**
 * Normalises look-alikes: full-width and foreign letters, digits of any script, accents, invisible characters, letters with a blank after
 * each, dots in brackets. Any white space becomes one space. Capitals are kept.
 */
export const plain = (text: string) =>
  withoutAccents(withPlainDigits(text.normalize('NFKC').slice(0, longestRead)))
    .slice(0, longestRead)
    .replaceAll(invisible, '')
    .replaceAll(mixedWord, inOneAlphabet)
    .replaceAll(/[‘’ʼ`]/g, "'")
    .replaceAll(/[‐-―]/g, '-')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(spacedLetters, (letters) => letters.replaceAll(' ', ''))
    .replaceAll(/ ?[([{] ?(?:dot|punkt|punto|ponto|point|kropka|точка|\.) ?[)\]}] ?/gi, '.')
    .replaceAll(/ ?[([{] ?(?:at|ät) ?[)\]}] ?/gi, '@');

const letterOf = new Map(Object.entries({ 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't', '@': 'a', $: 's' }));

/** A lower-case text, and the same text with digits and signs replaced by the letters they look like, as in t3legram and wh@tsapp. */
export function readings(read: string): string[] {
  const lettered = read.replaceAll(
    /[013457@$](?=[a-z])(?!(?:st|rd|th)(?![a-z]))/g,
    (sign) => letterOf.get(sign) ?? sign,
  );
  return lettered === read ? [read] : [read, lettered];
}
