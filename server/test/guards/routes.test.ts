import { describe, expect, it } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { isPermission } from '#contract/roles.ts';
import { getSubscription, listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { startAppForTests, type TestApp } from '../harness.ts';
import { production as productionEnvironment } from '../production.ts';
import { limitedCalls } from './limited-calls.ts';
import { routesOf, addressOf, callName, contractEndpoints } from './contract-endpoints.ts';
import { filesBelow } from '../../../scripts/import-graph.ts';

const declared: EndpointSpec[] = await contractEndpoints();
const test = startAppForTests({ PUBLIC_URL: 'http://dating.test:3000' });
const production = startAppForTests({
  ...productionEnvironment,
  RATE_LIMITS: 'on',
  GOOGLE_CLIENT_IDS: 'web.example',
  FACEBOOK_APP_ID: '4711',
  FACEBOOK_APP_SECRET: 'hidden-secret',
});

/** The mounted endpoints below `/api/v1`, in the contract's notation. */
const mountedCalls = (app = test.app) =>
  routesOf(app)
    .filter((route) => route.path.startsWith(`${apiBasePath}/`))
    .map((route) =>
      callName({ ...route, path: route.path.slice(apiBasePath.length).replaceAll(/:(\w+)/g, '{$1}') } as EndpointSpec),
    );

/** Below the API's path, but not part of the API. */
const description = 'GET /openapi.json';
/** Endpoints allowed without a session; extend this list only on purpose. */
const openToEveryone = [
  'POST /auth/register',
  'POST /auth/login',
  'POST /auth/refresh-token',
  'POST /auth/verify-email',
  'POST /auth/resend-verification',
  'POST /auth/forgot-password',
  'POST /auth/reset-password',
  'POST /auth/reset-password/methods',
  'POST /auth/change-email/cancel',
  'POST /auth/change-email/restore',
  'POST /auth/change-email/restore/stop',
  'POST /auth/account/restore',
  // Authorized by a challenge, an emailed link or a passkey.
  'POST /auth/login/totp',
  'POST /auth/totp/removal',
  'POST /auth/totp/removal/confirm',
  'POST /auth/totp/removal/stop',
  'POST /auth/passkeys/login/options',
  'POST /auth/passkeys/login/verify',
  // Authorized by a provider's identity or its handle.
  'GET /auth/google/nonce',
  'POST /auth/google',
  'POST /auth/facebook',
  'GET /auth/house',
  'POST /auth/house',
  'POST /auth/link',
  'POST /auth/join',
  'GET /config',
  'GET /dev/outbox',
  // The same for everyone.
  'GET /help-lines',
  'GET /lists',
  'GET /texts/{kind}',
  'GET /transparency',
  'GET /transparency/schema',
  'GET /transparency/{year}/{file}',
  // Authorized by the former secret of the subscription.
  'PUT /push-subscriptions',
  // Authorized by the token of a link that a member sent to a friend.
  'POST /dates/shared',
  // Outsider reports of people who are not members.
  'GET /notices/challenge',
  'POST /notices',
  // Authorized by their signature or secret.
  'GET /media/{key}',
  'POST /webhooks/payments',
  'POST /notifications/unsubscribe',
  'POST /age-check/answer',
  'POST /notices/link',
  'POST /notices/link/appeal',
  'POST /notices/link/forget',
  'POST /appeals/link',
  'POST /appeals/link/decision',
  'POST /appeals/link/export',
  'POST /appeals/link/export/download',
  'POST /appeals/link/refund',
  'POST /appeals/link/request',
  'POST /appeals/link/withdraw',
  'POST /dev/payments/intents/{id}',
];
/** Routes outside the API and the files of the web app. */
const otherPaths = [
  '/.well-known/change-password',
  '/.well-known/security.txt',
  '/app/status',
  '/brand/:file',
  '/api/docs',
  '/api/docs.css',
  '/dev/age',
  '/dev/outbox',
  '/dev/idp',
  '/dev/idp/authorize',
  '/healthz',
  '/metrics',
  '/readyz',
];

describe('the server’s routes', () => {
  it('below /api/v1 match the contract’s endpoints exactly', () => {
    const names = [...declared.map(callName), description];
    const mounted = mountedCalls();
    const unmounted = names.filter((name) => !mounted.includes(name));
    expect(unmounted, "Mount them in their feature's routes.ts").toEqual([]);
    expect(mounted.sort(), 'Declare what you mount in contract/').toEqual(names.sort());
  });

  it('are each declared once', () => {
    const names = declared.map(callName);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('are counted by the limits of requests that they are listed with', () => {
    const counted: Record<string, string[]> = {};
    for (const endpoint of declared)
      if (endpoint.limit !== undefined) (counted[endpoint.limit] ??= []).push(callName(endpoint));
    for (const calls of Object.values(counted)) calls.sort();
    expect(counted, 'Add the call to limited-calls.ts').toEqual(limitedCalls);
  });

  it('outside /api/v1 are known exceptions or files of the web app', () => {
    const files = new Set(
      filesBelow(['dist/web', 'web/public'], /./).map((path) => path.replace(/^(dist\/web|web\/public)/, '')),
    );
    const unknown = routesOf(test.app).filter(
      ({ path }) => !path.startsWith(`${apiBasePath}/`) && !otherPaths.includes(path) && !files.has(path),
    );
    expect(unknown.filter(({ path }) => !/^\/(assets\/[\w.-]+|index\.html)$/.test(path))).toEqual([]);
  });

  it('have an access rule, and a response schema unless they stream', () => {
    for (const endpoint of declared) {
      const isKnown = ['everyone', 'signedIn', 'completed'].includes(endpoint.access) || isPermission(endpoint.access);
      expect(isKnown, callName(endpoint)).toBe(true);
      expect(endpoint.response === undefined ? typeof endpoint.streams : 'answer', callName(endpoint)).not.toBe(
        'undefined',
      );
      expect(endpoint.summary.length, callName(endpoint)).toBeGreaterThan(10);
    }
  });

  it('have a schema for the parameters in their path', () => {
    const bare = declared.filter((endpoint) => endpoint.path.includes('{') !== (endpoint.params !== undefined));
    expect(bare.map(callName)).toEqual([]);
  });

  it('run in a transaction that stores the answer if they honor Idempotency-Key', () => {
    const forgetful = declared.filter(
      ({ creates, claimsKey, writes }) => (creates === true || claimsKey === true) && writes !== true,
    );
    expect(forgetful.map(callName)).toEqual([]);
  });

  it('honor Idempotency-Key if they create something, except two', () => {
    const forgetful = declared.filter(({ status, creates }) => status === 201 && creates !== true);
    // A second training case of a decision is refused, and an unused picture of the brand is deleted.
    expect(forgetful.map(callName).sort()).toEqual(['POST /admin/golden-cases', 'POST /admin/service/pictures/{kind}']);
  });

  it('change nothing with GET, except that they record when staff read a subscription', () => {
    const writing = declared.filter(({ method, writes }) => method === 'GET' && writes === true);
    expect(writing.map(callName).sort()).toEqual([callName(getSubscription), callName(listSubscriptions)].sort());
  });

  it('require a session unless they are public', () => {
    expect(
      declared
        .filter((endpoint) => endpoint.access === 'everyone')
        .map(callName)
        .sort(),
    ).toEqual([...openToEveryone].sort());
  });
});

describe('a visitor', () => {
  it('gets the same 401 wherever a session is required', async () => {
    const answers = new Map<string, string[]>();
    for (const endpoint of declared.filter(({ access }) => access !== 'everyone')) {
      for (const headers of [{}, { authorization: 'Bearer nonsense' }, { authorization: 'Basic YTpi' }]) {
        const response = await test.app.inject({
          method: endpoint.method,
          url: addressOf(endpoint, 'some-id'),
          headers,
        });
        const body = `${response.statusCode} ${response.body.replace(/"requestId":"[^"]+"/, '')}`;
        answers.set(body, [...(answers.get(body) ?? []), callName(endpoint)]);
      }
    }
    expect(Object.fromEntries([...answers].filter(([body]) => !body.startsWith('401')))).toEqual({});
    expect(answers.size).toBe(1);
  });
});

describe('a page on this machine that requires no account', () => {
  const open = ['/dev/outbox', '/dev/idp', `${apiBasePath}/dev/outbox`, '/metrics'];
  const answers = (host: string) =>
    Promise.all(open.map(async (url) => (await test.app.inject({ url, headers: { host } })).statusCode));

  it('cannot be read under a host name that could belong to another site', async () => {
    for (const host of ['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example'])
      expect(await answers(host), host).toEqual([403, 403, 403, 403]);
  });

  it('can be read as localhost, by IP address and under the public name', async () => {
    const usual = await answers('localhost:3000');
    expect(usual).not.toContain(403);
    for (const host of ['127.0.0.1:3000', '[::1]:3000', 'LOCALHOST', 'dating.test'])
      expect(await answers(host), host).toEqual(usual);
  });
});

describe('a request forwarded by a proxy', () => {
  it.each([
    { 'x-forwarded-for': '203.0.113.5' },
    { 'x-forwarded-proto': 'https' },
    { 'x-real-ip': '203.0.113.5' },
    { forwarded: 'for=203.0.113.5' },
    { via: '1.1 proxy' },
  ])('with %j reaches neither development features nor metrics', async (headers) => {
    const routes = routesOf(test.app).filter(({ path }) => /\/dev\/|^\/metrics/.test(path));
    expect(routes.length).toBeGreaterThan(7);
    for (const { method, path } of routes) {
      const request = { method: method as 'GET', url: path.replaceAll(/:\w+/g, 'x') };
      expect((await test.app.inject({ ...request, headers })).statusCode, path).toBe(404);
    }
  });
});

describe('a production server', () => {
  it('has no development routes', async () => {
    const added = (app: TestApp) => routesOf(app.app).filter(({ path }) => /(^|\/)dev(\/|$)/.test(path));
    expect(added(test).length).toBeGreaterThan(0);
    expect(added(production)).toEqual([]);
    for (const url of ['/dev/outbox', `${apiBasePath}/dev/outbox`]) {
      expect((await production.app.inject(url)).statusCode, url).toBe(404);
    }
  });

  it('has all other endpoints', () => {
    expect(mountedCalls(production.app).sort()).toEqual(
      mountedCalls()
        .filter((name) => !name.includes('/dev/'))
        .sort(),
    );
  });
});
