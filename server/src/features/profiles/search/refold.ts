import { sql } from 'kysely';
import type { TaskList } from 'graphile-worker';
import type { Deps } from '../../../deps.ts';
import { updateWhere } from '../../../platform/jobs/due-rows.ts';
import { eachInTurn } from '../../../platform/jobs/turns.ts';
import type { Schedule } from '../../../platform/jobs/jobs.ts';

/** The searched columns of each table: they hold what the database's function `folded` makes of names and texts. */
const searched: Record<string, readonly string[]> = {
  directory: ['name_sort', 'search_text', 'first_name', 'city', 'country'],
  online_member: ['name_sort', 'search_text'],
  report: ['search_text'],
};
const name = 'folding';
/** Raise it with each change of `folded`. */
const version = 1;

/** Folds again what was written under another `folded`, in batches; once for each version of it. */
async function refold({ db }: Pick<Deps, 'db'>): Promise<void> {
  const kept = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst();
  if (kept?.value === version) return;
  await eachInTurn(Object.entries(searched), async ([table, columns]) => {
    const now = columns.map((column) => sql.ref(column));
    const then = columns.map((column) => sql`folded(${sql.ref(column)})`);
    const change = sql.join(columns.map((column, at) => sql`${sql.ref(column)} = ${then[at]}`));
    await updateWhere(db, table, change, sql`(${sql.join(now)}) is distinct from (${sql.join(then)})`);
  });
  await sql`insert into installation (name, value) values (${name}, ${JSON.stringify(version)}::jsonb)
    on conflict (name) do update set value = excluded.value`.execute(db);
}

export const profileTasks = (deps: Deps): TaskList => ({ 'profiles.refold': () => refold(deps) });

export const profileSchedules: Schedule[] = [{ cron: '*/10 * * * *', task: 'profiles.refold' }];
