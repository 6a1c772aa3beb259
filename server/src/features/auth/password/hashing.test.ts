import type * as Argon2 from '@node-rs/argon2';
import { expect, it, vi } from 'vitest';
import { withRealHashing } from '../../../../test/doubles/cheap-hashing.ts';
import { hashPassword, verifyPassword } from './hashing.ts';

const password = 'correct horse battery';

it('stores argon2id hashes computed with 19 MiB and two passes', async () => {
  const library = await vi.importActual<typeof Argon2>('@node-rs/argon2');
  const stored = await withRealHashing(() => hashPassword(password));
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  // The hash contains its parameters, so verification would fail if it had been made with others.
  expect(await library.verify(stored, password)).toBe(true);
  expect(await library.verify(stored, 'incorrect horse battery')).toBe(false);
});

it.each([
  ['the password', password, true],
  ['another password', 'incorrect horse battery', false],
])('compares %s with the stored hash', async (_, given, expected) => {
  const matches = await withRealHashing(async () => await verifyPassword(await hashPassword(password), given));
  expect(matches).toBe(expected);
});

const composed = 'caf\u00e9 de la gare';
const decomposed = 'cafe\u0301 de la gare';

it.each([
  ['composed', 'decomposed', composed, decomposed],
  ['decomposed', 'composed', decomposed, composed],
])('accepts a letter that was %s when the password was set and is %s now', async (_set, _now, set, given) => {
  expect(await verifyPassword(await hashPassword(set), given)).toBe(true);
});

it('still accepts hashes of decomposed passwords from earlier releases', async () => {
  const library = await vi.importActual<typeof Argon2>('@node-rs/argon2');
  const stored = await library.hash(decomposed);
  await withRealHashing(async () => {
    expect(await verifyPassword(stored, decomposed)).toBe(true);
    expect(await verifyPassword(null, decomposed)).toBe(false);
  });
});
