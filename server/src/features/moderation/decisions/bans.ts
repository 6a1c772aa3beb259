import { sql } from 'kysely';
import type { LinkKind, LinkStrength } from '#contract/moderation/cases.ts';
import type { Deps } from '../../../deps.ts';
import type { Reactions } from '../../../events.ts';
import { keyedHash } from '#platform/config/secrets.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { fullName } from '#platform/session/own-user.ts';
import { noteTrace } from '../../auth/public.ts';
import { imageBands } from '../../media/public.ts';
import { shownEmail, type Viewer } from '../../profiles/public.ts';
import { canonicalAddress } from '#platform/canonical-address.ts';
import { seenBy } from '#platform/session/access.ts';
import { caseOf, insertCaseEvent, syncCase, tellStaff } from '../work/case-row.ts';
import { promiseWarnings } from './fraud-warnings.ts';
import { type BanSearch, queueSearch } from './sanctions.ts';

/** What one account can have in common with another; a picture has several hashes. */
interface Trace {
  kind: LinkKind;
  item: number;
  hashes: Buffer[];
}

/** Digests, made with `key`, of what identifies the person behind an account. An address counts once it is verified. */
async function tracesOf(db: Db, key: string, accountId: string): Promise<Trace[]> {
  const { rows } = await sql<{ kind: LinkKind; value: string }>`
    select 'address' as kind, email as value from account where id = ${accountId}::uuid and email_verified_at is not null
    union all select 'identity', provider || ' ' || subject from identity where account_id = ${accountId}::uuid
    union all select distinct 'card', encode(card_hash, 'hex') from subscription
      where account_id = ${accountId}::uuid and card_hash is not null
    union all select 'picture', dhash::text from picture where account_id = ${accountId}::uuid and state <> 'unclaimed'`.execute(
    db,
  );
  const partsOf = {
    address: (value: string) => [canonicalAddress(value)],
    picture: (value: string) => imageBands(BigInt(value)),
  };
  return rows.map(({ kind, value }, item) => {
    const parts: readonly (string | number)[] =
      kind === 'address' || kind === 'picture' ? partsOf[kind](value) : [value];
    return { kind, item, hashes: parts.map((part) => keyedHash(key, `${kind} ${part}`)) };
  });
}

/** Stores what identifies a banned person for as long as the ban lasts, at most two years. */
async function keepTraces(
  tx: Db,
  key: string,
  ban: { sanctionId: string; accountId: string; since: Date },
): Promise<void> {
  const rows = (await tracesOf(tx, key, ban.accountId)).flatMap(({ kind, item, hashes }) =>
    hashes.map((hash) => ({ sanction_id: ban.sanctionId, kind, item, hash, kept_since: ban.since })),
  );
  if (rows.length > 0)
    await tx
      .insertInto('ban_trace')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}

export const banReactions: Reactions = {
  async banned(tx, { banKey, now, ...ban }) {
    await keepTraces(tx, banKey, { ...ban, since: now });
    await promiseWarnings(tx, ban, now);
  },
};

/** How long traces of a ban are kept. */
const keptDays = 730;

/** Fewer equal bands than this are chance: of unrelated pictures, one in millions shares five of the seven. */
const fewestBands = 5;
const allBands = 7;

/** How strong a match is; null if it may be chance. Pictures are copied more easily than cards. */
export function strengthOf(kind: LinkKind, equal: number): LinkStrength | null {
  if (kind !== 'picture') return 'strong';
  if (equal < fewestBands) return null;
  return equal === allBands ? 'medium' : 'weak';
}

const ranks: readonly LinkStrength[] = ['weak', 'medium', 'strong'];

/**
 * The job that compares an account with what is stored about banned people. Returns whether it found something new in common, which opens a
 * case for staff. A strong link also holds what the account sends to new people; staff decide everything else.
 */
