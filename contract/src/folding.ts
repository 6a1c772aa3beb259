import { withPlainDigits } from './text.ts';

/**
 * Letters in another form, each followed by the letter it is treated as: letters with strokes, from other keyboards, and from older
 * spelling. Quotes and hyphens are included.
 */
const pairs =
  "øođdðdłlħhŧtıiŋnɓbɖdɗdƙkɲnƴyƒfɛeɔoəeʋvɠgɨiʉuςσґг’'‘'ʼ'ʻ'ʹ'′'`'“\"”\"„\"\u05f3'\u2010-\u2012-\u2013-\u2014-\u2015-\u2212-\u05be-" +
  '\u0671\u0627\u0649\u064a\u06cc\u064a\u06d0\u064a\u06a9\u0643\u06d5\u0647\u0629\u0647\u06c1\u0647\u06be\u0647\u0901\u0902' +
  '齋斎齊斉邊辺邉辺澤沢濱浜髙高﨑崎嵜崎廣広櫻桜黑黒榮栄惠恵國国學学眞真齒歯嶋島臺台';

/** Each of these letters, in lower and upper case, with the letter it is treated as. The SQL function `folded` has the same list. */
export const sameLetters = new Map(
  [...(pairs.match(/../gu) ?? []), 'ßss', 'ẞss', 'æae', 'œoe', 'þth'].flatMap((pair) => {
    const [letter = '', ...others] = pair;
    const same = others.join('');
    return [
      [letter.toUpperCase(), same.toUpperCase()],
      [letter, same],
    ] as const;
  }),
);

// Accents, vowel points, tatweel, invisible characters, direction marks, and the marks that turn a character into an emoji.
const everyUnseen =
  /[\u180b-\u180f\ufe00-\ufe0f\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u08ca-\u08ff\ufe20-\ufe2f\u093c\u20d0-\u20ff\u00ad\u061c\u0640\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;

/** A text with one form of each letter and digit, without marks and invisible characters, and with single blanks. Capitals are kept. */
export const inOneForm = (text: string): string =>
  Array.from(
    withPlainDigits(text.normalize('NFKC').normalize('NFD').replaceAll(everyUnseen, '').normalize('NFC')),
    (letter) => sameLetters.get(letter) ?? letter,
  )
    .join('')
    .replaceAll(/ {2,}/g, ' ');

/**
 * A text in the form in which texts are compared: `inOneForm`, in lower case. It equals the SQL function of the same name, in which texts
 * are stored for searching.
 */
export const folded = (text: string): string => inOneForm(text.normalize('NFKC').toLowerCase());
