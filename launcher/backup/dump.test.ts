import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { withClient } from '#platform/db/connection.ts';
import { cloneDatabase, type TestDatabase } from '../../server/test/harness.ts';
import { createLog } from '#platform/process/log.ts';
import { backUp } from './backup.ts';
import { findBackup } from './restore.ts';

const folder = mkdtempSync(join(tmpdir(), 'heartwood-dump-'));
let database: TestDatabase;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterEach(() => vi.unstubAllEnvs());
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

const options = { dataDir: folder, mediaDir: null, target: folder, now: new Date(0), log: createLog('silent') };
const backUpAt = (url: string) => backUp({ ...options, ownUrl: url });

/** Replaces PostgreSQL's client by a shell script with these lines; without them, there is no client. */
function standIn(...lines: string[]): void {
  const programs = mkdtempSync(join(folder, 'bin-'));
  if (lines.length > 0) writeFileSync(join(programs, 'pg_dump'), ['#!/bin/sh', ...lines].join('\n'), { mode: 0o755 });
  vi.stubEnv('PATH', programs);
}

describe('the backup of a PostgreSQL server', () => {
  it.each([
    ['missing', [], 'there is none'],
    ['older than the server', ['echo "pg_dump (PostgreSQL) 15.18 (Debian)"'], 'this one is 15'],
  ])('names the client to install if it is %s', async (_, lines, found) => {
    standIn(...lines);
    await expect(backUpAt(database.url)).rejects.toMatchObject({
      name: 'StartError',
      message: `PostgreSQL 18 needs pg_dump 18 or newer, and ${found}: install its client, on Debian and Ubuntu postgresql-client-18.`,
    });
  });

  it('shows the password neither in arguments nor in messages', async () => {
    const seen = join(folder, 'seen');
    standIn(
      `[ "$1" = --version ] && echo 'pg_dump (PostgreSQL) 99.1' && exit`,
      `echo "$@ as $PGUSER at $PGHOST" > ${seen}; [ -n "$PGPASSWORD" ] || exit 2`,
      `echo "pg_dump: detail: $PGPASSWORD"; echo 'pg_dump: error: no space'; exit 1`,
    );
    const { password, username, searchParams } = new URL(database.url);
    const message = await backUpAt(database.url).catch((error: unknown) => String(error));
    expect(message).toBe('StartError: pg_dump failed: pg_dump: error: no space');
    expect(readFileSync(seen, 'utf8')).toContain(`as ${username} at ${searchParams.get('host') ?? ''}`);
    expect(readFileSync(seen, 'utf8')).not.toContain(password);
  });

  it.each([
    ['a job queue of the serving role', 'create schema closed; create table closed.job (id int)'],
    [
      'row security',
      'create schema closed; create table closed.job (id int); alter table closed.job enable row level security; grant usage on schema closed to public; grant select on closed.job to public',
    ],
    [
      'a table that it may not read',
      'create schema closed; create table closed.job (id int); grant usage on schema closed to public',
    ],
  ])('names the missing grant of the owner when the cause is %s', async (_, statements) => {
    standIn();
    const copy = await cloneDatabase();
    const role = `other_${new URL(copy.url).pathname.slice(-12)}`;
    await withClient(copy.url, (client) =>
      client.query(
        `create role ${role} login password 'x'; grant ${role} to current_user; grant create on database ${new URL(copy.url).pathname.slice(1)} to ${role};
         set role ${role}; ${statements}; reset role; revoke ${role} from current_user`,
      ),
    );
    const grant = `grant ${role} to heartwood`;
    await expect(backUpAt(copy.url)).rejects.toThrow(`as a superuser, run ${grant}.`);
    await withClient(copy.url, (client) => client.query(grant));
    await expect(backUpAt(copy.url)).rejects.toThrow('PostgreSQL 18 needs pg_dump');
    await withClient(copy.url, (client) => client.query(`drop owned by ${role}; drop role ${role}`));
    await copy.drop();
  });
});

describe('the folder of a restore', () => {
  it.each([
    ['is the latest of the backups in it', 'several', 'several/heartwood-2026-06-16T12-00-00'],
    ['is a backup itself', 'several/heartwood-2026-06-15T12-00-00', 'several/heartwood-2026-06-15T12-00-00'],
    ['is left to the check if it has no backup', 'none', 'none'],
  ])('%s', async (_, given, expected) => {
    for (const name of ['2026-06-15T12-00-00', '2026-06-16T12-00-00', '2026-06-17T12-00-00.partial']) {
      mkdirSync(join(folder, 'several', `heartwood-${name}`), { recursive: true });
      writeFileSync(join(folder, 'several', `heartwood-${name}`, 'manifest.json'), '{}');
    }
    expect(await findBackup(join(folder, given))).toBe(join(folder, expected));
  });
});
