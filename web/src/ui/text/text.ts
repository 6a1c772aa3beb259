const language = 'en';
/** Made when first needed: loading the browser's rules takes longer than drawing a screen of texts. */
let plurals: Intl.PluralRules | undefined;

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
  plurals ??= new Intl.PluralRules(language);
  const chosen = words.get(String(count)) ?? words.get(plurals.select(count)) ?? words.get('other') ?? '';
  return chosen.replaceAll('#', count.toLocaleString(language));
}

/** Letters of the scripts that are written from right to left. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** A value that is written from right to left keeps its order to itself: the words and numbers after it stay in their places. */
const isolated = (value: string) => (rightToLeft.test(value) ? `\u2068${value}\u2069` : value);

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
