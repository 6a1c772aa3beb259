import { msg, plural } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { AnswerInput, BodyOf } from '#contract/endpoint.ts';
import { findTerm, type findUsers } from '#contract/profiles/find.ts';
import type { ListedUser } from '#contract/profiles/user.ts';
import { lookupsPerHour, may } from '#contract/roles.ts';
import { installationSecret, keyedHash } from '#platform/config/secrets.ts';
import { audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Caller } from '#platform/session/caller.ts';
import { readHidden, withInvolvement } from '#platform/session/access.ts';
import { seesPrivate } from '../policy.ts';
import { listedUsers } from './list.reads.ts';
import { noteListed } from './listed.ts';

const hourSeconds = 3600;
/** How many people the beginning of one id may find. */
const prefixHitsMax = 5;

/** The smallest and the largest id with this beginning. */
function idsFrom(prefix: string): [string, string] {
  const padded = (digit: string) => {
    const hex = prefix.replaceAll('-', '').padEnd(32, digit);
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
  };
  return [padded('0'), padded('f')];
}

/** The ids that each term finds, in the order of the terms; all terms are looked up in one statement. */
async function idsOf(db: Db, terms: readonly ReturnType<typeof findTerm>[]): Promise<Map<number, string[]>> {
  const asked = terms.flatMap((term, at) => {
    if (term === null) return [];
    const [low, high] = term.kind === 'address' ? [null, null] : idsFrom(term.value);
    return { at, low, high, email: term.kind === 'address' ? term.value : null };
  });
  const { rows } = await sql<{ at: number; id: string }>`
    select asked.at, found.id
    from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as asked (at int, low uuid, high uuid, email text)
      cross join lateral (
        select id from account a where a.email = asked.email
        union all
        (select id from account a where a.id between asked.low and asked.high order by a.id limit ${prefixHitsMax})
      ) found
    order by asked.at, found.id`.execute(db);
  const found = new Map<number, string[]>();
  for (const { at, id } of rows) found.set(at, [...(found.get(at) ?? []), id]);
  return found;
}

/**
 * Counts look-ups by address, found or not. Returns how many are left within the hour, null for roles that see addresses anyway; 429 until
 * the hour allows them. Locks the caller's account, so that parallel requests count one after another.
 */
async function spendLookups(
  tx: Db,
  { accountId, staffRole }: Caller,
  count: number,
  now: Date,
): Promise<number | null> {
  if (staffRole === null || may(staffRole, 'users.seePrivate')) return null;
  const quota = lookupsPerHour[staffRole];
  if (quota === 0 && count > 0) throw new AppError('FORBIDDEN', msg`Your role cannot look up addresses`);
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const since = secondsAfter(now, -hourSeconds);
  await tx.deleteFrom('address_lookup').where('staff_id', '=', accountId).where('at', '<=', since).execute();
  const spent = await tx
    .selectFrom('address_lookup')
    .select(({ fn }) => [
      fn.coalesce(fn.sum<number>('count'), sql<number>`0`).as('used'),
      fn.min<Date | null>('at').as('first'),
    ])
    .where('staff_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const used = Number(spent.used);
  if (count > 0 && used + count > quota) {
    // More look-ups were requested at once than an hour allows, without earlier ones.
    const freedAt = Number(spent.first ?? now);
    const left = Math.max(0, quota - used);
    const text = msg`You can look up ${{ quota }} addresses within an hour, of which ${plural({ left }, { one: '# is left', other: '# are left' })}.`;
    const retryAfterSeconds = Math.max(1, Math.ceil((freedAt - since.getTime()) / 1000));
    throw new AppError('TOO_MANY_REQUESTS', text, { retryAfterSeconds });
  }
  if (count > 0) await tx.insertInto('address_lookup').values({ staff_id: accountId, at: now, count }).execute();
  return quota - used - count;
}

/**
 * Finds users by an address, an id or a URL. Addresses are counted and audited under a keyed hash, found or not. They find only people
 * whose address the caller sees or may reveal, because a hit confirms it. 429 once the hour's look-ups are used up; 403 for addresses in
 * roles without look-ups. The hashes differ between colleagues, who could otherwise find out who looked them up.
 */
export async function find(
  { tx, deps, caller, now }: CommandContext,
  { terms: given }: BodyOf<typeof findUsers>,
): Promise<AnswerInput<typeof findUsers>['data']> {
  const terms = given.map(findTerm);
  const addresses = [...new Set(terms.flatMap((term) => (term?.kind === 'address' ? [term.value] : [])))];
  const remaining = await spendLookups(tx, caller, addresses.length, now);
  const viewer = await withInvolvement(tx, caller);
  const mayKnow = ({ _id, can }: Pick<ListedUser, '_id' | 'can'>) => can.act || seesPrivate(viewer, _id);
  const ids = await idsOf(tx, terms);
  const judged = await readHidden(tx, caller, 'account');
  const reader = { db: tx, caller, now, pictures: deps.pictures };
  const people = [...new Set([...ids.values()].flat())].filter((id) => !judged.has(id));
  const shown = await noteListed({ db: tx, caller, now }, people);
  const users = new Map((await listedUsers(reader, people, shown)).map((user) => [user._id, user]));
  const found = terms.flatMap((term, at) =>
    (ids.get(at) ?? []).flatMap((id) => {
      const user = users.get(id);
      return user === undefined || (term?.kind === 'address' && !mayKnow(user)) ? [] : [{ term: at, user }];
    }),
  );
  if (addresses.length > 0) {
    const key = await installationSecret(tx, 'lookups', null);
    const hashOf = (address: string) => keyedHash(key, `${caller.accountId} ${address}`);
    const hashes = addresses.map((address) => hashOf(address).toString('base64url').slice(0, 16));
    const changes = { addresses: { from: null, to: hashes } };
    await audit({ tx, caller, now }, { type: 'users', id: null }, 'users.lookedUp', { changes });
  }
  const hits = new Set(found.map(({ term }) => term));
  return { found, notFound: terms.flatMap((_, at) => (hits.has(at) ? [] : [at])), remaining };
}
