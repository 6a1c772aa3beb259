import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import { csvLines, csvMark } from '#contract/csv.ts';
import { type ExportColumn, exportColumnNames, exportColumns } from '#contract/profiles/staff.ts';
import type { Deps } from '../../../deps.ts';
import type { Caller } from '#platform/session/caller.ts';
import type { SentFile } from '#platform/http/csv.ts';
import { textOf } from '#platform/texts.ts';
import { dayOf } from '#platform/process/clock.ts';
import { seenBy } from '#platform/session/access.ts';
import { positionsQuery, type Position, type Wanted } from '../search/positions.reads.ts';
import { type Lister, wantedBy, type UserFilters } from './list.reads.ts';
import type { Viewer } from '../policy.ts';

type Text = RawBuilder<string | null>;
type Column = [title: string, value: Text];

/** What is exported: the users of a list, or those with these ids. */
export interface ExportOrder {
  filters: UserFilters;
  ids?: readonly string[];
  /** In their order; all of them if none are named. */
  columns?: readonly ExportColumn[] | undefined;
  /** The file breaks off before it has more users: during a slow download, more could be put into the list. */
  most: number;
  /** Runs before the file ends; if it fails, the file breaks off. */
  onEnd: (result: SentFile) => Promise<void>;
}

const yesOrNo = (is: RawBuilder<boolean>) => sql<string>`case when ${is} then 'Yes' else 'No' end`;
const moment = (at: RawBuilder<Date>) => sql<string>`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/** The value of each column from account `a`, profile `f` and presence `r`. */
const valuesFor = (viewer: Viewer, now: Date): Record<ExportColumn, Text> => ({
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

function columnsFor(viewer: Viewer, columns: readonly ExportColumn[] = exportColumnNames, now: Date): Column[] {
  const values = valuesFor(viewer, now);
  return columns.map((column) => [textOf(exportColumns[column]), values[column]]);
}

/** The users to export. The order of activity changes meanwhile, which would skip or repeat people: it is replaced by that of joining. */
async function wantedFor(lister: Lister, { filters, ids }: ExportOrder): Promise<Wanted> {
  const sortBy = filters.sortBy === 'lastActive' ? 'createdAt' : filters.sortBy;
  return await wantedBy(lister, { ...filters, sortBy }, ids);
}

const batchSize = 500;

/**
 * The users as CSV, in batches: the next one is read when the previous one has been sent, so that memory stays flat. Each query is
 * built once and a callback receives its rows: query building and promises for a million users leave garbage that only full collections
 * remove.
 */
export async function usersAsCsv(
  { db: notedIn, reads }: Pick<Deps, 'db' | 'reads'>,
  caller: Caller,
  order: ExportOrder,
  now: Date,
): Promise<Readable> {
  // All batches come from one server, so that none is older than the one before.
  const { db, pool } = await reads.upToDate();
  const columns = columnsFor(caller, order.columns, now);
  const wanted = await wantedFor({ db, notedIn, caller, now }, order);
  const next = batchQuery(columns, wanted, anyPosition).compile(db);
  const hash = createHash('sha256');
  let rows = 0;
  let query: CompiledQuery | null = batchQuery(columns, wanted, null).compile(db);
  const lines = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      if (query === null) {
        end();
        return;
      }
      const { parameters } = query;
      pool.query<BatchRow>({ text: query.sql, values: [...parameters], rowMode: 'array' }, (error: unknown, result) => {
        if (error instanceof Error) {
          lines.destroy(error);
          return;
        }
        rows += result.rows.length;
        if (rows > order.most) {
          lines.destroy(new Error(`There are more than ${order.most} users to export by now`));
          return;
        }
        const last = result.rows.at(-1);
        query = last === undefined || result.rows.length < batchSize ? null : after(next, last);
        const text = csvLines(result.rows.map(([, , ...cells]) => cells));
        // The client keeps results alive: without this, 50,000 users use 33 MB until the next full collection.
        result.rows.length = 0;
        if (last === undefined) end();
        else send(text);
      });
    },
  });
  function send(text: string): void {
    hash.update(text);
    lines.push(text);
  }
  function end(): void {
    order.onEnd({ rows, sha256: hash.digest('hex') }).then(
      () => lines.push(null),
      (error: unknown) => lines.destroy(error instanceof Error ? error : new Error('The export was not audited')),
    );
  }
  send(csvMark + csvLines([columns.map(([title]) => title)]));
  return lines;
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

function batchQuery(columns: Column[], wanted: Wanted, after: Position | null): RawBuilder<unknown> {
  const cells = sql.join(columns.map(([, value]) => value));
  const order = wanted.sort.order === 'asc' ? sql`page.key, page.id` : sql`page.key desc, page.id desc`;
  return sql`
    select page.key, page.id, ${cells}
    from (${positionsQuery(wanted, { after, offset: 0, limit: batchSize })}) page
      join account a on a.id = page.id join profile f on f.account_id = a.id join presence r on r.account_id = a.id
    order by ${order}`;
}
