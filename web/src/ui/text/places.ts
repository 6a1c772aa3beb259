import { type Language } from '#contract/languages.ts';
import { countryCodes, countryName } from '#contract/profiles/countries.ts';
import { kept } from './format.ts';
import { language, locale, namePlacesBy } from './text.ts';

const codes = new Map(countryCodes.map((code) => [countryName(code), code]));

/** The names of cities that differ from the English ones, by language; each under `city, country` in English. */
const cities = import.meta.glob<Record<string, string>>('./*/cities.json', {
  base: '../../../../locales',
  import: 'default',
});
const named = new Map<Language, Record<string, string>>();

function translatedCountry(name: string): string {
  const code = codes.get(name);
  if (code === undefined) return name;
  return kept(`countries ${locale}`, () => new Intl.DisplayNames([locale], { type: 'region' })).of(code) ?? name;
}

/** Translates the names of places, which arrive in English, into a language from now on; rejects if its names can't be fetched. */
export async function loadPlaces(spoken: Language): Promise<void> {
  named.set(spoken, (await cities[`./${spoken}/cities.json`]?.()) ?? {});
  namePlacesBy({
    country: (name) => (language === 'en' ? name : translatedCountry(name)),
    city: (city, country) => named.get(language)?.[`${city}, ${country}`] ?? city,
  });
}
