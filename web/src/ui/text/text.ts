const language = 'en';

/**
 * The tag for `Intl` of a language that texts are shown in, with the region of the reader's first own tag in that
 * language, so that readers of English in Britain get British dates; without a region if they name none.
 */
export function regionalTag(language: string, ownTags: readonly string[]): string {
  const regional = new RegExp(`^${language}-([A-Z]{2}|[0-9]{3})$`);
  return ownTags.find((tag) => regional.test(tag)) ?? language;
}

/** The reader's language with their region, for `Intl`. */
export const locale = regionalTag(language, navigator.languages);

const plural = /\{(\w+), plural,((?:\s*=?\w+ \{(?:[^{}]|\{\w+\})*\})+)\s*\}/g;
const pluralCase = /=?(\w+) \{((?:[^{}]|\{\w+\})*)\}/g;

function chooseCase(cases: string, count: number): string {
  const words = new Map([...cases.matchAll(pluralCase)].map(([, name = '', text = '']) => [name, text]));
  const chosen = words.get(String(count)) ?? words.get(count === 1 ? 'one' : 'other') ?? '';
  return chosen.replaceAll('#', isShort(count) ? String(count) : count.toLocaleString(language));
}

/**
 * Whether a number reads the same without the browser's rules. Loading those for the first number on a page takes a phone longer than
 * drawing a screen of texts.
 */
export const isShort = (count: number) => Number.isInteger(count) && count >= 0 && count < 1000;

/** Words as a list in a sentence, "a, b, and c"; `commas` for a list that stands by itself. */
export function listed(words: readonly string[], how: 'sentence' | 'commas' = 'sentence'): string {
  if (how === 'commas' || words.length < 2) return words.join(', ');
  return `${words.slice(0, -1).join(', ')}${words.length > 2 ? ',' : ''} and ${words.at(-1)}`;
}

/** Letters of the scripts that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Marks that would turn the words around a value, or end its isolation. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g;

/** A value keeps its direction to itself: the words and numbers after it stay in their places. */
export function isolated(value: string): string {
  const unmarked = value.replaceAll(directionMarks, '');
  return rightToLeft.test(unmarked) ? `\u2068${unmarked}\u2069` : unmarked;
}

/**
 * An interface text with its values filled in: `{name}`, and plurals by the rules of ICU MessageFormat (`{n, plural,
 * one {# user} other {# users}}`). The English text is also its key, in case other languages are added.
 */
export function t(text: string, values: Record<string, string | number> = {}): string {
  if (!text.includes('{')) return text;
  return text
    .replace(plural, (_, name: string, cases: string) => chooseCase(cases, Number(values[name])))
    .replace(/\{(?:(\w+)\})?/g, (_, name: string | undefined) => {
      if (name === undefined) throw new Error(`Braces not understood in the text: ${text}`);
      return isolated(String(values[name] ?? ''));
    });
}

export type Translate = typeof t;