export async function compareWithBans(deps: Deps, { accountId }: { accountId: string }): Promise<boolean> {
  const { db, banKey } = deps;
  const now = deps.clock.now();
  return await inTransaction(db, async (tx) => {
    const account = await tx
      .selectFrom('account')
      .select('staff_role')
      .where('id', '=', accountId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (account === undefined) return false;
    // Data added from now on is compared again.
    await tx.deleteFrom('ban_comparison').where('account_id', '=', accountId).execute();
    const found = (await tracesOf(tx, banKey, accountId)).flatMap(({ kind, item, hashes }) =>
      hashes.map((hash) => ({ kind, item, hash: hash.toString('hex') })),
    );
    const { rows } = await sql<{ sanction_id: string; kind: LinkKind; equal: number }>`
      select t.sanction_id, t.kind, count(*)::int as equal
      from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) as own (kind text, item int, hash text)
        join ban_trace t on t.hash = decode(own.hash, 'hex') and t.kind = own.kind
        join sanction s on s.id = t.sanction_id
      where s.account_id is distinct from ${accountId}::uuid and s.revoked_at is null
      group by t.sanction_id, t.kind, t.item, own.item`.execute(tx);
    const links = rows
      .map(({ equal, ...row }) => ({ ...row, strength: strengthOf(row.kind, equal) }))
      .sort((one, other) => ranks.indexOf(other.strength ?? 'weak') - ranks.indexOf(one.strength ?? 'weak'))
      .flatMap(({ strength, ...row }) => (strength === null ? [] : [{ ...row, strength, account_id: accountId }]));
    // For staff, no case is opened: what they have in common only keeps them away from cases that are about themselves.
    const isStaff = account.staff_role !== null;
    const fresh = await insertLinks(tx, links, isStaff, now);
    if (fresh.length === 0 || isStaff) return fresh.length > 0;
    const caseId = await caseOf(tx, accountId, 'high', now);
    for (const kind of new Set(fresh))
      await insertCaseEvent(tx, { case_id: caseId, at: now, kind: 'linked', to_value: kind });
    await syncCase({ tx, deps, now }, caseId);
    await tellStaff(tx, null);
    return true;
  });
}

const searchedAtOnce = 2000;
const mostFound = 50;

/**
 * The job that searches the existing accounts for those of a banned person. It examines one batch and queues a job for the next one, so
 * that it continues there after a restart. It ends after all accounts, with the ban, or when it has found enough for staff to review.
 */
export async function searchForReturned(deps: Deps, search: BanSearch): Promise<void> {
  const { db, banKey } = deps;
  const now = deps.clock.now();
  const { sanctionId, after = '00000000-0000-0000-0000-000000000000' } = search;
  const ban = await db
    .selectFrom('sanction')
    .innerJoin('account', 'account.id', 'sanction.account_id')
    .select(['account.id', 'email', 'decision_id', 'starts_at'])
    .where('sanction.id', '=', sanctionId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  const isOver = (tx: Db) =>
    tx.updateTable('sanction').set({ search_due_since: null }).where('id', '=', sanctionId).execute();
  if (ban === undefined) return void (await isOver(db));
  // Nothing is stored yet about a ban that comes from the ledger.
  if (search.after === undefined && ban.starts_at > secondsAfter(now, -keptDays * 86_400))
    await keepTraces(db, banKey, { sanctionId, accountId: ban.id, since: ban.starts_at });
  const { rows } = await sql<{ id: string; email: string; is_alike: boolean }>`
    select a.id, a.email,
      exists (select from subscription s join subscription o on o.card_hash = s.card_hash
        where s.account_id = a.id and o.account_id = ${ban.id}::uuid)
      or exists (select from picture p join picture o on bit_count((p.dhash # o.dhash)::bit(64)) <= ${allBands - fewestBands}
        where p.account_id = a.id and o.account_id = ${ban.id}::uuid) as is_alike
    from (select id, email from account where id > ${after}::uuid order by id limit ${searchedAtOnce}) a order by a.id`.execute(
    db,
  );
  const mailbox = canonicalAddress(ban.email);
  const alike = rows.filter((row) => row.id !== ban.id && (row.is_alike || canonicalAddress(row.email) === mailbox));
  let { found = 0 } = search;
  for (const { id } of alike.slice(0, mostFound - found)) {
    // An account that fails gets its own job, so that the search continues.
    const isFound = await compareWithBans(deps, { accountId: id }).catch(() => noteTrace(db, id, now));
    if (isFound === true) found += 1;
  }
  const last = rows.at(-1);
  await inTransaction(db, async (tx) => {
    if (last !== undefined && rows.length === searchedAtOnce && found < mostFound)
      return await queueSearch(tx, { sanctionId, after: last.id, found });
    await isOver(tx);
    const decision = await tx
      .selectFrom('case_decision')
      .select('case_id')
      .where('id', '=', ban.decision_id)
      .executeTakeFirst();
    if (decision !== undefined && found > 0)
      await insertCaseEvent(tx, { case_id: decision.case_id, at: now, kind: 'searched', to_value: String(found) });
  });
}

/** Adds new links, the strongest of each kind. Returns the kinds of those added. */
async function insertLinks(
  tx: Db,
  links: { account_id: string; sanction_id: string; kind: LinkKind; strength: LinkStrength }[],
  isReviewed: boolean,
  now: Date,
): Promise<LinkKind[]> {
  const fresh: LinkKind[] = [];
  for (const link of links) {
    const added = await tx
      .insertInto('account_link')
      .values({ ...link, found_at: now, reviewed_at: isReviewed ? now : null })
      .onConflict((conflict) => conflict.doNothing())
      .returning('kind')
      .executeTakeFirst();
    if (added !== undefined) fresh.push(added.kind);
  }
  return fresh;
}

interface LinkRow {
  kind: LinkKind;
  strength: LinkStrength;
  foundAt: Date;
  bannedAt: Date;
  isRevoked: boolean;
  isReturn: boolean;
  caseId: string | null;
  id: string | null;
  email: string | null;
  is_active: boolean | null;
  first_name: string | null;
  last_name: string | null;
}

const mostLinks = 50;

/**
 * What a person has in common with banned people, and other accounts have in common with this person's own ban; the strongest links first.
 */
export async function linksOf(db: Db, viewer: Viewer, personId: string | null) {
  if (personId === null) return [];
  const { rows } = await sql<LinkRow>`
    select l.kind, l.strength, l.found_at as "foundAt", l.banned_at as "bannedAt", l.is_revoked as "isRevoked", l.is_return as "isReturn", a.id, a.email, p.first_name, p.last_name,
      a.is_active and a.leaving_since is null as is_active, coalesce(l.case_id, c.id) as "caseId"
    from (
      select k.*, s.starts_at as banned_at, s.revoked_at is not null as is_revoked, false as is_return, s.account_id as other_id,
        (select case_id from case_decision d where d.id = s.decision_id) as case_id
      from account_link k join sanction s on s.id = k.sanction_id where k.account_id = ${personId}::uuid
      union all
      select k.*, s.starts_at, s.revoked_at is not null, true, k.account_id, null
      from sanction s join account_link k on k.sanction_id = s.id where s.account_id = ${personId}::uuid
    ) l left join account a on a.id = l.other_id left join profile p on p.account_id = l.other_id
      left join moderation_case c on c.person_id = l.other_id
    where ${seenBy(viewer, 'account', 'l.other_id')}
    order by array_position(array['strong', 'medium', 'weak'], l.strength), l.found_at desc limit ${mostLinks}`.execute(
    db,
  );
  return rows.map(({ id: _id, email, is_active, first_name, last_name, ...link }) => ({
    ...link,
    person: {
      _id,
      name: _id === null ? 'Deleted user' : (fullName(first_name, last_name) ?? 'Unknown'),
      email: email === null ? null : shownEmail(viewer, email),
      isActive: is_active ?? false,
    },
  }));
}
