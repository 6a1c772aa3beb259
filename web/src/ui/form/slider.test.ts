import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const styles = readFileSync(join(import.meta.dirname, './Slider.module.css'), 'utf8');

/** The style of a part of the slider; each engine has its own name for the part. */
function look(part: string): Record<string, string> {
  const [, rules = ''] = new RegExp(`::${part} \\{([^}]+)\\}`).exec(styles) ?? [];
  const found = [...rules.matchAll(/(height|width|border|border-radius|background|box-shadow): ([^;]+);/g)];
  return Object.fromEntries(found.map(([, property = '', value = '']) => [property, value]));
}

it('a thumb looks the same in all engines', () => {
  const inWebKit = look('-webkit-slider-thumb');
  expect(inWebKit['background']).toBe('var(--knob)');
  expect(look('-moz-range-thumb')).toEqual(inWebKit);
});
