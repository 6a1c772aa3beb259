import { createHash, randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import chooseSerializer from '@fastify/fast-json-stringify-compiler';
import helmet, { type FastifyHelmetOptions } from '@fastify/helmet';
import rateLimit from '@fastify/rate-limit';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { Span } from '@opentelemetry/api';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyRequest,
  type FastifySerializerCompiler,
  LogController,
} from 'fastify';
import { apiBasePath, bodyLimitBytes, requestLimits } from '#contract/constants.ts';
import type { Language } from '#contract/languages.ts';
import type { Service, ServiceState } from '../service/settings.ts';
import { type ErrorCode, errorStatus } from '#contract/errors.ts';
import type { ErrorBody } from '#contract/error-body.ts';
import { bucketAddress, type Config } from '../config/config.ts';
import { compressAnswers } from './compression.ts';
import { handleErrors, notFoundBody } from './error-handler.ts';
import { networkOf, trustIn, unknownNetwork } from './client-network.ts';
import { keepLocal } from './local-routes.ts';
import { endRequestSpan, startRequestSpan } from '../process/tracing.ts';
import type { Metrics } from '../process/metrics.ts';
import { textOf } from '../texts.ts';
import { languageOf, publicDocuments } from './pages.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fastifyStatic from '@fastify/static';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null if nothing is traced. */
    span: Span | null;
  }
}

/**
 * A Fastify server with everything that applies to every request: errors, headers, rate limits, compression and
 * metrics. It has no routes yet.
 */
export async function createServer(config: Config, metrics: Metrics, log: FastifyBaseLogger): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    trustProxy: config.trustedProxies.length > 0 ? trustIn(config.trustedProxies) : false,
    bodyLimit: bodyLimitBytes,
    genReqId: () => randomUUID(),
    requestIdHeader: false,
    requestTimeout: 20_000,
    // Several processes that start at once on a small machine can need more than the usual ten seconds.
    pluginTimeout: 60_000,
    routerOptions: { maxParamLength: longestAddressPart },
    rewriteUrl: (request) => readableAddress(request.url ?? '/'),
    clientErrorHandler: refuseUnreadable,
    exposeHeadRoutes: false,
    return503OnClosing: false,
  });
  app.setSerializerCompiler(serializerFor);
  handleErrors(app, metrics);
  acceptOnlyJson(app);
  await sendSecurityHeaders(app, config);
  keepLocal(app, config);
  warnOfUnnamedProxy(app, config, log);
  warnOfUnreadableClients(app, config, log);
  if (config.rateLimits) await limitRequests(app);
  await compressAnswers(app);
  app.decorateRequest('span', null);
  // A hook that awaits nothing uses the callback, because a promise for every request costs time.
  app.addHook('onRequest', (request, _reply, done) => {
    request.span = startRequestSpan(request.method, request.routeOptions.url ?? 'none');
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    // Proxies ask so often that the requests of members, and those that fail, would hardly count. Without a database, a
    // proxy may let no others through.
    if (!isHealthCheck(request.url) || (request.url === '/readyz' && reply.statusCode >= 500))
      metrics.observeRequest(
        request.method,
        request.routeOptions.url ?? 'none',
        reply.statusCode,
        reply.elapsedTime / 1000,
      );
    endRequestSpan(request.span, reply.statusCode);
    request.log.debug({ req: request, res: reply, ms: Math.round(reply.elapsedTime) }, 'answered');
    done();
  });
  return app;
}

const isHealthCheck = (url: string) => url === '/healthz' || url === '/readyz';

/**
 * Logs once that TRUSTED_PROXIES is missing or incomplete. Without it, all members behind the proxy share its address,
 * and so one rate limit. The server has no TLS, so if the public URL is https, there must be a proxy.
 */
