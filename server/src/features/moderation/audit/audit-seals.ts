import { sql } from 'kysely';
import { getAuditCheck, requestAuditCheck, type AuditCheck } from '#contract/moderation/audit.ts';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '../../../deps.ts';
import { audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { mount } from '#platform/http/mount.ts';
import { job } from '#platform/jobs/job.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { checkStop } from '#platform/jobs/pieces.ts';

/** A batch whose hash was given to `npm run audit:verify`, as hexadecimal digits. */
export interface NotedSeal {
  batch: number;
  hash: string;
}

const batchesPerQuery = 20;
/** The last finished check, and the one that is running. */
type Kept = 'auditCheck' | 'auditCheckRunning';

/** SQLSTATE of a lock that was not given in time. */
const lockNotAvailable = '55P03';

/** Seals all settled events, in batches, and returns how many. If a transaction holds back an event for long, the next run seals it. */
export async function sealAudit(db: Db): Promise<number> {
  let sealed = 0;
  for (;;) {
    const count = await sealBatch(db);
    if (count === 0) return sealed;
    sealed += count;
  }
}

async function sealBatch(db: Db): Promise<number> {
  try {
    const { rows } = await sql<{ count: number }>`select logic.seal_audit() as count`.execute(db);
    return rows[0]?.count ?? 0;
  } catch (error) {
    if ((error as { code?: string }).code === lockNotAvailable) return 0;
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

/** Compares up to 20 batches after `after` with their seals. Months that ended two years ago may be missing. */
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
 * Recomputes the hash of every sealed batch and stops at the first batch that differs or is missing, or whose hash differs from `noted`.
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

const keep = async (db: Db, name: Kept, state: AuditCheck) => {
  await sql`insert into installation (name, value) values (${name}, ${JSON.stringify(state)}::jsonb)
    on conflict (name) do update set value = excluded.value`.execute(db);
};

async function checkKept(db: Db, name: Kept): Promise<AuditCheck | null> {
  const row = await db.selectFrom('installation').select('value').where('name', '=', name).executeTakeFirst();
  return (row?.value ?? null) as AuditCheck | null;
}

/** Every ten minutes: seals settled events. Every night and on request: compares the whole trail with its seals. */
export const auditSealJobs = [
  job({
    name: 'audit.seal',
    cron: '*/10 * * * *',
    async run({ db, log }) {
      // Logs are usually kept on another machine, so they can prove that the whole chain was rewritten.
      if ((await sealAudit(db)) > 0) log.info(await newestSeal(db), 'audit trail sealed');
    },
  }),
  job({
    name: 'audit.verify',
    cron: '17 4 * * *',
    sweep: { sweptBy: 'audit.verify' },
    async run({ db, clock, log }) {
      const onProgress = (running: AuditCheck) => {
        checkStop();
        return keep(db, 'auditCheckRunning', running);
      };
      const state = await verifyAudit(db, () => clock.now(), { onProgress });
      await keep(db, 'auditCheck', state);
      await db.deleteFrom('installation').where('name', '=', 'auditCheckRunning').execute();
      if (state.firstBad !== null) log.error({ batch: state.firstBad.batch }, 'audit trail was changed');
    },
  }),
];

/** Mounts the state of the hash chain, for administrators. */
export function mountAuditSeals(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  deps.metrics.gauge('audit_changed', '1 if the last check found changed, added or deleted events', async () =>
    (await checkKept(db, 'auditCheck'))?.firstBad ? 1 : 0,
  );
  mount(app, deps, getAuditCheck).to(async () => {
    const kept = (name: Kept) => checkKept(db, name);
    const [newest, check, running] = await Promise.all([newestSeal(db), kept('auditCheck'), kept('auditCheckRunning')]);
    return { data: { newest, check, running } };
  });
  mount(app, deps, requestAuditCheck).to(async ({ tx, caller, now }) => {
    await audit({ tx, caller, now }, { type: 'audit', id: null }, 'audit.checked');
    await addJob(tx, 'audit.verify', {}, { jobKey: 'audit.verify' });
    return {};
  });
}
