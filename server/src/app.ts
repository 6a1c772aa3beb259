import { randomUUID } from 'node:crypto';
import compress from '@fastify/compress';
import rateLimit from '@fastify/rate-limit';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import type pg from 'pg';
import type { TaskList } from 'graphile-worker';
import { apiBasePath, bodyLimitBytes, requestLimits } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { receivePaymentEvent } from '#contract/subscriptions/subscriptions.ts';
import { factorKey } from './features/auth/factors/factors.ts';
import { mountFactors, mountAuth, mountIdentities } from './features/auth/routes.ts';
import { authSchedules, authTasks } from './features/auth/jobs.ts';
import { mediaSchedules, mediaTasks } from './features/media/jobs.ts';
import { mountMedia } from './features/media/routes.ts';
import { keepTime, subscriptionSchedules, subscriptionTasks } from './features/subscriptions/jobs.ts';
import { mountSubscriptions } from './features/subscriptions/routes.ts';
import { mountPaymentSandbox } from './features/subscriptions/buying/sandbox.routes.ts';
import { mountPaymentWebhook } from './features/subscriptions/webhook/webhook.routes.ts';
import { mountTakeout } from './features/takeout/routes.ts';
import { mountCompatibility } from './features/compatibility/routes.ts';
import { createDeckMaker, discoverySchedules, discoveryTasks, learnAll } from './features/discovery/jobs.ts';
import { mountDiscovery } from './features/discovery/routes.ts';
import { mountConnections } from './features/connections/routes.ts';
import { messageSchedules, messageTasks } from './features/messages/jobs.ts';
import { mountMessages } from './features/messages/routes.ts';
import { notificationSchedules, notificationTasks } from './features/notifications/jobs.ts';
import { mountNotifications } from './features/notifications/routes.ts';
import { mountProfiles } from './features/profiles/routes.ts';
import { auditSchedules, auditTasks } from './features/moderation/audit/jobs.ts';
import { mountAudit } from './features/moderation/audit/routes.ts';
import { mountReports } from './features/moderation/reports/routes.ts';
import { reportSchedules, reportTasks } from './features/moderation/reports/jobs.ts';
import { mountStatistics } from './features/statistics/routes.ts';
import { foldStatistics, statisticsSchedules, statisticsTasks } from './features/statistics/jobs.ts';
import { mailTemplates } from './mails.ts';
import { createAccessTokens } from './platform/session/access-token.ts';
import { createActivityLog, sweepPresence } from './platform/session/activity.ts';
import type { Clock } from './platform/process/clock.ts';
import type { Config } from './platform/config/config.ts';
import { createDb, type Db } from './platform/db/db.ts';
import { hasDemoData } from './platform/db/demo-data.ts';
import type { Deps } from './deps.ts';
import { handleErrors } from './platform/http/error-handler.ts';
import type { Schedule } from './platform/jobs/jobs.ts';
import { createLimits } from './platform/http/limits.ts';
import { mailTasks } from './platform/notify/mail.ts';
import { chooseIdentities } from './features/auth/identity/providers/choose.ts';
import { createNonces } from './features/auth/identity/providers/google.ts';
import { createMediaAddresses } from './platform/session/media-address.ts';
import { createMetrics } from './platform/http/metrics.ts';
import { networkOf } from './platform/http/network.ts';
import { choosePayments } from './features/subscriptions/providers/choose.ts';
import { createPictureViews } from './platform/session/pictures.ts';
import { createPush } from './platform/notify/push.ts';
import { createRealtime } from './platform/realtime/realtime.ts';
import { longestAddressPart, readableAddress } from './platform/http/readable-address.ts';
import { installationSecret } from './platform/config/secrets.ts';
import { sendSecurityHeaders } from './platform/http/security-headers.ts';
import { mountSystem } from './platform/http/system-routes.ts';
import { s3Storage } from './features/media/storage/storage-s3.ts';
import { diskStorage, type Storage } from './features/media/storage/storage.ts';
import { startTicker } from './platform/jobs/ticker.ts';
import { refuseUnreadable } from './platform/http/unreadable-request.ts';
import { serveWebApp } from './platform/http/web-app.ts';

