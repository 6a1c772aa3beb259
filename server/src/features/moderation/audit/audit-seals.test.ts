import type pg from 'pg';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getAuditCheck, listAudit, requestAuditCheck } from '#contract/moderation/audit.ts';
import { makeAdministrator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { newestSeal, sealAudit, verifyAudit } from './audit-seals.ts';

const app = startAppForTests();

const write = (reason: string, at = '2026-06-15T12:00:00Z', client: pg.Pool | pg.PoolClient = app.pool) =>
  client.query(
    `insert into audit_event (at, actor_name, actor_role, action, target_type, reason)
     values ($1, 'Chief', 'admin', 'audit.read', 'audit', $2)`,
    [at, reason],
  );
const verify = () => verifyAudit(app.db, () => app.clock.now());

/** Runs statements like an attacker who owns the tables and disables their triggers. */
const tamper = (...statements: string[]) =>
  app.pool.query(
    ['alter table audit_event disable trigger user', ...statements, 'alter table audit_event enable trigger user'].join(
      ';',
    ),
  );

beforeEach(() => tamper('delete from audit_event', 'delete from audit_seal'));

describe('the sealed audit trail', () => {
  beforeEach(async () => {
    for (const batch of ['first', 'second', 'third']) {
      await write(`${batch} of two`);
      await write(`${batch}, the other`);
      expect(await sealAudit(app.db)).toBe(2);
    }
  });

  test('is intact, and grows by a batch when there are new events', async () => {
    expect(await verify()).toMatchObject({ batches: 3, events: 6, firstBad: null });
    expect(await sealAudit(app.db)).toBe(0);
    await write('not sealed');
    expect(await verify()).toMatchObject({ batches: 3, events: 6, firstBad: null });
  });

  test.each([
    ['a changed byte', `update audit_event set reason = 'second of twO' where reason = 'second of two'`],
    ['a changed time', `update audit_event set at = at + interval '1 microsecond' where reason = 'second of two'`],
    ['a deleted event', `delete from audit_event where reason = 'second of two'`],
    [
      'an added event',
      `insert into audit_event (id, at, actor_name, actor_role, action, target_type)
        overriding system value select id, at + interval '1 second', 'Chief', 'admin', 'audit.read', 'audit'
        from audit_event where reason = 'second of two'`,
    ],
    ['a changed seal', `update audit_seal set hash = sha256(hash) where batch = 2`],
    ['a deleted seal', `delete from audit_seal where batch = 2`],
  ])('reports the first bad batch after %s', async (_, statement) => {
    await tamper(statement);
    expect(await verify()).toMatchObject({ batches: 1, events: 2, firstBad: { batch: 2 } });
  });

  test('reports the batch after a batch that was sealed again', async () => {
    const seal = `(select b.hash from audit_seal p, logic.audit_batch(p.hash, 2, p.last_id, audit_seal.last_id) b where p.batch = 1)`;
    await tamper(
      `update audit_event set reason = 'rewritten' where reason = 'second of two'`,
      `update audit_seal set hash = ${seal} where batch = 2`,
    );
    expect(await verify()).toMatchObject({ batches: 2, firstBad: { batch: 3, until: '2026-06-15T12:00:00.000Z' } });
  });

  test('is compared with a seal that was written down elsewhere', async () => {
    const noted = (await newestSeal(app.db)) ?? { batch: 0, hash: '' };
    const check = () => verifyAudit(app.db, () => app.clock.now(), { noted });
    expect((await check()).firstBad).toBeNull();
    await tamper(`delete from audit_seal where batch = 3`, `delete from audit_event where reason like 'third%'`);
    expect((await verify()).firstBad).toBeNull();
    expect((await check()).firstBad).toEqual({ batch: 3, until: null });
    await write('another third');
    await sealAudit(app.db);
    expect((await check()).firstBad).toMatchObject({ batch: 3 });
  });

  test('may lose months that ended two years ago, and no others', async () => {
    await write('old', '2024-05-31T23:59:59Z');
    await write('later', '2024-06-01T00:00:00Z');
    expect(await sealAudit(app.db)).toBe(2);
    await tamper(`delete from audit_event where reason = 'old'`);
    expect(await verify()).toMatchObject({ batches: 5, firstBad: null });
    await tamper(`delete from audit_event where reason = 'later'`);
    expect(await verify()).toMatchObject({ firstBad: { batch: 5 } });
  });
});

test('a batch leaves an event of an unfinished transaction and all later events for the next batch', async () => {
  const slow = await app.pool.connect();
  await slow.query('begin');
  await write('slow', undefined, slow);
  await write('quick');
  expect(await sealAudit(app.db)).toBe(0);
  await slow.query('commit');
  slow.release();
  expect(await sealAudit(app.db)).toBe(2);
  expect((await verify()).firstBad).toBeNull();
});

describe('the check of the audit trail', () => {
  let administrator: TestMember;
  beforeAll(async () => {
    administrator = await makeAdministrator(app);
  });
  const read = async () => (await app.call(getAuditCheck, { token: administrator.token })).body.data;

  test('runs in the background when an administrator requests it, is audited, and shows its time and progress', async () => {
    await write('one');
    await app.app.background.tasks['audit.seal']?.({}, {} as never);
    expect((await app.call(requestAuditCheck, { token: administrator.token })).status).toBe(200);
    await app.drain();
    const { newest, check } = await read();
    expect(newest).toEqual(await newestSeal(app.db));
    expect(check).toMatchObject({ batches: 1, events: 1, firstBad: null, finishedAt: '2026-06-15T12:00:00.000Z' });
    const { events } = (await app.call(listAudit, { token: administrator.token, query: { action: 'audit.checked' } }))
      .body.data;
    expect(events[0]?.actor._id).toBe(administrator.id);
    expect(app.logLines()).toContain(newest?.hash);
  });

  test('reports a change to logs and metrics', async () => {
    await write('before');
    await sealAudit(app.db);
    const { batch } = (await newestSeal(app.db)) ?? { batch: 0 };
    await tamper(`update audit_event set reason = 'after' where reason = 'before'`);
    await app.call(requestAuditCheck, { token: administrator.token });
    await app.drain();
    expect((await read()).check?.firstBad?.batch).toBe(batch);
    expect(app.logLines()).toContain('audit trail was changed');
    expect((await app.app.inject('/metrics')).body).toMatch(/^audit_changed 1$/m);
  });
});
