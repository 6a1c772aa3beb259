import { type RawBuilder, sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { type Db, inTransaction } from '../db/db.ts';
import { job, type Job, type Recovery } from './job.ts';
import { inTurn } from './turns.ts';

/** Work that rows have owed since the time in `column`. The job, whose payload has the row's id as `idName`, clears the column. */
export const owedSince = (table: string, column: string, idName = 'id'): Recovery => ({
  owed: () => sql`select id::text as key, jsonb_build_object(${sql.lit(idName)}, id) as payload, ${sql.ref(column)} as since
    from ${sql.table(table)} where ${sql.ref(column)} is not null`,
});

/** Until then, the job itself may still be running. */
const graceSeconds = 3600;
const queuedAtOnce = 500;

interface OwedRow {
  key: string;
  payload: unknown;
  /** As text, exact to the microsecond. */
  since: string;
}

/** The next rows of work that has been owed for more than an hour, oldest first. */
async function readOwed({ db, clock }: Deps, owed: RawBuilder<unknown>, after?: OwedRow): Promise<OwedRow[]> {
  const until = new Date(clock.now().getTime() - graceSeconds * 1000);
  const { rows } = await sql<OwedRow>`
    select key, payload, since::text from (${owed}) owed
    where since <= ${until} and (since, key) > (${after?.since ?? '-infinity'}::timestamptz, ${after?.key ?? ''})
    order by owed.since, key limit ${queuedAtOnce}`.execute(db);
  return rows;
}

/** Queues the jobs of these rows again in place of those that failed permanently, except jobs that run within the hour anyway. */
async function queueAgain(db: Db, task: string, rows: readonly OwedRow[]): Promise<void> {
  if (rows.length === 0) return;
  const jobs = JSON.stringify(rows.map(({ key, payload }) => ({ key: `${task} ${key}`, payload })));
  await inTransaction(db, async (tx) => {
    await sql`delete from graphile_worker._private_jobs where attempts >= max_attempts and locked_at is null
      and key in (select key from jsonb_to_recordset(${jobs}::jsonb) as job (key text))`.execute(tx);
    await sql`
      select (graphile_worker.add_job(${task}, job.payload, job_key => job.key, max_attempts => 8)).id
      from jsonb_to_recordset(${jobs}::jsonb) as job (key text, payload json)
      where not exists (select from graphile_worker._private_jobs j
        where j.key = job.key and (j.locked_at is not null or j.run_at <= now() + interval '1 hour'))`.execute(tx);
  });
}

const name = 'owedSince';

/** Queues work again that has been owed for more than an hour, and stores since when the oldest of each task is owed. */
async function queueOwed(deps: Deps, jobs: readonly Job[]): Promise<void> {
  const oldest: Record<string, string> = {};
  const queue = async ({ name: task, sweep }: Job) => {
    if (sweep === undefined || !('owed' in sweep)) return;
    for (let rows = await readOwed(deps, sweep.owed(deps)); rows.length > 0;) {
      oldest[task] ??= rows[0]?.since ?? '';
      await queueAgain(deps.db, task, rows);
      rows = await readOwed(deps, sweep.owed(deps), rows.at(-1));
    }
  };
  const note = () =>
    sql`insert into installation (name, value) values (${name}, ${JSON.stringify(oldest)}::jsonb)
      on conflict (name) do update set value = excluded.value`.execute(deps.db);
  await inTurn(...jobs.map((one) => () => queue(one)), note);
}

/** The hourly job that queues lost jobs again. It adds to `/metrics` since when work is owed. */
export function recoveryJob({ db, clock, metrics }: Deps, jobs: readonly Job[]): Job {
  metrics.gauges(
    'owed_oldest_seconds',
    'How long the oldest promised work has been owed, by task',
    'task',
    async () => {
      const query = db.selectFrom('installation').select('value').where('name', '=', name);
      const since = Object.entries(((await query.executeTakeFirst())?.value ?? {}) as Record<string, string>);
      return new Map(since.map(([task, at]) => [task, (clock.now().getTime() - Date.parse(at)) / 1000]));
    },
  );
  return job({ name: 'jobs.queueOwed', cron: '23 * * * *', run: (deps) => queueOwed(deps, jobs) });
}
