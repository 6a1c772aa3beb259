import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changeEmail, register } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { makeMember, type MemberOptions, type TestMember } from '../../../../test/factories.ts';
import { newNetwork, startAppForTests } from '../../../../test/harness.ts';
import { hashToken } from '#platform/config/secrets.ts';
import { hashPassword } from '../password/hashing.ts';

const password = 'correct horse battery';
const daySeconds = 86_400;
let passwordHash: string;
const test = startAppForTests({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});
const start = new Date('2026-06-15T12:00:00.000Z');
beforeEach(() => test.clock.set(start));

async function runDaily(): Promise<void> {
  for (const task of ['auth.cleanUp', 'auth.endAccounts']) await test.app.background.tasks[task]?.({}, {} as never);
}
const isHere = async ({ id }: TestMember) =>
  (await test.db.selectFrom('account').select('id').where('id', '=', id).execute()).length === 1;
const subjects = async ({ email }: TestMember) => (await test.outbox(email)).map(({ subject }) => subject);

const twoYearsAgo = new Date('2024-06-15T12:00:00.000Z');
const hourBefore = (moment: Date) => new Date(moment.getTime() - 3_600_000);
const weekAfter = (moment: Date) => new Date(moment.getTime() + 7 * 86_400_000);
const old = { createdAt: new Date('2021-01-01T00:00:00Z') };
const unused = { ...old, lastActiveAt: hourBefore(twoYearsAgo) };

/** A member without a session. */
async function makeAbsent(options: MemberOptions = unused): Promise<TestMember> {
  const member = await makeMember(test, { passwordHash, ...options });
  await test.db.deleteFrom('session').where('id', '=', member.sessionId).execute();
  return member;
}

describe('an account unused for two years', () => {
  const who: [string, MemberOptions, string[]][] = [
    ['unused for two years', unused, ['Your account']],
    ['never active since joining two years ago', { ...old, lastActiveAt: null }, ['Your account']],
    ['unused and deactivated', { ...unused, deactivated: 'Spam' }, ['Your account']],
    ['unused for a week less', { ...old, lastActiveAt: weekAfter(twoYearsAgo) }, []],
    ['joined later', { lastActiveAt: null }, []],
    ['unused, of staff', { ...unused, staffRole: 'moderator' }, []],
    ['unused, leaving', { ...unused, leaving: true }, []],
  ];
  it('is warned once, unless staff or leaving', async () => {
    const people = [];
    for (const [name, options, mails] of who) people.push([name, await makeAbsent(options), mails] as const);
    for (const _ of [1, 2, 3]) {
      await runDaily();
      test.clock.advance(daySeconds);
    }
    for (const [name, member, mails] of people) expect(await subjects(member), name).toEqual(mails);
  });

  it('is emailed the deadline and how to keep the account', async () => {
    const [active, deactivated] = [await makeAbsent(), await makeAbsent({ ...unused, deactivated: 'Spam' })];
    await runDaily();
    const until = new Date(test.clock.now().getTime() + 30 * daySeconds * 1000).toISOString().slice(0, 10);
    const [mail] = await test.outbox(active.email);
    expect(mail?.text).toContain(until);
    expect(mail?.links).toEqual(['http://localhost:3000/app/sign-in']);
    const [other] = await test.outbox(deactivated.email);
    expect(other?.text).toContain(until);
    expect(other?.text).toContain('contact our support');
    expect(other?.links).toEqual([]);
  });

  it('is deleted 30 days after the warning, unless the member returns, leaves or becomes staff', async () => {
    const people = [];
    for (let n = 0; n < 5; n += 1) people.push(await makeAbsent());
    const [gone, back, alsoBack, leaver, staff] = people as [
      TestMember,
      TestMember,
      TestMember,
      TestMember,
      TestMember,
    ];
    await runDaily();
    test.clock.advance(29 * daySeconds);
    await runDaily();
    expect(await isHere(gone)).toBe(true);
    // Activity times are written with a delay, which never elapses in this test.
    expect((await test.call(login, { body: { email: back.email, password } })).status).toBe(200);
    await test.sql`update presence set last_active_at = ${test.clock.now()} where account_id = ${alsoBack.id}`;
    await test.sql`update account set leaving_since = ${test.clock.now()} where id = ${leaver.id}`;
    await test.sql`update account set staff_role = 'moderator' where id = ${staff.id}`;
    test.clock.advance(daySeconds);
    await runDaily();
    expect(await isHere(gone)).toBe(false);
    for (const member of [back, alsoBack, leaver, staff]) expect(await isHere(member)).toBe(true);
    const left = await test.db.selectFrom('inactivity_warning').select('account_id').execute();
    for (const { id } of [back, alsoBack, leaver, staff])
      expect(left.map(({ account_id }) => account_id)).not.toContain(id);
  });

  it('is warned again after another two years without activity', async () => {
    const member = await makeAbsent();
    await runDaily();
    const came = test.clock.now();
    await test.sql`update presence set last_active_at = ${weekAfter(came)} where account_id = ${member.id}`;
    test.clock.advance(30 * daySeconds);
    await runDaily();
    test.clock.advance(735 * daySeconds);
    await runDaily();
    expect(await subjects(member)).toEqual(['Your account']);
    expect(
      await test.db.selectFrom('inactivity_warning').select('warned_at').where('account_id', '=', member.id).execute(),
    ).toEqual([{ warned_at: test.clock.now() }]);
  });
});

