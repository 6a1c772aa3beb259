import { folded } from '#contract/folding.ts';
import { countryCodes, countryName } from '#contract/profiles/countries.ts';

/** The languages in which country names are recognised, as two-letter codes. */
const languages =
  'en de fr es it pt nl pl cs sk tr ru uk ar zh ja ko sv da nb fi hu ro el he hi bn bg hr sr sl vi th id ms fa ur et lv lt ca ka hy az kk sq mk sw';

/** Names that people use but Unicode doesn't have, with their code. */
const otherNames: Record<string, string> = {
  usa: 'US',
  unitedstatesofamerica: 'US',
  america: 'US',
  greatbritain: 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  northernireland: 'GB',
  czechrepublic: 'CZ',
  ceskarepublika: 'CZ',
  slovakrepublic: 'SK',
  republicofireland: 'IE',
  holland: 'NL',
  thenetherlands: 'NL',
  turkey: 'TR',
  ivorycoast: 'CI',
  burma: 'MM',
  uae: 'AE',
  korea: 'KR',
  macedonia: 'MK',
};

/** A name without case, accents, blanks and punctuation. */
const keyOf = (name: string) => folded(name).replaceAll(/[^\p{L}\p{N}]/gu, '');

let known: ReadonlyMap<string, string> | undefined;

/** Our name of every country by its key in each of the languages, and by its code. */
function readNames(): ReadonlyMap<string, string> {
  const countries = countryCodes.map((code) => [code, countryName(code) ?? code] as const);
  const names = new Map(countries.map(([code, name]) => [keyOf(code), name]));
  for (const [written, code] of Object.entries(otherNames)) names.set(written, countryName(code) ?? code);
  for (const style of ['long', 'short'] as const)
    for (const language of languages.split(' ')) {
      const inLanguage = new Intl.DisplayNames([language], { type: 'region', fallback: 'none', style });
      for (const [code, name] of countries) {
        const written = keyOf(inLanguage.of(code) ?? code);
        if (!names.has(written)) names.set(written, name);
      }
    }
  for (const [, name] of countries) names.set(keyOf(name), name);
  return names;
}

/** Our name of a country that is given by its name in a common language or by its two-letter code; other text is returned unchanged. */
export function countryFrom(text: string): string {
  known ??= readNames();
  return known.get(keyOf(text)) ?? text;
}
