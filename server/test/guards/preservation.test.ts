import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteMessage } from '#contract/messages.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { makeMember, type TestMember } from '../factories.ts';
import { startApp, type TestApp } from '../harness.ts';
import { endPreservation, setPreservationOf } from '../preservation.ts';

let app: TestApp;
let person: TestMember;
let other: TestMember;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  [person, other] = [await makeMember(app, { pictureless: true }), await makeMember(app)];
});
afterAll(() => app.close());

const ago = (days: number) => secondsAfter(app.clock.now(), -days * 86_400);
const long = () => ago(9000);

/** What a job deletes about a person, made due. */
interface Deletion {
  task: string;
  /** Makes the row of the person. */
  make: () => RawBuilder<unknown>;
  /** The rows of the person that are left. */
  left: () => RawBuilder<unknown>;
}

const rowsOf = (table: string) => () => sql`select from ${sql.table(table)} where account_id = ${person.id}::uuid`;
const account = () => sql`select from account where id = ${person.id}::uuid`;
const report = () => sql`select from report where reported_id = ${person.id}::uuid`;
const makeReport = (column: 'reporter_id' | 'reported_id') => () =>
  sql`insert into report (${sql.ref(column)}, problem_type, description, first_priority, priority, status, created_at, updated_at, due_at)
    values (${person.id}::uuid, 'Other', 'x', 'high', 'high', 'closed', ${long()}, ${long()}, ${long()})`;

