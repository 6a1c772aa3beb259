import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { Task, TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { EndpointSpec } from '#contract/endpoint.ts';
import type { Deps } from './deps.ts';
import { emit, features, mailTemplates } from './features.ts';
import { factorKey } from './features/auth/factors/factors.ts';
import { chooseIdentities } from './features/auth/identity/providers/choose.ts';
import { createNonces } from './features/auth/identity/providers/google.ts';
import { s3Storage } from './features/media/storage/storage-s3.ts';
import { replayLedger } from './features/auth/retention/replay.ts';
import { diskStorage, type Storage } from './features/media/storage/storage.ts';
import { choosePayments } from './features/subscriptions/providers/payments.ts';
import type { Config } from './platform/config/config.ts';
import { installationSecret, keyedHash } from './platform/config/secrets.ts';
import { createDb, type Db, hasDemoData } from './platform/db/db.ts';
import { createPool } from './platform/db/pool.ts';
import { createReads } from './platform/db/replicas.ts';
import { createLimits } from './platform/http/limits.ts';
import { createMetrics, measureProcess, type Metrics, withErrorsCounted } from './platform/process/metrics.ts';
import { createServer, serveWebApp } from './platform/http/server.ts';
import { mountSystem } from './platform/http/system-routes.ts';
import { mountWellKnown } from './platform/http/well-known.ts';
import { type Schedule, startTicker, type Ticker } from './platform/jobs/jobs.ts';
import { startWorker } from './platform/jobs/worker.ts';
import { mailTasks } from './platform/notify/mail.ts';
import { createPush } from './platform/notify/push.ts';
import { createMailTransport, warnOfMailServer } from './platform/notify/smtp.ts';
import type { Clock } from './platform/process/clock.ts';
import { actingAs } from './platform/process/log.ts';
import { traceJob } from './platform/process/tracing.ts';
import { createRealtime } from './platform/realtime/realtime.ts';
import { createAccessTokens } from './platform/session/access-tokens.ts';
import { createActivityLog, sweepPresence } from './platform/session/activity.ts';
import { createMediaAddresses, createPictureViews } from './platform/session/pictures.ts';

export interface AppDeps {
  config: Config;
  pool: pg.Pool;
  clock: Clock;
  log: FastifyBaseLogger;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The app's background work; the process that runs the app starts it, tests drain it. */
    background: {
      tasks: TaskList;
      schedules: Schedule[];
      startTickers(): { stop(): Promise<void> };
      startWorker(): Promise<{ stop(): Promise<void> }>;
      /** Logs a warning if the mail server doesn't accept our sign-in. */
      checkMail(): Promise<void>;
    };
    /** Closes all sockets before the app stops; closing the app does this too. */
    endSockets(): Promise<void>;
  }
}

/** The whole service as a Fastify app over a migrated database; it does not listen yet. */
export async function buildApp({ config, pool, clock, log }: AppDeps): Promise<FastifyInstance> {
  const metrics = createMetrics();
  const telemetry =
    config.telemetry &&
    (await import('./platform/process/telemetry.ts')).startTelemetry(config.telemetry, metrics.registry);
  const app = await createServer(config, metrics, log);
  const deps = await createDeps(app, { config, pool, clock, log, metrics });
  measureProcess(metrics, deps);
  metrics.gauges('database_replica_behind_seconds', 'How far each replica is known to be behind', 'replica', () =>
    deps.reads.secondsBehind(),
  );
  app.addHook('onClose', () => deps.reads.close());
  app.addHook('onClose', () => telemetry?.stop());
  const endpoints = collectEndpoints(app);
  for (const { routes } of features) for (const mountRoutes of routes) await mountRoutes(app, deps);
  mountSystem(app, deps, mailTemplates, endpoints);
  mountWellKnown(app, deps);
  deps.identities.builtIn?.mount(app);
  await serveWebApp(app, config);

  // Sockets need a listening server. They close first, because the server waits for its last connection.
  app.addHook('onListen', () => deps.realtime.open(app.server));
  app.decorate('endSockets', () => deps.realtime.close());
  app.addHook('preClose', () => deps.realtime.close());
  const mail = config.mail.smtpUrl === null ? null : createMailTransport(config.mail.smtpUrl);
  app.addHook('onClose', () => mail?.close());
  const tasks = named(
    Object.assign(mailTasks(deps, mailTemplates, mail), ...features.map(({ jobs }) => jobs?.(deps, app))) as TaskList,
  );
  const schedules = features.flatMap((feature) => feature.schedules ?? []);
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection of the job worker broke');
  app.decorate('background', {
    tasks,
    schedules,
    startTickers: () => startTickers(deps),
    checkMail: () => (mail === null ? Promise.resolve() : warnOfMailServer(mail, log)),
    startWorker: async () => {
      // It listens for new jobs, which a pooler would not pass on.
      const direct = config.databaseDirectUrl === null ? null : createPool(config.databaseDirectUrl, { onError });
      const worker = await startWorker(direct ?? pool, tasks, schedules, {
        concurrency: config.workerConcurrency,
        outside: [['mail.send'], features.flatMap(({ outsideJobs }) => outsideJobs ?? [])],
        log,
        restarts: metrics.workerRestarts,
      });
      return { stop: () => worker.stop().then(() => direct?.end()) };
    },
  });
  return app;
}

