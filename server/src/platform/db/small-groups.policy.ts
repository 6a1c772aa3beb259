import { smallestGroup } from '#contract/insights/series.ts';

/** Whether a number is about so few people that it reveals something about single ones. */
export const isTooFew = (people: number): boolean => people > 0 && people < smallestGroup;

/** The values of each dimension that are shown separately. The others are combined, as null. */
type Shown<Name extends string> = Map<Name, Set<string>>;

interface Table<Name extends string, Row> {
  /** The dimensions by which groups are formed. */
  names: readonly Name[];
  rows: readonly Row[];
  /** The number of people in some of the rows. */
  peopleIn: (rows: readonly Row[]) => number;
}

/** The values of the cells with too few people. */
function smallCells<Name extends string, Row extends Record<Name, string>>(
  { names, rows, peopleIn }: Table<Name, Row>,
  shown: Shown<Name>,
): (string | null)[][] {
  const valuesOf = (row: Row) => names.map((name) => (shown.get(name)?.has(row[name]) === true ? row[name] : null));
  const cells = Map.groupBy(rows, (row) => JSON.stringify(valuesOf(row)));
  return [...cells].flatMap(([values, of]) =>
    isTooFew(peopleIn(of)) ? [JSON.parse(values) as (string | null)[]] : [],
  );
}

/** Hides values, the one with the fewest people first, until no cell has too few. */
function hideValues<Name extends string, Row extends Record<Name, string>>(
  table: Table<Name, Row>,
  shown: Shown<Name>,
): void {
  const sizes = table.names.map(
    (name) =>
      new Map<string, number>(
        [...Map.groupBy(table.rows, (row) => row[name])].map(([value, of]) => [value, table.peopleIn(of)]),
      ),
  );
  for (;;) {
    let next: { name: Name; value: string; size: number } | undefined;
    for (const cell of smallCells(table, shown))
      for (const [at, name] of table.names.entries()) {
        const value = cell[at] ?? null;
        for (const each of value === null ? (shown.get(name) ?? []) : [value]) {
          const size = sizes[at]?.get(each) ?? 0;
          if (next === undefined || size < next.size) next = { name, value: each, size };
        }
      }
    if (next === undefined) return;
    shown.get(next.name)?.delete(next.value);
  }
}

/**
 * The values of each dimension that are shown, if every row shows all its shown values and no other table is shown: then each row looks
 * like enough others. If there are fewer rows than that, none may be shown.
 */
export function valuesShown<Name extends string, Row extends Record<Name, string>>(
  table: Table<Name, Row>,
): ReadonlyMap<Name, ReadonlySet<string>> {
  const shown = new Map(table.names.map((name) => [name, new Set<string>(table.rows.map((row) => row[name]))]));
  hideValues(table, shown);
  return shown;
}

/**
 * Which groups are shown, besides all people together. In each table, every combination of shown values has no one or enough people, and so
 * do the combinations with the other values taken together, which are not shown. Values that are not shown alone are not shown in
 * combination. So whatever shown figures are added and subtracted, no sum is about a few people, as long as all combinations have a
 * dimension in common. Tables of one dimension come first.
 */
export function groupsShown<Name extends string, Row extends Record<Name, string>>(
  tables: readonly Table<Name, Row>[],
): (names: readonly Name[], values: Record<Name, string>) => boolean {
  const alone: Shown<Name> = new Map();
  const shownIn = new Map<string, Shown<Name>>();
  for (const table of tables) {
    const shown = new Map(
      table.names.map((name) => [name, new Set<string>(alone.get(name) ?? table.rows.map((row) => row[name]))]),
    );
    hideValues(table, shown);
    if (shown.size === 1) for (const [name, values] of shown) alone.set(name, values);
    shownIn.set(table.names.join(), shown);
  }
  return (names, values) => names.every((name) => shownIn.get(names.join())?.get(name)?.has(values[name]) === true);
}
