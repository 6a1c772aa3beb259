import { countryCodes, countryName } from '#contract/profiles/countries.ts';
import { kept } from './format.ts';
import { locale } from './text.ts';

const codes = new Map(countryCodes.map((code) => [countryName(code), code]));

/** The name of a country, which arrives in English, in the reader's language. */
export function translatedCountry(name: string): string {
  const code = codes.get(name);
  if (code === undefined) return name;
  return kept(`countries ${locale}`, () => new Intl.DisplayNames([locale], { type: 'region' })).of(code) ?? name;
}
