import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { refreshToken } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { startAppForTests } from '../test/harness.ts';
import { makeMember, type TestMember } from '../test/factories.ts';

const test = startAppForTests();

const password = 'a long password of staff';

/** Runs a command with a password on standard input; returns its output and exit code. */
async function run(script: string, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, script), ...args], {
    env: { ...process.env, DATABASE_URL: '', ...env },
  });
  child.stdin.on('error', () => undefined).end(`${password}\n`);
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, said, complained };
}

describe('npm run admin:create', () => {
  it('names the database without its password, and explains that an address is already taken', async () => {
    const url = new URL(test.pool.options.connectionString ?? '');
    const create = () => run('admin-create.ts', ['--email', 'chief@example.test'], { DATABASE_URL: url.href });
    const first = await create();
    expect(first).toMatchObject({ code: 0, complained: '' });
    expect(first.said).toMatch(/^Database: (\w+) at \S+:\d+\n\w+ chief@example\.test can sign in at /);
    expect(first.said).toContain(url.pathname.slice(1));
    if (url.password !== '') expect(first.said).not.toContain(url.password);
    const again = await create();
    expect(again).toMatchObject({ code: 1 });
    expect(again.complained).toMatch(/^chief@example\.test already has an account in this database\. /);
  });
});

describe('a command without a database URL', () => {
  it.each([
    ['admin-create.ts', ['--email', 'chief@example.test']],
    ['sessions-end.ts', ['--everyone']],
    ['audit-verify.ts', []],
    ['transparency-verify.ts', [import.meta.filename]],
    ['places-import.ts', [import.meta.filename]],
    ['migrate.ts', []],
  ])('fails and names the missing setting: %s', async (script, args) => {
    const { code, said, complained } = await run(script, args, {});
    expect([code, said]).toEqual([1, '']);
    expect(complained).toMatch(/^DATABASE_URL is not set, and only npm start .*\.\n$/);
  });
});

/** Ends sessions while the service runs. */
const endSessions = (...args: string[]) =>
  run('sessions-end.ts', args, { DATABASE_URL: test.pool.options.connectionString ?? '' });
const isIn = async ({ token, refreshToken: refresh }: TestMember) => [
  (await test.call(getProfile, { token })).status,
  (await test.call(refreshToken, { body: { refreshToken: refresh } })).status,
];

describe('npm run sessions:end', () => {
  it('ends the sessions of one account, then everyone’s', async () => {
    const [user, other] = [await makeMember(test), await makeMember(test)];
    const one = await endSessions('--account', ` ${user.email.toUpperCase()}`);
    expect(one).toEqual({ code: 0, said: 'Sessions ended: 1\n', complained: '' });
    expect(await isIn(user)).toEqual([401, 401]);
    expect((await test.call(getProfile, { token: other.token })).status).toBe(200);
    const everyone = await endSessions('--everyone');
    expect(everyone).toMatchObject({ code: 0, complained: '' });
    expect(everyone.said).toMatch(/^Sessions ended: [1-9]\d*\n$/);
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
    const { code, said, complained } = await endSessions(...args);
    expect([code, said]).toEqual([1, '']);
    expect(complained).toMatch(/npm run sessions:end|no account/);
    expect(await isIn(user)).toEqual([200, 200]);
  });
});
