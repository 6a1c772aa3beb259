const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' });
/** Countries that our own list names differently. */
const ourNames: Record<string, string> = {
  BA: 'Bosnia and Herzegovina',
  CD: 'DR Congo',
  CG: 'Congo',
  CI: "Côte d'Ivoire",
  HK: 'China',
  MM: 'Myanmar',
  TT: 'Trinidad and Tobago',
};

/** The English name of a two-letter country code, as in our own list; undefined if there is none. */
export function countryName(code: string): string | undefined {
  return /^(?!ZZ)[A-Z]{2}$/.test(code) ? (ourNames[code] ?? english.of(code)) : undefined;
}

const letters = Array.from({ length: 26 }, (_, at) => String.fromCodePoint(65 + at));

/** The codes that have a name: of countries, and of some groups of them and former ones. */
export const countryCodes = letters
  .flatMap((first) => letters.map((second) => first + second))
  .filter((code) => countryName(code) !== undefined);

/** The European Union, the United Nations and others that no one lives in, besides former countries. */
const isCountry = (code: string) =>
  !['EU', 'EZ', 'QO', 'UN', 'XA', 'XB'].includes(code) && new Intl.Locale(`und-${code}`).region === code;

/** The names of all countries to choose from, in their order. */
export function countryNames(): string[] {
  const names = countryCodes.filter(isCountry).flatMap((code) => countryName(code) ?? []);
  return [...new Set(names)].sort(new Intl.Collator('en').compare);
}
