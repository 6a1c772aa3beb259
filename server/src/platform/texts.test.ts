import { msg } from '@lingui/core/runtime-macro';
import { expect, test } from 'vitest';
import { textOf } from './texts.ts';

test('what a person typed stays as it is in a text', () => {
  const name = String.raw`\x41\u202e\\`;
  expect(textOf(msg`Hello ${{ name }}`)).toBe(`Hello ${name}`);
});
