import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const styles = readFileSync(join(import.meta.dirname, '../pictures.module.css'), 'utf8');

/** What a part of the slider looks like; each engine has its own name for it. */
function look(part: string): Record<string, string> {
  const [, rules = ''] = new RegExp(`::${part} \\{([^}]+)\\}`).exec(styles) ?? [];
  const found = [...rules.matchAll(/(height|width|border|border-radius|background|box-shadow): ([^;]+);/g)];
  return Object.fromEntries(found.map(([, property = '', value = '']) => [property, value]));
}

it.each([
  ['track', '-webkit-slider-runnable-track', '-moz-range-track', 'var(--hw-line)'],
  ['thumb', '-webkit-slider-thumb', '-moz-range-thumb', 'var(--hw-accent)'],
])('the %s of a slider looks the same in all engines', (_, inWebKit, inFirefox, background) => {
  expect(look(inWebKit)).toMatchObject({ background });
  expect(look(inFirefox)).toEqual(look(inWebKit));
});
