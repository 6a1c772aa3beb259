import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Counter } from 'prom-client';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { keptCertificates } from './certificates.ts';
import { measureMail, readStorage } from './operations.ts';
import { readProcesses } from './status.ts';

/** The member actions that show that the service is used, by endpoint. */
const events: Record<string, string> = {
  'POST /api/v1/auth/register': 'sign-up',
  'POST /api/v1/auth/join': 'sign-up',
  'POST /api/v1/likes/:userId': 'like',
  'POST /api/v1/matches/:id/messages': 'message',
};
const countedMost = 1000;

/** How much is waiting for moderators and how much is overdue, each counted up to 1000. */
async function countModeration(db: Db, now: Date): Promise<Map<string, number>> {
  const count = (from: ReturnType<typeof sql>) =>
    sql`(select count(*)::int from (select from ${from} limit ${countedMost}) counted)`;
  const { rows } = await sql<Record<string, number>>`select
    ${count(sql`moderation_case where stage <> 'decided'`)} as cases,
    ${count(sql`moderation_case where stage <> 'decided' and queue_at < ${now}`)} as "casesOverdue",
    ${count(sql`appeal where state in ('submitted', 'under_review')`)} as appeals,
    ${count(sql`appeal where state in ('submitted', 'under_review') and due_at < ${now}`)} as "appealsOverdue",
    ${count(sql`picture where state = 'pending'`)} as pictures`.execute(db);
  return new Map(Object.entries(rows[0] ?? {}));
}

/** The seconds since the last backup or restore drill; before the first, since the tables were created. */
async function secondsSince(what: 'lastBackup' | 'lastDrill', db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from ${now}::timestamptz - coalesce(
      (select (value #>> '{}')::timestamptz from installation where name = ${what}),
      (select min(applied_at) from schema_file)))::float as seconds`.execute(db);
  return rows[0]?.seconds ?? NaN;
}

/** Adds the state of the installation to `/metrics`. */
function measureInstallation({ config, db, clock, metrics }: Deps): void {
  metrics.gauge('disk_free_ratio', 'Free share of the disk with the pictures', async () => {
    const { freeBytes, totalBytes } = await readStorage(config);
    return freeBytes === null || totalBytes === null ? NaN : freeBytes / totalBytes;
  });
  metrics.gauge('backup_age_seconds', 'Time since the last backup, or since the start of the installation', () =>
    secondsSince('lastBackup', db, clock.now()),
  );
  metrics.gauge('drill_age_seconds', 'Time since the last restore drill, or since the start of the installation', () =>
    secondsSince('lastDrill', db, clock.now()),
  );
  metrics.gauges(
    'certificate_ends_seconds',
    'Time until a certificate ends, by whose it is; 0 if it is not trusted or can’t be read',
    'peer',
    async () => {
      const certificates = await keptCertificates(db);
      const now = clock.now().getTime();
      // No one can connect over a certificate that is not trusted or can't be read, whenever it ends.
      return new Map(
        certificates.map(({ name, validUntil, problem }) => [
          name,
          validUntil === null || problem !== null ? 0 : (Date.parse(validUntil) - now) / 1000,
        ]),
      );
    },
  );
  metrics.gauge('worker_processes', 'Running processes that run jobs', async () => {
    const processes = await readProcesses(db, clock.now());
    return processes.filter((one) => one.runs_jobs).length;
  });
}

/** Adds member actions, the state of the installation and the queues of mail and moderation to `/metrics`. */
export function mountMetrics(app: FastifyInstance, deps: Deps): void {
  const { db, clock, metrics } = deps;
  measureInstallation(deps);
  const counter = new Counter({
    name: 'member_events_total',
    help: 'Sign-ups, likes and messages that were accepted',
    labelNames: ['event'],
    registers: [metrics.registry],
  });
  for (const event of new Set(Object.values(events))) counter.inc({ event }, 0);
  app.addHook('onResponse', (request, reply, done) => {
    const event = events[`${request.method} ${request.routeOptions.url}`];
    if (event !== undefined && reply.statusCode < 300) counter.inc({ event });
    done();
  });
  const mail = () => measureMail(db, clock.now());
  metrics.gauges(
    'mail_queue',
    'Mail that waits, that failed and will be tried again, also because our sign-in or sender is refused, and that was sent or given up within a day',
    'state',
    async () => {
      const { waiting, retrying, refused, sent, dead } = await mail();
      return new Map(Object.entries({ waiting, retrying, refused, sent, dead }));
    },
  );
  metrics.gauge(
    'mail_oldest_waiting_seconds',
    'How long the oldest mail has been waiting, other than for its own mailbox',
    async () => (await mail()).oldestWaitingSeconds,
  );
  metrics.gauges('moderation_queue', 'What waits for moderators and what is overdue, at most 1000 each', 'queue', () =>
    countModeration(db, clock.now()),
  );
}