/** Creates many members who have all been inactive since the same time. */
async function makeMany(count: number, domain: string): Promise<void> {
  await test.sql`with made as (
      insert into account (email, created_at, email_verified_at)
      select 'm' || n || '@' || ${domain}::text, '2020-01-01', '2020-01-01' from generate_series(1, ${count}::int) n returning id
    ), seen as (
      insert into presence (account_id, last_active_at) select id, '2020-02-02 12:00:00.123456' from made returning account_id
    ) insert into profile (account_id, first_name) select account_id, 'Many' from seen`;
}
const mailsTo = async (domain: string) =>
  (await test.db.selectFrom('mail').select('recipient').where('recipient', 'like', `%@${domain}`).execute()).map(
    ({ recipient }) => recipient,
  );

describe('the daily retention job', () => {
  it('resumes after an interruption and emails no one twice', async () => {
    await makeMany(1203, 'many.test');
    await test.sql`create function stumble() returns trigger language plpgsql as $$ begin
      if (select count(*) from inactivity_warning) > 700 then raise exception 'cut short'; end if; return new; end $$`;
    await test.sql`create trigger stumble before insert on inactivity_warning for each row execute function stumble()`;
    await expect(runDaily()).rejects.toThrow('cut short');
    const before = (await mailsTo('many.test')).length;
    expect(before).toBeGreaterThan(400);
    expect(before).toBeLessThan(1203);
    await test.sql`drop trigger stumble on inactivity_warning`;
    await runDaily();
    const recipients = await mailsTo('many.test');
    expect(recipients).toHaveLength(1203);
    expect(new Set(recipients).size).toBe(1203);
  });

  it('deletes any number of due accounts and their emails', async () => {
    await makeMany(120, 'leavers.test');
    await test.sql`update account set leaving_since = ${test.clock.now()} where email like '%@leavers.test'`;
    await test.sql`update account set email_verified_at = null, password_hash = 'x' where email like '%@many.test'`;
    test.clock.advance(14 * daySeconds);
    await runDaily();
    const { rows } = await sql<{ count: string }>`select count(*) from account where email like '%@leavers.test'
      or email like '%@many.test'`.execute(test.db);
    expect(rows).toEqual([{ count: '0' }]);
    expect(await mailsTo('many.test')).toEqual([]);
  });

  it('deletes everything else if one kind of row cannot be deleted', async () => {
    const member = await makeMember(test);
    const expired = test.clock.now();
    await test.sql`insert into former_password (account_id, password_hash, replaced_at)
      values (${member.id}::uuid, 'x', ${expired}::timestamptz - interval '1 year')`;
    await test.sql`insert into used_token (token_hash, expires_at) values ('\\x01', ${expired})`;
    await test.sql`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`;
    await test.sql`create trigger refuse before delete on former_password for each row execute function refuse()`;
    const left = async () => {
      const { rows } = await sql<{ table: string }>`select 'former_password' as table from former_password
        union all select 'used_token' from used_token`.execute(test.db);
      return rows.map(({ table }) => table);
    };
    await expect(test.app.background.tasks['auth.cleanUp']?.({}, {} as never)).rejects.toThrow('refused');
    expect(await left()).toEqual(['former_password']);
    await test.sql`drop trigger refuse on former_password`;
    await runDaily();
    expect(await left()).toEqual([]);
  });

  it('deletes failed jobs, because they contain account ids', async () => {
    await test.sql`select graphile_worker.add_job('auth.forgotPassword', '{"email": "in-vain@example.test"}'::json)`;
    await test.sql`update graphile_worker._private_jobs set attempts = max_attempts, run_at = ${test.clock.now()}`;
    const payloads = async () =>
      JSON.stringify((await sql`select payload from graphile_worker._private_jobs`.execute(test.db)).rows);
    await runDaily();
    expect(await payloads()).toContain('in-vain@example.test');
    test.clock.advance(14 * daySeconds);
    await runDaily();
    expect(await payloads()).not.toContain('in-vain@example.test');
  });
});

