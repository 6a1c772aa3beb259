import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { refreshToken } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { makeMember, type TestMember } from '../test/factories.ts';
import { startApp, type TestApp } from '../test/harness.ts';

let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

/** Runs the command while the service runs; returns its output and exit code. */
async function command(...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'sessions-end.ts'), ...args], {
    env: { ...process.env, DATABASE_URL: test.pool.options.connectionString },
  });
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, said, complained };
}
const isIn = async ({ token, refreshToken: refresh }: TestMember) => [
  (await test.call(getProfile, { token })).status,
  (await test.call(refreshToken, { body: { refreshToken: refresh } })).status,
];

describe('npm run sessions:end', () => {
  it('ends the sessions of one account, then everyone’s', async () => {
    const [user, other] = [await makeMember(test), await makeMember(test)];
    const one = await command('--account', ` ${user.email.toUpperCase()}`);
    expect(one).toEqual({ code: 0, said: 'Sessions ended: 1\n', complained: '' });
    expect(await isIn(user)).toEqual([401, 401]);
    expect((await test.call(getProfile, { token: other.token })).status).toBe(200);
    expect(await command('--everyone')).toEqual({ code: 0, said: 'Sessions ended: 1\n', complained: '' });
    expect(await isIn(other)).toEqual([401, 401]);
  });

  it.each([
    ['no option', []],
    ['both options', ['--everyone', '--account', 'ada@example.test']],
    ['an unknown option', ['--all']],
    ['no address', ['--account', 'ada']],
    ['an unknown address', ['--account', 'nobody@example.test']],
  ])('refuses %s and ends nothing', async (_, args) => {
    const user = await makeMember(test);
    const { code, said, complained } = await command(...args);
    expect([code, said]).toEqual([1, '']);
    expect(complained).toMatch(/npm run sessions:end|no account/);
    expect(await isIn(user)).toEqual([200, 200]);
  });
});
