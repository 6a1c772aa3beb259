import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import type { JobHelpers, Task, TaskList } from 'graphile-worker';
import type pg from 'pg';
import type { EndpointSpec } from '#contract/endpoint.ts';
import type { Deps } from './deps.ts';
import type { Feature } from './feature.ts';
import { emit, features, mailTemplates } from './features.ts';
import { factorKey } from './features/auth/factors/factors.ts';
import { createNonces } from './features/auth/identity/providers/google.ts';
import { replayLedger } from './features/auth/retention/replay.ts';
import type { House } from './features/auth/house/provider.ts';
import type { Config } from '#platform/config/config.ts';
import type { HouseConfig } from '#platform/config/house.ts';
import { installationSecret, keyedHash } from '#platform/config/secrets.ts';
import { createDb } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import { createReads } from '#platform/db/replicas.ts';
import { createLimits } from '#platform/http/limits.ts';
import { createMetrics, measureProcess, withErrorsCounted } from '#platform/process/metrics.ts';
import { createServer, serveWebApp } from '#platform/http/server.ts';
import { mountSystem } from '#platform/http/system-routes.ts';
import { type Job, jobsIn, schedulesOf } from '#platform/jobs/job.ts';
import { startTicker, type Ticker } from '#platform/jobs/jobs.ts';
import { recoveryJob } from '#platform/jobs/owed.ts';
import { runToEnd } from '#platform/jobs/pieces.ts';
import { startWorker } from '#platform/jobs/worker.ts';
import { createPush } from '#platform/notify/push.ts';
import { mailJobs } from '#platform/notify/send-mail.ts';
import { warnOfMailServer } from '#platform/notify/smtp.ts';
import type { Clock } from '#platform/process/clock.ts';
import { actingAs } from '#platform/process/log.ts';
import { traceJob } from '#platform/process/tracing.ts';
import { createRealtime } from '#platform/realtime/realtime.ts';
import { createService } from '#platform/service/settings.ts';
import { createAccessTokens } from '#platform/session/access-tokens.ts';
import { createActivityLog, sweepPresence } from '#platform/session/activity.ts';
import { createMediaAddresses, createPictureViews } from '#platform/session/pictures.ts';
import { type ProviderContext, type Providers, realProviders } from './providers.ts';

export interface AppDeps {
  config: Config;
  pool: pg.Pool;
  clock: Clock;
  log: FastifyBaseLogger;
  /** The external services; real ones by default. */
  providers?: Providers | undefined;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The background work. The process that runs the app starts it; tests drain it. */
    background: {
      jobs: readonly Job[];
      /** The jobs in the library's form, by name. */
      tasks: TaskList;
      startTickers(): { stop(): Promise<void> };
      startWorker(): Promise<{ stop(): Promise<void> }>;
      /** Logs a warning if the mail server doesn't accept our sign-in. */
      checkMail(): Promise<void>;
    };
    /** Closes all sockets before the app stops; closing the app does this as well. */
    endSockets(): Promise<void>;
  }
}

/** Builds the whole service as a Fastify app over a migrated database; it does not listen yet. */
export async function buildApp(given: AppDeps): Promise<FastifyInstance> {
  const { config, pool, clock, log, providers = realProviders } = given;
  const metrics = createMetrics();
  const telemetry =
    config.telemetry &&
    (await import('#platform/process/telemetry.ts')).startTelemetry(config.telemetry, metrics.registry);
  const app = await createServer(config, metrics, log);
  const all: Feature[] = [...features];
  const addFeature = (feature: Feature) => void all.push(feature);
  const context = { config, db: createDb(pool), clock, log, metrics, app, addFeature };
  const deps = await createDeps(pool, context, providers);
  measureProcess(metrics, deps);
  metrics.gauges('database_replica_behind_seconds', 'How far each replica is known to be behind', 'replica', () =>
    deps.reads.secondsBehind(),
  );
  app.addHook('onClose', () => deps.reads.close());
  app.addHook('onClose', () => telemetry?.stop());
  const endpoints = collectEndpoints(app);
  for (const { routes } of all) for (const mountRoutes of routes) await mountRoutes(app, deps);
  mountSystem(app, deps, mailTemplates, endpoints);
  await serveWebApp(app, config, deps.service);

  // Sockets need a listening server. They close first, because the server waits for its last connection.
  app.addHook('onListen', () => deps.realtime.open(app.server));
  app.decorate('endSockets', () => deps.realtime.close());
  app.addHook('preClose', () => deps.realtime.close());
  const mail = providers.mail(context);
  app.addHook('onClose', () => mail?.close());
  const promised = [...mailJobs(mailTemplates, mail), ...all.flatMap((feature) => feature.jobs ?? [])];
  const jobs = [...promised, recoveryJob(deps, promised)];
  const tasks = tasksOf(deps, jobs);
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection of the job worker broke');
  app.decorate('background', {
    jobs,
    tasks,
    startTickers: () => startTickers(deps, all),
    checkMail: () => (mail === null ? Promise.resolve() : warnOfMailServer(mail, log)),
    startWorker: async () => {
      // The worker listens for new jobs, and poolers don't pass notifications on.
      const direct = config.databaseDirectUrl === null ? null : createPool(config.databaseDirectUrl, { onError });
      const worker = await startWorker(direct ?? pool, tasks, schedulesOf(jobs), {
        concurrency: config.workerConcurrency,
        outside: [jobsIn(jobs, 'mail'), jobsIn(jobs, 'outside')],
        long: jobsIn(jobs, 'long'),
        log,
        restarts: metrics.workerRestarts,
      });
      return { stop: () => worker.stop().then(() => direct?.end()) };
    },
  });
  return app;
}

