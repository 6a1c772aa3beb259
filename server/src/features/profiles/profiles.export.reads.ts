import { Readable } from 'node:stream';
import { sql, type CompiledQuery, type RawBuilder } from 'kysely';
import type { Deps } from '../../platform/deps.ts';
import { positionsQuery, type Position, type Wanted } from './profiles.positions.queries.ts';
import { wantedBy, type UserFilters } from './profiles.list.reads.ts';
import type { Viewer } from './profiles.policy.ts';

type Text = RawBuilder<string | null>;
type Column = [title: string, value: Text];

/** What spreadsheets take for the beginning of a formula, also in the wide signs of East Asian keyboards. */
const formulaStart = '^[=+@\t\r\n＝＋－＠-]';

/** A cell as RFC 4180 has it; one that would be a formula begins with an apostrophe. */
const cell = (value: Text) => sql`coalesce('"' || replace(
  case when ${value} ~ ${formulaStart} then '''' || ${value} else ${value} end, '"', '""') || '"', '')`;

const yesOrNo = (is: RawBuilder<boolean>) => sql<string>`case when ${is} then 'Yes' else 'No' end`;
const moment = (at: RawBuilder<Date>) => sql<string>`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/** What people read on top of each column, and its value from account `a`, profile `f` and presence `r`. */
const columnsAt = (now: Date): Column[] => [
  ['User ID', sql`a.id::text`],
  ['First name', sql`f.first_name`],
  ['Last name', sql`f.last_name`],
  ['Email', sql`a.email`],
  ['Email verified', yesOrNo(sql`a.email_verified_at is not null`)],
  ['Joined (UTC)', moment(sql`a.created_at`)],
  [
    'Last active (UTC)',
    sql`case when r.last_active_at = '-infinity' then 'Never' else ${moment(sql`r.last_active_at`)} end`,
  ],
  ['Status', sql`case when not a.is_active then 'Inactive' when r.online then 'Online' else 'Offline' end`],
  ['Subscription', sql`case when a.is_vip then 'Premium' else 'Free' end`],
  ['Profile complete', yesOrNo(sql`f.complete`)],
  ['Age', sql`extract(year from age(${now.toISOString().slice(0, 10)}::date, f.birth_date))::text`],
  ['Gender', sql`f.gender`],
  ['City', sql`f.city`],
  ['Country', sql`f.country`],
  ['Staff role', sql`a.staff_role`],
];

const batchSize = 500;

/**
 * All users the filters fit as CSV, batch by batch: the next one is read when the last one has been taken. The database
 * writes the lines, each query is built once, and no promise carries them: otherwise a million users leave garbage that only
 * full collections take away.
 * The order of activity changes while it is read, and would miss or repeat people: the order of joining stands in for it.
 */
export async function usersAsCsv(
  deps: Pick<Deps, 'db' | 'pool'>,
  viewer: Viewer,
  filters: UserFilters,
  now: Date,
): Promise<Readable> {
  const { db, pool } = deps;
  const columns = columnsAt(now);
  const sortBy = filters.sortBy === 'lastActive' ? 'createdAt' : filters.sortBy;
  const wanted = await wantedBy(db, viewer, { ...filters, sortBy });
  const next = batchQuery(columns, wanted, anyPosition).compile(db);
  let query: CompiledQuery<Batch> | null = batchQuery(columns, wanted, null).compile(db);
  const lines = new Readable({
    objectMode: true,
    highWaterMark: 1,
    read() {
      if (query === null) {
        lines.push(null);
        return;
      }
      pool.query<Batch>(query.sql, [...query.parameters], (error: unknown, result) => {
        if (error instanceof Error) {
          lines.destroy(error);
          return;
        }
        const batch = result.rows[0];
        const isLast = batch === undefined || batch.size < batchSize;
        query = isLast ? null : after(next, batch);
        lines.push(batch?.lines ?? null);
      });
    },
  });
  // Without the mark at the beginning, spreadsheets take the text for Latin-1.
  lines.push(`\uFEFF${columns.map(([title]) => `"${title}"`).join(',')}\r\n`);
  return lines;
}

interface Batch extends Position {
  /** Null when no row was left. */
  lines: string | null;
  size: number;
}

/** Stands in a compiled query where the position to continue from will stand. */
const anyPosition: Position = { key: 'key of the last row', id: 'id of the last row' };

function after(query: CompiledQuery<Batch>, { key, id }: Position): CompiledQuery<Batch> {
  const parameters = query.parameters.map((value) =>
    value === anyPosition.key ? key : value === anyPosition.id ? id : value,
  );
  return { ...query, parameters };
}

/** One batch of lines with the position of its last row. */
function batchQuery(columns: Column[], wanted: Wanted, after: Position | null): RawBuilder<Batch> {
  const line = sql.join(
    columns.map(([, value]) => cell(value)),
    sql` || ',' || `,
  );
  const order = wanted.sort.order === 'asc' ? sql`page.key, page.id` : sql`page.key desc, page.id desc`;
  return sql<Batch>`
    select string_agg(${line} || E'\\r\\n', '' order by ${order}) as lines, count(*)::int as size,
      (array_agg(page.key order by ${order}))[count(*)] as key, (array_agg(page.id order by ${order}))[count(*)] as id
    from (${positionsQuery(wanted, { after, offset: 0, limit: batchSize })}) page
      join account a on a.id = page.id join profile f on f.account_id = a.id join presence r on r.account_id = a.id`;
}
