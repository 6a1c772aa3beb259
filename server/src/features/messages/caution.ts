import { messageMaxLength } from '#contract/constants.ts';
import type { Caution } from '#contract/messages.ts';
import { withPlainDigits } from '#contract/text.ts';

// Every pattern here runs in linear time: no unbounded repetition can start at each position of a long run of the same
// characters.

/** Letters of other alphabets that look like Latin ones. */
const lookalikes: Record<string, string> = Object.fromEntries(
  [...'аеорсухіјѕԁԛԝһкмтвнοαρνικτυχεη'].map((letter, index) => [
    letter,
    [...'aeopcyxijsdqwhkmtbhoapviktuxen'][index] ?? letter,
  ]),
);
const mixedWord = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Latin}]+/gu;

/** A Latin word with look-alike letters replaced; words of a single alphabet are unchanged. */
const inOneAlphabet = (word: string) =>
  /[a-z]/.test(word) ? word.replaceAll(/[^a-z]/g, (letter) => lookalikes[letter] ?? letter) : word;

/**
 * Normalising can turn one character into eighteen, so the result is cut; ordinary text never takes more than half of
 * this length.
 */
const longestRead = 2 * messageMaxLength;

/**
 * Normalises look-alikes: full-width and foreign letters, digits of any script, invisible characters, spelled-out
 * dots. Any white space becomes one space.
 */
function plain(text: string): string {
  return withPlainDigits(text.normalize('NFKC').slice(0, longestRead))
    .replaceAll(/[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, '')
    .toLowerCase()
    .replaceAll(mixedWord, inOneAlphabet)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?[([{] ?(?:dot|punkt|punto) ?[)\]}] ?| dot (?=[a-z]{2})/g, '.')
    .replaceAll(/ ?[([{] ?at ?[)\]}] ?/g, '@');
}

const links = [
  /\bhttps?:|\bwww\b/,
  /[a-z0-9]-? ?\. ?(?:com|net|org|info|biz|zip|mov|pro|store|website|space|io|me|co|app|link|site|xyz|online|live|club|shop|top|ru|cn|ly|gg|to|tk|dating|vip|ph|de|fr|uk)\b(?! ?')/,
  /[a-z0-9]-?,(?:com|net|org|info)\b/,
  /\w\.\w+\/\w/,
];

const contacts = [
  // Seven digits or more, with any separators; years and prices are shorter.
  /(?:\+|\b)(?:\d[ ().\-_/*]{0,3}){7}/,
  /[\w+-]@[\w-]+\.[a-z]{2}/,
  // Names of other services.
  /whats ?app|watsapp|whatsap|telegram|snap ?chat|\bsnap\b|\binsta(?:gram)?\b|\bkik\b|\bwechat\b|\bviber\b|\bskype\b|hangouts|\bline id\b|onlyfans|\bdiscord\b|facebook messenger/,
  // Numbers spelled out.
  /\b(?:(?:double|triple|zero|nought|oh|one|two|three|four|five|six|seven|eight|nine)[ -]{1,3}){5}/,
  // A handle on another service.
  /\b(?:signal|telegram|tg|ig|insta|snap|wa|kik) ?[:=@] ?@?[\w.+]/,
  /\b(?:text|call|message|reach|add|find) me (?:on|at|over)\b/,
];

const money = [
  /\b(?:bitcoin|btc|ethereum|usdt|crypto\w*|forex|binance|coinbase|metamask)\b/,
  /\b(?:bc1|0x)[a-z0-9]{20,}\b/,
  /\b[13][a-km-zA-HJ-NP-Z1-9]{25,34}\b/,
  /\b(?:gift ?cards?|itunes card|steam card|amazon card|western union|moneygram|wire transfer|bank transfer|cash ?app|paypal|venmo|zelle|revolut|iban)\b/,
  /\b(?:send|lend|borrow|transfer|wire|need)\b.{0,30}(?:\bmoney\b|\bcash\b|\bfunds?\b|[$€£] ?\d|\d ?(?:[$€£]|(?:dollars|euros?|pounds|usd|eur)\b))/,
  /\b(?:invest(?:ment|ing|or)?s?|trading (?:platform|account|tips)|double your|guaranteed (?:profits?|returns?)|daily profits?|passive income)\b/,
];

const says = (text: string, patterns: RegExp[]) => patterns.some((pattern) => pattern.test(text));

/**
 * The warning for a message from someone the receiver hardly knows, or null: money first, then other contact channels, then links. Only
 * the receiver sees it; nothing is held back.
 */
export function cautionFor(text: string): Caution | null {
  const read = plain(text);
  if (says(read, money) || says(text, money.slice(2, 3))) return 'money';
  if (says(read, contacts)) return 'contact';
  return says(read, links) ? 'link' : null;
}