function warnOfUnnamedProxy(app: FastifyInstance, { publicUrl, trustedProxies }: Config, log: FastifyBaseLogger): void {
  if (!publicUrl.startsWith('https:')) return;
  // A client on the machine of its proxy has the same address, which is trusted.
  const isTrusted = trustIn(trustedProxies);
  let isKnown = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (
      !isKnown &&
      request.headers['x-forwarded-for'] !== undefined &&
      request.ip === request.socket.remoteAddress &&
      !isTrusted(request.ip)
    ) {
      isKnown = true;
      log.warn(
        { network: networkOf(request.ip) },
        'a request has X-Forwarded-For from an address that TRUSTED_PROXIES does not name; if it is your proxy, name it there, or all members share one rate limit',
      );
    }
    done();
  });
}

/** Logs once that a trusted proxy does not name its clients, because all of them then share one rate limit. */
function warnOfUnreadableClients(app: FastifyInstance, { trustedProxies }: Config, log: FastifyBaseLogger): void {
  if (trustedProxies.length === 0) return;
  let isKnown = false;
  app.addHook('onRequest', (request, _reply, done) => {
    if (!isKnown && networkOf(request.ip) === unknownNetwork) {
      isKnown = true;
      log.warn(
        'a trusted proxy sends X-Forwarded-For without a readable address, so its clients share one rate limit; let it send the IP address of the client',
      );
    }
    done();
  });
}

type Serializer = ReturnType<FastifySerializerCompiler<object>>;
type RouteSchema = Parameters<FastifySerializerCompiler<object>>[0];

const serializers = new WeakMap<object, Serializer>();
const compileSerializer = chooseSerializer()();

/**
 * Fastify's serializer for a schema, compiled once: all routes share the one for errors, and all servers of a process
 * share those for the endpoints.
 */
function serializerFor(route: RouteSchema): Serializer {
  const known = serializers.get(route.schema);
  if (known !== undefined) return known;
  const made = compileSerializer({ ...route, httpStatus: route.httpStatus ?? '' });
  serializers.set(route.schema, made);
  return made;
}

/** Request bodies are JSON. A body may be empty; whether that is valid is up to the endpoint's schema. */
function acceptOnlyJson(app: FastifyInstance): void {
  app.removeContentTypeParser('text/plain');
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body === '') done(null, null);
    else void parseJson(request, String(body), done);
  });
}

/** Requests below these prefixes have their own limits. */
const separatelyLimited = {
  assets: '/assets/',
  media: `${apiBasePath}/media/`,
  webhooks: `${apiBasePath}/webhooks/`,
} as const;
type SeparateLimit = keyof typeof separatelyLimited;
const separateLimits = Object.keys(separatelyLimited) as SeparateLimit[];

/** Limits the requests of each network, so that no single one can overload the service. */
async function limitRequests(app: FastifyInstance): Promise<void> {
  const keyOf = (network: string, url: string) => {
    const limit = separateLimits.find((name) => url.startsWith(separatelyLimited[name]));
    return limit === undefined ? network : `${network} ${limit}`;
  };
  const limitOf = (key: string) => separateLimits.find((name) => key.endsWith(` ${name}`)) ?? 'overall';
  await app.register(rateLimit, {
    max: (_request, key) => requestLimits[limitOf(key)].requests,
    timeWindow: requestLimits.overall.perSeconds * 1000,
    keyGenerator: (request) => keyOf(networkOf(request.ip), request.url),
    allowList: (request) => isHealthCheck(request.url),
    errorResponseBuilder: (_request, context) =>
      Object.assign(new Error('too many'), { statusCode: 429, retryAfterSeconds: Math.ceil(context.ttl / 1000) }),
  });
}

/**
 * Sends security headers with every answer: a strict content policy, no framing, no sniffing, no referrer to other
 * sites.
 */
