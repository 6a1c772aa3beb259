import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { installationSecret } from './secrets.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

describe('an installation secret', () => {
  it('is created once, even by processes that start at the same time', async () => {
    const values = await Promise.all(Array.from({ length: 8 }, () => installationSecret(test.db, 'new-one', null)));
    expect(new Set(values).size).toBe(1);
    expect(values[0]).toMatch(/^[\w-]{43}$/);
    expect(await installationSecret(test.db, 'new-one', null)).toBe(values[0]);
    expect(await installationSecret(test.db, 'another', null)).not.toBe(values[0]);
  });

  it('is taken from the environment if set, and is then not stored', async () => {
    expect(await installationSecret(test.db, 'given', 'from the environment')).toBe('from the environment');
    const kept = await test.db.selectFrom('secret').select('name').where('name', '=', 'given').execute();
    expect(kept).toEqual([]);
  });
});
