import { msg, plural } from '@lingui/core/runtime-macro';
import { placeMovesPerDay } from '#contract/constants.ts';
import type { AnswerInput } from '#contract/endpoint.ts';
import type { searchPlaces } from '#contract/profiles/profiles.ts';
import { tooMany } from '#platform/http/app-error.ts';
import type { Db } from '#platform/db/db.ts';
import { countryFrom } from './countries.ts';
import { cellOf, distanceKm, type Point, pointOf, snapToPlaceCell } from './distance.ts';
import { type RawBuilder, sql } from 'kysely';
import { hoursOfDayLeft, secondsOfDayLeft, startOfDay } from '#platform/process/clock.ts';
import type { Database } from '#platform/db/schema.ts';

/** A known place farther away than this doesn't name a location. */
const nearKm = 50;
const nearDegrees = 0.5;

/** Where a profile says its member lives. */
export type Place = Pick<Database['profile'], 'city' | 'country' | 'latitude' | 'longitude'>;

/** A place as clients send it: a point or text. */
export type GivenPlace = Point | { city: string; country: string };

/** The place of a member who has not said where they live. */
export const noPlace: Place = { city: null, country: null, latitude: null, longitude: null };

/**
 * What is stored for a given place: the centre of its cell and the name of the known place there. Text that matches no known place is
 * stored as text, without coordinates; a point far from all known places is stored without text.
 */
export async function placeFrom(db: Db, given: GivenPlace, before: Place): Promise<Place> {
  if ('city' in given) {
    const country = countryFrom(given.country);
    const known = await placeByName(db, given.city, country);
    if (known === undefined) return { ...noPlace, city: given.city, country };
    return { city: known.name, country: known.country, ...snapToPlaceCell(known.latitude, known.longitude) };
  }
  const cell = cellOf(given, pointOf(before));
  const nearest = await nearestPlace(db, cell, nearDegrees);
  const named = nearest !== undefined && distanceKm(cell, nearest) <= nearKm;
  return { city: named ? nearest.name : null, country: named ? nearest.country : null, ...cell };
}

/** Whether two places differ in anything that is stored. */
export function isOtherPlace(one: Place, other: Place): boolean {
  return (
    one.city !== other.city ||
    one.country !== other.country ||
    one.latitude !== other.latitude ||
    one.longitude !== other.longitude
  );
}

/**
 * Counts a change of a member's place. Throws 429 for more than 5 on a day. Setting the first place is free, clearing it is not. The
 * profile's row must be locked.
 */
export async function countMove(tx: Db, accountId: string, before: Place, now: Date): Promise<void> {
  const moves = await movesSince(tx, accountId, startOfDay(now));
  if (!isOtherPlace(before, noPlace) && moves === 0) return;
  if (moves >= placeMovesPerDay)
    throw tooMany(
      msg`You can change your location ${{ placeMovesPerDay }} times a day. You can change it again in ${plural({ hours: hoursOfDayLeft(now) }, { one: '# hour', other: '# hours' })}.`,
      secondsOfDayLeft(now),
    );
  await noteMove(tx, accountId, now);
}

type SuggestedPlace = AnswerInput<typeof searchPlaces>['data']['places'][number];

/** A known place. */
interface KnownPlace {
  name: string;
  country: string;
  latitude: number;
  longitude: number;
}

/** The suffixes of city names in Chinese, Japanese and Korean, as in 北京市 and 부산광역시. The name keeps at least two characters, as in 京都. */
const citySuffix = /(?<=^\p{L}{2,})(?:市|都|府|(?:특별|광역|특별자치)?시)$/u;
/** The prefixes of city names in Russian and Ukrainian. */
const cityPrefix = /^(?:г|м)\.\s*/iu;

/**
 * The keys under which a place of this name may be known: the name itself, the name without the word for city, and, for names typed on
 * keyboards without umlauts, such as Koeln, the name without the e.
 */
