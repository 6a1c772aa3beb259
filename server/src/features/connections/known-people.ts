import { msg, plural } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { knownPeopleMax, knownPeoplePerDay } from '#contract/known-people.ts';
import type { Deps } from '../../deps.ts';
import { canonicalAddress } from '#platform/canonical-address.ts';
import { keyedHash } from '#platform/config/secrets.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { invalid, tooMany } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { type Caller, requireMember } from '#platform/session/caller.ts';
import { dayOf, hoursOfDayLeft, secondsOfDayLeft } from '#platform/process/clock.ts';

/** How many addresses a member stores, and how many more they may add today. */
interface Known {
  count: number;
  left: number;
}

/** The address of a mailbox. Google delivers the same with other dots and tags, and with googlemail.com. */
function mailboxOf(email: string): string {
  const address = canonicalAddress(email);
  return address.endsWith('@gmail.com') ? address : email;
}

/** The hash under which an address is stored. Its key is derived, so that it differs from every other hash of the address. */
const hashOf = (addressKey: string, email: string): Buffer =>
  keyedHash(keyedHash(addressKey, 'known people').toString('hex'), mailboxOf(email));

/** How many addresses of people they know the caller stores. Throws 403 for staff. */
export async function knownPeople(db: Db, caller: Caller, now: Date): Promise<Known> {
  requireMember(caller);
  const { rows } = await sql<Known>`
    select (select count(*)::int from known_address where account_id = ${caller.accountId}::uuid) as count,
      ${knownPeoplePerDay}::int - coalesce((select added from known_address_count
        where account_id = ${caller.accountId}::uuid and added_on = ${dayOf(now)}::date), 0) as left`.execute(db);
  return rows[0] ?? { count: 0, left: 0 };
}

/**
 * Stores addresses of people the caller knows, as hashes, and queues for each new one a job that hides the caller from its owner. The job
 * is queued whether or not there is an owner, so that the answer takes the same time. Nothing changes for the caller, so nothing reveals
 * whose address it is. People who matched stay visible. Throws 403 for staff, 429 for too many new addresses today, and 400 for too many in
 * total.
 */
export async function addKnownPeople(context: CommandContext, { addresses }: { addresses: string[] }): Promise<Known> {
  const { tx, caller, deps, now } = context;
  requireMember(caller);
  const mailboxes = [...new Set(addresses.map(mailboxOf))];
  const hashes = mailboxes.map((mailbox) => hashOf(deps.addressKey, mailbox));
  // Its lock orders concurrent requests of the caller.
  await sql`
    insert into known_address_count as c (account_id, added_on, added) values (${caller.accountId}::uuid, ${dayOf(now)}::date, 0)
    on conflict (account_id) do update
      set added_on = excluded.added_on, added = case when c.added_on = excluded.added_on then c.added else 0 end`.execute(
    tx,
  );
  const { rows: added } = await sql<{ hash: Buffer }>`
    insert into known_address (account_id, address_hash, added_at)
    select ${caller.accountId}::uuid, hash, ${now} from unnest(${hashes}::bytea[]) hash
    on conflict do nothing returning address_hash as hash`.execute(tx);
  await sql`update known_address_count set added = added + ${added.length} where account_id = ${caller.accountId}::uuid`.execute(
    tx,
  );
  const known = await knownPeople(tx, caller, now);
  if (known.left < 0)
    throw tooMany(
      msg`You can add ${{ knownPeoplePerDay }} addresses a day. You can add more in ${plural({ hours: hoursOfDayLeft(now) }, { one: '# hour', other: '# hours' })}.`,
      secondsOfDayLeft(now),
    );
  if (known.count > knownPeopleMax) throw invalid('addresses', msg`You can keep ${{ knownPeopleMax }} addresses`);
  await sql`
    with due as (
      insert into hiding_due (account_id, knower_id, due_since)
      select coalesce(a.id, gen_random_uuid()), ${caller.accountId}::uuid, ${now}
      from unnest(${mailboxes}::text[], ${hashes}::bytea[]) as given (mailbox, hash) left join lateral (
        select id from account where email = given.mailbox
        union
        select id from account where email ~ '@(gmail|googlemail)[.]com$'
          and replace(regexp_replace(email, '(?<=.)[+].*$|@.*$', ''), '.', '') = substring(given.mailbox from '^(.*)@gmail[.]com$')
      ) a on true
      where given.hash = any (${added.map(({ hash }) => hash)}::bytea[])
      on conflict (account_id, knower_id) do update set due_since = excluded.due_since
      returning account_id, knower_id
    )
    select (graphile_worker.add_job('connections.hideFromKnowers',
      json_build_object('accountId', account_id, 'knowerId', knower_id),
      job_key => 'connections.hideFromKnowers ' || account_id || ' ' || knower_id, max_attempts => 8)).id from due`.execute(
    tx,
  );
  return known;
}

