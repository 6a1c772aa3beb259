import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import type { listUsers } from '#contract/profiles/staff.ts';
import {
  dayFilterNames,
  filterPermissions,
  type MoreUserFilter,
  moreUserFilterNames,
} from '#contract/profiles/user-filters.ts';
import { may } from '#contract/roles.ts';
import { type Db, plannedForValues } from '#platform/db/db.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import { latestBirthDate, startOfDayIn } from '#platform/process/clock.ts';
import { readHidden, seenBy } from '#platform/session/access.ts';
import { countryFrom } from '../place/countries.ts';
import { foldedNames } from '../place/place.ts';
import type { Viewer } from '../policy.ts';

type MoreFilters = Pick<QueryOf<typeof listUsers>, MoreUserFilter | 'zone'>;

/** Those of the filters that are set, and the zone of their days. */
export function moreFiltersOf(query: MoreFilters): MoreFilters {
  const given = moreUserFilterNames.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));
  const filters = Object.fromEntries(given) as MoreFilters;
  return dayFilterNames.some((name) => name in filters) ? { ...filters, zone: query.zone } : filters;
}

/** Whether the viewer's role may filter by all that is set. */
export const mayFilterUsersBy = ({ staffRole }: Viewer, filters: Partial<Record<MoreUserFilter, unknown>>): boolean =>
  moreUserFilterNames.every((name) => {
    const permission = filterPermissions[name];
    return filters[name] === undefined || permission === undefined || may(staffRole, permission);
  });

/** Throws 403 for a filter by something that the viewer's role may not see, and 400 for a range that ends before it begins. */
export function checkUserFilters(viewer: Viewer, filters: MoreFilters): void {
  if (!mayFilterUsersBy(viewer, filters)) throw new AppError('FORBIDDEN', msg`Your role cannot filter by this`);
  const ranges = [
    ['joinedFrom', 'joinedTo'],
    ['activeFrom', 'activeTo'],
    ['minAge', 'maxAge'],
    ['planEndsFrom', 'planEndsTo'],
  ] as const;
  for (const [from, to] of ranges) {
    const [low, high] = [filters[from], filters[to]];
    if (low !== undefined && high !== undefined && low > high) throw invalid(to, msg`The end is before the beginning`);
  }
}

/** `value` on the days from and to, of which either may be missing. */
function within(
  value: RawBuilder<unknown>,
  from: string | undefined,
  to: string | undefined,
  zone = 'UTC',
): RawBuilder<boolean>[] {
  return [
    ...(from === undefined ? [] : [sql<boolean>`${value} >= ${startOfDayIn(zone, from)}::timestamptz`]),
    ...(to === undefined ? [] : [sql<boolean>`${value} < ${startOfDayIn(zone, to, 1)}::timestamptz`]),
  ];
}

const id = sql.ref('d.account_id');
const isOneOf = (ids: RawBuilder<unknown>, isWanted = true) =>
  isWanted ? sql<boolean>`${id} in (${ids})` : sql<boolean>`${id} not in (${ids})`;

/** The live plan of a person: what they pay for or have paid for. Only of people whose subscriptions the viewer may read. */
function planConditions(
  viewer: Viewer,
  { plan, subscription, planEndsFrom, planEndsTo, zone }: MoreFilters,
): RawBuilder<boolean>[] {
  const conditions = [
    ...(plan === undefined ? [] : [sql`s.plan = ${plan}`]),
    ...(subscription === undefined ? [] : [sql`s.status = ${subscription}`]),
    ...within(sql`s.paid_through`, planEndsFrom, planEndsTo, zone),
  ];
  if (conditions.length === 0) return [];
  // A `not in` would seem so costly for each row that pages would be sorted instead of read in order.
  return [
    isOneOf(sql`select s.account_id from subscription s where s.status in ('trialing', 'active', 'past_due', 'unpaid', 'paused')
      and ${seenBy(viewer, 'reach', 's.account_id')} and ${sql.join(conditions, sql` and `)}`),
  ];
}

