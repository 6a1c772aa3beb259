import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveService } from '#contract/auth/auth.ts';
import { hashPassword } from '../password/hashing.ts';
import { startS3Double, type S3Double } from '../../../../test/doubles/s3-double.ts';
import { makeMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { inTransaction } from '#platform/db/db.ts';
import { recordAct } from './ledger.ts';

const password = 'correct horse battery';
let double: S3Double;
let app: TestApp;
beforeAll(async () => {
  double = await startS3Double();
  app = await startApp(double.environment);
});
afterAll(async () => {
  await app.close();
  await double.close();
});

async function makeLeaver(): Promise<string> {
  const leaver = await makeMember(app, { passwordHash: await hashPassword(password), pictureless: true });
  await app.call(leaveService, { token: leaver.token, body: { password } });
  return leaver.id;
}
const run = (task: string) => app.app.background.tasks[task]?.({}, undefined as never);
const isThere = async (id: string) => (await app.pool.query('select from account where id = $1', [id])).rowCount === 1;
const oldestSeconds = async () => {
  const { body } = await app.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
  return Number(/^ledger_oldest_unkept_seconds (\d+)$/m.exec(body)?.[1]);
};

describe('a ledger entry', () => {
  it('is written before the account is purged, and contains no personal data', async () => {
    const leftAt = app.clock.now();
    const id = await makeLeaver();
    app.clock.advance(15 * 86_400);
    await run('auth.endAccounts');
    expect(await isThere(id)).toBe(true);
    await app.drain();
    await run('auth.endAccounts');
    expect(await isThere(id)).toBe(false);
    const { rows } = await app.pool.query('select account_id, act from ledger_entry where at = $1', [leftAt]);
    expect(rows).toEqual([{ account_id: null, act: 'left' }]);
  });

  it.each([
    ['failed permanently', `update graphile_worker._private_jobs set attempts = max_attempts`],
    ['was lost', `delete from graphile_worker._private_jobs`],
  ])('is queued again an hour after its job %s, and its age is in the metrics until it is stored', async (_, lose) => {
    const id = await makeLeaver();
    await app.pool.query(lose);
    app.clock.advance(3599);
    await run('jobs.queueOwed');
    await app.drain('auth.writeLedger');
    expect(await oldestSeconds()).toBe(3599);
    app.clock.advance(1);
    await run('jobs.queueOwed');
    await app.drain('auth.writeLedger');
    expect(await oldestSeconds()).toBe(0);
    app.clock.advance(15 * 86_400);
    await run('auth.endAccounts');
    expect(await isThere(id)).toBe(false);
  });

  it('is deleted with its file after 90 days if it is about a message, unless it is one of the newest', async () => {
    const { id } = await makeMember(app);
    const subject = { mediaId: 'a' };
    await inTransaction(app.db, (tx) => recordAct(tx, id, { act: 'photoOpened', subject }, app.clock.now()));
    await app.drain('auth.writeLedger');
    const left = async () =>
      (await app.db.selectFrom('ledger_entry').select('id').where('act', '=', 'photoOpened').execute()).length;
    const files = () => [...double.objects.keys()].filter((name) => name.includes('ledger-')).length;
    const before = files();
    app.clock.advance(90 * 86_400);
    await run('auth.forgetActs');
    expect([await left(), files()]).toEqual([1, before]);
    await app.pool.query(
      `insert into ledger_entry (act, at, position) select 'left', now(), max(position) + 1001 from ledger_entry`,
    );
    await run('auth.forgetActs');
    expect([await left(), files()]).toEqual([0, before - 1]);
  });

  it('is queued only once among many, however often the storage fails', async () => {
    const queued = async () => {
      const { rows } = await app.pool.query<{ count: number }>(
        `select count(*)::int as count from graphile_worker.jobs where task_identifier = 'auth.writeLedger'`,
      );
      return rows[0]?.count ?? NaN;
    };
    const before = await queued();
    const id = await makeLeaver();
    await app.pool.query(
      `insert into ledger_entry (account_id, act, at, position) select $1, 'left', $2, n from generate_series(1, 1200) n`,
      [id, app.clock.now()],
    );
    app.clock.advance(3600);
    for (let hour = 0; hour < 2; hour += 1) await run('jobs.queueOwed');
    expect((await queued()) - before).toBe(1201);
  });
});
