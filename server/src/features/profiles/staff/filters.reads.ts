import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type { QueryOf } from '#contract/endpoint.ts';
import { chosenFilters } from '#contract/filters.ts';
import type { listUsers } from '#contract/profiles/staff.ts';
import {
  dayFilterNames,
  type ExportColumn,
  filterPermissions,
  type MoreUserFilter,
  moreUserFilterNames,
  moreUserFilters,
  userRanges,
} from '#contract/profiles/user-filters.ts';
import { may } from '#contract/roles.ts';
import { conditionsOf, daysOf, refuseBackwards } from '#platform/db/conditions.ts';
import { type Db, plannedForValues } from '#platform/db/db.ts';
import { AppError } from '#platform/http/app-error.ts';
import { dayOf, latestBirthDate } from '#platform/process/clock.ts';
import { readHidden, seenBy } from '#platform/session/access.ts';
import { countryFrom } from '../place/countries.ts';
import { foldedNames } from '../place/place.ts';
import type { Viewer } from '../policy.ts';

type MoreFilters = Pick<QueryOf<typeof listUsers>, MoreUserFilter | 'zone'>;

/** The set filters, and the time zone of their days. */
export function moreFiltersOf(query: MoreFilters): MoreFilters {
  const filters = chosenFilters(moreUserFilters, query);
  return dayFilterNames.some((name) => name in filters) ? { ...filters, zone: query.zone } : filters;
}

/** Whether the viewer's role may use all filters that are set. */
export const mayFilterUsersBy = ({ staffRole }: Viewer, filters: Partial<Record<MoreUserFilter, unknown>>): boolean =>
  moreUserFilterNames.every((name) => {
    const permission = filterPermissions[name];
    return filters[name] === undefined || permission === undefined || may(staffRole, permission);
  });

/** Throws 403 for a filter that the viewer's role may not use, and 400 for a range that ends before it begins. */
export function checkUserFilters(viewer: Viewer, filters: MoreFilters): void {
  if (!mayFilterUsersBy(viewer, filters)) throw new AppError('FORBIDDEN', msg`Your role cannot filter by this`);
  refuseBackwards(filters, userRanges);
}

const id = sql.ref('d.account_id');
const isOneOf = (ids: RawBuilder<unknown>, isWanted = true) =>
  isWanted ? sql<boolean>`${id} in (${ids})` : sql<boolean>`${id} not in (${ids})`;
