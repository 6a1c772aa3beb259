import { statfs } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type pg from 'pg';
import type { AnswerInput, BodyOf } from '#contract/endpoint.ts';
import {
  type DangerousSetting,
  dangerousSettings,
  type FailedJob,
  getOperations,
  mailProblems,
  operationsLimits,
  retryJobs,
  retryMail,
} from '#contract/operations.ts';
import type { Deps } from '../../deps.ts';
import type { Config } from '#platform/config/config.ts';
import { isLocal, isLoopback } from '#platform/config/exposure.ts';
import { audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { type CommandContext, mount } from '#platform/http/mount.ts';
import { countJobs, oldestDueJob } from '#platform/jobs/jobs.ts';
import { sendAgain, unsentMail } from '#platform/notify/send-mail.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { withoutValues } from '#platform/process/log.ts';
import { keptCertificates } from './certificates.ts';
import { readProcesses, readStatus } from './status.ts';

type Operations = AnswerInput<typeof getOperations>['data'];

const failedShown = 50;

/** The newest jobs that have used up their attempts. Payloads are left out; error messages may quote them. */
async function readFailedJobs(db: Db) {
  const { rows } = await sql<Omit<FailedJob, 'createdAt' | 'failedAt'> & Record<'createdAt' | 'failedAt', Date>>`
    select job.id::text as _id, task.identifier as task, job.attempts, job.created_at as "createdAt", job.updated_at as "failedAt",
      coalesce(job.last_error, '') as error
    from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
    where job.attempts >= job.max_attempts and job.locked_at is null order by job.updated_at desc, job.id limit ${failedShown}`.execute(
    db,
  );
  return rows.map((row) => ({ ...row, error: withoutValues(row.error) }));
}

/** Makes failed jobs of a task due again, one or all, and returns how many. */
async function retryFailed(tx: Db, task: string, id: string | undefined): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from graphile_worker.reschedule_jobs(
      array(
        select job.id from graphile_worker._private_jobs job join graphile_worker._private_tasks task on task.id = job.task_id
        where job.attempts >= job.max_attempts and job.locked_at is null and task.identifier = ${task} and (${id ?? null}::bigint is null or job.id = ${id ?? null}::bigint)
      ),
      run_at => now(), attempts => 0)`.execute(tx);
  return rows.length;
}

async function readJobs(pool: pg.Pool, db: Db): Promise<Operations['jobs']> {
  const [due, failed, oldestDueSeconds, newest] = await Promise.all([
    countJobs(pool, 'due'),
    countJobs(pool, 'failed'),
    oldestDueJob(pool),
    readFailedJobs(db),
  ]);
  const tasks = [...new Set([...failed.keys(), ...due.keys()])]
    .map((task) => ({ task, due: due.get(task) ?? 0, failed: failed.get(task) ?? 0 }))
    .toSorted((a, b) => b.failed - a.failed || b.due - a.due);
  return { tasks, oldestDueSeconds, failed: newest };
}

// A mail that an earlier release tried to send has the error code of the mail library.
const problemIn = (error: string | null) => mailProblems.find((one) => one === error) ?? 'other';

/**
 * The current mail queue, and the results of the last day. `refused`: mails that wait because the mail server refuses
 * our sign-in or sender. A mail that waits for its own mailbox alone, such as a full one, says nothing about the queue.
 */
export async function measureMail(
  db: Db,
  now: Date,
): Promise<Omit<Operations['mail'], 'unsent'> & { refused: number }> {
  const dayAgo = secondsAfter(now, -86_400);
  const isOfAll = sql`last_error is distinct from 'mailbox'`;
  const { rows } = await sql<
    Omit<Operations['mail'], 'problem' | 'unsent'> & { problem: string | null; refused: number }
  >`
    select waiting.*, lately.* from
      (select count(*)::int as waiting, count(*) filter (where last_error is not null)::int as retrying,
         count(*) filter (where last_error in ('signIn', 'sender'))::int as refused,
         coalesce(extract(epoch from ${now}::timestamptz - min(waiting_since) filter (where ${isOfAll})), 0)::float
           as "oldestWaitingSeconds",
         (array_agg(last_error order by created_at desc) filter (where last_error is not null and ${isOfAll}))[1] as problem
       from mail where status = 'waiting') waiting,
      (select count(*) filter (where status = 'sent')::int as sent, count(*) filter (where status = 'dead')::int as dead
       from mail where created_at > ${dayAgo}) lately`.execute(db);
  const none = { waiting: 0, retrying: 0, refused: 0, oldestWaitingSeconds: 0, problem: null, sent: 0, dead: 0 };
  const row = rows[0] ?? none;
  return { ...row, problem: row.problem === null ? null : problemIn(row.problem) };
}

async function readMail(db: Db, now: Date): Promise<Operations['mail']> {
  const [{ refused: _, ...queue }, unsent] = await Promise.all([measureMail(db, now), unsentMail(db, now)]);
  return { ...queue, unsent };
}

/** How far the slowest replica is behind, in seconds; null without a replica. */
export async function replicationLag(db: Db): Promise<number | null> {
  const { rows } = await sql<{ seconds: number | null }>`
    select extract(epoch from max(replay_lag))::float as seconds from pg_stat_replication`.execute(db);
  return rows[0]?.seconds ?? null;
}

async function readDatabase({ db, reads }: Deps): Promise<Operations['database']> {
  const { rows } = await sql<{ version: string; bytes: string; name: string; applied_at: Date }>`
    select current_setting('server_version') as version, pg_database_size(current_database()) as bytes, name, applied_at
    from schema_file where not starts_with(name, 'sql/') order by applied_at desc, name collate "C" desc limit 1`.execute(
    db,
  );
  const [row] = rows;
  const replicationLagSeconds = await replicationLag(db);
  const behind = Math.max(replicationLagSeconds ?? 0, ...reads.secondsBehind().values());
  return {
    version: row?.version.split(' ')[0] ?? '',
    bytes: Number(row?.bytes ?? 0),
    migration: row?.name.replace(/^.*\//, '') ?? '',
    migratedAt: row?.applied_at ?? new Date(0),
    replicationLagSeconds,
    isReplicaBehind: behind > operationsLimits.replicaBehindSeconds,
  };
}

/** The disk of the pictures; nothing is known for a bucket. */
export async function readStorage({ media, dataDir }: Config): Promise<Operations['storage']> {
  if (media.storage.driver === 's3') return { driver: 's3', freeBytes: null, totalBytes: null };
  // The picture folder is created with the first picture.
  const disk = await statfs(media.directory).catch(() => statfs(dataDir).catch(() => null));
  return {
    driver: 'disk',
    freeBytes: disk && disk.bavail * disk.bsize,
    totalBytes: disk && disk.blocks * disk.bsize,
  };
}

/** When backups were made and test-restored, as recorded by the commands and the database. */
export async function readBackups(db: Db) {
  const { rows } = await sql<{ backup: string | null; drill: string | null; archived: Date | null }>`
    select (select value #>> '{}' from installation where name = 'lastBackup') as backup,
      (select value #>> '{}' from installation where name = 'lastDrill') as drill,
      (select last_archived_time from pg_stat_archiver) as archived`.execute(db);
  const [row] = rows;
  const time = (at: string | Date | null | undefined) => (at ? new Date(at) : null);
  return { lastBackup: time(row?.backup), lastDrill: time(row?.drill), lastArchived: time(row?.archived) };
}

const onOff = (isOn: boolean) => (isOn ? 'on' : 'off');

/** The settings that determine what this installation offers; no other part of the configuration leaves the server. */
function featuresOf({ payments, mail, media, signIn, age, ...config }: Config): Operations['features'] {
  const providers = [signIn.google && 'google', signIn.facebook && 'facebook', signIn.builtIn && 'built-in'];
  const values: Record<string, string> = {
    PAYMENTS_PROVIDER: payments.provider,
    MAIL_DRIVER: mail.driver,
    STORAGE: media.storage.driver,
    PHOTO_POLICY: media.showsPending ? 'post' : 'review',
    AGE_PROVIDER: typeof age.provider === 'string' ? age.provider : 'on',
    MODERATION_URL: onOff(media.check !== null),
    SIGN_IN: providers.filter(Boolean).join(', ') || 'off',
    STAFF_MFA: onOff(config.staffMfa),
    RATE_LIMITS: onOff(config.rateLimits),
    REDIS_URL: onOff(config.redisUrl !== null),
    SEED: config.seed.mode,
  };
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** The dangerous settings of an installation that others than the people on this machine can reach. */
export function dangersOf(config: Config): DangerousSetting[] {
  if (!config.production && isLoopback(config.host) && isLocal(config.publicUrl)) return [];
  const isSet: Record<DangerousSetting, boolean> = {
    NODE_ENV: !config.production,
    SEED: config.seed.mode === 'demo',
    STAFF_MFA: !config.staffMfa,
    RATE_LIMITS: !config.rateLimits,
    ALLOW_CLEAR_TEXT: config.allowsClearText,
  };
  return dangerousSettings.filter((name) => isSet[name]);
}

/** The state of the installation, as administrators see it. */
async function readOperations(deps: Deps, now: Date): Promise<Operations> {
  const { db, pool, config } = deps;
  const [parts, processes, database, jobs, mail, storage, backups, certificates] = await Promise.all([
    readStatus(deps, now),
    readProcesses(db, now),
    readDatabase(deps),
    readJobs(pool, db),
    readMail(db, now),
    readStorage(config),
    readBackups(db),
    keptCertificates(db),
  ]);
  return {
    parts,
    processes: processes.map(({ id, host, version, node, ...row }) => ({
      _id: id,
      host,
      version,
      node,
      runsJobs: row.runs_jobs,
      startedAt: row.started_at,
      seenAt: row.seen_at,
      isRedisDown: row.redis_down,
      appOpened: row.app_opened,
      socketsOpened: row.sockets_opened,
    })),
    database,
    jobs,
    mail,
    storage,
    backups,
    certificates,
    features: featuresOf(config),
    service: { holds: deps.service.now().version, broken: deps.service.now().brokenVersion },
    dangers: dangersOf(config),
  };
}

/** Mounts the state of the installation, and the retry of failed jobs and mails. */
export function mountOperations(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, getOperations).to(async ({ now }) => ({ data: await readOperations(deps, now) }));
  mount(app, deps, retryJobs).to(async (context) => ({ data: { retried: await retry(context, context.body) } }));
  mount(app, deps, retryMail).to(async (context) => ({ data: { retried: await retryUnsent(context, context.body) } }));
}

/** Queues mails again that were given up; returns how many. */
async function retryUnsent({ tx, caller, now }: CommandContext, { kind }: BodyOf<typeof retryMail>): Promise<number> {
  const count = await sendAgain(tx, kind, now);
  const changes = { [kind?.template ?? 'all']: { from: 'dead', to: 'waiting' } };
  if (count > 0) await audit({ tx, caller, now }, { type: 'mail', id: null }, 'mail.retried', { changes });
  return count;
}

/** Queues failed jobs again; returns how many. */
async function retry({ tx, caller, now }: CommandContext, { task, id }: BodyOf<typeof retryJobs>): Promise<number> {
  const count = await retryFailed(tx, task, id);
  const changes = { [id === undefined ? task : `${task} ${id}`]: { from: 'failed', to: 'due' } };
  if (count > 0) await audit({ tx, caller, now }, { type: 'jobs', id: null }, 'jobs.retried', { changes });
  return count;
}
