import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDb, type Db } from '#platform/db/db.ts';
import { rowsOfPeople } from '#platform/people/forget.ts';
import { features } from '../../../src/features.ts';
import { cloneDatabase, createTestPool, type TestDatabase } from '../../harness.ts';

/** Columns without a foreign key whose ids are not of people. */
const ofThings = (
  'account_hold.rule_id age_check.open_check data_export.link_id date_plan.calendar_id date_plan.conversation_id ' +
  'decision.hold_id decision.liked_picture held_message.hold_id profile.photo_verified_ids reply_template.template_id ' +
  'report.reported_alias report.reporter_alias sign_in_challenge.passkey_id'
).split(' ');

/** Columns without a foreign key that may still contain the id of a deleted account, and until when. */
const staying: Record<string, string> = {
  'appeal.openers': 'staff, with the case',
  'appeal.reviewer_id': 'staff, with the case',
  'audit_event.actor_id': 'two years',
  'audit_event.target_id': 'two years',
  'case_decision.decided_by': 'staff, with the case',
  'case_decision_day.decided_by': 'staff, two years',
  'conversation.opened_by': 'until the conversation goes, with either account',
  'deck.targets': 'until the next night',
  'denied_access.target_id': 'a day',
  'golden_case.added_by': 'staff',
  'hiding_due.account_id': 'until the job has looked',
  'listed_person.person_id': 'a day',
  'media_discard.account_id': 'until the bytes are deleted',
  'notification.subject_id': 'reactions delete those about what goes with the account',
  'online_member.account_id': 'a trigger deletes the row with that of directory',
  'outsider_notice.closed_by': 'staff, with the report',
  'report.named_id': 'the reaction of reports empties it',
  'report.opened_by': 'staff, with the report',
  'second_look.reviewer_id': 'staff, with the decision',
  'seen_people.ids': 'until the next night',
};

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  database = await cloneDatabase();
  db = createDb(createTestPool(database.url));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const inMap = new Set(rowsOfPeople.map(([table]) => table));

/** The references between tables, and what happens to a row when the other one is deleted. */
async function references() {
  const { rows } = await sql<{ table: string; to: string; then: string }>`
    select f.relname as table, t.relname as to, confdeltype as then
    from pg_constraint join pg_class f on f.oid = conrelid join pg_class t on t.oid = confrelid
    where contype = 'f' and connamespace = 'public'::regnamespace`.execute(db);
  return rows;
}

/** The columns whose names or types match, and that are neither a reference nor the row's own id. */
async function columns(isMeant: string) {
  const { rows } = await sql<{ table: string; name: string }>`
    select c.relname as table, a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped
      and a.attname <> 'id' and ${sql.raw(isMeant)} and not exists (
        select from pg_constraint f where f.contype = 'f' and f.conrelid = c.oid and a.attnum = any (f.conkey))
    order by 1, 2`.execute(db);
  return rows.map(({ table, name }) => `${table}.${name}`);
}

describe('the map of data about people', () => {
  it('contains every table that refers to a row of its tables, and every table with an address', async () => {
    const leading = (await references()).filter(({ to }) => inMap.has(to)).map(({ table }) => table);
    const addressed = await columns(`a.attname ~ 'email|recipient|first_name|last_name'`);
    const found = new Set([...leading, ...addressed.map((column) => column.split('.')[0] ?? '')]);
    const missing = [...found].filter((table) => !inMap.has(table));
    expect(missing, 'Add a row for them to server/src/platform/people/tables.ts').toEqual([]);
  });

  it('states for every id without a foreign key whether its rows are deleted with the account', async () => {
    const going = rowsOfPeople.flatMap(([table, { owner = [], erased = [] }]) =>
      [owner, erased[0] ?? []].flat().map((column) => `${table}.${column}`),
    );
    const ids = await columns(`a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype)`);
    expect(ids.sort(), 'Name it as `owner` or `erased` in people/tables.ts, or above').toEqual(
      [...going, ...ofThings, ...Object.keys(staying)].sort(),
    );
  });

  it('leaves no row of a deleted account: references delete it or remove the account from it', async () => {
    const kept = (await references()).filter(({ to, then }) => to === 'account' && !['c', 'n'].includes(then));
    expect(kept).toEqual([]);
  });

  it('names only jobs that exist', () => {
    const jobs = new Set(features.flatMap(({ jobs: of = [] }) => of.map(({ name }) => name)));
    const named = rowsOfPeople.flatMap(([, { until }]) => until?.[0] ?? []);
    expect(named.filter((name) => !jobs.has(name))).toEqual([]);
  });
});
