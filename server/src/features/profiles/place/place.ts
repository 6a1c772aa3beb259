import { msg, plural } from '@lingui/core/runtime-macro';
import { placeMovesPerDay } from '#contract/constants.ts';
import type { AnswerInput } from '#contract/endpoint.ts';
import type { searchPlaces } from '#contract/profiles/profiles.ts';
import { tooMany } from '#platform/http/app-error.ts';
import { type Db, planHint } from '#platform/db/db.ts';
import { countryFrom } from './countries.ts';
import { cellOf, distanceKm, type Point, pointOf, snapToPlaceCell } from './distance.ts';
import { type RawBuilder, sql } from 'kysely';
import { hoursOfDayLeft, secondsOfDayLeft, startOfDay } from '#platform/process/clock.ts';
import type { Database } from '#platform/db/schema.ts';

/** A known place farther away than this doesn't name a location. */
const nearKm = 50;
const nearDegrees = 0.5;

/** The place in a profile where its member lives. */
export type Place = Pick<Database['profile'], 'city' | 'country' | 'latitude' | 'longitude'>;

/** A place as clients send it: a point or text. */
export type GivenPlace = Point | { city: string; country: string };

/** The place of a member who stated none. */
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

/** The known place with that name in any spelling and country; the largest of several. A text such as "Springfield, Illinois" also names its region. */
async function placeByName(db: Db, city: string, country: string): Promise<KnownPlace | undefined> {
  const named = await largestNamed(db, city, sql`folded(p.country) = folded(${country})`);
  const comma = city.lastIndexOf(',');
  if (named !== undefined || comma === -1) return named;
  const region = city.slice(comma + 1).trim();
  const isThere = sql`folded(p.country) = folded(${country}) and folded(p.region) = folded(${region})`;
  return await largestNamed(db, city.slice(0, comma), isThere);
}

async function largestNamed(db: Db, city: string, isThere: RawBuilder<unknown>): Promise<KnownPlace | undefined> {
  const { rows } = await sql<KnownPlace>`
    select p.name, p.country, p.latitude, p.longitude from place_spelling s join place p on p.id = s.place_id
    where s.size = any (${sizes}) and s.key = any (${keysOf(city)}) and ${isThere}
    order by p.population desc, p.id limit 1`.execute(db);
  return rows[0];
}

