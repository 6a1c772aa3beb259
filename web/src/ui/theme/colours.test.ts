import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cssVariablesResolver, theme } from './theme.ts';

const css = readFileSync(join(import.meta.dirname, 'tokens.css'), 'utf8');
const colors = theme.colors as Record<string, readonly string[]>;
const resolved = cssVariablesResolver({} as never) as Record<'light' | 'dark', Record<string, string>>;

/** The colours of our tokens in one scheme; tokens that differ between schemes have two colours. */
function own(scheme: 'light' | 'dark'): Record<string, string> {
  const found = css.matchAll(/(--[\w-]+):\s*(?:light-dark\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6}))?/g);
  const colour = ([, name = '', light = '', dark = light]: string[]) =>
    [name, scheme === 'light' ? light : dark] as const;
  return Object.fromEntries([...found].map(colour));
}

/** A Mantine variable in one scheme, resolved to its hex value. */
function kit(scheme: 'light' | 'dark', name: string): string {
  const value = resolved[scheme][name] ?? '';
  const [, token] = /var\((--hw-[\w-]+)\)/.exec(value) ?? [];
  if (token !== undefined) return own(scheme)[token] ?? '';
  const [, hue, shade] = /--mantine-color-(\w+)-(\d)/.exec(value) ?? [];
  return hue === undefined ? value : (colors[hue]?.[Number(shade)] ?? '');
}

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours as defined by WCAG 2.2, from 1 to 21. */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(['light', 'dark'] as const)('the colours of the %s scheme', (scheme) => {
  const own_ = own(scheme);
  const grounds = ['--hw-page', '--hw-surface', '--hw-raised', '--hw-sunken'];
  const of = (name: string) => own_[name] ?? '';

  it.each(grounds)('give text on %s a contrast of 4.5:1', (ground) => {
    for (const text of ['--hw-ink', '--hw-ink-soft', '--hw-accent', '--hw-moss', '--hw-honey']) {
      expect.soft(contrast(of(text), of(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
    for (const text of ['dimmed', 'placeholder', 'error', 'anchor']) {
      const color = kit(scheme, `--mantine-color-${text}`);
      expect.soft(contrast(color, of(ground)), `${text} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(['--hw-page', '--hw-surface'])(
    'give edges of controls and chart shapes a contrast of 3:1 on %s',
    (ground) => {
      expect
        .soft(contrast(kit(scheme, '--mantine-color-default-border'), of(ground)), 'border')
        .toBeGreaterThanOrEqual(3);
      for (const index of [1, 2, 3, 4, 5]) {
        expect.soft(contrast(of(`--hw-chart-${index}`), of(ground)), `chart ${index}`).toBeGreaterThanOrEqual(3);
      }
    },
  );

  it('give text on filled buttons a contrast of 4.5:1', () => {
    for (const hue of ['heartwood', 'moss', 'honey', 'dusk']) {
      expect.soft(contrast('#ffffff', colors[hue]?.[7] ?? ''), hue).toBeGreaterThanOrEqual(4.5);
    }
  });
});

it('tags in the dark scheme are lighter than the cards that they are on, and their text has a contrast of 4.5:1', () => {
  for (const hue of ['heartwood', 'moss', 'honey', 'dusk', 'gray']) {
    const ground = kit('dark', `--mantine-color-${hue}-light`);
    const text = kit('dark', `--mantine-color-${hue}-light-color`);
    expect.soft(luminance(ground), hue).toBeGreaterThan(luminance(own('dark')['--hw-surface'] ?? ''));
    expect.soft(contrast(text, ground), hue).toBeGreaterThanOrEqual(4.5);
  }
});
