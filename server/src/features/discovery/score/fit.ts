import { sql, type RawBuilder } from 'kysely';
import { filterNames } from '#contract/discovery.ts';
import { ageOn, latestBirthDate } from '#platform/process/clock.ts';
import { requiredBy } from '../../compatibility/public.ts';
import { hasNoHiddenWord, notIncognito } from '../../profiles/public.ts';
import { silentDaysMax } from './people.ts';

/** The highest possible age. */
const ageMost = 150;

/** The aliases of two rows of `discovery_row` in a condition: the viewer and the other person. */
const v = sql.ref('v');
const t = sql.ref('t');
type Row = RawBuilder<unknown>;

/** The viewer and the day (`YYYY-MM-DD`, UTC). */
export interface Looking {
  viewerId: string;
  day: string;
}

/** A condition: `v` may see `t` now, regardless of what `v` requires of `t` and of decisions between them. */
const isOpen = (looking: Looking): RawBuilder<boolean> =>
  sql<boolean>`${isShown(looking)} and ${requiredBy(t, v, looking.day)}`;

/** A condition: `t` is shown to `v` now, regardless of what either requires and of decisions between them. */
function isShown({ viewerId, day }: Looking): RawBuilder<boolean> {
  return sql<boolean>`t.visible and t.account_id <> v.account_id
    and t.last_active_on > ${day}::date - ${silentDaysMax}::int
    and ${notIncognito(sql`t.account_id`, sql`t.incognito`, sql`v.account_id`)}
    and t.account_id not in (select b.blocked_id from block b where b.blocker_id = ${viewerId}::uuid and not b.is_by_address_only)
    and t.account_id not in (select b.blocker_id from block b where b.blocked_id = ${viewerId}::uuid)`;
}

/** The viewer's columns that `likelyFits` needs. */
interface LikelyViewer {
  account_id: string;
  gender: number;
  birth_date: string;
  age_min: number | null;
  age_max: number | null;
  age_required: boolean;
}

/**
 * A condition on `t` alone, wider than `fits`: gender, age both ways, activity, and no decision by the viewer. Uses only columns of
 * the indexes `discovery_best` and `discovery_joined`.
 */
export function likelyFits(viewer: LikelyViewer, day: string): RawBuilder<boolean> {
  const [youngest, oldest] = viewer.age_required ? [viewer.age_min ?? 0, viewer.age_max ?? ageMost] : [0, ageMost];
  const now = new Date(`${day}T00:00:00Z`);
  return sql<boolean>`(t.seeking & ${viewer.gender}::int) <> 0 and t.last_active_on > ${day}::date - ${silentDaysMax}::int
    and t.birth_date <= ${latestBirthDate(youngest, now)}::date and t.birth_date > ${latestBirthDate(oldest + 1, now)}::date
    and (not t.age_required or ${ageOn(viewer.birth_date, now)}::int between t.age_min and t.age_max)
    and ${isUndecided(viewer.account_id)}`;
}

/** A condition: the decision of someone else arrived before today (UTC), because a decision must not affect others' cards immediately. */
export function isBefore(decision: Row, day: string): RawBuilder<boolean> {
  return sql<boolean>`coalesce(${decision}.delivered_at, ${decision}.decided_at) < ${day}::date::timestamp at time zone 'UTC'`;
}

/** A condition on `t` alone: the viewer has not decided about them. It is written so that PostgreSQL always uses an index lookup. */
const isUndecided = (viewerId: string): RawBuilder<boolean> => sql<boolean>`(
  select own.kind from decision own where own.viewer_id = ${viewerId}::uuid and own.target_id = t.account_id) is null`;

/**
 * The decision of `t` about `v`: a row `theirs` for a join, null without a decision. Decisions are looked up one by one, because the
 * planner would otherwise read every decision about `v`.
 */
export const theirDecision: Row = sql`left join lateral (
  select kind, is_pending, decided_at, delivered_at from decision where viewer_id = t.account_id and target_id = v.account_id offset 0) theirs on true`;

/** A condition on `theirs`: `t` has not passed on `v`. A pass made today counts from tomorrow; a like that was not delivered is no pass. */
const hasNotPassed = (day: string): RawBuilder<boolean> =>
  sql<boolean>`not coalesce(theirs.kind in ('pass', 'unmatch') and ${isBefore(sql.ref('theirs'), day)}, false)`;

/**
 * A condition on `theirs`: `t` has a pending like for `v` from before today (UTC). If the order changed with each like at once, it would
 * reveal who sent it.
 */
export const likesTheViewer = (day: string): RawBuilder<boolean> =>
  sql<boolean>`coalesce(theirs.is_pending and ${isBefore(sql.ref('theirs'), day)}, false)`;

/**
 * A condition on `t` and `theirs`: `t` may be a card of `v` now, regardless of what `v` requires of `t` and of hidden words, which are too
 * costly to look for in thousands of profiles. Blocks are few, so they are read once.
 */
export function fitsBut(looking: Looking): RawBuilder<boolean> {
  return sql<boolean>`${isOpen(looking)} and ${isUndecided(looking.viewerId)} and ${hasNotPassed(looking.day)}`;
}

/** A condition: `t` would be a card of `v` now if neither had decided about the other, regardless of hidden words. */
export function meets(looking: Looking): RawBuilder<boolean> {
  return sql<boolean>`${requiredBy(v, t, looking.day)} and ${isOpen(looking)}`;
}

/**
 * A condition on `t` and `theirs`: `t` may be a card of `v` now. It checks everything that must be exact however old the deck is: the
 * required filters of both sides, visibility, incognito, activity, blocks, earlier decisions and hidden words.
 */
export function fits(looking: Looking): RawBuilder<boolean> {
  return sql<boolean>`${requiredBy(v, t, looking.day)} and ${fitsBut(looking)} and ${hasNoHiddenWord(looking.viewerId, sql`t.account_id`)}`;
}

/** What `fits` requires beyond `likelyFits` and a gender that the viewer seeks. */
export function likelyOneFits({ viewerId, day }: Looking): RawBuilder<boolean> {
  const needs = filterNames.filter((name) => name !== 'gender' && name !== 'age');
  return sql<boolean>`${requiredBy(v, t, day, needs)} and ${requiredBy(t, v, day, needs)} and ${isShown({ viewerId, day })}
    and ${hasNotPassed(day)} and ${hasNoHiddenWord(viewerId, sql`t.account_id`)}`;
}