async function sendSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const secure = config.publicUrl.startsWith('https:');
  const apiOrigin = config.apiBaseUrl.startsWith('/') ? [] : [new URL(config.apiBaseUrl).origin];
  const { storage } = config.media;
  // Our picture URLs redirect there, and the policy checks both URLs.
  const pictureOrigin = storage.driver === 's3' ? [new URL(bucketAddress(storage)).origin] : [];
  const pays = config.payments.provider === 'stripe' ? stripeOrigins : noOrigins;
  const headers = await headersBy({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'", ...inlineScripts(), ...pays.scripts],
        // Mantine sets style attributes; members' texts never become one.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...pictureOrigin],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...apiOrigin, ...pays.calls],
        // Voice notes are played from memory, so that nothing stores them.
        mediaSrc: ['blob:'],
        ...(pays.frames.length === 0 ? {} : { frameSrc: [...pays.frames] }),
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        objectSrc: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'no-referrer' },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    frameguard: { action: 'deny' },
  });
  headers['permissions-policy'] = 'camera=(self), microphone=(self), geolocation=(self), payment=(self), usb=()';
  const ofData = {
    ...withoutDocuments(headers),
    'content-security-policy': dataPolicy(secure),
    // Answers are private to the caller, unless a route overrides this.
    'cache-control': 'no-store',
  };
  app.addHook('onRequest', (request, reply, done) => {
    void reply.headers(request.url.startsWith(`${apiBasePath}/`) ? ofData : headers);
    done();
  });
}

/** The hashes of the inline scripts in the web app's documents; no other inline script can run. */
function inlineScripts(): string[] {
  const pages = ['index.html', 'landing.html'].map((name) => resolve(webRoot, name)).filter(existsSync);
  const scripts = pages
    .map((page) => readFileSync(page, 'utf8'))
    .join('')
    .matchAll(/<script>([^]+?)<\/script>/g);
  const texts = new Set(Array.from(scripts, ([, text = '']) => text));
  return [...texts].map((text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

/** The origins that Stripe's payment form loads scripts and frames from, and calls. */
const stripeOrigins = {
  scripts: ['https://js.stripe.com'],
  frames: ['https://js.stripe.com', 'https://hooks.stripe.com'],
  calls: ['https://api.stripe.com'],
} as const;
const noOrigins = { scripts: [], frames: [], calls: [] } as const;

/** Headers that matter only for pages, or for very old browsers. */
const documentHeaders = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
];

function withoutDocuments(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !documentHeaders.includes(name)));
}

/** A policy that loads nothing; `default-src` covers objects, but not the base. */
const strictest = "default-src 'none';base-uri 'none';frame-ancestors 'none'";

/** The policy for API answers, which are never pages; it saves half a kilobyte per answer. */
function dataPolicy(secure: boolean): string {
  return `${strictest}${secure ? ';upgrade-insecure-requests' : ''}`;
}

/** The constant security headers, computed once, because letting helmet build them costs 4 % of each request's time. */
async function headersBy(options: FastifyHelmetOptions): Promise<Record<string, string>> {
  const [plain, defended] = [Fastify(), Fastify()];
  await defended.register(helmet, options);
  const [without, withAll] = await Promise.all([plain, defended].map((app) => app.get('/', () => '').inject('/')));
  await Promise.all([plain.close(), defended.close()]);
  const added = Object.entries(withAll?.headers ?? {}).filter(([name]) => without?.headers[name] === undefined);
  return Object.fromEntries(added.map(([name, value]) => [name, String(value)]));
}

/** The longest path segment that the router accepts (`maxParamLength`). */
export const longestAddressPart = 256;

const nowhere = '/api/unreadable';
const overlongPart = new RegExp(`[^/]{${longestAddressPart + 1}}`);

/**
 * Returns the URL if the router can parse it, otherwise one that no route matches: the router's own errors have neither
 * our headers nor our error body.
 */
export function readableAddress(url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return overlongPart.test(path) || !isDecodable(path) ? nowhere : url;
}

function isDecodable(path: string): boolean {
  if (!path.includes('%')) return true;
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
}

