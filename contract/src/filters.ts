import type * as z from 'zod/mini';
import { daySchema, queryBoolean, skippedWhenEmpty } from './text.ts';

/**
 * The filters of a list by the names of their parameters, declared beside its endpoint. The page's address, the fields and the SQL
 * conditions are derived from them.
 */
export type Filters = Readonly<Record<string, z.ZodMiniType>>;

/** The values of the filters that are set, as the server reads them. */
export type FilterValues<F extends Filters> = { [K in keyof F]?: z.output<F[K]> };

/** A day, which the range includes. */
export const dayFilter = skippedWhenEmpty(daySchema);
export const yesOrNoFilter = skippedWhenEmpty(queryBoolean);

/** Two filters that are the ends of a range. */
export type Ranges<Name extends string> = readonly (readonly [from: Name, to: Name])[];

/** The names of the filters. */
export const namesOf = <F extends Filters>(filters: F) => Object.keys(filters) as (keyof F & string)[];

/** The values of a query that belong to set filters. */
export function chosenFilters<F extends Filters>(filters: F, query: FilterValues<F>): FilterValues<F> {
  const set = namesOf(filters).flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]]));
  return Object.fromEntries(set) as FilterValues<F>;
}

/** The same for values as text; values that the filters reject, such as in an old link, are left out. */
export function acceptedFilters<F extends Filters>(
  filters: F,
  textOf: (name: keyof F & string) => string | null,
): FilterValues<F> {
  const read = namesOf(filters).map((name) => [name, filters[name]?.safeParse(textOf(name) ?? '').data]);
  return chosenFilters(filters, Object.fromEntries(read) as FilterValues<F>);
}
