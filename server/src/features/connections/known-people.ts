import { sql } from 'kysely';
import { knownPeopleMax, knownPeoplePerDay } from '#contract/known-people.ts';
import type { Deps } from '../../deps.ts';
import { keyedHash } from '../../platform/config/secrets.ts';
import { type Db, inTransaction } from '../../platform/db/db.ts';
import { invalid, tooMany } from '../../platform/http/app-error.ts';
import type { CommandContext } from '../../platform/http/mount.ts';
import { type Caller, requireMember } from '../../platform/session/caller.ts';

/** How many addresses a member stores, and how many more they may add today. */
interface Known {
  count: number;
  left: number;
}

const dayMs = 86_400_000;
const dayOf = (now: Date) => now.toISOString().slice(0, 10);

/** The hash under which an address is stored. Its key is derived, so that it differs from every other hash of the address. */
const hashOf = (addressKey: string, email: string): Buffer =>
  keyedHash(keyedHash(addressKey, 'known people').toString('hex'), email);

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
 * Stores addresses of people the caller knows, as hashes, and hides the caller and members with these addresses from each other. The answer
 * is the same whether or not there are any. People who matched stay visible, because an ending match would reveal whose address it was.
 * Throws 403 for staff, 429 for too many new addresses today, and 400 for too many in all.
 */
export async function addKnownPeople(context: CommandContext, { addresses }: { addresses: string[] }): Promise<Known> {
  const { tx, caller, deps, now } = context;
  requireMember(caller);
  const emails = [...new Set(addresses)];
  const hashes = emails.map((email) => hashOf(deps.addressKey, email));
  // Its lock orders concurrent requests of the caller.
  await sql`
    insert into known_address_count as c (account_id, added_on, added) values (${caller.accountId}::uuid, ${dayOf(now)}::date, 0)
    on conflict (account_id) do update
      set added_on = excluded.added_on, added = case when c.added_on = excluded.added_on then c.added else 0 end`.execute(
    tx,
  );
  const { rows: added } = await sql`
    insert into known_address (account_id, address_hash, added_at)
    select ${caller.accountId}::uuid, hash, ${now} from unnest(${hashes}::bytea[]) hash
    on conflict do nothing returning address_hash`.execute(tx);
  await sql`update known_address_count set added = added + ${added.length} where account_id = ${caller.accountId}::uuid`.execute(
    tx,
  );
  const known = await knownPeople(tx, caller, now);
  if (known.left < 0)
    throw tooMany(
      `You can add ${knownPeoplePerDay} addresses a day. Please come back tomorrow.`,
      (dayMs - (now.getTime() % dayMs)) / 1000,
    );
  if (known.count > knownPeopleMax) throw invalid('addresses', `You can keep ${knownPeopleMax} addresses`);
  const { rows: people } = await sql<{ id: string; hash: Buffer }>`
    select a.id, given.hash from unnest(${emails}::text[], ${hashes}::bytea[]) as given (email, hash)
      join account a on a.email = given.email
    where a.email_verified_at is not null and a.staff_role is null and a.id <> ${caller.accountId}::uuid order by a.id`.execute(
    tx,
  );
  for (const { id, hash } of people) await hidePair(tx, { knowerId: caller.accountId, knownId: id, hash }, now);
  return known;
}

/**
 * Hides two people from each other because one of them stored the other's address, unless they are a match. A block that exists is marked,
 * so that it stays when the member unblocks the other.
 */
async function hidePair(
  tx: Db,
  { knowerId, knownId, hash }: { knowerId: string; knownId: string; hash: Buffer },
  now: Date,
): Promise<void> {
  await sql`select logic.lock_pair(${knowerId}::uuid, ${knownId}::uuid)`.execute(tx);
  await sql`
    insert into block as b (blocker_id, blocked_id, created_at, is_listed, by_address, is_by_address_only)
    select ${knowerId}::uuid, ${knownId}::uuid, ${now}, false, ${hash}::bytea, true
    where not exists (select from match where low_id = least(${knowerId}::uuid, ${knownId}::uuid)
      and high_id = greatest(${knowerId}::uuid, ${knownId}::uuid))
      and exists (select from known_address where account_id = ${knowerId}::uuid and address_hash = ${hash})
    on conflict (blocker_id, blocked_id) do update set by_address = coalesce(b.by_address, excluded.by_address)`.execute(tx);
}

/** Removes one of the caller's addresses, or all, and the blocks for which it was the only reason. Throws 403 for staff. */
export async function removeKnownPeople(context: CommandContext, address: string | null): Promise<Known> {
  const { tx, caller, deps, now } = context;
  requireMember(caller);
  const hash = address === null ? null : hashOf(deps.addressKey, address);
  await sql`
    with removed as (
      delete from known_address where account_id = ${caller.accountId}::uuid
        and (${hash}::bytea is null or address_hash = ${hash}::bytea) returning address_hash
    ), kept as (
      update block set by_address = null
      where blocker_id = ${caller.accountId}::uuid and by_address in (select address_hash from removed) and not is_by_address_only
    )
    delete from block
    where blocker_id = ${caller.accountId}::uuid and by_address in (select address_hash from removed) and is_by_address_only`.execute(
    tx,
  );
  return await knownPeople(tx, caller, now);
}

/** Hides a member with a newly proven address from those who stored it before. The database queues this when the address is proven. */
export async function hideFromKnowers(
  { db, addressKey, clock }: Pick<Deps, 'db' | 'addressKey' | 'clock'>,
  { accountId }: { accountId: string },
): Promise<void> {
  await inTransaction(db, async (tx) => {
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
