import { sql } from 'kysely';
import type { Deps } from '../../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { eachInTurn, eachPage } from '#platform/jobs/turns.ts';
import { job } from '#platform/jobs/job.ts';
import { patternOf } from '../hidden-words.ts';

/** The key and the searched columns of each table. These contain names and texts as folded by the database function `folded`. */
const searched: { table: string; key: string; columns: readonly string[] }[] = [
  { table: 'directory', key: 'account_id', columns: ['name_sort', 'search_text', 'first_name', 'city', 'country'] },
  { table: 'online_member', key: 'account_id', columns: ['name_sort', 'search_text'] },
  { table: 'report', key: 'id', columns: ['search_text'] },
];
const atOnce = 1000;
const leastId = '00000000-0000-0000-0000-000000000000';
const name = 'folding';
/** Increase it with each change of `folded`, `wordForm` or `logic.profile_form`. */
const version = 5;

/** Reads a table page by page in the order of its key, because looking for rows that differ would read all of it for each batch. */
const idsOf = (db: Db, table: string, key: string) => async (after: string | undefined) => {
  const { rows } = await sql<{ id: string }>`
    select ${sql.ref(key)} as id from ${sql.table(table)} where ${sql.ref(key)} > ${after ?? leastId}::uuid
    order by 1 limit ${atOnce}`.execute(db);
  return rows.map(({ id }) => id);
};

/** Stores the searched form of these members' profiles again. */
async function refreshPatterns(db: Db, ids: string[]): Promise<void> {
  const kept = await db
    .selectFrom('hidden_words')
    .select(['account_id', 'words'])
    .where('account_id', 'in', ids)
    .execute();
  for (const { account_id: id, words } of kept) {
    const row = db.updateTable('hidden_words').set({ pattern: patternOf(words) });
    await row
      .where('account_id', '=', id)
      .where(sql<boolean>`words = ${words}::text[]`)
      .execute();
  }
}

/** Folds texts that were written by another version of `folded` again, in batches; once for each version. */
async function refold({ db }: Pick<Deps, 'db'>): Promise<void> {
  const kept = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst();
  if (kept?.value === version) return;
  await eachInTurn(searched, async ({ table, key, columns }) => {
    const then = columns.map((column) => sql`folded(${sql.ref(column)})`);
    const change = sql.join(columns.map((column, at) => sql`${sql.ref(column)} = ${then[at]}`));
    const differs = sql`(${sql.join(columns.map((column) => sql.ref(column)))}) is distinct from (${sql.join(then)})`;
    const fold = (ids: string[]) =>
      sql`update ${sql.table(table)} set ${change} where ${sql.ref(key)} = any (${ids}::uuid[]) and ${differs}`.execute(
        db,
      );
    await eachPage(idsOf(db, table, key), fold, { round: `profiles.refold ${table}`, keyOf: (id) => id });
  });
  const refreshWords = (ids: string[]) => sql`select logic.refresh_words(${ids}::uuid[])`.execute(db);
  await eachPage(idsOf(db, 'profile', 'account_id'), refreshWords, {
    round: 'profiles.refold words',
    keyOf: (id) => id,
  });
  await eachPage(idsOf(db, 'hidden_words', 'account_id'), (ids) => refreshPatterns(db, ids), {
    round: 'profiles.refold patterns',
    keyOf: (id) => id,
  });
  await sql`insert into installation (name, value) values (${name}, ${JSON.stringify(version)}::jsonb)
    on conflict (name) do update set value = excluded.value`.execute(db);
}

export const refoldJob = job({ name: 'profiles.refold', cron: '*/10 * * * *', slots: 'long', run: refold });
