import type pg from 'pg';
import type { Town } from './geonames.ts';
import { isNamedLike } from './known-place.ts';

/** The columns of a new town. `own_name` is its name in our own list; spellings are on separate lines. */
export const townColumns = {
  geoname_id: 'int',
  name: 'text',
  country: 'text',
  region: 'text',
  latitude: 'float8',
  longitude: 'float8',
  population: 'int',
  spellings: 'text',
  own_name: 'text',
};
type TownRow = Record<keyof typeof townColumns, string | number | null>;

/** A town as the row that `addTowns` reads. */
export const townRow = ({ geonameId, spellings, ...town }: Town, ownName: string | undefined): TownRow => ({
  ...town,
  geoname_id: geonameId,
  spellings: spellings.join(','),
  own_name: ownName ?? null,
});

const columnTypes = Object.values(townColumns);
/** The rows of a batch as a table `t`, and its parameters. */
export const asTable = (rows: readonly TownRow[]) => ({
  table: `unnest(${columnTypes.map((type, at) => `$${at + 1}::${type}[]`).join(', ')}) t (${Object.keys(townColumns).join(', ')})`,
  values: (Object.keys(townColumns) as (keyof TownRow)[]).map((column) => rows.map((row) => row[column])),
});

/** A seat without people is often listed apart from the town that it is in. */
const sqlOfNear = 'case when t.population = 0 then 0.3 else 0.05 end';
const written = ['name', 'country', 'region', 'latitude', 'longitude', 'population'] as const;

/**
 * Adds the new towns of a table, and returns how many. A town is known if its number is, if one with its name and country lies within
 * 0.05° (0.3° if the shipped data set gives it no people), or if our own list has it. Towns from a file of the operator (`isShipped`
 * false) replace built-in ones; nothing else is changed, except that towns in our own list get their region.
 */
export async function addTowns(
  client: pg.ClientBase,
  { table, values = [] }: { table: string; values?: unknown[] },
  isShipped: boolean,
): Promise<number> {
  await client.query(
    `update place p set region = t.region from ${table}
     where p.name = t.own_name and p.country = t.country and p.region is null and p.geoname_id is null and t.region is not null`,
    values,
  );
  if (!isShipped)
    await client.query(
      `update place p set (${written.join(', ')}, is_shipped) = (${written.map((column) => `t.${column}`).join(', ')}, false)
       from ${table} where p.geoname_id = t.geoname_id and p.is_shipped`,
      values,
    );
  const near = isShipped ? sqlOfNear : '0.05';
  const { rowCount } = await client.query(
    `insert into place (geoname_id, ${written.join(', ')}, is_shipped)
     select t.geoname_id, ${written.map((column) => `t.${column}`).join(', ')}, ${String(isShipped)} from ${table}
     where t.own_name is null and not exists (
       select from place p where ${isNamedLike('t')}
         and abs(p.latitude - t.latitude) < ${near} and abs(p.longitude - t.longitude) < ${near})
     on conflict do nothing`,
    values,
  );
  await client.query(
    `insert into place_spelling (place_id, name, population, cell)
     select p.id, spelling, p.population, logic.place_cell(p.latitude, p.longitude) from ${table} join place p on p.geoname_id = t.geoname_id
       cross join string_to_table(t.spellings, ',') spelling
     on conflict do nothing`,
    values,
  );
  return rowCount ?? 0;
}