/** The folded names that people who live in a place of this name may have stored, whichever of its names was typed. */
export async function foldedNames(db: Db, city: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    with found as materialized (
      select distinct s.place_id from place_spelling s where s.size = any (${sizes}) and s.key = any (${keysOf(city)})
    )
    select folded(${city}) as name
    union select folded(p.name) from found join place p on p.id = found.place_id
    union select folded(s.name) from found join place_spelling s using (place_id)`.execute(db);
  return rows.map(({ name }) => name);
}

const mostSuggested = 8;
/** More keys than a text can have. The planner doesn't see the value and expects one; see `planHint`. */
const mostKeys = 10;
/** The sizes of `place_spelling`, from the largest towns on. All conditions name them, because the index by key begins with them. */
const sizes = sql`'{1,2,3,4,5,6}'::smallint[]`;
/** A range of keys with this prefix, because `like` uses an index only for a pattern known when the query is planned. */
const startsTyped = sql`s.key ~>=~ typed_key and s.key ~<~ (typed_key || chr(1114111))`;
/** How many exact names, large towns, and towns in each surrounding square are compared. */
const mostCompared = 40;
const mostNear = 8;
/** A town this far away counts as half as large. */
const halfKm = 25;
/** Towns found by another name count as this much smaller; smaller towns never count as exact matches for one. */
const ofOtherNames = 0.2;
const knownAbroad = 100_000;

/** A town's distance from a point in kilometers, roughly. */
const kmFrom = ({ latitude, longitude }: Point) => sql`111 * sqrt((p.latitude - ${latitude}::float8) ^ 2
  + (least(abs(p.longitude - ${longitude}::float8), 360 - abs(p.longitude - ${longitude}::float8)) * cos(radians(${latitude}::float8))) ^ 2)`;

/** The squares of one degree around a point, numbered like the column `cell`; those at the 180th meridian have neighbours on one side. */
function cellsAround({ latitude, longitude }: Point): number[] {
  const around = [-1, 0, 1];
  return around.flatMap((row) =>
    around.map((column) => (Math.floor(latitude) + row) * 360 + Math.floor(longitude) + column),
  );
}

/**
 * The known places with a name that starts with the text, at most eight: exact names first, then the largest, among which a town near the
 * person counts for more. Nothing is read in order of the whole table: large towns come from one size after another, which ends once there
 * are enough, and near ones from the surrounding squares.
 */
export async function suggestPlaces(db: Db, prefix: string, near: Point | null): Promise<SuggestedPlace[]> {
  const weight =
    near === null ? sql`p.population + 1.0` : sql`(p.population + 1.0) / (1 + ${kmFrom(near)} / ${halfKm})`;
  const cells = near === null ? [] : cellsAround(near);
  const { rows } = await sql<Omit<SuggestedPlace, 'region'> & { region: string | null }>`
    with typed as materialized (select distinct k as typed_key from unnest(${keysOf(prefix)}) k where k <> '' limit ${mostKeys}),
    hit as (
      (select s.place_id, s.name, true as is_exact from typed join place_spelling s on s.size = any (${sizes}) and s.key = typed_key
        order by s.population desc limit ${mostCompared})
      union all
      (select large.place_id, large.name, false from unnest(${sizes}) wanted (size) cross join lateral (
          select s.place_id, s.name from typed join place_spelling s on s.size = wanted.size and ${startsTyped}
          order by s.population desc limit ${mostCompared}) large
        limit ${mostCompared})
      union all
      (select close.place_id, close.name, false from (select cell from unnest(${cells}::int[]) cell ${planHint(cells)}) around cross join typed
        cross join lateral (
          select s.place_id, s.name from place_spelling s where s.cell = around.cell and ${startsTyped}
          order by s.population desc limit ${mostNear}) close)
    ),
    best as (
      select p.name, p.country, p.region, max(p.population) as population,
        bool_or(is_exact and (hit.name = p.name or p.population >= ${knownAbroad})) as is_exact,
        max(${weight} * case when hit.name = p.name then 1 else ${ofOtherNames}::float8 end) as weight
      from hit join place p on p.id = hit.place_id
      group by p.name, p.country, p.region
      order by 5 desc, 6 desc, p.name collate "und-x-icu", p.country limit ${mostSuggested}
    )
    select name as city, country, is_exact as "isExact", case when exists (
      select from place_spelling s join place p on p.id = s.place_id
      where s.size = any (${sizes}) and s.key = place_key(best.name) and p.country = best.country and p.region is distinct from best.region
        and (s.name = p.name or p.population > best.population)
    ) then region end as region
    from best order by is_exact desc, weight desc, name collate "und-x-icu", country`.execute(db);
  return rows.map(({ region, ...place }) => ({ ...place, ...(region === null ? {} : { region }) }));
}

/** How many places are compared, because degrees of longitude are shorter than those of latitude. */
const nearestCompared = 50;

/** The nearest known place to a point within `degrees` of latitude. */
async function nearestPlace(db: Db, point: Point, degrees: number): Promise<KnownPlace | undefined> {
  const { rows } = await sql<KnownPlace>`
    select name, country, latitude, longitude from (
      select * from place order by point(longitude, latitude) <-> point(${point.longitude}, ${point.latitude}) limit ${nearestCompared}) p
    where latitude between ${point.latitude - degrees} and ${point.latitude + degrees}
    order by ${kmFrom(point)}, id limit 1`.execute(db);
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