describe('the address of a deleted account that had been deactivated', () => {
  const person = (email: string) => ({ email, password, firstName: 'Rosa', acceptTerms: true });
  const ask = async (email: string, headers = newNetwork()) => {
    const answer = await test.call(register, { body: person(email), headers });
    return { status: answer.status, body: answer.raw.replace(/"requestId":"[^"]+"/, ''), code: answer.error.code };
  };
  /** Creates an account and has it deleted. */
  async function makeGone(options: MemberOptions): Promise<TestMember> {
    const member = await makeMember(test, { ...options, leaving: true });
    test.clock.advance(15 * daySeconds);
    await runDaily();
    expect(await isHere(member)).toBe(false);
    return member;
  }

  it('is stored only as a keyed hash', async () => {
    const { id, email } = await makeGone({ deactivated: 'Asked for money', email: 'kept-out@example.test' });
    const rows = await test.db.selectFrom('refused_address').selectAll().execute();
    expect(rows.map((row) => Object.keys(row).sort())).toEqual(rows.map(() => ['address_hash', 'refused_until']));
    const digests = rows.map(({ address_hash }) => address_hash.toString('hex'));
    for (const guess of [email, id]) expect(digests).not.toContain(hashToken(guess).toString('hex'));
  });

  it('gets the same answers as an address in use, including limits', async () => {
    const { email: refused } = await makeGone({ deactivated: 'Asked for money' });
    const { email: inUse } = await makeMember(test);
    expect(await ask(refused)).toEqual(await ask(inUse));
    const mixed = newNetwork();
    const statuses = [];
    for (const email of [
      refused,
      inUse,
      ` ${refused.toUpperCase()} `,
      refused,
      refused,
      refused,
      inUse,
      'free@example.test',
    ])
      statuses.push((await test.call(register, { body: person(email), headers: mixed })).status);
    expect(statuses).toEqual([409, 409, 409, 409, 409, 429, 429, 429]);
    expect(await test.outbox(refused)).toEqual([]);
    const stored = await test.db.selectFrom('account').select('id').where('email', '=', refused).execute();
    expect(stored).toEqual([]);
  });

  it('is silently rejected as a new address, like one in use', async () => {
    const { email: refused } = await makeGone({ deactivated: 'Asked for money' });
    const { email: inUse } = await makeMember(test);
    const tryFor = async (email: string) => {
      const { token } = await makeMember(test, { passwordHash });
      const answer = await test.call(changeEmail, { token, body: { email, password }, headers: newNetwork() });
      return { status: answer.status, body: answer.raw.replace(/"verificationToken":"[\w-]{43}"/, '') };
    };
    expect(await tryFor(refused)).toEqual(await tryFor(inUse));
    expect(await test.outbox(refused)).toEqual([]);
    const asked = test.db.selectFrom('verification').select('is_decoy').where('email', 'in', [refused, inUse]);
    expect(await asked.execute()).toEqual([{ is_decoy: true }, { is_decoy: true }]);
    await test.drain();
    expect(await test.outbox(refused)).toEqual([]);
  });

  it('becomes free after two years, when its hash is deleted', async () => {
    const { email } = await makeGone({ deactivated: 'Asked for money' });
    test.clock.advance(729 * daySeconds);
    await runDaily();
    expect((await ask(email)).code).toBe('EMAIL_TAKEN');
    test.clock.advance(2 * daySeconds);
    expect((await test.call(register, { body: person(email), headers: newNetwork() })).status).toBe(201);
    await runDaily();
    const expired = test.db.selectFrom('refused_address').where('refused_until', '<=', test.clock.now());
    expect(await expired.selectAll().execute()).toEqual([]);
  });

  it('is free immediately if the member left voluntarily', async () => {
    const { email } = await makeGone({});
    expect((await test.call(register, { body: person(email), headers: newNetwork() })).status).toBe(201);
  });
});