/** The same tasks, whose spans and lines in the log name them. */
function named(tasks: TaskList): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([task, run]): [string, Task] => [
      task,
      (payload, helpers) =>
        traceJob(task, () => actingAs({ task, accountId: null, signedIn: false }, () => run?.(payload, helpers))),
    ]),
  );
}

async function createDeps(
  app: FastifyInstance,
  { config, pool, clock, log, metrics }: AppDeps & { metrics: Metrics },
): Promise<Deps> {
  const db = createDb(pool);
  const { directory, storage } = config.media;
  const mediaAddresses = createMediaAddresses(
    await installationSecret(db, 'media', config.secrets.media),
    config.apiBaseUrl,
  );
  const tokens = createAccessTokens(await installationSecret(db, 'jwt', config.secrets.jwt));
  const activity = createActivityLog(pool, clock);
  const addressKey = await installationSecret(db, 'refusedAddress', null);
  const pictureStorage = await withDemo(
    db,
    storage.driver === 's3' ? withErrorsCounted(metrics, 'pictures', s3Storage(storage, log)) : diskStorage(directory),
  );
  await replayLedger({ db, storage: pictureStorage, addressKey, clock, emit, log });
  const factors = await factorKey(db, config.secrets.factors);
  const nonces = createNonces(await installationSecret(db, 'nonce', null), config.publicUrl.startsWith('https:'));
  return {
    config,
    pool,
    db,
    reads: createReads({ db, pool }, config.databaseReadUrls, { preparedStatements: config.preparedStatements, log }),
    clock,
    emit,
    log,
    metrics,
    tokens,
    limits: createLimits(pool, config.rateLimits),
    addressKey,
    factorKey: factors,
    banKey: keyedHash(factors, 'banned people').toString('hex'),
    unsubscribeKey: await installationSecret(db, 'unsubscribe', null),
    appealKey: await installationSecret(db, 'appeal', null),
    activity,
    push: withErrorsCounted(
      metrics,
      'push',
      createPush(config.push, await installationSecret(db, 'vapid', config.push.privateKey), log),
    ),
    realtime: createRealtime({ config, db, pool, clock, tokens, activity, log }),
    storage: pictureStorage,
    mediaAddresses,
    pictures: createPictureViews(mediaAddresses, config.media.showsPending),
    identities: await chooseIdentities(config.signIn, { clock, nonces, app }),
    ...(await choosePayments(config.payments, { db, clock, log, metrics })),
  };
}

/** Adds the demo pictures to `storage` if the database holds demo data; only then is their code loaded. */
async function withDemo(db: Db, storage: Storage): Promise<Storage> {
  if (!(await hasDemoData(db))) return storage;
  const { withDemoPictures } = await import('../../demo/pictures/storage.ts');
  return withDemoPictures(storage);
}

/** The endpoints mounted from now on. */
function collectEndpoints(app: FastifyInstance): EndpointSpec[] {
  const endpoints: EndpointSpec[] = [];
  app.addHook('onRoute', (route) => {
    const mounted = route.config?.mounted;
    if (mounted !== undefined) endpoints.push(mounted.endpoint);
  });
  return endpoints;
}

function startTickers(deps: Deps): { stop(): Promise<void> } {
  const { activity, clock, db, log } = deps;
  const work: Ticker[] = [
    { name: 'activity', everyMs: 2000, run: () => activity.flush(1500) },
    { name: 'presence', everyMs: 5000, run: () => sweepPresence(db, clock.now()) },
    ...features.flatMap(({ tickers }) => tickers?.(deps) ?? []),
  ];
  const started = work.map(({ name, everyMs, run }) => startTicker(name, everyMs, run, log));
  return {
    stop: async () => {
      // A flush that is spread over a time leaves the rest to this one.
      const flushed = activity.flush().catch(() => undefined);
      await Promise.all([flushed, ...started.map((ticker) => ticker.stop())]);
      await activity.flush().catch(() => undefined);
    },
  };
}
