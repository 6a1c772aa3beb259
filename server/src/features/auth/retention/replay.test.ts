import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { leaveService, restoreAccount } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { openPicture } from '#contract/messages/message-media.ts';
import { deleteMessage, listMessages } from '#contract/messages/messages.ts';
import { setPreservation } from '#contract/moderation/emergencies.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { hashPassword } from '../password/hashing.ts';
import { startS3Double, type S3Double } from '../../../../test/doubles/s3-double.ts';
import { makeAdministrator, makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { cloneDatabase, startApp, startAppOn, type TestApp } from '../../../../test/harness.ts';
import { tokenIn } from '../../../../test/mail/link-token.ts';
import { setPreservationOf } from '../../../../test/moderation/preservation.ts';
import { placeMatch } from '../../../../test/likes.ts';
import { placeMessage, placePhoto } from '../../../../test/messages.ts';
import { caseIdOf, fileReport } from '../../../../test/moderation/reports.ts';
import { emit } from '../../../features.ts';
import { system } from '../../moderation/work/case-event.ts';
import { inTransaction } from '#platform/db/db.ts';

const password = 'correct horse battery';
const restored = 'was restored from a backup';
const apps: TestApp[] = [];
let double: S3Double;
beforeAll(async () => {
  double = await startS3Double();
});
afterEach(() => double.objects.clear());
afterAll(async () => {
  for (const app of apps) await app.close();
  await double.close();
});

async function start(environment: Record<string, string> = {}, template?: string): Promise<TestApp> {
  const app = await startApp(environment, template);
  apps.push(app);
  return app;
}

describe('starting on a restored backup', () => {
  it('does not bring back members who left, keeps deactivations, and ends all sessions', async () => {
    const before = await start();
    const passwordHash = await hashPassword(password);
    const [leaver, returner, banned, other] = [
      await makeMember(before, { passwordHash }),
      await makeMember(before, { passwordHash }),
      await makeMember(before, { passwordHash }),
      await makeMember(before, { passwordHash }),
    ];
    const administrator = await makeAdministrator(before);
    const backup = await before.copy();

    for (const { token } of [leaver, returner]) await before.call(leaveService, { token, body: { password } });
    const [mail] = await before.outbox(returner.email);
    const handle = tokenIn(mail?.links[0], 'restore') ?? '';
    await before.call(restoreAccount, { body: { token: handle } });
    await before.call(changeAdminUser, {
      token: administrator.token,
      params: { id: banned.id },
      body: { isActive: false, reason: 'Spam' },
    });
    await before.drain();

    const after = await start({ MEDIA_DIR: before.mediaDir }, backup);
    const signIn = async (email: string) => {
      const answer = await after.call(login, { body: { email, password } });
      return answer.status === 200 ? 'signed in' : answer.error.code;
    };
    expect(await signIn(leaver.email)).toBe('ACCOUNT_LEAVING');
    expect(await signIn(banned.email)).toBe('ACCOUNT_DEACTIVATED');
    expect(await signIn(returner.email)).toBe('signed in');
    expect((await after.call(getProfile, { token: other.token })).status).toBe(401);
    expect(after.logLines()).toContain(restored);
  });

  it('brings back no deleted message and no photo that was opened once, and repeats legal holds', async () => {
    const before = await start();
    const administrator = await makeAdministrator(before);
    const [one, other, watched, freed] = await Promise.all([1, 2, 3, 4].map(() => makeMember(before)));
    if (!one || !other || !watched || !freed) throw new Error('too few members');
    const told = await placeMatch(before, one, other);
    await placeMessage(before, told, one, 'A secret');
    const shown = await placeMatch(before, one, watched);
    await placeMessage(before, shown, watched);
    const picture = await placePhoto(before, shown, watched, { isOnce: true });
    const over = await setPreservationOf(before, freed);
    const backup = await before.copy();

    const first = { id: told, seq: '1' };
    expect((await before.call(deleteMessage, { token: one.token, params: first })).status).toBe(200);
    const opened = { token: one.token, params: { id: shown, seq: '1' }, body: { picture } };
    expect((await before.call(openPicture, opened)).status).toBe(200);
    const report = await fileReport(before, one, {
      problem_type: 'Other',
      reportedUser: watched.id,
      hideFromEachOther: false,
    });
    const params = { id: await caseIdOf(before, report._id) };
    const order = { reason: 'An order of a court', reviewOn: '2026-08-01' };
    const held = await before.call(setPreservation, { token: administrator.token, params, body: order });
    expect(held.status).toBe(200);
    const release = { preservationId: over.id, askedBy: 'Mo', by: system, now: before.clock.now() };
    await inTransaction(before.db, (tx) => emit(tx, 'preservationReleased', release));
    await before.drain();
    const files = await readdir(before.mediaDir, { recursive: true });
    const ledger = await Promise.all(
      files.filter((name) => name.includes('ledger-')).map((name) => readFile(join(before.mediaDir, name), 'utf8')),
    );
    expect(ledger).toHaveLength(4);
    expect(ledger.join()).not.toMatch(/secret|court|member\d/);

    const after = await start({ MEDIA_DIR: before.mediaDir }, backup);
    const { token } = await signIn(after, one.id);
    const texts = (await after.call(listMessages, { token, params: { id: told } })).body.data.messages;
    expect(texts.map(({ text }) => text)).toEqual([null]);
    expect((await after.call(openPicture, { ...opened, token })).status).toBe(404);
    const holds = await after.db.selectFrom('legal_hold').select(['account_id', 'released_at']).execute();
    expect(holds.map((row) => [row.account_id, row.released_at !== null])).toEqual(
      expect.arrayContaining([
        [watched.id, false],
        [freed.id, true],
      ]),
    );
  });

  it('changes nothing if no backup was restored', async () => {
    const before = await start();
    const member = await makeMember(before, { passwordHash: await hashPassword(password) });
    const leaver = await makeMember(before, { passwordHash: await hashPassword(password) });
    await before.call(leaveService, { token: leaver.token, body: { password } });
    await before.drain();
    const again = await start({ MEDIA_DIR: before.mediaDir }, await before.copy());
    expect((await again.call(getProfile, { token: member.token })).status).toBe(200);
    expect(again.logLines()).not.toContain(restored);
  });
});

/** Creates members who can delete their accounts. */
async function makeLeavers(on: TestApp, count: number): Promise<TestMember[]> {
  const passwordHash = await hashPassword(password);
  return await Promise.all(Array.from({ length: count }, () => makeMember(on, { passwordHash, pictureless: true })));
}

const file = (text: string) => ({ bytes: Buffer.from(text), type: undefined, cacheControl: undefined });
const leave = (on: TestApp, { token }: TestMember) => on.call(leaveService, { token, body: { password } });
const isSignedIn = async (on: TestApp, { token }: TestMember) => (await on.call(getProfile, { token })).status === 200;
const leavingOn = async (on: TestApp) =>
  (await on.db.selectFrom('account').select('id').where('leaving_since', 'is not', null).execute()).length;

describe('replaying the ledger at a start', () => {
  it.each([
    ['after a crash between the file of an entry and its row', () => double.loseAnswers(3, /^ledger-/)],
    ['while an entry waits for a store that is down', () => double.fail(503, 3, /^ledger-/)],
  ])('ends no session %s', async (_when, disturb) => {
    const before = await start(double.environment);
    const [leaver, other] = await makeLeavers(before, 2);
    if (leaver === undefined || other === undefined) throw new Error('two members were expected');
    await leave(before, leaver);
    disturb();
    await before.drain('auth.writeLedger');
    const after = await start(double.environment, await before.copy());
    expect(await isSignedIn(after, other)).toBe(true);
    expect(after.logLines()).not.toContain(restored);
    await after.drainLater();
    expect([...double.objects.keys()]).toEqual([expect.stringMatching(/^ledger-0{11}1-[0-9a-f-]{36}$/)]);
    expect((await after.pool.query('select from ledger_entry where is_kept')).rowCount).toBe(1);
  });

  it('reads many entries from a bucket, 16 at a time', async () => {
    const before = await start(double.environment);
    const leavers = await makeLeavers(before, 60);
    const backup = await before.copy();
    for (const leaver of leavers) await leave(before, leaver);
    await before.drain('auth.writeLedger');
    double.mostAtOnce = 0;
    double.gather(16);
    const after = await start(double.environment, backup);
    expect(await leavingOn(after)).toBe(60);
    expect(double.mostAtOnce).toBe(16);
    const again = await start(double.environment, await after.copy());
    expect(again.logLines()).not.toContain(restored);
  });

  it('happens once when two servers start at the same time', async () => {
    const before = await start();
    const [leaver] = await makeLeavers(before, 1);
    const backup = await before.copy();
    if (leaver !== undefined) await leave(before, leaver);
    await before.drain();
    const database = await cloneDatabase(backup);
    const both = await Promise.all([1, 2].map(() => startAppOn(database, { MEDIA_DIR: before.mediaDir })));
    apps.push(...both);
    expect(both.filter((app) => app.logLines().includes(restored))).toHaveLength(1);
    const rows = (await both[0]?.pool.query('select act from ledger_entry'))?.rows;
    expect(rows).toEqual([{ act: 'left' }]);
  });

  it('repeats entries that the previous release stored after the backup', async () => {
    const before = await start(double.environment);
    const [known, missed, other] = await makeLeavers(before, 3);
    if (known === undefined || missed === undefined || other === undefined) throw new Error('three were expected');
    // Rewrites a file as a server of the previous release would have written it, with a number.
    const asBefore = async (seq: number, leaver: TestMember) => {
      await leave(before, leaver);
      await before.drain('auth.writeLedger');
      const [key = '', kept] = [...double.objects].find(([name]) => name.length > 'ledger-'.length + 12) ?? [];
      if (kept !== undefined) double.objects.set(`ledger-${String(seq).padStart(12, '0')}`, kept);
      double.objects.delete(key);
      await before.pool.query('update ledger_entry set seq = $1, position = null, is_kept = false where seq is null', [
        seq,
      ]);
    };
    await asBefore(1, known);
    const backup = await before.copy();
    const same = await start(double.environment, backup);
    expect([await isSignedIn(same, other), same.logLines().includes(restored)]).toEqual([true, false]);
    await asBefore(2, missed);
    const after = await start(double.environment, backup);
    expect([await isSignedIn(after, other), await leavingOn(after)]).toEqual([false, 2]);
    await leave(after, await makeLeavers(after, 1).then(([one]) => one as TestMember));
    await after.drain('auth.writeLedger');
    const again = await start(double.environment, backup);
    expect(again.logLines()).toContain(restored);
    expect((await again.pool.query('select seq, position from ledger_entry order by seq')).rows).toEqual([
      { seq: 1, position: null },
      { seq: 2, position: null },
      { seq: null, position: 3 },
    ]);
  });

  it('is refused if an entry cannot be read', async () => {
    const before = await start(double.environment);
    const [leaver] = await makeLeavers(before, 1);
    const backup = await before.copy();
    if (leaver !== undefined) await leave(before, leaver);
    await before.drain('auth.writeLedger');
    double.fail(503, 3, /^ledger-/);
    await expect(start(double.environment, backup)).rejects.toThrow(/store of pictures/);
  });

  it.each([
    ['is damaged', (key: string) => double.objects.set(key, file('{"account":"'))],
    ['contains no known action', (key: string) => double.objects.set(key, file('{"account":"a","act":"flew"}'))],
  ])('is refused with the name of a file that %s', async (_what, damage) => {
    const before = await start(double.environment);
    const [leaver] = await makeLeavers(before, 1);
    const backup = await before.copy();
    if (leaver !== undefined) await leave(before, leaver);
    await before.drain('auth.writeLedger');
    const [key = ''] = double.objects.keys();
    const kept = double.objects.get(key) ?? file('');
    damage(key);
    await expect(start(double.environment, backup)).rejects.toThrow(`${key} in the picture storage cannot be read`);
    double.objects.set(key, kept);
    expect(await leavingOn(await start(double.environment, backup))).toBe(1);
  });
});

/** Records how many sessions each statement ends, and refuses to end the last one while `refusal` has a row. */
const watchSessions = `
  create table ended (count bigint);
  create table refusal ();
  insert into refusal default values;
  create function count_ended() returns trigger language plpgsql as $$ begin
    insert into ended select count(*) from gone;
    if exists (select from refusal) and exists (select from gone where id = 'ffffffff-ffff-4fff-bfff-ffffffffffff') then
      raise 'interrupted';
    end if;
    return null;
  end $$;
  create trigger watched after delete on session referencing old table as gone for each statement
    execute function count_ended()`;

describe('many sessions on a restored database', () => {
  it('end a thousand at a time, and those left by an interrupted start end at the next one', async () => {
    const before = await start();
    const [leaver, other] = await makeLeavers(before, 2);
    if (leaver === undefined || other === undefined) throw new Error('two members were expected');
    await before.pool.query(
      `insert into session (id, account_id, created_at, last_used_at, idle_expires_at, expires_at, device)
        select case when n = 2500 then 'ffffffff-ffff-4fff-bfff-ffffffffffff'::uuid else gen_random_uuid() end,
          $1, now(), now(), now(), now(), 'x' from generate_series(1, 2500) n`,
      [other.id],
    );
    await before.pool.query(watchSessions);
    const backup = await before.copy();
    await leave(before, leaver);
    await before.drain('auth.writeLedger');

    const database = await cloneDatabase(backup);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await expect(startAppOn(database, { MEDIA_DIR: before.mediaDir })).rejects.toThrow('interrupted');
    const left = await client.query('select from session');
    expect(left.rowCount).toBeLessThan(1000);
    expect((await client.query('select from ledger_entry')).rowCount).toBe(0);
    await client.query('delete from refusal');
    await client.end();

    const after = await startAppOn(database, { MEDIA_DIR: before.mediaDir });
    apps.push(after);
    expect([await leavingOn(after), after.logLines().includes(restored)]).toEqual([1, true]);
    expect((await after.pool.query('select from session')).rowCount).toBe(0);
    const { rows } = await after.pool.query<{ most: number; all: number }>(
      'select max(count)::int as most, sum(count)::int as all from ended',
    );
    expect(rows[0]).toEqual({ most: 1000, all: 2502 });
  });
});
