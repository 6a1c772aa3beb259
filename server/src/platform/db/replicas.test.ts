import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { blockUser } from '#contract/connections.ts';
import { listCases } from '#contract/moderation/case-list.ts';
import { listReports } from '#contract/moderation/staff-reports.ts';
import { getOperations } from '#contract/operations.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { searchUsers, showLastActive } from '#contract/profiles/profiles.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppOn, type TestApp } from '../../../test/harness.ts';
import { fileReport } from '../../../test/moderation/reports.ts';
import { type ReplicatedDatabase, startReplicatedDatabase } from '../../../test/replica.ts';
import { createLog } from '../process/log.ts';
import { createDb, type Db } from './db.ts';
import { createPool } from './pool.ts';
import { createReads, type Reader, type Reads, staleMaxMs } from './replicas.ts';

let database: ReplicatedDatabase;
let app: TestApp;
let reads: Reads;
let staff: TestMember;
let member: TestMember;

beforeAll(async () => {
  database = await startReplicatedDatabase();
  app = await startAppOn(database, { DATABASE_URL: database.url, DATABASE_READ_URL: database.replicaUrl });
  reads = createReads(app, [database.replicaUrl], options);
  staff = await makeAdministrator(app);
  member = await makeMember(app, { firstName: 'Viewer' });
});
afterAll(async () => {
  await reads.close();
  await app.close();
});

const options = { preparedStatements: true, log: createLog('silent') };
const within = { timeout: 60_000, interval: 20 };

/** How many seconds behind the app believes its replica to be. */
async function behind(): Promise<number> {
  const { body } = await app.app.inject('/metrics');
  return Number(/^database_replica_behind_seconds\{replica="0"\} (\S+)$/m.exec(body)?.[1]?.replace('+Inf', 'Infinity'));
}

/** Whether administrators are told that a replica is behind. */
const isShownBehind = async () =>
  (await app.call(getOperations, { token: staff.token })).body.data.database.isReplicaBehind;

async function catchUp(): Promise<void> {
  await database.resume();
  await expect.poll(async () => (await reads.upToDate()).isPrimary, within).toBe(false);
  await expect.poll(behind, within).toBeLessThan(1);
}

/**
 * Runs `work` while the replica has everything that `prepare` wrote and nothing later, but is still used. On a busy machine that may take
 * several attempts.
 */
async function whilePaused<P, T>(prepare: () => Promise<P>, work: (prepared: P) => Promise<T>): Promise<T> {
  const prepared = await prepare();
  await catchUp();
  await database.pause();
  const result = await work(prepared);
  return (await behind()) < staleMaxMs / 1000 ? result : await whilePaused(prepare, work);
}

const nothing = () => Promise.resolve();

const listed = async (headers: Record<string, string> = {}) =>
  (await app.call(listUsers, { token: staff.token, headers })).body.data.users.map(({ firstName }) => firstName);

const found = async (search: string) =>
  (await app.call(searchUsers, { token: member.token, query: { search } })).body.data.users.map(({ _id }) => _id);