/** Cases and sanctions, without those of cases in which the viewer is a party. */
function caseConditions(viewer: Viewer, { openCase, sanctioned }: MoreFilters, now: Date): RawBuilder<boolean>[] {
  return [
    ...(openCase === undefined
      ? []
      : [
          isOneOf(
            sql`select c.person_id from moderation_case c where c.stage <> 'decided' and c.person_id is not null and ${seenBy(viewer, 'person', 'c.person_id')}`,
            openCase,
          ),
        ]),
    ...(sanctioned === undefined
      ? []
      : [
          isOneOf(
            sql`select s.account_id from sanction s where s.account_id is not null and s.ended_at is null and s.revoked_at is null
              and (s.ends_at is null or s.ends_at > ${now}::timestamptz) and ${seenBy(viewer, 'person', 's.account_id')}`,
            sanctioned,
          ),
        ]),
  ];
}

async function placeConditions(db: Db, { city, country }: MoreFilters): Promise<RawBuilder<boolean>[]> {
  return [
    ...(city === undefined ? [] : [sql<boolean>`d.city = any (${await foldedNames(db, city)}::text[])`]),
    ...(country === undefined ? [] : [sql<boolean>`d.country = folded(${countryFrom(country)})`]),
  ];
}

/**
 * The conditions of the filters on `directory d`, each of which the planner may answer from an index of its own: people with a case, a tag
 * or a role are few. People whose case the viewer judges again are in no list: whether they are active would tell what was decided. 403 for a filter by what the viewer's role may not see; 400 for a range that ends before it begins.
 */
export async function moreConditions(
  db: Db,
  viewer: Viewer,
  filters: MoreFilters,
  now: Date,
): Promise<RawBuilder<boolean>[]> {
  checkUserFilters(viewer, filters);
  const { gender, minAge, maxAge, complete, paused, tag, role, joinedFrom, joinedTo, activeFrom, activeTo, zone } =
    filters;
  const active = within(sql`p.last_active_at`, activeFrom, activeTo, zone);
  const judged = await readHidden(db, viewer, 'account');
  const conditions: RawBuilder<boolean>[] = [
    ...(judged.size === 0 ? [] : [sql<boolean>`d.account_id <> all (${[...judged]}::uuid[])`]),
    ...within(sql`d.created_at`, joinedFrom, joinedTo, zone),
    ...(active.length === 0
      ? []
      : [isOneOf(sql`select p.account_id from presence p where ${sql.join(active, sql` and `)}`)]),
    ...(gender === undefined
      ? []
      : [gender === 'none' ? sql<boolean>`d.gender is null` : sql<boolean>`d.gender = ${gender}`]),
    ...(minAge === undefined ? [] : [sql<boolean>`d.birth_date <= ${latestBirthDate(minAge, now)}::date`]),
    ...(maxAge === undefined ? [] : [sql<boolean>`d.birth_date > ${latestBirthDate(maxAge + 1, now)}::date`]),
    ...(complete === undefined ? [] : [complete ? sql<boolean>`d.is_complete` : sql<boolean>`not d.is_complete`]),
    ...(paused === undefined
      ? []
      : [isOneOf(sql`select f.account_id from profile f where f.paused_at is not null`, paused)]),
    ...(tag === undefined
      ? []
      : [
          // As in a person's file: parties don't learn how they are tagged themselves, and no one how people above them are.
          isOneOf(sql`select g.account_id from account_tag g where g.tag_id in (
            select t.id from user_tag t join user_tag named on named.id = ${tag}::uuid
            where coalesce(t.merged_into, t.id) = coalesce(named.merged_into, named.id))
            and ${seenBy(viewer, 'reach', 'g.account_id')}`),
        ]),
    ...(role === undefined
      ? []
      : [
          isOneOf(
            sql`select s.id from account s where s.staff_role is not null and (${role} = 'any' or s.staff_role = ${role})`,
          ),
        ]),
    ...planConditions(viewer, filters),
    ...caseConditions(viewer, filters, now),
    ...(await placeConditions(db, filters)),
  ];
  return conditions.map((condition) => sql<boolean>`${plannedForValues} ${condition}`);
}

/** The columns of the directory, for people who are leaving and therefore not in it. A left join, so that it is left out where it is not needed. */
export const leavingDirectory = sql`(
  select a.id as account_id, a.created_at, n.name as name_sort, n.name || E'\n' || a.email as search_text, a.is_active, a.is_vip,
    a.email_verified_at is not null as is_verified, f.complete as is_complete, f.gender, f.birth_date,
    folded(f.city) as city, folded(f.country) as country
  from account a left join profile f on f.account_id = a.id
    cross join lateral (select folded(trim(concat_ws(' ', f.first_name, f.last_name))) as name) n
  where a.leaving_since is not null)`;