/** The jobs, with spans and log lines that contain their names; those that end unfinished are queued again. */
function tasksOf(deps: Deps, jobs: readonly Job[]): TaskList {
  return Object.fromEntries(
    jobs.map(({ name: task, run }): [string, Task] => [
      task,
      (payload, helpers) =>
        traceJob(task, () =>
          actingAs({ task, accountId: null, signedIn: false }, () =>
            runToEnd(deps.db, { task, payload, job: (helpers as JobHelpers | undefined)?.job }, () =>
              run(deps, payload, helpers),
            ),
          ),
        ),
    ]),
  );
}

async function createDeps(pool: pg.Pool, context: ProviderContext, providers: Providers): Promise<Deps> {
  const { config, db, clock, log, metrics } = context;
  const mediaAddresses = createMediaAddresses(
    await installationSecret(db, 'media', config.secrets.media),
    config.apiBaseUrl,
  );
  const tokens = createAccessTokens(await installationSecret(db, 'jwt', config.secrets.jwt));
  const activity = createActivityLog(pool, clock);
  const addressKey = await installationSecret(db, 'refusedAddress', null);
  const service = await createService(db, log);
  const storage = await providers.storage(context);
  await replayLedger({ db, storage, addressKey, clock, emit, log });
  const factors = await factorKey(db, config.secrets.factors);
  const nonceKey = await installationSecret(db, 'nonce', null);
  const nonces = createNonces(nonceKey, config.publicUrl.startsWith('https:'));
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
    searchKey: await installationSecret(db, 'search', null),
    activity,
    push: withErrorsCounted(
      metrics,
      'push',
      createPush(config.push, await installationSecret(db, 'vapid', config.push.privateKey), log),
    ),
    realtime: createRealtime({ config, db, pool, clock, tokens, activity, log }, service),
    service,
    storage,
    mediaAddresses,
    pictures: createPictureViews(mediaAddresses, config.media.showsPending),
    identities: { ...(await providers.identities(context)), nonces },
    house: config.house && (await openHouse(config, config.house, nonceKey)),
    payments: await providers.payments(context),
    age: await providers.age(context),
  };
}

/** Loads the library only if staff sign in with the house's account. */
async function openHouse({ publicUrl }: Config, house: HouseConfig, secret: string): Promise<House> {
  const { createHouse } = await import('./features/auth/house/provider.ts');
  return createHouse({ config: house, publicUrl, secret }, fetch);
}

/** Collects the endpoints that are mounted from now on. */
function collectEndpoints(app: FastifyInstance): EndpointSpec[] {
  const endpoints: EndpointSpec[] = [];
  app.addHook('onRoute', (route) => {
    const mounted = route.config?.mounted;
    if (mounted !== undefined) endpoints.push(mounted.endpoint);
  });
  return endpoints;
}

function startTickers(deps: Deps, all: readonly Feature[]): { stop(): Promise<void> } {
  const { activity, clock, db, log } = deps;
  const work: Ticker[] = [
    { name: 'activity', everyMs: 2000, run: () => activity.flush(1500) },
    { name: 'presence', everyMs: 5000, run: () => sweepPresence(db, clock.now()) },
    ...all.flatMap(({ tickers }) => tickers?.(deps) ?? []),
  ];
  const started = work.map(({ name, everyMs, run }) => startTicker(name, everyMs, run, log));
  return {
    stop: async () => {
      // A slow flush that is running leaves the remaining accounts to this one.
      const flushed = activity.flush().catch(() => undefined);
      await Promise.all([flushed, ...started.map((ticker) => ticker.stop())]);
      await activity.flush().catch(() => undefined);
    },
  };
}
