import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSandboxTables } from '../demo/payments/tables.ts';
import { createDb, hasDemoData } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { adminUrl, cloneDatabase, type TestDatabase } from '../server/test/harness.ts';

/** Runs a command as npm does; returns its output and how it ended. */
async function operate(args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'operate.ts'), ...args], {
    env: { ...process.env, DATABASE_URL: '', ...env },
  });
  child.stdin.end();
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, said, complained };
}

const root = dirname(import.meta.dirname);
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

describe('a command of package.json', () => {
  /** Runs a command as npm does, with these arguments after the two dashes. */
  async function run(name: string, words: string) {
    const child = spawn('sh', ['-c', `${scripts[name]} ${words}`], { cwd: root });
    const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    return { code: child.exitCode, said, complained };
  }

  it.each(['start', 'dev', 'build', 'check', 'fuzz', 'bench', 'stripe:check'])(
    'prints its usage with --help and does nothing else: %s',
    async (name) => {
      const { code, said, complained } = await run(name, '--help');
      expect([code, complained]).toEqual([0, '']);
      expect(said).toMatch(
        new RegExp(`^Use: npm ${name === 'fuzz' ? 'test' : name === 'start' ? name : `run ${name}`}`),
      );
    },
  );

  it.each([import.meta.filename, '/dev/null'])('installs packages without a home folder: %s', async (home) => {
    const folder = mkdtempSync(join(tmpdir(), 'clone-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    for (const file of ['launcher/run.mjs', 'package-lock.json']) cpSync(join(root, file), join(folder, file));
    writeFileSync(join(folder, 'nothing.mjs'), '');
    const npm = join(folder, 'npm.js');
    writeFileSync(
      npm,
      `process.stdout.write(process.argv.slice(2).find((word) => word.startsWith('--cache=')) ?? 'none')`,
    );
    const child = spawn(process.execPath, ['launcher/run.mjs', 'nothing.mjs'], {
      cwd: folder,
      env: { ...process.env, npm_config_cache: join(home, '.npm'), npm_execpath: npm },
    });
    const [said] = await Promise.all([text(child.stdout), once(child, 'close')]);
    expect(said).toContain(`--cache=${tmpdir()}/`);
  });

  it.each(['--members=50 costs', '--members=200 naive', '--members=100,10000 growth'])(
    'refuses to run with too few members and explains it in one sentence: bench %s',
    async (words) => {
      expect(await run('bench', words)).toEqual({
        code: 1,
        said: '',
        complained: 'The benchmarks need 10,000 members or more, because fewer have too few people to decide about.\n',
      });
    },
  );
});

describe('a command without the environment of the server', () => {
  it.each([
    ['admin-create', ['--email', 'chief@example.test']],
    ['sessions-end', ['--everyone']],
    ['audit-verify', []],
    ['transparency-verify', [import.meta.filename]],
    ['places-import', [import.meta.filename]],
  ])('is refused and creates no embedded database: %s', async (name, args) => {
    const folder = mkdtempSync(join(tmpdir(), 'command-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const dataDir = join(folder, 'data');
    const { code, said, complained } = await operate([name, ...args], { DATA_DIR: dataDir });
    expect([code, said]).toEqual([1, '']);
    expect(complained).toMatch(
      /^There is no embedded database in \/.*\/data yet, .* the server's environment, .*\.\n$/,
    );
    expect(existsSync(dataDir)).toBe(false);
  });

  it.each([
    ['--help', 0],
    ['--halp', 1],
    ['extra', 1],
  ])('prints its usage instead of migrating, with %s', async (word, code) => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'command-')), 'data');
    onTestFinished(() => rmSync(dirname(dataDir), { recursive: true }));
    const ended = await operate(['migrate', word], { DATA_DIR: dataDir });
    expect(ended.code).toBe(code);
    expect(ended.said + ended.complained).toBe('Use: npm run migrate\n');
    expect(existsSync(dataDir)).toBe(false);
  });

  it('installs what is missing first, like every command of package.json', () => {
    const others = Object.entries(scripts).filter(([, script]) => !script.includes(' launcher/run.mjs '));
    expect(others).toEqual([]);
  });

  it('is rejected with a list of all commands if it is unknown', async () => {
    const { code, complained } = await operate(['explode'], {});
    expect(code).toBe(1);
    expect(complained).toMatch(/^Use: node launcher\/operate\.ts admin-create\|.*migrate/);
  });
});

describe('npm run migrate with two roles', () => {
  let empty: TestDatabase;
  let role: string;
  beforeAll(async () => {
    empty = await cloneDatabase('template0');
    role = `serving_${new URL(empty.url).pathname.slice(-12)}`;
    const owner = createPool(adminUrl());
    await owner.query(`create role ${role} login password 'serving'; grant ${role} to current_user with inherit false`);
    await owner.end();
  });
  afterAll(async () => {
    await empty.drop();
    const owner = createPool(adminUrl());
    await owner.query(`drop role ${role}`);
    await owner.end();
  });

  it('fills the database with demo data, jobs and payments for the serving role', async () => {
    const serving = new URL(empty.url);
    [serving.username, serving.password] = [role, 'serving'];
    const env = { DATABASE_URL: serving.href, DATABASE_OWNER_URL: empty.url, SEED: 'demo', SEED_MEMBERS: '60' };
    expect(await operate(['migrate'], env)).toMatchObject({ code: 0, complained: '' });
    const served = createPool(serving.href, { max: 1 });
    onTestFinished(() => served.end());
    expect(await hasDemoData(createDb(served))).toBe(true);
    const queued = await served.query(
      `select from graphile_worker.jobs where task_identifier = 'discovery.countWeeks'`,
    );
    expect(queued.rowCount).toBe(1);
    await createSandboxTables(createDb(served));
    expect((await served.query('select from sandbox.customer')).rowCount).toBeGreaterThan(0);
    await served.query(`update sandbox.clock set ahead_ms = 1`);
    // A dump is made by the owner.
    const owner = createPool(empty.url, { max: 1 });
    onTestFinished(() => owner.end());
    expect((await owner.query('select from sandbox.invoice')).rowCount).toBeGreaterThan(0);
  });
});
