import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { deleteMessage } from '#contract/messages/messages.ts';
import { rowsOfPeople } from '#platform/people/forget.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { makeMember, type TestMember } from '../factories.ts';
import { startAppForTests } from '../harness.ts';
import { endPreservation, setPreservationOf } from '../moderation/preservation.ts';

const app = startAppForTests();
let person: TestMember;
let other: TestMember;
beforeEach(async () => {
  [person, other] = [await makeMember(app, { pictureless: true }), await makeMember(app)];
});

const ago = (days: number) => secondsAfter(app.clock.now(), -days * 86_400);
const long = () => ago(9000);

/** What a job deletes about a person, made due. */
interface Deletion {
  /** The default is the job that the map names. */
  task?: string;
  /** Creates the row of the person. */
  make: () => RawBuilder<unknown>;
  /** The remaining rows of the person. The default is those with their id in `account_id`. */
  left?: () => RawBuilder<unknown>;
}

const rowsOf = (table: string) => () => sql`select from ${sql.table(table)} where account_id = ${person.id}::uuid`;
const account = () => sql`select from account where id = ${person.id}::uuid`;
const report = () => sql`select from report where reported_id = ${person.id}::uuid`;
const makeReport = (column: 'reporter_id' | 'reported_id') => () =>
  sql`insert into report (${sql.ref(column)}, problem_type, description, first_priority, priority, status, created_at, updated_at, due_at)
    values (${person.id}::uuid, 'Other', 'x', 'high', 'high', 'closed', ${long()}, ${long()}, ${long()})`;