const refusals: Record<string, [ErrorCode, string, MessageDescriptor]> = {
  HPE_HEADER_OVERFLOW: ['PAYLOAD_TOO_LARGE', 'headers', msg`The headers are too large`],
  ERR_HTTP_REQUEST_TIMEOUT: ['REQUEST_TIMEOUT', 'request', msg`The request did not arrive in time`],
};
const otherwise: [ErrorCode, string, MessageDescriptor] = ['INVALID_INPUT', 'request', msg`The request cannot be read`];

/** Answers a malformed HTTP request, which never reaches a route, with our error body, and closes the connection. */
function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [code, field, words] = refusals[error.code ?? ''] ?? otherwise;
  const status = errorStatus[code];
  const message = textOf(words);
  const errors = [{ field, msg: message }];
  const body: ErrorBody = { success: false, message, code, errors, requestId: randomUUID() };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    `content-security-policy: ${strictest}`,
    'x-content-type-options: nosniff',
    'x-frame-options: DENY',
    'referrer-policy: no-referrer',
    'cache-control: no-store',
    'connection: close',
  ];
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  socket.destroySoon();
}

const webRoot = resolve(import.meta.dirname, '../../../../dist/web');
// A missing path below these is a 404; every other path belongs to the web app, except for missing files.
const isOwnAddress = (path: string) => /^\/(api|assets|dev|healthz|readyz|metrics|\.well-known)(\/|$)/.test(path);
/**
 * A hidden file, or a path with an extension other than html: a client that requests a script or a picture can't use
 * the app's document. User ids may contain a dot.
 */
const isFile = (path: string) => /\/\.|^(?!\/users\/).*\.(?!html?$)\w+$/i.test(path);

/** Whether a visitor gets the landing page at `/`. The service worker, which fetches the app from there, requests no HTML. */
const opensLanding = ({ headers }: FastifyRequest, service: Service) =>
  service.now().settings.frontDoor === 'landing' && (headers.accept ?? '').includes('text/html');

/** The path as the router sees it; a path that can't be decoded is returned unchanged. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Serves the built web app: hashed files, cached forever, and its page for every other path, because routing happens in
 * the browser. Without a build, only the API is available.
 */
export async function serveWebApp(app: FastifyInstance, config: Config, service: Service): Promise<void> {
  if (existsSync(webRoot)) {
    await app.register(fastifyStatic, {
      root: webRoot,
      wildcard: false,
      index: false,
      // Compressed copies need no route, and the server fills in documents itself.
      globIgnore: ['**/*.{br,gz}', '*.{html,webmanifest}'],
      preCompressed: true,
      setHeaders: (response, path) => {
        void response.header(
          'cache-control',
          path.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
        );
      },
    });
  }
  const made = new Map<Language, { state: ServiceState; documents: ReturnType<typeof publicDocuments> }>();
  const documentsIn = (language: Language) => {
    const state = service.now();
    const known = made.get(language);
    if (known?.state === state) return known.documents;
    const documents = publicDocuments(config, webRoot, language, state.settings);
    made.set(language, { state, documents });
    return documents;
  };
  app.setNotFoundHandler(async (request, reply) => {
    const path = decoded(request.url.split(/[?#]/, 1)[0] ?? '');
    const wantsPage = ['GET', 'HEAD'].includes(request.method) && !isOwnAddress(path);
    const own = wantsPage ? documentsIn(languageOf(request)) : undefined;
    const start = path === '/' && opensLanding(request, service) ? own?.get('/app') : undefined;
    const document = start ?? own?.get(path) ?? (isFile(path) ? undefined : own?.get('/'));
    if (document === undefined) {
      // During an upgrade, the scripts of the next release are copied beside ours, which have their routes since the start.
      const isLater = /^\/assets\/[\w-]+\.\w+$/.test(path) && existsSync(join(webRoot, path));
      return isLater ? await reply.sendFile(path.slice(1)) : reply.status(404).send(notFoundBody(request));
    }
    return reply
      .headers({ 'cache-control': 'no-cache', vary: 'accept-language, cookie' })
      .type(document.type)
      .send(document.body);
  });
}
