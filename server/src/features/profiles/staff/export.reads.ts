import type { Readable } from 'node:stream';
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import { type ExportColumn, exportColumnNames, exportColumns } from '#contract/profiles/user-filters.ts';
import type { Deps } from '../../../deps.ts';
import { csvFile, type SentFile } from '#platform/http/csv.ts';
import type { Caller } from '#platform/session/caller.ts';
import { textOf } from '#platform/texts.ts';
import { positionsQuery, type Position, type Wanted } from '../search/positions.reads.ts';
import { exportValues } from './filters.reads.ts';
import { type Lister, wantedBy, type UserFilters } from './list.reads.ts';

/** The users to export: those of a list, or those with these ids. */
export interface ExportOrder {
  filters: UserFilters;
  ids?: readonly string[];
  /** The columns in their order; all of them if none are named. */
  columns?: readonly ExportColumn[] | undefined;
  /** The file ends before it has more users, because people could be added to the list during a slow download. */
  most: number;
  /** Runs before the file ends; if it fails, the file is cut off. */
  onEnd: (result: SentFile) => Promise<void>;
}

/**
 * The users to export. The order by activity changes meanwhile, which would skip or repeat people, so it is replaced by the order of
 * joining.
 */
async function wantedFor(lister: Lister, { filters, ids }: ExportOrder): Promise<Wanted> {
  const sortBy = filters.sortBy === 'lastActive' ? 'createdAt' : filters.sortBy;
  return await wantedBy(lister, { ...filters, sortBy }, ids);
}

const batchSize = 500;

/** The users as CSV, in batches whose query is built once, because building it again for a million users would create much garbage. */
export async function usersAsCsv(
  { db: notedIn, reads }: Pick<Deps, 'db' | 'reads'>,
  caller: Caller,
  { columns = exportColumnNames, ...order }: ExportOrder,
  now: Date,
): Promise<Readable> {
  // All batches come from one server, so that none is older than the one before.
  const { db, pool } = await reads.upToDate();
  const values = exportValues(caller, now);
  const cells = sql.join(columns.map((column) => values[column]));
  const wanted = await wantedFor({ db, notedIn, caller, now }, order);
  const first = batchQuery(cells, wanted, null).compile(db);
  const next = batchQuery(cells, wanted, anyPosition).compile(db);
  async function* batches() {
    let found = 0;
    for (let query: CompiledQuery | null = first; query !== null;) {
      const { sql: text, parameters }: CompiledQuery = query;
      const { rows }: { rows: BatchRow[] } = await pool.query({ text, values: [...parameters], rowMode: 'array' });
      found += rows.length;
      if (found > order.most) throw new Error(`There are more than ${order.most} users to export by now`);
      const last = rows.at(-1);
      query = last === undefined || rows.length < batchSize ? null : after(next, last);
      yield rows.map(([, , ...shown]) => shown);
      // The client keeps results alive: without this, 50,000 users use 33 MB until the next full collection.
      rows.length = 0;
    }
  }
  return csvFile(
    columns.map((column) => textOf(exportColumns[column])),
    batches(),
    order.onEnd,
  );
}

/** The row's position in the order, then its cells. */
type BatchRow = [key: string, id: string, ...cells: (string | null)[]];

/** A placeholder in a compiled query for the position to continue from. */
const anyPosition: Position = { key: 'key of the last row', id: 'id of the last row' };

function after(query: CompiledQuery, [key, id]: BatchRow): CompiledQuery {
  const parameters = query.parameters.map((value) =>
    value === anyPosition.key ? key : value === anyPosition.id ? id : value,
  );
  return { ...query, parameters };
}

function batchQuery(cells: RawBuilder<unknown>, wanted: Wanted, after: Position | null): RawBuilder<unknown> {
  const order = wanted.sort.order === 'asc' ? sql`page.key, page.id` : sql`page.key desc, page.id desc`;
  return sql`
    select page.key, page.id, ${cells}
    from (${positionsQuery(wanted, { after, offset: 0, limit: batchSize })}) page
      join account a on a.id = page.id join profile f on f.account_id = a.id join presence r on r.account_id = a.id
    order by ${order}`;
}