/** Everything that jobs delete about a person: accounts, and rows of the tables in the map that a legal hold keeps. */
const deletions: Record<string, Deletion> = {
  account: {
    make: () => sql`update account set leaving_since = ${ago(15)} where id = ${person.id}::uuid`,
    left: account,
  },
  'an account that was never verified': {
    task: 'auth.endAccounts',
    make: () => sql`update account set email_verified_at = null, created_at = ${ago(31)}, password_hash = 'x'
      where id = ${person.id}::uuid`,
    left: account,
  },
  'an account that was warned': {
    task: 'auth.endAccounts',
    make: () => sql`with warned as (insert into inactivity_warning (account_id, warned_at) values (${person.id}::uuid, ${ago(31)})),
      gone as (delete from session where account_id = ${person.id}::uuid)
      update presence set last_active_at = ${ago(900)} where account_id = ${person.id}::uuid`,
    left: account,
  },
  session: {
    make: () =>
      sql`update session set idle_expires_at = ${ago(1)}, expires_at = ${ago(1)} where account_id = ${person.id}::uuid`,
  },
  former_address: {
    make: () =>
      sql`insert into former_address (account_id, email, changed_at, restore_hash) values (${person.id}::uuid, 'x@y.test', ${long()}, 'x')`,
  },
  place_move: {
    make: () => sql`insert into place_move (account_id, moved_at) values (${person.id}::uuid, ${long()})`,
  },
  mail: {
    make: () => sql`insert into mail (recipient, account_id, template, data, created_at, sent_at, status)
      values ('x@y.test', ${person.id}::uuid, 'unused', '{}', ${long()}, ${long()}, 'sent')`,
  },
  known_device: {
    make: () => sql`insert into known_device (account_id, device, network, last_seen_at)
      values (${person.id}::uuid, 'A phone', '10.0.0.0', ${long()})`,
    left: () => sql`select from known_device where account_id = ${person.id}::uuid and device = 'A phone'`,
  },
  conversation: {
    make: () => sql`insert into conversation (id, low_id, high_id, began_at, last_at, ended_at)
      values (gen_random_uuid(), least(${person.id}, ${other.id})::uuid, greatest(${person.id}, ${other.id})::uuid,
        ${long()}, ${long()}, ${long()})`,
    left: () => sql`select from conversation where ${person.id}::uuid in (low_id, high_id)`,
  },
  date_plan: {
    make: () => sql`with talk as (insert into conversation (id, low_id, high_id, began_at, last_at)
        values (gen_random_uuid(), least(${person.id}, ${other.id})::uuid, greatest(${person.id}, ${other.id})::uuid,
          ${long()}, ${long()}) returning id)
      insert into date_plan (conversation_id, proposed_by, proposed_to, place, at, zone, state, created_at)
      select id, ${other.id}::uuid, ${person.id}::uuid, 'x', ${long()}, 'UTC', 'accepted', ${long()} from talk`,
    left: () => sql`select from date_plan where proposed_to = ${person.id}::uuid`,
  },
  report: { make: makeReport('reported_id'), left: report },
  'report by the person': {
    task: 'reports.cleanUp',
    make: makeReport('reporter_id'),
    left: () => sql`select from report where reporter_id = ${person.id}::uuid`,
  },
  referral: {
    make: () => sql`with opened as (
        insert into moderation_case (person_id, priority, opened_at, updated_at, started_at)
        values (${person.id}::uuid, 'high', ${long()}, ${long()}, ${long()}) on conflict do nothing returning id
      )
      insert into referral (case_id, authority, handed_over, legal_basis, referred_on, made_at, made_by_name)
      select id, 'Police', 'x', 'x', '2000-01-01'::date, ${long()}::timestamptz, 'Mo' from opened
      union all select id, 'Police', 'x', 'x', '2000-01-01'::date, ${long()}::timestamptz, 'Mo' from moderation_case
        where person_id = ${person.id}::uuid`,
    left: () =>
      sql`select from referral r join moderation_case c on c.id = r.case_id where c.person_id = ${person.id}::uuid`,
  },
  rule_fact: {
    make: () => sql`insert into rule_fact (account_id, day, moves, warned, facts)
      values (${person.id}::uuid, '2000-01-01', 0, 0, '{}')`,
  },
  text_print: {
    make: () =>
      sql`insert into text_print (print, account_id, sent, is_warned, at) values (1, ${person.id}::uuid, 1, false, ${long()})`,
  },
  staff_read: {
    make: () => sql`insert into staff_read (account_id, kind, day, shown_on, shown_as)
      values (${person.id}::uuid, 'routine', '2000-01-01', '2000-01-09', 'routine')`,
  },
  profile_change: {
    make: () =>
      sql`insert into profile_change (account_id, at, fields) values (${person.id}::uuid, ${long()}, '{bio}')`,
  },
  ban_trace: {
    make: () => sql`with banned as (
        insert into sanction (account_id, kind, reason, created_by_name, starts_at, strikes, strikes_until)
        values (${person.id}::uuid, 'ban', 'x', 'Mo', ${long()}, 0, ${long()}) returning id
      )
      insert into ban_trace (sanction_id, kind, item, hash, kept_since) select id, 'card', 0, 'x', ${long()} from banned`,
    left: () =>
      sql`select from ban_trace t join sanction s on s.id = t.sanction_id where s.account_id = ${person.id}::uuid`,
  },
  notification: {
    make: () => sql`insert into notification (account_id, kind, subject_id, at)
      values (${person.id}::uuid, 'like', ${person.id}::uuid, ${long()})`,
  },
  picture: {
    make: () => sql`insert into picture (account_id, public_id, object_key, name, size, width, height, placeholder, state, uploaded_at, dhash, sha256)
      values (${person.id}::uuid, ${randomUUID()}, ${randomUUID()}, 'x', 1, 1, 1, '', 'unclaimed', ${long()}, 1, 'x')`,
  },
  message_media: {
    make: () => sql`with talk as (
        insert into conversation (id, low_id, high_id, began_at, last_at)
        values (gen_random_uuid(), least(${person.id}, ${other.id})::uuid, greatest(${person.id}, ${other.id})::uuid,
          ${ago(9)}, ${ago(9)}) returning id
      )
      insert into message_media (id, account_id, conversation_id, kind, object_key, size, sha256, uploaded_at)
      select ${randomUUID()}, ${person.id}::uuid, id, 'picture', ${randomUUID()}, 1, '', ${ago(9)} from talk`,
  },
  media_discard: {
    make: () => sql`insert into media_discard (object_key, due_at, account_id)
      values (${randomUUID()}, now() - interval '1 day', ${person.id}::uuid)`,
  },
  active_days: {
    make: () => sql`insert into active_days (account_id, month, days) values (${person.id}::uuid, '2000-01-01', 1)`,
    left: () => sql`select from active_days where account_id = ${person.id}::uuid and month = '2000-01-01'`,
  },
  invoice: {
    make: () => sql`insert into invoice (id, account_id, provider, status, total_minor, currency, period_start, period_end, created_at)
      values (${randomUUID()}, ${person.id}::uuid, 'sandbox', 'paid', 1, 'USD', ${long()}, ${long()}, ${long()})`,
  },
};