describe('reads from a replica', () => {
  it('may miss writes from the last two seconds, but nothing older', async () => {
    const firstName = await whilePaused(nothing, async () => {
      const name = randomUUID();
      await makeMember(app, { firstName: name });
      return (await listed()).includes(name) ? null : name;
    });
    expect(firstName).not.toBeNull();
    await expect.poll(() => listed(), within).toContain(firstName);
    expect(await behind()).toBeGreaterThan(1);
  });

  it('include what the same browser has just written', async () => {
    const answers = await whilePaused(nothing, async () => {
      const written = await app.call(showLastActive, { token: staff.token, body: { showLastActive: false } });
      const [cookie = ''] = String(written.headers['set-cookie']).split(';');
      const firstName = randomUUID();
      await makeMember(app, { firstName });
      return [(await listed()).includes(firstName), (await listed({ cookie })).includes(firstName)];
    });
    expect(answers).toEqual([false, true]);
  });

  it('include the lists of reports and cases', async () => {
    const openOnes = async () => {
      const [cases, reports] = [
        await app.call(listCases, { token: staff.token }),
        await app.call(listReports, { token: staff.token }),
      ];
      return { cases: cases.body.data.cases.length, reports: reports.body.data.pagination.total };
    };
    const [before, after] = await whilePaused(
      () => makeMember(app),
      async (reported) => {
        const known = await openOnes();
        await fileReport(app, member, { problem_type: 'Harassment', reportedUser: reported.id });
        return [known, await openOnes()];
      },
    );
    expect(after).toEqual(before);
    await catchUp();
    await expect.poll(openOnes, within).toEqual({ cases: before.cases + 1, reports: before.reports + 1 });
  });

  it('never show members a person who was just suspended', async () => {
    const twoPeople = async () => {
      const firstName = randomUUID();
      const [suspended, other] = [await makeMember(app, { firstName }), await makeMember(app, { firstName })];
      return { firstName, suspended, other };
    };
    const shown = await whilePaused(twoPeople, async ({ firstName, suspended, other }) => {
      const before = await found(firstName);
      await app.pool.query('update account set is_hidden = true where id = $1', [suspended.id]);
      return [
        before.length,
        (await found(firstName)).includes(suspended.id),
        (await found(firstName)).includes(other.id),
      ];
    });
    expect(shown).toEqual([2, false, true]);
  });

  it('never show members a person who has just blocked them', async () => {
    const onePerson = async () => {
      const firstName = randomUUID();
      return { firstName, ...(await makeMember(app, { firstName })) };
    };
    const counts = await whilePaused(onePerson, async ({ firstName, token }) => {
      const before = await found(firstName);
      await app.call(blockUser, { token, params: { userId: member.id } });
      return [before.length, (await found(firstName)).length];
    });
    expect(counts).toEqual([1, 0]);
  });

  it('include everything on request, and come from the primary if the replica doesn’t catch up', async () => {
    await catchUp();
    const { id } = await makeMember(app);
    const knows = async ({ pool }: Reader) =>
      (await pool.query('select from account where id = $1', [id])).rowCount === 1;
    const fresh = await reads.upToDate();
    expect([fresh.isPrimary, await knows(fresh)]).toEqual([false, true]);
    await database.pause();
    await makeMember(app);
    expect((await reads.upToDate()).isPrimary).toBe(true);
  });

  it('stay on the replica while all connections are busy', async () => {
    await catchUp();
    const pool = createPool(database.url, { max: 2 });
    let elapsed = 0;
    const now = () => elapsed;
    const own = createReads({ db: createDb(pool), pool }, [database.replicaUrl], { ...options, now });
    await expect.poll(() => own.reader().isPrimary, within).toBe(false);
    const sleep = (db: Db) => sql`select pg_sleep(3)`.execute(db);
    const [home, replica] = [createDb(pool), own.reader().db];
    const busy = Promise.all([home, home, ...Array.from({ length: 10 }, () => replica)].map(sleep));
    elapsed = staleMaxMs + 1;
    expect(own.reader().isPrimary).toBe(true);
    await expect.poll(() => own.secondsBehind().get('0'), within).toBe(0);
    expect(own.reader().isPrimary).toBe(false);
    await busy;
    await own.close();
    await pool.end();
  });

  it('exclude a server in the list that is the primary, and don’t count it as behind', async () => {
    await catchUp();
    const all = createReads(app, [database.url, database.replicaUrl], options);
    await expect.poll(() => [...all.secondsBehind().keys()], within).toEqual(['1']);
    await expect.poll(() => all.reader().isPrimary, within).toBe(false);
    await all.close();
  });

  it('come from the primary when the replica is down, which administrators see', async () => {
    await catchUp();
    expect(await isShownBehind()).toBe(false);
    await database.withoutReplica(async () => {
      const firstName = randomUUID();
      await makeMember(app, { firstName });
      expect(await listed()).toContain(firstName);
      await expect.poll(behind, within).toBeGreaterThan(staleMaxMs / 1000);
      await expect.poll(isShownBehind, within).toBe(true);
      expect(await listed()).toContain(firstName);
    });
  });
});
