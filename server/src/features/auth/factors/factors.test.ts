import { afterEach, describe, expect, it } from 'vitest';
import { makeMember } from '../../../../test/factories.ts';
import { placeFactor } from '../../../../test/factors.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { factorKey } from './factors.ts';

let test: TestApp;
afterEach(() => test.close());

describe('the encryption key for second factors', () => {
  it('is generated once, is shared by all processes, and can be replaced while no factor is stored', async () => {
    test = await startApp();
    const made = await factorKey(test.db, null);
    expect(await factorKey(test.db, null)).toBe(made);
    await test.db.deleteFrom('secret').where('name', '=', 'factors').execute();
    expect(await factorKey(test.db, 'one of the environment')).toBe('one of the environment');
    expect(await factorKey(test.db, 'another one')).toBe('another one');
  });

  it('stops the server with a message if stored factors were encrypted with another key', async () => {
    test = await startApp({ JWT_SECRET: 'a-secret-of-at-least-thirty-two-characters' });
    await test.db
      .updateTable('installation')
      .set({ value: JSON.stringify('of another key') })
      .where('name', '=', 'factorKey')
      .execute();
    const row = { account_id: (await makeMember(test)).id, sealed_secret: Buffer.from('x'), since: test.clock.now() };
    await test.db
      .insertInto('totp_factor')
      .values({ ...row, last_step: 0 })
      .execute();
    await expect(factorKey(test.db, 'a new one')).rejects.toThrow(StartError);
    await expect(factorKey(test.db, 'a new one')).rejects.toThrow(/FACTOR_SECRET/);
  });

  it('keeps using the generated key after a key is set in the environment', async () => {
    test = await startApp();
    const made = await factorKey(test.db, null);
    await placeFactor(test, (await makeMember(test)).id);
    expect(await factorKey(test.db, 'one of the environment')).toBe(made);
  });
});