/** Every job that deletes something about a person, by what it deletes. */
const deletions: Record<string, Deletion> = {
  'an account whose owner left': {
    task: 'auth.endAccounts',
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
    task: 'auth.cleanUp',
    make: () =>
      sql`update session set idle_expires_at = ${ago(1)}, expires_at = ${ago(1)} where account_id = ${person.id}::uuid`,
    left: rowsOf('session'),
  },
  former_address: {
    task: 'auth.cleanUp',
    make: () =>
      sql`insert into former_address (account_id, email, changed_at, restore_hash) values (${person.id}::uuid, 'x@y.test', ${long()}, 'x')`,
    left: rowsOf('former_address'),
  },
  place_move: {
    task: 'auth.cleanUp',
    make: () => sql`insert into place_move (account_id, moved_at) values (${person.id}::uuid, ${long()})`,
    left: rowsOf('place_move'),
  },
  mail: {
    task: 'auth.cleanUp',
    make: () => sql`insert into mail (recipient, account_id, template, data, created_at, sent_at, status)
      values ('x@y.test', ${person.id}::uuid, 'unused', '{}', ${long()}, ${long()}, 'sent')`,
    left: rowsOf('mail'),
  },
  known_device: {
    task: 'auth.cleanUp',
    make: () => sql`insert into known_device (account_id, device, network, last_seen_at)
      values (${person.id}::uuid, 'A phone', '10.0.0.0', ${long()})`,
    left: () => sql`select from known_device where account_id = ${person.id}::uuid and device = 'A phone'`,
  },
  conversation: {
    task: 'messages.cleanUp',
    make: () => sql`insert into conversation (id, low_id, high_id, began_at, last_at, ended_at)
      values (gen_random_uuid(), least(${person.id}, ${other.id})::uuid, greatest(${person.id}, ${other.id})::uuid,
        ${long()}, ${long()}, ${long()})`,
    left: () => sql`select from conversation where ${person.id}::uuid in (low_id, high_id)`,
  },
  date_plan: {
    task: 'dates.cleanUp',
    make: () => sql`with talk as (insert into conversation (id, low_id, high_id, began_at, last_at)
        values (gen_random_uuid(), least(${person.id}, ${other.id})::uuid, greatest(${person.id}, ${other.id})::uuid,
          ${long()}, ${long()}) returning id)
      insert into date_plan (conversation_id, proposed_by, proposed_to, place, at, zone, state, created_at)
      select id, ${other.id}::uuid, ${person.id}::uuid, 'x', ${long()}, 'UTC', 'accepted', ${long()} from talk`,
    left: () => sql`select from date_plan where proposed_to = ${person.id}::uuid`,
  },
  report: { task: 'reports.cleanUp', make: makeReport('reported_id'), left: report },
  'report by the person': {
    task: 'reports.cleanUp',
    make: makeReport('reporter_id'),
    left: () => sql`select from report where reporter_id = ${person.id}::uuid`,
  },
  referral: {
    task: 'reports.cleanUp',
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
    task: 'rules.forget',
    make: () => sql`insert into rule_fact (account_id, day, moves, warned, facts)
      values (${person.id}::uuid, '2000-01-01', 0, 0, '{}')`,
    left: rowsOf('rule_fact'),
  },
  text_print: {
    task: 'rules.forget',
    make: () =>
      sql`insert into text_print (print, account_id, sent, is_warned, at) values (1, ${person.id}::uuid, 1, false, ${long()})`,
    left: rowsOf('text_print'),
  },
  staff_read: {
    task: 'ownFile.show',
    make: () => sql`insert into staff_read (account_id, kind, day, shown_on, shown_as)
      values (${person.id}::uuid, 'routine', '2000-01-01', '2000-01-09', 'routine')`,
    left: rowsOf('staff_read'),
  },
  profile_change: {
    task: 'audit.cleanUp',
    make: () =>
      sql`insert into profile_change (account_id, at, fields) values (${person.id}::uuid, ${long()}, '{bio}')`,
    left: rowsOf('profile_change'),
  },
  ban_trace: {
    task: 'bans.forget',
    make: () => sql`with banned as (
        insert into sanction (account_id, kind, reason, created_by_name, starts_at, strikes, strikes_until)
        values (${person.id}::uuid, 'ban', 'x', 'Mo', ${long()}, 0, ${long()}) returning id
      )
      insert into ban_trace (sanction_id, kind, item, hash, kept_since) select id, 'card', 0, 'x', ${long()} from banned`,
    left: () =>
      sql`select from ban_trace t join sanction s on s.id = t.sanction_id where s.account_id = ${person.id}::uuid`,
  },
  notification: {
    task: 'notifications.cleanUp',
    make: () => sql`insert into notification (account_id, kind, subject_id, at)
      values (${person.id}::uuid, 'like', ${person.id}::uuid, ${long()})`,
    left: rowsOf('notification'),
  },
  picture: {
    task: 'media.forgetUnclaimed',
    make: () => sql`insert into picture (account_id, public_id, object_key, name, size, width, height, placeholder, state, uploaded_at, dhash, sha256)
      values (${person.id}::uuid, ${randomUUID()}, ${randomUUID()}, 'x', 1, 1, 1, '', 'unclaimed', ${long()}, 1, 'x')`,
    left: rowsOf('picture'),
  },
  message_media: {
    task: 'messages.forgetMedia',
    make: () => sql`with talk as (
        insert into conversation (id, low_id, high_id, began_at, last_at)
        values (gen_random_uuid(), least(${person.id}, ${other.id})::uuid, greatest(${person.id}, ${other.id})::uuid,
          ${ago(9)}, ${ago(9)}) returning id
      )
      insert into message_media (id, account_id, conversation_id, kind, object_key, size, sha256, uploaded_at)
      select ${randomUUID()}, ${person.id}::uuid, id, 'picture', ${randomUUID()}, 1, '', ${ago(9)} from talk`,
    left: rowsOf('message_media'),
  },
  media_discard: {
    task: 'media.sweep',
    make: () => sql`insert into media_discard (object_key, due_at, account_id)
      values (${randomUUID()}, now() - interval '1 day', ${person.id}::uuid)`,
    left: rowsOf('media_discard'),
  },
  active_days: {
    task: 'insights.rollUp',
    make: () => sql`insert into active_days (account_id, month, days) values (${person.id}::uuid, '2000-01-01', 1)`,
    left: () => sql`select from active_days where account_id = ${person.id}::uuid and month = '2000-01-01'`,
  },
  invoice: {
    task: 'subscriptions.cleanUp',
    make: () => sql`insert into invoice (id, account_id, provider, status, total_minor, currency, period_start, period_end, created_at)
      values (${randomUUID()}, ${person.id}::uuid, 'sandbox', 'paid', 1, 'USD', ${long()}, ${long()}, ${long()})`,
    left: rowsOf('invoice'),
  },
};

