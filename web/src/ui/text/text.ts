import { directionOf, type Language, languages } from '#contract/languages.ts';

/**
 * The `Intl` tag of a display language, with the region from the first of the reader's tags in that language, so that
 * readers of English in Britain get British dates. There is no region if no tag has one.
 */
export function regionalTag(language: string, ownTags: readonly string[]): string {
  const regional = new RegExp(`^${language}-([A-Z]{2}|[0-9]{3})$`);
  return ownTags.find((tag) => regional.test(tag)) ?? language;
}

/** The language of the interface, which the document's first script has chosen; only `speak` changes it. */
export let language: Language = languages.find((one) => one === document.documentElement.lang) ?? 'en';

/** The reader's language with their region, for `Intl`. */
export let locale = regionalTag(language, navigator.languages);

/** The function that translates places, which arrive in English; other languages load their names with their texts. */
let names = { country: (name: string) => name, city: (city: string, _country: string) => city };

/** Sets the function that translates places. */
export function namePlacesBy(now: typeof names): void {
  names = now;
}

/** The name of a country in the reader's language. */
export const countryIn = (name: string): string => names.country(name);

/** The name of a place's city in the reader's language; '' if it is not known. */
export const cityIn = (place: { city: string | null; country: string | null } | null | undefined): string =>
  names.city(place?.city ?? '', place?.country ?? '');

/** Sets the language for formatting from now on, and for screen readers. */
export function setLanguage(next: Language): void {
  language = next;
  locale = regionalTag(language, navigator.languages);
  document.documentElement.lang = language;
  document.documentElement.dir = directionOf(language);
}

/**
 * Whether a number looks the same in every locale. Loading the browser's number formats takes a phone longer than
 * rendering a screen of text.
 */
export const isShort = (count: number) => Number.isInteger(count) && count >= 0 && count < 1000;

/** Words as a list in a sentence ("a, b, and c"), or separated by `commas` for a list outside a sentence. */
export function listed(words: readonly string[], how: 'sentence' | 'commas' = 'sentence'): string {
  if (how === 'commas' || words.length < 2) return words.join(language === 'ar' ? '، ' : ', ');
  if (language !== 'en') return new Intl.ListFormat(locale).format(words);
  return `${words.slice(0, -1).join(', ')}${words.length > 2 ? ',' : ''} and ${words.at(-1)}`;
}

/** Letters of scripts that are written from right to left. */
export const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Control characters that would change the direction of the surrounding text or end the isolation of a value. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** Isolates a value of the other direction, so that it does not affect the words and numbers around it. */
export function isolated(value: string): string {
  const unmarked = value.replaceAll(directionMarks, '');
  return rightToLeft.test(unmarked) !== (directionOf(language) === 'rtl') ? `\u2068${unmarked}\u2069` : unmarked;
}

/** The number of characters as the service counts them: an emoji counts as one, and so does a letter with an accent. */
export const lengthOf = (text: string): number => [...text.normalize('NFC')].length;

/**
 * A `maxLength` that allows `most` characters of any kind, because browsers count UTF-16 units. The service checks the
 * exact limit.
 */
export const unitsFor = (most: number): number => 2 * most;