const ifAny = (conditions: RawBuilder<boolean>[], people: (where: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  conditions.length === 0 ? [] : [isOneOf(people(sql.join(conditions, sql` and `)))];

/**
 * The conditions of the filters on `directory d`, each of which the planner may answer from a separate index, because few people have a
 * case, a tag or a role. People whose case the viewer reviews again are in no list, because their status would reveal the decision. 403 for
 * a filter that the viewer's role may not use; 400 for a range that ends before it begins.
 */
export async function moreConditions(
  db: Db,
  viewer: Viewer,
  filters: MoreFilters,
  now: Date,
): Promise<RawBuilder<boolean>[]> {
  checkUserFilters(viewer, filters);
  const { city, zone = 'UTC' } = filters;
  const joined = daysOf(sql`d.created_at`, zone);
  const seen = daysOf(sql`p.last_active_at`, zone);
  const paid = daysOf(sql`s.paid_through`, zone);
  const judged = await readHidden(db, viewer, 'account');
  const cities = city === undefined ? [] : await foldedNames(db, city);
  const active = conditionsOf(filters, { activeFrom: seen.from, activeTo: seen.until });
  const plan = conditionsOf(filters, {
    plan: (one) => sql`s.plan = ${one}`,
    subscription: (state) => sql`s.status = ${state}`,
    planEndsFrom: paid.from,
    planEndsTo: paid.until,
  });
  const conditions = [
    ...(judged.size === 0 ? [] : [sql<boolean>`d.account_id <> all (${[...judged]}::uuid[])`]),
    ...ifAny(active, (where) => sql`select p.account_id from presence p where ${where}`),
    // The subscriptions and former subscriptions of people, only if the viewer may read them. A `not in` would seem so costly for each row
    // that pages would be sorted instead of read in order.
    ...ifAny(
      plan,
      (where) => sql`select s.account_id from subscription s
        where s.status in ('trialing', 'active', 'past_due', 'unpaid', 'paused') and ${seenBy(viewer, 'reach', 's.account_id')} and ${where}`,
    ),
    ...conditionsOf(filters, {
      joinedFrom: joined.from,
      joinedTo: joined.until,
      gender: (gender) => (gender === 'none' ? sql`d.gender is null` : sql`d.gender = ${gender}`),
      minAge: (age) => sql`d.birth_date <= ${latestBirthDate(age, now)}::date`,
      maxAge: (age) => sql`d.birth_date > ${latestBirthDate(age + 1, now)}::date`,
      complete: (isWanted) => (isWanted ? sql`d.is_complete` : sql`not d.is_complete`),
      paused: (isWanted) => isOneOf(sql`select f.account_id from profile f where f.paused_at is not null`, isWanted),
      // As in a person's file: parties don't see their own tags, and no one sees those of people above them.
      tag: (tag) =>
        isOneOf(sql`select g.account_id from account_tag g where g.tag_id in (
          select t.id from user_tag t join user_tag named on named.id = ${tag}::uuid
          where coalesce(t.merged_into, t.id) = coalesce(named.merged_into, named.id))
          and ${seenBy(viewer, 'reach', 'g.account_id')}`),
      role: (role) =>
        isOneOf(
          sql`select s.id from account s where s.staff_role is not null and (${role} = 'any' or s.staff_role = ${role})`,
        ),
      // Only cases and sanctions in which the viewer is not a party.
      openCase: (isWanted) =>
        isOneOf(
          sql`select c.person_id from moderation_case c where c.stage <> 'decided' and c.person_id is not null and ${seenBy(viewer, 'person', 'c.person_id')}`,
          isWanted,
        ),
      sanctioned: (isWanted) =>
        isOneOf(
          sql`select s.account_id from sanction s where s.account_id is not null and s.ended_at is null and s.revoked_at is null
            and (s.ends_at is null or s.ends_at > ${now}::timestamptz) and ${seenBy(viewer, 'person', 's.account_id')}`,
          isWanted,
        ),
      city: () => sql`d.city = any (${cities}::text[])`,
      country: (country) => sql`d.country = folded(${countryFrom(country)})`,
    }),
  ];
  return conditions.map((condition) => sql<boolean>`${plannedForValues} ${condition}`);
}

const yesOrNo = (is: RawBuilder<boolean>) => sql<string>`case when ${is} then 'Yes' else 'No' end`;
const moment = (at: RawBuilder<Date>) => sql<string>`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/** The value of each column of an export, from account `a`, profile `f` and presence `r`. */
export const exportValues = (viewer: Viewer, now: Date): Record<ExportColumn, RawBuilder<string | null>> => ({
  id: sql`a.id::text`,
  firstName: sql`f.first_name`,
  lastName: sql`f.last_name`,
  // Left empty for people in whose case the viewer is a party, because it can't be revealed to them either.
  email: sql`case when a.id = ${viewer.accountId} or ${seenBy(viewer, 'person', 'a.id')} then a.email end`,
  emailVerified: yesOrNo(sql`a.email_verified_at is not null`),
  joined: moment(sql`a.created_at`),
  lastActive: sql`case when r.last_active_at = '-infinity' then 'Never' else ${moment(sql`r.last_active_at`)} end`,
  status: sql`case when not a.is_active then 'Inactive' when r.online then 'Online' else 'Offline' end`,
  subscription: sql`case when a.is_vip then 'Premium' else 'Free' end`,
  complete: yesOrNo(sql`f.complete`),
  age: sql`extract(year from age(${dayOf(now)}::date, f.birth_date))::text`,
  gender: sql`f.gender`,
  city: sql`f.city`,
  country: sql`f.country`,
  staffRole: sql`a.staff_role`,
});

/** The columns of the directory, for people who are leaving and therefore not in it. A left join, so that it is left out where it is not needed. */
export const leavingDirectory = sql`(
  select a.id as account_id, a.created_at, n.name as name_sort, n.name || E'\n' || a.email as search_text, a.is_active, a.is_vip,
    a.email_verified_at is not null as is_verified, f.complete as is_complete, f.gender, f.birth_date,
    folded(f.city) as city, folded(f.country) as country
  from account a left join profile f on f.account_id = a.id
    cross join lateral (select folded(trim(concat_ws(' ', f.first_name, f.last_name))) as name) n
  where a.leaving_since is not null)`;