/** Tables whose rows jobs delete in spite of a legal hold, and why that loses nothing about a person. */
const deletedAnyway: Record<string, string> = {
  approval: 'what staff asked of each other; the audit trail keeps it',
  bulk_act: 'what staff did with many people; the audit trail keeps it',
  case_decision_day: 'figures without a person',
  case_time: 'figures without a person',
  customer_cleanup: 'work that is done: the payment provider has forgotten a customer',
  data_export: 'a copy that the member asked for',
  date_check_in: 'whether to ask how a date was, when the other person is gone',
  deck: 'other people, in an order of two days',
  denied_access: 'attempts of staff; the audit trail keeps them',
  dry_run_example: 'examples of a rule that was only tried out',
  former_password: 'a hash that opens an account',
  fraud_warning: 'that a member was warned; the ban and the messages stay',
  goodbye: 'who may still read a conversation, which stays',
  factor_removal: 'a token that opens an account',
  'graphile_worker._private_jobs': 'failed work, not what a person did',
  idempotency: 'answers of one day',
  identity_claim: 'a token that opens an account',
  inactivity_warning: 'a warning after which the member came back',
  installation: 'what the product notes about its own work',
  login_attempt: 'counters under hashes',
  meeting_answer: 'goes with a match that one of the two ends; messages stay',
  passkey_challenge: 'a token that opens an account',
  ledger_entry: 'ids of deleted messages and opened photos, whose own rows say the same',
  listed_person: 'whose addresses staff listed within a day; the audit trail keeps it',
  outsider_notice: 'notices that led to no report, and so are about no one we know',
  password_reset: 'a token that opens an account',
  provider_event: 'deliveries of the payment provider; invoices are kept',
  premium_refund: 'refunds that were paid to people whose accounts are gone',
  rate_limit: 'counters under hashes',
  rule_sighting: 'people that a rule that only watches would have hit',
  report_power: 'whether a report may hold someone; the report stays',
  refused_address: 'hashes of addresses that cannot join',
  rejected_look: 'image hashes without an account',
  restore_handle: 'a token that opens an account',
  seen_people: 'how many people a member looked at today',
  second_look: 'looks that no one took; the decision stays',
  selfie_check: 'selfies are promised to be deleted whatever happens',
  sign_in_challenge: 'a token that opens an account',
  staff_read: 'becomes a row of staff_read_notice, and waits during a hold',
  totp_setup: 'a token that opens an account',
  used_token: 'a token that opens an account',
  verification: 'a token that opens an account',
};

const run = async (task: string) => {
  await app.app.background.tasks[task]?.({}, undefined as never);
};
const isLeft = async ({ left }: Deletion) => (await left().execute(app.db)).rows.length > 0;

const copiesOf = ({ id }: { id: string }) =>
  app.db.selectFrom('legal_hold_copy').selectAll().where('hold_id', '=', id).orderBy('kind').execute();

async function conversationOf(): Promise<string> {
  const id = randomUUID();
  await sql`insert into conversation (id, low_id, high_id, began_at, last_at)
    values (${id}::uuid, least(${person.id}, ${other.id})::uuid, greatest(${person.id}, ${other.id})::uuid, ${ago(9)}, ${ago(9)})`.execute(
    app.db,
  );
  return id;
}

