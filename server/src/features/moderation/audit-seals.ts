import { sql } from 'kysely';
import { getAuditCheck, requestAuditCheck, type AuditCheck } from '#contract/moderation/audit.ts';
import type { FastifyInstance } from 'fastify';
import type { TaskList } from 'graphile-worker';
import type { Deps } from '../../deps.ts';
import { actorOf, writeAudit } from '../../platform/db/audit.ts';
import { type Db, inTransaction } from '../../platform/db/db.ts';
import { mount } from '../../platform/http/mount.ts';
import { addJob, type Schedule } from '../../platform/jobs/jobs.ts';

/** A batch that `npm run audit:verify` was told the hash of, as hexadecimal digits. */
export interface NotedSeal {
  batch: number;
  hash: string;
}

const batchesPerQuery = 20;
const stateName = 'auditCheck';

/** SQLSTATE of a lock that was not given in time. */
const lockNotAvailable = '55P03';

/** Seals all settled events, in batches, and returns how many. Returns 0 while an event is being written for long. */
export async function sealAudit(db: Db): Promise<number> {
  const settled = await settledId(db);
  let sealed = 0;
  for (;;) {
    const { rows } = await sql<{ count: number }>`select logic.seal_audit(${settled}) as count`.execute(db);
    const count = rows[0]?.count ?? 0;
    if (count === 0) return sealed;
    sealed += count;
  }
}

async function settledId(db: Db): Promise<string> {
  try {
    const { rows } = await sql<{ id: string }>`select logic.settled_audit_id() as id`.execute(db);
    return rows[0]?.id ?? '0';
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable) return '0';
    throw error;
  }
}

/** The newest batch and its hash, or null if nothing is sealed yet. */
export async function newestSeal(db: Db): Promise<NotedSeal | null> {
  const { rows } = await sql<NotedSeal>`
    select batch::int, encode(hash, 'hex') as hash from audit_seal order by batch desc limit 1`.execute(db);
  return rows[0] ?? null;
}

interface CheckedBatch {
  batch: number;
  event_count: number;
  until: Date;
  is_intact: boolean;
  is_dropped: boolean;
}

/** Compares up to 20 batches after `after` with their seals. Months that ended two years ago may be dropped. */
async function checkBatches(db: Db, after: number, noted: NotedSeal | null, now: Date): Promise<CheckedBatch[]> {
  const { rows } = await sql<CheckedBatch>`
    select seal.batch::int, seal.event_count, seal.until,
      found.hash = seal.hash
        and (seal.batch is distinct from ${noted?.batch ?? null}::bigint or encode(seal.hash, 'hex') = ${noted?.hash ?? null}::text)
        as is_intact,
      found.event_count = 0
        and date_trunc('month', seal.until at time zone 'UTC') + interval '25 months' <= ${now}::timestamptz at time zone 'UTC'
        as is_dropped
    from audit_seal seal left join audit_seal previous on previous.batch = seal.batch - 1,
      lateral logic.audit_batch(coalesce(previous.hash, ''), seal.batch, coalesce(previous.last_id, 0), seal.last_id) found
    where seal.batch > ${after} order by seal.batch limit ${batchesPerQuery}`.execute(db);
  return rows;
}

/**
 * Recomputes the hash of every sealed batch and stops at the first that differs, is missing, or differs from `noted`.
 * `onProgress` gets the state after every 20 batches. A million events take seconds.
 */
export async function verifyAudit(
  db: Db,
  now: () => Date,
  options: { noted?: NotedSeal | null; onProgress?: (state: AuditCheck) => Promise<void> } = {},
): Promise<AuditCheck> {
  const noted = options.noted ?? null;
  const state: AuditCheck = { startedAt: now().toISOString(), finishedAt: null, batches: 0, events: 0, firstBad: null };
  for (let more = true; more && state.firstBad === null;) {
    await options.onProgress?.(state);
    const checked = await checkBatches(db, state.batches, noted, now());
    for (const { batch, event_count, until, is_intact, is_dropped } of checked) {
      const isNext = batch === state.batches + 1;
      if (!isNext || !(is_intact || is_dropped)) {
        state.firstBad = { batch: state.batches + 1, until: isNext ? until.toISOString() : null };
        break;
      }
      state.batches = batch;
      state.events += event_count;
    }
    more = checked.length === batchesPerQuery;
  }
  if (state.firstBad === null && noted !== null && noted.batch > state.batches)
    state.firstBad = { batch: state.batches + 1, until: null };
  return { ...state, finishedAt: now().toISOString() };
}

const keep = async (db: Db, state: AuditCheck) => {
  await sql`insert into installation (name, value) values (${stateName}, ${JSON.stringify(state)}::jsonb)
    on conflict (name) do update set value = excluded.value`.execute(db);
};

async function lastCheck(db: Db): Promise<AuditCheck | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', stateName).executeTakeFirst();
  return (row?.value ?? null) as AuditCheck | null;
}

/** Every ten minutes: seals what is settled. Every night, and when asked: compares the whole trail with its seals. */
export function auditSealTasks({ db, clock, log }: Deps): TaskList {
  return {
    'audit.seal': async () => {
      // Logs are usually kept on another machine, so they can prove that the whole chain was rewritten.
      if ((await sealAudit(db)) > 0) log.info(await newestSeal(db), 'audit trail sealed');
    },
    'audit.verify': async () => {
      const state = await verifyAudit(db, () => clock.now(), { onProgress: (running) => keep(db, running) });
      await keep(db, state);
      if (state.firstBad !== null) log.error({ batch: state.firstBad.batch }, 'audit trail was changed');
    },
  };
}

export const auditSealSchedules: Schedule[] = [
  { cron: '*/10 * * * *', task: 'audit.seal' },
  { cron: '17 4 * * *', task: 'audit.verify' },
];

/** The state of the hash chain, for administrators. */
export function mountAuditSeals(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  deps.metrics.gauge('audit_changed', '1 if the last check found changed, added or deleted events', async () =>
    (await lastCheck(db))?.firstBad ? 1 : 0,
  );
  mount(app, deps, getAuditCheck).to(async () => {
    const [newest, check] = await Promise.all([newestSeal(db), lastCheck(db)]);
    return { data: { newest, check } };
  });
  mount(app, deps, requestAuditCheck).to(async ({ caller, now }) => {
    await inTransaction(db, async (tx) => {
      await writeAudit(
        tx,
        { actor: actorOf(caller), action: 'audit.checked', target: { type: 'audit', id: null } },
        now,
      );
      await addJob(tx, 'audit.verify', {}, { jobKey: 'audit.verify' });
    });
    return {};
  });
}
