import { expect, it } from 'vitest';
import { countryFrom } from './countries.ts';
import { readPlaces } from './import-places.ts';

it.each([
  ['Turkey', 'Türkiye'],
  ['turkiye', 'Türkiye'],
  ['TÜRKIYE', 'Türkiye'],
  ['Czech Republic', 'Czechia'],
  ['Česko', 'Czechia'],
  ['Česká republika', 'Czechia'],
  ['Deutschland', 'Germany'],
  ['Allemagne', 'Germany'],
  ['FR', 'France'],
  ['fr', 'France'],
  ['UK', 'United Kingdom'],
  ['U.S.A.', 'United States'],
  ['United States of America', 'United States'],
  ['Россия', 'Russia'],
  ['中国', 'China'],
  ['日本', 'Japan'],
  ['مصر', 'Egypt'],
  ['ישראל', 'Israel'],
  ['भारत', 'India'],
  ['Ελλάδα', 'Greece'],
  ['Polska', 'Poland'],
  ['Cote d’Ivoire', "Côte d'Ivoire"],
  ['Holland', 'Netherlands'],
  ['Brasil', 'Brazil'],
  ['Atlantis', 'Atlantis'],
  ['', ''],
])('the English name of %j is %j', (written, name) => {
  expect(countryFrom(written)).toBe(name);
});

it('every country of our own list keeps its name', () => {
  for (const { country } of readPlaces()) expect(countryFrom(country)).toBe(country);
});