/**
 * Hides someone from a person whose address they stored, unless the two are a match. An existing block is marked, so that unblocking the
 * person doesn't show them again.
 */
async function hidePair(
  tx: Db,
  { knowerId, knownId, hash }: { knowerId: string; knownId: string; hash: Buffer },
  now: Date,
): Promise<void> {
  await sql`select logic.lock_pair(${knowerId}::uuid, ${knownId}::uuid)`.execute(tx);
  // A removal of the address that has already started is waited for; a later one waits for this lock and then finds the block.
  await sql`
    with stored as (
      select from known_address where account_id = ${knowerId}::uuid and address_hash = ${hash} for share
    )
    insert into block as b (blocker_id, blocked_id, created_at, is_listed, by_address, is_by_address_only)
    select ${knowerId}::uuid, ${knownId}::uuid, ${now}, false, ${hash}::bytea, true from stored
    where not exists (select from match where low_id = least(${knowerId}::uuid, ${knownId}::uuid)
      and high_id = greatest(${knowerId}::uuid, ${knownId}::uuid))
    on conflict (blocker_id, blocked_id) do update set by_address = coalesce(b.by_address, excluded.by_address)`.execute(
    tx,
  );
}

/**
 * Removes one of the caller's addresses, or all, so that their owners see the caller again. What was withheld from them stays undelivered.
 * Throws 403 for staff.
 */
export async function removeKnownPeople(context: CommandContext, address: string | null): Promise<Known> {
  const { tx, caller, deps, now } = context;
  requireMember(caller);
  const hash = address === null ? null : hashOf(deps.addressKey, address);
  const { rows } = await sql<{ hash: Buffer }>`
    delete from known_address where account_id = ${caller.accountId}::uuid
      and (${hash}::bytea is null or address_hash = ${hash}::bytea)
    returning address_hash as hash`.execute(tx);
  const removed = sql`blocker_id = ${caller.accountId}::uuid and by_address = any (${rows.map((row) => row.hash)}::bytea[])`;
  await sql`
    with kept as (update block set by_address = null where ${removed} and not is_by_address_only)
    delete from block where ${removed} and is_by_address_only`.execute(tx);
  return await knownPeople(tx, caller, now);
}

/**
 * Hides the members who stored an address from its owner, or only one of them. The database queues this when an address is verified, and
 * for a member who adds an address. Without an owner it does nothing.
 */
export async function hideFromKnowers(
  { db, addressKey, clock }: Pick<Deps, 'db' | 'addressKey' | 'clock'>,
  { accountId, knowerId }: { accountId: string; knowerId?: string | undefined },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Addresses stored or verified from now on get their own job.
    await sql`delete from hiding_due where account_id = ${accountId}::uuid
      and knower_id is not distinct from ${knowerId ?? null}::uuid`.execute(tx);
    const account = await tx
      .selectFrom('account')
      .select('email')
      .where('id', '=', accountId)
      .where('email_verified_at', 'is not', null)
      .where('staff_role', 'is', null)
      .executeTakeFirst();
    if (account === undefined) return;
    const hash = hashOf(addressKey, account.email);
    const knowers = await tx
      .selectFrom('known_address')
      .select('account_id')
      .where('address_hash', '=', hash)
      .where('account_id', '<>', accountId)
      .$if(knowerId !== undefined, (query) => query.where('account_id', '=', knowerId ?? ''))
      .orderBy('account_id')
      .execute();
    for (const { account_id } of knowers)
      await hidePair(tx, { knowerId: account_id, knownId: accountId, hash }, clock.now());
  });
}

/** When a member stored addresses of people they know, for their data export; the addresses can't be read back. */
export async function knownPeopleData(db: Db, accountId: string): Promise<{ addedAt: Date }[]> {
  return await db
    .selectFrom('known_address')
    .select('added_at as addedAt')
    .where('account_id', '=', accountId)
    .orderBy('added_at')
    .execute();
}