const keysOf = (name: string) => {
  const typed = name.normalize('NFC').trim();
  const bare = typed.replace(citySuffix, '').replace(cityPrefix, '');
  return sql`(select array_agg(key) from unnest(${[...new Set([typed, bare])]}::text[]) given
    cross join lateral (select place_key(given) as own) keyed
    cross join lateral unnest(array[own, regexp_replace(own, '([aou])e', '\\1', 'g')]) key)::text[]`;
};

/** A condition that compares a key with the typed text. */
type KeyMatch = (key: RawBuilder<string>) => RawBuilder<boolean>;

/** The known places whose name or alias matches; `key` is the key that matched. */
const placesNamed = (matches: KeyMatch) => sql`(
  select p.*, place_key(p.name) as key from place p where ${matches(sql`place_key(p.name)`)}
  union all
  select p.*, place_key(a.alias) from place_alias a join place p on place_key(p.name) = place_key(a.name) and p.country = a.country
  where ${matches(sql`place_key(a.alias)`)})`;

/** The known place with that name in any spelling and country, or with that alias; the largest of several. */
async function placeByName(db: Db, city: string, country: string): Promise<KnownPlace | undefined> {
  const keys = keysOf(city);
  const { rows } = await sql<KnownPlace>`
    select name, country, latitude, longitude from ${placesNamed((key) => sql`${key} = any (${keys})`)} found
    where folded(country) = folded(${country}) order by population desc, id limit 1`.execute(db);
  return rows[0];
}

/** The names, folded, that people who live in a place of this name may have stored, whichever of its names was typed. */
export async function foldedNames(db: Db, city: string): Promise<string[]> {
  const keys = keysOf(city);
  const { rows } = await sql<{ name: string }>`
    with found as materialized (
      select distinct name, country from ${placesNamed((key) => sql`${key} = any (${keys})`)} found
    )
    select folded(${city}) as name
    union select folded(name) from found
    union select folded(a.alias) from found join place_alias a using (name, country)`.execute(db);
  return rows.map(({ name }) => name);
}

const mostSuggested = 8;
/** A range of keys with this prefix, because `like` uses an index only for a pattern known when the query is planned. */
const startsTyped: KeyMatch = (key) => sql`${key} ~>=~ typed_key and ${key} ~<~ (typed_key || chr(1114111))`;

/** The known places with a name that starts with the text; those with exactly that name first, then the largest; at most eight. */
export async function suggestPlaces(db: Db, prefix: string): Promise<SuggestedPlace[]> {
  const keys = keysOf(prefix);
  const { rows } = await sql<SuggestedPlace>`
    with typed as (select distinct k as typed_key from unnest(${keys}) k where k <> '')
    select name as city, country, bool_or(key = typed_key) as "isExact"
    from typed cross join lateral ${placesNamed(startsTyped)} found
    group by name, country order by 3 desc, max(population) desc, name collate "und-x-icu", country limit ${mostSuggested}`.execute(
    db,
  );
  return rows;
}

/** The nearest known place to a point within `degrees` of latitude. */
async function nearestPlace(db: Db, point: Point, degrees: number): Promise<KnownPlace | undefined> {
  const { rows } = await sql<KnownPlace>`
    select name, country, latitude, longitude from place
    where latitude between ${point.latitude - degrees} and ${point.latitude + degrees}
    order by (latitude - ${point.latitude}) ^ 2 + ((longitude - ${point.longitude}) * cos(radians(${point.latitude}::float8))) ^ 2, id
    limit 1`.execute(db);
  return rows[0];
}

/** How many changes of place of an account count since `from`. */
async function movesSince(tx: Db, accountId: string, from: Date): Promise<number> {
  const rows = await tx
    .selectFrom('place_move')
    .select('moved_at')
    .where('account_id', '=', accountId)
    .where('moved_at', '>=', from)
    .execute();
  return rows.length;
}

/** Records a change of place and deletes those that no longer count. */
async function noteMove(tx: Db, accountId: string, now: Date): Promise<void> {
  await tx
    .deleteFrom('place_move')
    .where('account_id', '=', accountId)
    .where('moved_at', '<', startOfDay(now))
    .execute();
  await tx.insertInto('place_move').values({ account_id: accountId, moved_at: now }).execute();
}