describe('a legal hold', () => {
  it.each(Object.entries(deletions))('keeps what a job would delete: %s', async (_, deletion) => {
    await deletion.make().execute(app.db);
    const hold = await setPreservationOf(app, person);
    await run(deletion.task);
    expect(await isLeft(deletion)).toBe(true);
    await endPreservation(app, hold);
    await run(deletion.task);
    expect(await isLeft(deletion)).toBe(false);
  });

  it('keeps the bytes of a picture that the member deletes', async () => {
    const key = randomUUID();
    await sql`insert into picture (account_id, public_id, object_key, name, size, width, height, placeholder, state, uploaded_at, dhash, sha256, place)
      values (${person.id}::uuid, ${randomUUID()}, ${key}, 'x', 1, 1, 1, '', 'approved', ${ago(1)}, 1, 'x', 0)`.execute(
      app.db,
    );
    await app.db.deleteFrom('picture').where('object_key', '=', key).execute();
    const { account_id: owner } = await app.db
      .selectFrom('media_discard')
      .select('account_id')
      .where('object_key', '=', key)
      .executeTakeFirstOrThrow();
    expect(owner).toBe(person.id);
  });

  it('copies old events of the audit trail about its person, and stops no one else’s from being deleted', async () => {
    const hold = await setPreservationOf(app, person);
    for (const { id } of [person, other])
      await sql`insert into audit_event (at, actor_name, actor_role, action, target_type, target_id)
        values ('2001-01-01', 'Mo', 'admin', 'user.read', 'user', ${id}::uuid)`.execute(app.db);
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
    await sql`insert into held_message (conversation_id, sender_id, n, client_id, body, sent_at)
      values (${conversation}::uuid, ${other.id}::uuid, 1, ${randomUUID()}, 'Pay me', ${ago(9)})`.execute(app.db);
    await sql`update conversation set low_held = case when low_id = ${other.id}::uuid then 1 else 0 end,
      high_held = case when high_id = ${other.id}::uuid then 1 else 0 end where id = ${conversation}::uuid`.execute(
      app.db,
    );
    const hold = await setPreservationOf(app, other);
    const answer = await app.call(deleteMessage, { token: other.token, params: { id: conversation, seq: '1' } });
    expect(answer.status).toBe(200);
    expect(await copiesOf(hold)).toMatchObject([{ kind: 'heldMessage', data: { text: 'Pay me' } }]);
  });

  it('keeps the reports of a case whose account is gone', async () => {
    const deletion = deletions['report'];
    await deletion?.make().execute(app.db);
    const hold = await setPreservationOf(app, person);
    await sql`update report set case_id = ${hold.caseId}::uuid, reported_id = null, reported_alias = gen_random_uuid()
      where reported_id = ${person.id}::uuid`.execute(app.db);
    await sql`update legal_hold set account_id = null where id = ${hold.id}::uuid`.execute(app.db);
    const left = async () =>
      (await sql`select from report where case_id = ${hold.caseId}::uuid`.execute(app.db)).rows.length;
    await run('reports.cleanUp');
    expect(await left()).toBe(1);
    await endPreservation(app, hold);
    await run('reports.cleanUp');
    expect(await left()).toBe(0);
  });

  it('keeps what was written with someone whose own account is deleted, without that person', async () => {
    const hold = await setPreservationOf(app, person);
    const id = await conversationOf();
    await sql`insert into message (conversation_id, seq, sender_id, client_id, body, sent_at) values
      (${id}::uuid, 1, ${person.id}::uuid, ${randomUUID()}, 'Pay me', ${ago(9)}),
      (${id}::uuid, 2, ${other.id}::uuid, ${randomUUID()}, 'No', ${ago(8)})`.execute(app.db);
    await sql`insert into message_trace (conversation_id, seq, replaced_at, body)
      values (${id}::uuid, 1, ${ago(9)}, 'Pay me or else')`.execute(app.db);
    await sql`insert into decision (viewer_id, target_id, kind, decided_at, note)
      values (${person.id}::uuid, ${other.id}::uuid, 'like', ${ago(9)}, 'Hello')`.execute(app.db);
    await sql`update account set leaving_since = ${ago(15)} where id = ${other.id}::uuid`.execute(app.db);
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

  it('covers every table that jobs delete rows of', () => {
    const root = resolve(import.meta.dirname, '../../src');
    const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
    );
    const sources = files.map((name) => readFileSync(resolve(root, name), 'utf8'));
    const ofJobs = sources.filter((text, at) => text.includes('TaskList') || /jobs|retention/.test(files[at] ?? ''));
    const written = ofJobs.flatMap((text) =>
      [...text.matchAll(/(?:deleteFrom\('|delete from )([a-z][\w.]*)/g)].map(([, table]) => table),
    );
    const called = sources.flatMap((text) =>
      [...text.matchAll(/deleteWhere\(\s*\w+,\s*'([\w.]+)'/g)].map(([, table]) => table),
    );
    const listed = sources.flatMap((text) => [
      ...[...text.matchAll(/^\s+\['([a-z][\w.]*)', (?:sql`|is)/gm)].map(([, table]) => table),
      ...[...text.matchAll(/\{ table: '(\w+)', isOver/g)].map(([, table]) => table),
      ...[...text.matchAll(/^ +'(graphile_worker\._private_jobs)',$/gm)].map(([, table]) => table),
    ]);
    const deleted = new Set([...called, ...listed, ...written].filter((table) => table !== undefined));
    const known = new Set(['account', ...Object.keys(deletions), ...Object.keys(deletedAnyway)]);
    expect([...deleted].filter((table) => !known.has(table))).toEqual([]);
    expect([...Object.keys(deletedAnyway)].filter((table) => !deleted.has(table))).toEqual([]);
  });
});
