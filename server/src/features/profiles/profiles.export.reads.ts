import { sql, type RawBuilder } from 'kysely';
import type { Db } from '../../platform/db.ts';
import { idBatches, type UserFilters } from './profiles.list.reads.ts';
import type { Viewer } from './profiles.policy.ts';

type Text = RawBuilder<string | null>;

/** What spreadsheets take for the beginning of a formula, also in the wide signs of East Asian keyboards. */
const formulaStart = '^[=+@\t\r\n＝＋－＠-]';

/** A cell as RFC 4180 has it; one that would be a formula begins with an apostrophe. */
const cell = (value: Text) => sql`coalesce('"' || replace(
  case when ${value} ~ ${formulaStart} then '''' || ${value} else ${value} end, '"', '""') || '"', '')`;

const yesOrNo = (is: RawBuilder<boolean>) => sql<string>`case when ${is} then 'Yes' else 'No' end`;
const moment = (at: RawBuilder<Date>) => sql<string>`to_char(${at} at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS')`;

/** What people read on top of each column, and its value from account `a`, profile `f` and presence `r`. */
const columnsAt = (now: Date): [title: string, value: Text][] => [
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

/**
 * All users the filters fit as CSV, batch by batch: the next one is read when the last one has been taken. The database
 * writes the lines: a million users made of objects would leave more garbage than is collected in time.
 */
export async function* usersAsCsv(db: Db, viewer: Viewer, filters: UserFilters, now: Date): AsyncGenerator<string> {
  const columns = columnsAt(now);
  const line = sql.join(
    columns.map(([, value]) => cell(value)),
    sql` || ',' || `,
  );
  // Without the mark at the beginning, spreadsheets take the text for Latin-1.
  yield `\uFEFF${columns.map(([title]) => `"${title}"`).join(',')}\r\n`;
  for await (const ids of idBatches(db, viewer, filters)) {
    const { rows } = await sql<{ lines: string | null }>`
      select string_agg(${line} || E'\\r\\n', '' order by n) as lines
      from unnest(${ids}::uuid[]) with ordinality as listed (id, n)
        join account a using (id) join profile f on f.account_id = a.id join presence r on r.account_id = a.id`.execute(
      db,
    );
    yield rows[0]?.lines ?? '';
  }
}
