import { msg } from '@lingui/core/runtime-macro';
import {
  noPreferences,
  type PreferenceKey,
  type Preferences,
  premiumFilters,
  type putPreferences,
} from '#contract/discovery.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Deps } from '../../deps.ts';
import { invalid } from '#platform/http/app-error.ts';
import { requireFindable } from '#platform/service/lists.ts';
import { requireMember, type Caller } from '#platform/session/caller.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import type { KeptPreferences } from '#platform/db/json.ts';
import { noPlace, placeFrom, setIncognito, setPaused, setSeeking } from '../profiles/public.ts';
import type { Candidate } from './score/people.ts';

type Given = BodyOf<typeof putPreferences>;

async function storedPreferences(db: Db, accountId: string): Promise<KeptPreferences> {
  const row = await db.selectFrom('preference').select('wishes').where('account_id', '=', accountId).executeTakeFirst();
  return row?.wishes ?? {};
}

/** How the profile is hidden from others. */
type Hiding = Pick<Preferences, 'isPaused' | 'incognito'>;

async function hidingOf(db: Db, accountId: string): Promise<Hiding> {
  const row = await db
    .selectFrom('profile')
    .select(['incognito', 'paused_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return { incognito: row.incognito, isPaused: row.paused_at !== null };
}

/** Premium filters aren't reported as active without premium. */
function toPreferences(
  caller: Caller,
  seeking: Preferences['seeking'],
  { isPaused, incognito }: Hiding,
  wishes: KeptPreferences,
): Preferences {
  const elsewhere = caller.isVip ? wishes.elsewhere : null;
  return {
    seeking,
    ...noPreferences,
    ...wishes,
    isPaused,
    incognito: incognito && caller.isVip,
    elsewhere: elsewhere ? { city: elsewhere.city, country: elsewhere.country } : null,
  };
}

/** The caller's preferences. 403 for staff. */
export async function preferencesOf(db: Db, caller: Caller): Promise<Preferences> {
  requireMember(caller);
  const [hiding, wishes] = await Promise.all([hidingOf(db, caller.accountId), storedPreferences(db, caller.accountId)]);
  return toPreferences(caller, caller.seeking, hiding, wishes);
}

/** Throws 403 if a member without premium sets a premium filter; existing ones may be kept or removed. */
function requirePremium(caller: Caller, given: Given, before: KeptPreferences, wasIncognito: boolean): void {
  if (caller.isVip) return;
  const keepsAway = premiumFilters.find((key) => given[key]?.required === true && before[key]?.required !== true);
  const hides = given.incognito === true && !wasIncognito ? 'incognito' : undefined;
  const asked = keepsAway ?? hides ?? (isElsewhere(given, before) ? 'elsewhere' : undefined);
  if (asked !== undefined) throw invalid(asked, msg`This needs premium`, 'PREMIUM_REQUIRED');
}

/** Whether the request changes the city. */
function isElsewhere({ elsewhere }: Given, before: KeptPreferences): boolean {
  if (elsewhere === undefined || elsewhere === null) return false;
  return elsewhere.city !== before.elsewhere?.city || elsewhere.country !== before.elsewhere.country;
}

async function elsewhereFrom(
  db: Db,
  given: NonNullable<Given['elsewhere']>,
): Promise<NonNullable<KeptPreferences['elsewhere']>> {
  const { city, country, latitude, longitude } = await placeFrom(db, given, noPlace);
  if (latitude === null || longitude === null) throw invalid('elsewhere.city', msg`We don't know this city`);
  return { city: city ?? given.city, country: country ?? given.country, latitude, longitude };
}

/** Throws 400 for an interest that no one can have, in the preference of this field. */
export function refuseUnfindable(deps: Deps, field: string, wish: Given['interests']): void {
  requireFindable(
    deps,
    (wish?.values ?? []).map((key, index) => [`${field}.values.${index}`, key]),
  );
}

/**
 * Changes the caller's preferences: absent fields are kept, null clears one. Returns all preferences. 403 for staff and for premium
 * filters; 400 for an unknown city.
 */
export async function changePreferences({ tx, deps, caller, now }: CommandContext, given: Given): Promise<Preferences> {
  requireMember(caller);
  refuseUnfindable(deps, 'interests', given.interests);
  // The lock on the profile row orders concurrent changes; the genders sought are stored in that row.
  const seeking = await setSeeking(tx, caller.accountId, given.seeking);
  const before = await storedPreferences(tx, caller.accountId);
  const { incognito: wasIncognito } = await hidingOf(tx, caller.accountId);
  requirePremium(caller, given, before, wasIncognito);
  if (given.incognito !== undefined) await setIncognito(tx, caller.accountId, given.incognito);
  if (given.isPaused !== undefined) await setPaused(tx, caller.accountId, given.isPaused, now);
  const { elsewhere, seeking: _, isPaused: __, incognito: ___, ...rest } = given;
  const said = (Object.keys(rest) as PreferenceKey[]).filter((key) => given[key] !== undefined);
  const wishes: KeptPreferences = {
    ...before,
    ...Object.fromEntries(said.map((key) => [key, given[key]])),
    ...(elsewhere === undefined ? {} : { elsewhere: elsewhere === null ? null : await elsewhereFrom(tx, elsewhere) }),
  };
  const row = { wishes: JSON.stringify(wishes), updated_at: now };
  await tx
    .insertInto('preference')
    .values({ account_id: caller.accountId, ...row })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(row))
    .execute();
  return toPreferences(caller, seeking, await hidingOf(tx, caller.accountId), wishes);
}

/** How much each nice-to-have preference raises R, and the maximum of all together. */
const perPreference = 0.4;
const bonusMost = 1.2;

type Met = Pick<
  Candidate,
  'age' | 'goal' | 'children' | 'smoking' | 'drinking' | 'exercise' | 'interests' | 'languages' | 'distanceKm'
> & { heightCm: number | null };

const isAmong = (values: readonly string[], said: readonly (string | null)[]) =>
  said.some((word) => word !== null && values.includes(word));

/** How many of the viewer's nice-to-have preferences a person meets. */
function preferencesMet(wishes: KeptPreferences, met: Met): number {
  const { age, distance, heightCm, goal, children, smoking, drinking, exercise, interests, languages } = wishes;
  const within = (range: { min: number; max: number }, figure: number | null) =>
    figure !== null && figure >= range.min && figure <= range.max;
  const answers = [
    age?.required === false && within(age, met.age),
    distance?.required === false && met.distanceKm !== null && met.distanceKm <= distance.maxKm,
    heightCm?.required === false && within(heightCm, met.heightCm),
    goal?.required === false && isAmong(goal.values, [met.goal]),
    children?.required === false && isAmong(children.values, [met.children]),
    smoking?.required === false && isAmong(smoking.values, [met.smoking]),
    drinking?.required === false && isAmong(drinking.values, [met.drinking]),
    exercise?.required === false && isAmong(exercise.values, [met.exercise]),
    interests?.required === false && isAmong(interests.values, met.interests),
    languages?.required === false && isAmong(languages.values, met.languages),
  ];
  return answers.filter(Boolean).length;
}

/** How much the viewer's nice-to-have preferences add to a person's R. They change the order and exclude no one. */
export function preferenceBonus(wishes: KeptPreferences | null, met: Met): number {
  return wishes === null ? 0 : Math.min(bonusMost, perPreference * preferencesMet(wishes, met));
}
