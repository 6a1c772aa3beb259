import { describe, expect, it } from 'vitest';
import { distanceBands } from '#contract/constants.ts';
import { distanceText, formatDistance, usesMiles } from './distance.ts';
import { setLanguage } from './text.ts';

describe('usesMiles', () => {
  it.each([
    [true, 'en', ['en-US', 'en']],
    [true, 'es', ['es', 'es-US']],
    [true, 'en', ['en', 'en-GB']],
    [false, 'en', ['de-DE', 'en-US']],
    [false, 'pl', ['pl', 'en-US']],
    [false, 'pl', ['en-US']],
    [false, 'tr', ['en-GB', 'tr']],
    [true, 'pt-BR', ['pt-US']],
    [false, 'en', ['en']],
    [false, 'en', []],
  ] as const)('is %s in %s for readers of %j', (expected, language, tags) => {
    setLanguage(language);
    expect(usesMiles(tags)).toBe(expected);
  });
});

describe('distanceText', () => {
  it('shows the bands in km as in the contract', () => {
    const bands = distanceBands.map(({ text }) => text);
    expect(bands.map((band) => distanceText(band, false).replaceAll('\u2060', ''))).toEqual(bands);
  });

  it('shows them in miles', () => {
    expect(distanceBands.map(({ text }) => distanceText(text, true))).toEqual([
      'Less than 3 miles away',
      '3–\u20606 miles away',
      '6–\u206015 miles away',
      '15–\u206030 miles away',
      'More than 30 miles away',
    ]);
  });

  it('returns an unknown band unchanged', () => {
    expect(distanceText('On the moon', true)).toBe('On the moon');
  });
});

describe('formatDistance', () => {
  it.each([
    [25, false, '25 km'],
    [25, true, '15 miles'],
    [80, true, '50 miles'],
    [2, true, '1 mile'],
  ])('shows %i km (in miles: %s) as %s', (km, inMiles, text) => {
    expect(formatDistance(km, inMiles)).toBe(text);
  });
});