export interface AppDeps {
  config: Config;
  pool: pg.Pool;
  clock: Clock;
  log: FastifyBaseLogger;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** What this app works off in the background; started by whoever runs it, drained by tests. */
    background: { tasks: TaskList; schedules: Schedule[]; startTickers(): { stop(): Promise<void> } };
    /** Lets all sockets go, for who stops this app; closing it does so, too. */
    endSockets(): Promise<void>;
  }
}

/** The whole service as a Fastify app over a migrated database; listens to nothing yet. */
export async function buildApp({ config, pool, clock, log }: AppDeps): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: config.trustedProxies.length > 0 ? config.trustedProxies : false,
    bodyLimit: bodyLimitBytes,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    requestTimeout: 20_000,
    routerOptions: { maxParamLength: longestAddressPart },
    rewriteUrl: (request) => readableAddress(request.url ?? '/'),
    clientErrorHandler: refuseUnreadable,
    exposeHeadRoutes: false,
    return503OnClosing: false,
  });
  const db = createDb(pool);
  const metrics = createMetrics();
  const { directory, storage } = config.media;
  const mediaAddresses = createMediaAddresses(
    await installationSecret(db, 'media', config.secrets.media),
    config.apiBaseUrl,
  );
  const tokens = createAccessTokens(await installationSecret(db, 'jwt', config.secrets.jwt));
  const activity = createActivityLog(pool, clock);
  const nonces = createNonces(await installationSecret(db, 'nonce', null), config.publicUrl.startsWith('https:'));
  const deps: Deps = {
    config,
    pool,
    db,
    clock,
    log,
    metrics,
    tokens,
    limits: createLimits(pool, config.rateLimits),
    addressKey: await installationSecret(db, 'refusedAddress', null),
    factorKey: await factorKey(db, config.secrets.factors),
    unsubscribeKey: await installationSecret(db, 'unsubscribe', null),
    activity,
    push: createPush(config.push, await installationSecret(db, 'vapid', config.push.privateKey), log),
    realtime: createRealtime({ config, pool, clock, tokens, activity, log }),
    storage: await withDemo(db, storage.driver === 's3' ? s3Storage(storage, log) : diskStorage(directory)),
    mediaAddresses,
    pictures: createPictureViews(mediaAddresses, config.media.showsPending),
    identities: await chooseIdentities(config.signIn, { clock, nonces, app }),
    ...(await choosePayments(config.payments, { db, clock, log })),
  };

  handleErrors(app, metrics);
  acceptOnlyJson(app);
  await sendSecurityHeaders(app, config);
  if (config.rateLimits) {
    await app.register(rateLimit, {
      max: (_request, key) => requestLimits[countedAs(key)].requests,
      timeWindow: requestLimits.overall.perSeconds * 1000,
      keyGenerator: (request) => networkOf(request.ip) + markOf(request.url),
      allowList: (request) => request.url === '/healthz' || request.url === '/readyz',
      errorResponseBuilder: (_request, context) =>
        Object.assign(new Error('too many'), { statusCode: 429, retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
    });
  }
  await app.register(compress, { threshold: 2048, encodings: ['gzip', 'identity'], zlibOptions: { level: 4 } });
  // Hooks that wait for nothing are no promises: there are some for each request.
  app.addHook('onResponse', (request, reply, done) => {
    metrics.observeRequest(
      request.method,
      request.routeOptions.url ?? 'none',
      reply.statusCode,
      reply.elapsedTime / 1000,
    );
    request.log.debug({ req: request, res: reply, ms: Math.round(reply.elapsedTime) }, 'answered');
    done();
  });

  const endpoints: EndpointSpec[] = [];
  app.addHook('onRoute', (route) => {
    const mounted = route.config?.mounted;
    if (mounted !== undefined) {
      endpoints.push(mounted.endpoint);
      // An answer holds what only its caller may know: no cache keeps it.
      route.onSend = (_request, reply, payload, done) => {
        if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'no-store');
        done(null, payload);
      };
    }
  });
  mountAuth(app, deps);
  mountFactors(app, deps);
  mountIdentities(app, deps);
  await mountMedia(app, deps);
  mountSubscriptions(app, deps);
  await mountPaymentWebhook(app, deps);
  mountPaymentSandbox(app, deps);
  mountCompatibility(app, deps);
  mountProfiles(app, deps);
  mountStatistics(app, deps);
  const deckMaker = createDeckMaker(deps);
  mountConnections(app, deps);
  mountMessages(app, deps);
  mountDiscovery(app, deps, deckMaker);
  await mountNotifications(app, deps);
  mountReports(app, deps);
  mountAudit(app, deps);
  mountTakeout(app, deps);
  mountSystem(app, deps, mailTemplates, endpoints);
  deps.identities.builtIn?.mount(app);
  await serveWebApp(app, config);

  // The sandbox's messages take the way that a provider's take.
  const deliver = async (raw: string, signature: string) => {
    const headers = { 'content-type': 'application/json', 'heartwood-signature': signature };
    const url = apiBasePath + receivePaymentEvent.path;
    return (await app.inject({ method: 'POST', url, headers, payload: raw })).statusCode;
  };
  // Sockets want a server that listens; they are let go before it waits for its last connection.
  app.addHook('onListen', () => deps.realtime.open(app.server));
  app.decorate('endSockets', () => deps.realtime.close());
  app.addHook('preClose', () => deps.realtime.close());
  app.decorate('background', {
    tasks: {
      ...mailTasks(deps, mailTemplates),
      ...authTasks(deps),
      ...mediaTasks(deps),
      ...subscriptionTasks(deps, deliver),
      ...messageTasks(deps),
      ...discoveryTasks(deps, deckMaker),
      ...notificationTasks(deps),
      ...reportTasks(deps),
      ...auditTasks(deps),
      ...statisticsTasks(deps),
    },
    schedules: [
      ...authSchedules,
      ...mediaSchedules,
      ...subscriptionSchedules,
      ...messageSchedules,
      ...discoverySchedules,
      ...notificationSchedules,
      ...reportSchedules,
      ...auditSchedules,
      ...statisticsSchedules,
    ],
    startTickers: () => {
      const tickers = [
        startTicker('activity', 2000, () => deps.activity.flush(), log),
        startTicker('presence', 5000, () => sweepPresence(db, clock.now()), log),
        startTicker('statistics', 3000, () => foldStatistics(db), log),
        startTicker('lessons', 2000, () => learnAll(deps, deckMaker), log),
        startTicker('premium', 10_000, () => keepTime(deps), log),
      ];
      return {
        stop: async () => {
          await Promise.all(tickers.map((ticker) => ticker.stop()));
          await deps.activity.flush().catch(() => undefined);
        },
      };
    },
  });
  return app;
}

/** What is counted apart from the rest of a network's requests, by how its addresses begin. */
const countedApart = {
  assets: '/assets/',
  media: `${apiBasePath}/media/`,
  webhooks: `${apiBasePath}/webhooks/`,
} as const;
type Apart = keyof typeof countedApart;
const apart = Object.keys(countedApart) as Apart[];

/** Ends the name under which such requests of a network are counted. */
function markOf(url: string): string {
  const name = apart.find((each) => url.startsWith(countedApart[each]));
  return name === undefined ? '' : ` ${name}`;
}

const countedAs = (key: string): Apart | 'overall' => apart.find((name) => key.endsWith(` ${name}`)) ?? 'overall';

/** Adds the demo pictures to `storage` where the database holds demo data; their code is only loaded then. */
async function withDemo(db: Db, storage: Storage): Promise<Storage> {
  if (!(await hasDemoData(db))) return storage;
  const { withDemoPictures } = await import('../../demo/pictures/storage.ts');
  return withDemoPictures(storage);
}

/** Bodies are JSON, and may be empty where nothing is needed; the input check decides. */
function acceptOnlyJson(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, null);
    else void parseJson(request, String(body), done);
  });
}
