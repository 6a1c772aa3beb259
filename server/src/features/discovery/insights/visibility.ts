import { type RawBuilder, sql } from 'kysely';
import { type FilterName, filterNames, smallestCell } from '#contract/discovery.ts';
import { profileCompletionFields } from '#contract/profiles/profiles.ts';
import { type HidingReason, hidingReasons, type Visibility } from '#contract/visibility.ts';
import { audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { notFound } from '#platform/http/app-error.ts';
import type { PictureViews } from '#platform/session/pictures.ts';
import { requireMayAct } from '#platform/session/access.ts';
import type { Caller } from '#platform/session/caller.ts';
import { dayOf } from '#platform/process/clock.ts';
import { missingParts, pointOf, toPublicUser, unblocked, userById, type UserRow } from '../../profiles/public.ts';
import type { DeckMaker } from '../deck/deck.ts';
import { requirements } from '../../compatibility/public.ts';
import { silentDaysMax } from '../score/people.ts';

/** The member of staff who looks at a person, and when. */
interface Look {
  caller: Caller;
  now: Date;
}

/** The user that a member of staff views, which is audited. 404 if unknown; 403 if they may not act on the person. */
export async function openForVisibility(
  tx: Db,
  { caller, now }: Look,
  { id }: { id: string },
  action: 'user.viewedAsMember' | 'user.visibilityExplained',
): Promise<UserRow> {
  await requireMayAct(tx, caller, 'user', id);
  const user = await userById(tx, id);
  if (user === undefined) throw notFound();
  await audit({ tx, caller, now }, { type: 'user', id }, action);
  return user;
}

/** A profile as seen by members who show when they were last active. */
export function userAsMember(user: UserRow, { caller, now }: Look, pictures: PictureViews) {
  return toPublicUser(user, { accountId: caller.accountId, staffRole: null, showLastActive: true }, now, pictures);
}

/** Why other members can or cannot see a person. */
export async function visibilityOf(maker: DeckMaker, user: UserRow, now: Date): Promise<Visibility> {
  const { rows } = await sql<{
    is_hidden: boolean;
    picture_count: number;
    is_incognito: boolean;
    is_silent: boolean;
    is_new: boolean;
  }>`
    select a.is_hidden, f.picture_count, f.incognito and a.is_vip as is_incognito,
      coalesce(r.last_active_at <= ${now}::timestamptz - make_interval(days => ${silentDaysMax}), true) as is_silent,
      coalesce(r.last_active_at = '-infinity', true) as is_new
    from account a join profile f on f.account_id = a.id left join presence r on r.account_id = a.id
    where a.id = ${user.id}::uuid`.execute(maker.db);
  const [state] = rows;
  if (state === undefined) throw notFound();
  const lacking = new Set(missingParts({ ...user, picture_count: state.picture_count }).map(({ field }) => field));
  const holds: Record<HidingReason, boolean> = {
    staff: user.staff_role !== null,
    leaving: user.leaving_since !== null,
    deactivated: !user.is_active,
    hidden: state.is_hidden,
    unverified: user.email_verified_at === null,
    incomplete: !user.complete,
    paused: user.paused_at !== null,
    incognito: state.is_incognito,
    unopened: state.is_new,
    inactive: state.is_silent && !state.is_new,
  };
  return {
    reasons: hidingReasons.filter((reason) => holds[reason]),
    missing: profileCompletionFields.filter((field) => lacking.has(field)),
    audience: await audienceOf(maker, user, now),
  };
}

/** How many of the nearest members are examined, from how many of the nearest search cells, and how far each group is counted. */
const lookedAtMost = 10_000;
const cellsMost = 400;
const countedMost = 500;

type Counts = Record<'nearby' | 'canSee' | 'theirDistance' | 'theirFilters' | 'decided' | FilterName, number>;

/** Small groups are left out, because they would reveal something about single people. */
const shown = (count: number) => (count < smallestCell ? null : count);

/** How many of the nearest members could get the person as a card, and what excludes the others. One pass for all filters. */
async function audienceOf({ db, cells }: DeckMaker, user: UserRow, now: Date): Promise<Visibility['audience']> {
  const day = dayOf(now);
  const near = (await cells(db, pointOf(user), null)).slice(0, cellsMost);
  const [p, o] = [sql.ref('p'), sql.ref('o')];
  const [own, theirs] = [requirements(p, o, day), requirements(o, p, day)];
  const met = (condition: RawBuilder<unknown>) => sql`coalesce(${condition}, false)`;
  const allOf = (of: typeof own, names: readonly FilterName[]) =>
    sql.join(
      names.map((name) => met(of[name])),
      sql` and `,
    );
  const others = filterNames.filter((name) => name !== 'distance');
  const columns = sql.join([
    ...filterNames.map((name) => sql`${met(own[name])} as ${sql.ref(`own_${name}`)}`),
    sql`${allOf(theirs, others)} as theirs, ${met(theirs.distance)} as near_enough`,
  ]);
  const missed = sql.join(
    filterNames.map((name) => sql`(not ${sql.ref(`own_${name}`)})::int`),
    sql` + `,
  );
  const count = (where: RawBuilder<unknown>, name: string) =>
    sql`least(count(*) filter (where ${where}), ${countedMost}::int)::int as ${sql.ref(name)}`;
  const fits = sql`missed = 0 and theirs and near_enough`;
  const { rows } = await sql<Counts & { takes_part: boolean }>`
    select ${sql.join([
      count(sql`true`, 'nearby'),
      count(sql`${fits} and not is_decided`, 'canSee'),
      count(sql`missed = 0 and theirs and not near_enough`, 'theirDistance'),
      count(sql`missed = 0 and not theirs`, 'theirFilters'),
      count(sql`${fits} and is_decided`, 'decided'),
      ...filterNames.map((name) =>
        count(sql`missed = 1 and theirs and near_enough and not is_decided and not ${sql.ref(`own_${name}`)}`, name),
      ),
    ])},
      exists (select from discovery_row r where r.account_id = ${user.id}::uuid and r.gender > 0) as takes_part
    from (select looked.*, ${missed} as missed from (
      select ${columns}, exists (select from decision d
          where (d.viewer_id, d.target_id) in ((o.account_id, p.account_id), (p.account_id, o.account_id))
            and (d.viewer_id = o.account_id or d.kind in ('pass', 'unmatch'))) as is_decided
      from discovery_row p cross join lateral (
        select r.* from unnest(${near}::int[]) with ordinality as c (cell, place)
          cross join lateral (select * from discovery_row r where r.cell = c.cell and r.visible limit ${lookedAtMost}) r
        order by c.place limit ${lookedAtMost}) o
      where p.account_id = ${user.id}::uuid and o.account_id <> p.account_id
        and o.last_active_on > ${day}::date - ${silentDaysMax}::int and ${unblocked(sql`p.account_id`, sql`o.account_id`)}
    ) looked) counted`.execute(db);
  const [found] = rows;
  if (found === undefined || !found.takes_part) return null;
  const ownFilters = filterNames
    .map((filter) => ({ filter, excluded: found[filter] }))
    .filter(({ excluded }) => excluded >= smallestCell)
    .toSorted((one, other) => other.excluded - one.excluded);
  const { nearby, canSee, theirDistance, theirFilters, decided } = found;
  return {
    nearby: shown(nearby),
    canSee: shown(canSee),
    ownFilters,
    theirDistance: shown(theirDistance),
    theirFilters: shown(theirFilters),
    decided: shown(decided),
  };
}
