import { type RawBuilder, sql } from 'kysely';
import { furtherShownMax, newestShownMax, shortAnswerMax } from '#contract/profiles/staff.ts';
import { may } from '#contract/roles.ts';
import { audit, given } from '#platform/db/audit.ts';
import { type Db, inTransaction, planHint } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Caller } from '#platform/session/caller.ts';
import type { Viewer } from '../policy.ts';

type Context = { db: Db; caller: Caller; now: Date };

/** This many people read are recorded as one event in the audit trail. */
const auditedEach = 1000;
/** Reading this many people in lists within 24 hours raises an alert. */
export const eagerFrom = 3000;

const dayBefore = (now: Date) => secondsAfter(now, -86_400);

const newest = sql`(
  select created_at, account_id from directory order by created_at desc, account_id desc offset ${newestShownMax - 1} limit 1)`;

interface ReadPerson {
  id: string;
  /** Counted among the people read within 24 hours. */
  isRead: boolean;
  isShown: boolean;
}

async function readPeople(
  { db, caller, now }: Pick<Context, 'db' | 'now'> & { caller: Viewer },
  ids: readonly string[],
): Promise<ReadPerson[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<ReadPerson>`
    select a.id, l.at is not null as "isRead",
      a.id = ${caller.accountId} or l.address is not null
        or l.at is null and coalesce((a.created_at, a.id) >= ${newest}, true) as "isShown"
    from (select unnest(${ids}::uuid[]) as id ${planHint(ids)}) asked join account a on a.id = asked.id
      left join listed_person l on l.staff_id = ${caller.accountId} and l.person_id = a.id and l.at > ${dayBefore(now)}`.execute(
    db,
  );
  return rows;
}

const shownOf = (people: readonly ReadPerson[]) => people.filter(({ isShown }) => isShown).map(({ id }) => id);

/** The people whose addresses the viewer sees without being counted: the newest, and those shown before. */
export async function addressesShown(
  context: Pick<Context, 'db' | 'now'> & { caller: Viewer },
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { caller } = context;
  if (!may(caller.staffRole, 'users.seePrivate') || caller.isMasked === true) return new Set();
  return new Set(shownOf(await readPeople(context, ids)));
}

/** How many people the caller read within 24 hours, and how many addresses were shown because the answer was short. */
async function countRead(db: Db, { accountId }: Viewer, now: Date): Promise<{ read: number; further: number }> {
  const { rows } = await sql<{ read: number; further: number }>`
    select count(*)::int as read, count(*) filter (where address = 'further')::int as further
    from listed_person where staff_id = ${accountId} and at > ${dayBefore(now)}`.execute(db);
  return rows[0] ?? { read: 0, further: 0 };
}

type Address = 'newest' | 'further' | 'revealed' | null;

async function keep({ db, caller, now }: Context, people: readonly { id: string; address: Address }[]): Promise<void> {
  await sql`
    insert into listed_person as l (staff_id, person_id, at, address)
    select ${caller.accountId}::uuid, id, ${now}::timestamptz, address
    from unnest(${people.map(({ id }) => id)}::uuid[], ${people.map(({ address }) => address)}::text[]) as kept (id, address)
    on conflict (staff_id, person_id) do update set at = excluded.at, address = excluded.address`.execute(db);
}

/**
 * Records that the caller reads these people in one answer, and returns those whose addresses it shows: as `addressesShown`, and in a short
 * answer others up to the 24-hour limit. Each thousand people read is audited. Locks the caller's account while anyone is new to them, so
 * that parallel answers are counted one after another.
 */
export async function noteListed(context: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { db, caller, now } = context;
  const mayShow = may(caller.staffRole, 'users.seePrivate');
  const isFurther = ({ isShown }: ReadPerson) => mayShow && ids.length <= shortAnswerMax && !isShown;
  const isNew = (person: ReadPerson) => !person.isRead || isFurther(person);
  const before = await readPeople(context, ids);
  if (!before.some(isNew)) return new Set(mayShow ? shownOf(before) : []);
  return await inTransaction(db, async (tx) => {
    await tx.selectFrom('account').select('id').where('id', '=', caller.accountId).forNoKeyUpdate().execute();
    const people = await readPeople({ ...context, db: tx }, ids);
    const { read, further } = await countRead(tx, caller, now);
    const granted = new Set(
      people
        .filter(isFurther)
        .slice(0, Math.max(0, furtherShownMax - further))
        .map(({ id }) => id),
    );
    const kept = people.filter(({ id, isRead }) => !isRead || granted.has(id));
    await keep(
      { ...context, db: tx },
      kept.map(({ id, isShown }) => ({
        id,
        address: granted.has(id) ? 'further' : isShown ? 'newest' : null,
      })),
    );
    const total = read + people.filter(({ isRead }) => !isRead).length;
    const thousands = Math.floor(total / auditedEach);
    if (thousands > Math.floor(read / auditedEach)) {
      const changes = given({ rows: thousands * auditedEach });
      await audit({ tx, caller, now }, { type: 'users', id: null }, 'users.listed', { changes });
    }
    return new Set([...(mayShow ? shownOf(people) : []), ...granted]);
  });
}

/** Like `noteListed`, for answers that also contain many other facts: nothing is recorded for roles that don't see addresses. */
export async function noteAddresses(context: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  return may(context.caller.staffRole, 'users.seePrivate') ? await noteListed(context, ids) : new Set();
}

/** Shows these people's addresses to the caller for 24 hours. Those shown by a short answer still count towards its limit. */
export async function keepShown(context: Context, ids: readonly string[]): Promise<void> {
  const people = await readPeople(context, ids);
  await keep(
    context,
    people.filter(({ isShown }) => !isShown).map(({ id }) => ({ id, address: 'revealed' })),
  );
}

/** The people whose addresses the viewer currently sees in lists: the newest, those shown to them within 24 hours, and themselves. */
export const peopleShownTo = ({ accountId }: Viewer, now: Date): RawBuilder<unknown> => sql`
  select ${accountId}::uuid union all (
    select account_id from directory order by created_at desc, account_id desc limit ${newestShownMax})
  union all select person_id from listed_person
    where staff_id = ${accountId} and address is not null and at > ${dayBefore(now)}`;