/** Deletions in job files for which the map names no job. */
const deletedOtherwise: Record<string, string> = {
  date_check_in: 'whether to ask how a date was, when the other person is gone',
  installation: 'what the product notes about its own work',
  meeting_answer: 'goes with a match that one of the two ends; messages stay',
  restore_handle: 'a token that opens an account',
};

const run = async (task: string) => {
  await app.app.background.tasks[task]?.({}, undefined as never);
};
const jobOf = (name: string) => new Map(rowsOfPeople).get(name)?.until?.[0] ?? '';

const copiesOf = ({ id }: { id: string }) =>
  app.db.selectFrom('legal_hold_copy').selectAll().where('hold_id', '=', id).orderBy('kind').execute();

async function conversationOf(): Promise<string> {
  const id = randomUUID();
  await app.sql`insert into conversation (id, low_id, high_id, began_at, last_at)
    values (${id}::uuid, least(${person.id}, ${other.id})::uuid, greatest(${person.id}, ${other.id})::uuid, ${ago(9)}, ${ago(9)})`;
  return id;
}

describe('a legal hold', () => {
  it.each(Object.entries(deletions))('keeps what a job would delete: %s', async (name, { make, ...deletion }) => {
    const { task = jobOf(name), left = rowsOf(name) } = deletion;
    const isLeft = async () => (await left().execute(app.db)).rows.length > 0;
    await make().execute(app.db);
    const hold = await setPreservationOf(app, person);
    await run(task);
    expect(await isLeft()).toBe(true);
    await endPreservation(app, hold);
    await run(task);
    expect(await isLeft()).toBe(false);
  });

  it('keeps the bytes of a picture that the member deletes', async () => {
    const key = randomUUID();
    await app.sql`insert into picture (account_id, public_id, object_key, name, size, width, height, placeholder, state, uploaded_at, dhash, sha256, place)
      values (${person.id}::uuid, ${randomUUID()}, ${key}, 'x', 1, 1, 1, '', 'approved', ${ago(1)}, 1, 'x', 0)`;
    await app.db.deleteFrom('picture').where('object_key', '=', key).execute();
    const { account_id: owner } = await app.db
      .selectFrom('media_discard')
      .select('account_id')
      .where('object_key', '=', key)
      .executeTakeFirstOrThrow();
    expect(owner).toBe(person.id);
  });

  it('copies old events of the audit trail about its person, and lets those of others be deleted', async () => {
    const hold = await setPreservationOf(app, person);
    for (const { id } of [person, other])
      await app.sql`insert into audit_event (at, actor_name, actor_role, action, target_type, target_id)
        values ('2001-01-01', 'Mo', 'admin', 'user.read', 'user', ${id}::uuid)`;
    await run('audit.cleanUp');
    await run('audit.cleanUp');
    const left = sql`select from audit.other where target_id in (${person.id}::uuid, ${other.id}::uuid) and at < '2002-01-01'`;
    expect((await left.execute(app.db)).rows).toEqual([]);
    expect(await copiesOf(hold)).toMatchObject([
      { kind: 'auditEvent', data: { action: 'user.read', target_id: person.id } },
    ]);
  });

  it('keeps the text of a message that was never delivered and that its sender deletes', async () => {
    person = await makeMember(app);
    const conversation = await conversationOf();
    await app.sql`insert into held_message (conversation_id, sender_id, n, client_id, body, sent_at)
      values (${conversation}::uuid, ${other.id}::uuid, 1, ${randomUUID()}, 'Pay me', ${ago(9)})`;
    await app.sql`update conversation set low_held = case when low_id = ${other.id}::uuid then 1 else 0 end,
      high_held = case when high_id = ${other.id}::uuid then 1 else 0 end where id = ${conversation}::uuid`;
    const hold = await setPreservationOf(app, other);
    const answer = await app.call(deleteMessage, { token: other.token, params: { id: conversation, seq: '1' } });
    expect(answer.status).toBe(200);
    expect(await copiesOf(hold)).toMatchObject([{ kind: 'heldMessage', data: { text: 'Pay me' } }]);
  });

  it('keeps the reports of a case whose account is deleted', async () => {
    const deletion = deletions['report'];
    await deletion?.make().execute(app.db);
    const hold = await setPreservationOf(app, person);
    await app.sql`update report set case_id = ${hold.caseId}::uuid, reported_id = null, reported_alias = gen_random_uuid()
      where reported_id = ${person.id}::uuid`;
    await app.sql`update legal_hold set account_id = null where id = ${hold.id}::uuid`;
    const left = async () =>
      (await sql`select from report where case_id = ${hold.caseId}::uuid`.execute(app.db)).rows.length;
    await run('reports.cleanUp');
    expect(await left()).toBe(1);
    await endPreservation(app, hold);
    await run('reports.cleanUp');
    expect(await left()).toBe(0);
  });

  it('keeps the conversations with a person whose own account is deleted, without that person', async () => {
    const hold = await setPreservationOf(app, person);
    const id = await conversationOf();
    await app.sql`insert into message (conversation_id, seq, sender_id, client_id, body, sent_at) values
      (${id}::uuid, 1, ${person.id}::uuid, ${randomUUID()}, 'Pay me', ${ago(9)}),
      (${id}::uuid, 2, ${other.id}::uuid, ${randomUUID()}, 'No', ${ago(8)})`;
    await app.sql`insert into message_trace (conversation_id, seq, replaced_at, body)
      values (${id}::uuid, 1, ${ago(9)}, 'Pay me or else')`;
    await app.sql`insert into decision (viewer_id, target_id, kind, decided_at, note)
      values (${person.id}::uuid, ${other.id}::uuid, 'like', ${ago(9)}, 'Hello')`;
    await app.sql`update account set leaving_since = ${ago(15)} where id = ${other.id}::uuid`;
    await run('auth.endAccounts');
    const copies = await copiesOf(hold);
    const messages = [
      { seq: 1, isByHeld: true, text: 'Pay me', earlierTexts: ['Pay me or else'] },
      { seq: 2, isByHeld: false, text: 'No' },
    ];
    expect(copies).toMatchObject([
      { kind: 'conversation', data: { messages } },
      { kind: 'note', data: { isByHeld: true, text: 'Hello' } },
    ]);
    expect(JSON.stringify(copies)).not.toContain(other.id);
  });

  it('keeps rows of every table from which jobs delete, unless the map says why not', () => {
    const held = rowsOfPeople.filter(([, { until, unheld }]) => until !== undefined && unheld === undefined);
    const tried = Object.keys(deletions).filter((name) => jobOf(name) !== '');
    expect(tried.sort()).toEqual(held.map(([table]) => table));
  });

  it('covers every table that jobs delete rows of', () => {
    const root = resolve(import.meta.dirname, '../../src');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    const textOf = (name: string) => readFileSync(resolve(root, name), 'utf8');
    const deleted = files
      .filter((name) => /jobs|retention/.test(name))
      .flatMap((name) => [...textOf(name).matchAll(/(?:deleteFrom\('|delete from )([a-z][\w.]*)/g)])
      .map(([, table = '']) => table);
    const isKnown = (table: string) => jobOf(table) !== '' || table in deletedOtherwise;
    expect(deleted.filter((table) => !isKnown(table))).toEqual([]);
    expect(Object.keys(deletedOtherwise).filter((table) => !deleted.includes(table))).toEqual([]);
    // All other deletions of jobs read the map.
    expect(files.filter((name) => name.startsWith('features') && textOf(name).includes('deleteWhere('))).toEqual([]);
  });
});
