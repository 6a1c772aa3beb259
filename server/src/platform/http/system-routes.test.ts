import { randomUUID } from 'node:crypto';
import { msg } from '@lingui/core/runtime-macro';
import { describe, expect, it, afterEach, beforeEach } from 'vitest';
import pg from 'pg';
import { getConfig } from '#contract/system.ts';
import { likeUser } from '#contract/connections.ts';
import { startApp, startAppForTests, type TestApp } from '../../../test/harness.ts';
import { makeMember } from '../../../test/factories.ts';
import { addJob } from '../jobs/jobs.ts';
import { AppError } from './app-error.ts';
import { createMetrics, withErrorsCounted } from '../process/metrics.ts';

const metricsToken = 'a-long-enough-metrics-token';
const test = startAppForTests();
const guarded = startAppForTests({ METRICS_TOKEN: metricsToken, TRUSTED_PROXIES: 'loopback' });

const metricsOf = (app: TestApp, remoteAddress: string, headers: Record<string, string> = {}) =>
  app.app.inject({ url: '/metrics', remoteAddress, headers });

describe('GET /metrics', () => {
  it('counts the requests of members, but not the health checks of proxies', async () => {
    for (const url of ['/healthz', '/readyz', '/app/status']) await test.app.inject({ url });
    const { body } = await metricsOf(test, '127.0.0.1');
    expect(body).toContain('route="/app/status"');
    expect(body).not.toMatch(/route="\/(healthz|readyz)"/);
  });

  it('answers only this machine', async () => {
    expect((await metricsOf(test, '127.0.0.1')).body).toContain('http_request_duration_seconds');
    expect((await metricsOf(test, '203.0.113.5')).statusCode).toBe(404);
  });

  it.each([
    'x-forwarded-for',
    'x-original-forwarded-for',
    'forwarded',
    'via',
    'x-real-ip',
    'x-cluster-client-ip',
    'client-ip',
    'x-envoy-external-address',
    'fastly-client-ip',
    'x-azure-clientip',
    'x-appengine-user-ip',
    'x-amzn-trace-id',
    'cdn-loop',
    'cf-connecting-ip',
  ])('returns 404 to a proxy that sends %s, like the development pages', async (name) => {
    const headers = { [name]: '203.0.113.5' };
    expect((await metricsOf(test, '127.0.0.1', headers)).statusCode).toBe(404);
    expect((await test.app.inject({ url: '/dev/outbox', headers })).statusCode).toBe(404);
  });

  it('requires the token if one is configured, and then accepts requests through a proxy', async () => {
    const proxied = { authorization: `Bearer ${metricsToken}`, 'x-forwarded-for': '203.0.113.5' };
    expect((await metricsOf(guarded, '127.0.0.1', proxied)).statusCode).toBe(200);
    expect((await metricsOf(guarded, '203.0.113.5', { authorization: `Bearer ${metricsToken}` })).statusCode).toBe(200);
    for (const authorization of [
      '',
      'Bearer ',
      `Bearer ${metricsToken}x`,
      `Bearer ${metricsToken.slice(0, -1)}`,
      metricsToken,
    ]) {
      expect((await metricsOf(guarded, '127.0.0.1', { authorization })).statusCode, authorization).toBe(404);
    }
  });

  it('shows connections, sockets, the job queue and overdue reports', async () => {
    await addJob(test.db, 'mail.send', { id: randomUUID() });
    await test.pool.query(`update graphile_worker._private_jobs set run_at = now() - interval '5 minutes'`);
    const { body } = await metricsOf(test, '127.0.0.1');
    for (const line of [
      /^database_connections\{state="busy"\} \d/m,
      /^database_connections\{state="waiting"\} 0$/m,
      /^sockets_open 0$/m,
      /^jobs_due\{task="mail.send"\} 1$/m,
      /^jobs_oldest_due_seconds 30\d/m,
      /^reports_overdue 0$/m,
      /^mail_queue\{state="waiting"\} 0$/m,
      /^mail_queue\{state="dead"\} 0$/m,
      /^mail_oldest_waiting_seconds 0$/m,
      /^moderation_queue\{queue="casesOverdue"\} 0$/m,
    ])
      expect(body).toMatch(line);
    await test.pool.query('update graphile_worker._private_jobs set attempts = max_attempts');
    const failed = (await metricsOf(test, '127.0.0.1')).body;
    expect(failed).toContain('jobs_failed{task="mail.send"} 1');
    expect(failed).not.toContain('jobs_due{task="mail.send"}');
  });

  it('counts member actions and failed calls to external services', async () => {
    const [one, other] = [await makeMember(test), await makeMember(test)];
    await test.call(likeUser, { token: one.token, params: { userId: other.id }, body: {} });
    await test.call(likeUser, { token: one.token, params: { userId: one.id }, body: {} });
    const metrics = createMetrics();
    const client = withErrorsCounted(metrics, 'push', {
      send: (outcome: string) =>
        outcome === 'down' ? Promise.reject(new AppError('UNAVAILABLE', msg`x`)) : Promise.resolve(outcome),
    });
    await client.send('sent');
    await client.send('failed');
    await expect(client.send('down')).rejects.toThrow('x');
    expect(await metrics.registry.metrics()).toContain('provider_errors_total{provider="push"} 2');
    const { body } = await metricsOf(test, '127.0.0.1');
    expect(body).toContain('member_events_total{event="like"} 1');
    expect(body).toContain('member_events_total{event="message"} 0');
  });

  it('labels requests by route, never by their URL', async () => {
    await test.app.inject('/api/v1/auth/sessions?search=canary-in-address');
    await test.app.inject('/canary-in-path');
    const { body } = await metricsOf(test, '127.0.0.1');
    expect(body).toContain('route="/api/v1/auth/sessions"');
    expect(body).not.toContain('canary');
    expect(body).toMatch(/denied_requests_total\{code="UNAUTHENTICATED"\} [1-9]/);
  });
});

describe('/.well-known', () => {
  it('redirects password managers to the security settings', async () => {
    const { statusCode, headers } = await test.app.inject('/.well-known/change-password');
    expect([statusCode, headers.location]).toEqual([302, '/app/settings/security']);
  });

  it.each([
    ['the support address by default', { SUPPORT_EMAIL: 'Help <help@dating.example>' }, 'mailto:help@dating.example'],
    [
      'the security contact if set',
      { SECURITY_CONTACT: 'https://dating.example/security' },
      'https://dating.example/security',
    ],
  ])('lists %s in security.txt, with an expiry date', async (_name, environment, contact) => {
    const other = await startApp({ PUBLIC_URL: 'https://dating.example', ...environment });
    const { headers, body } = await other.app.inject('/.well-known/security.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body.split('\n')).toEqual([
      `Contact: ${contact}`,
      'Expires: 2026-09-13T00:00:00.000Z',
      'Preferred-Languages: en',
      'Canonical: https://dating.example/.well-known/security.txt',
      '',
    ]);
    await other.close();
  });
});

describe('the files that let apps open links', () => {
  const files = ['assetlinks.json', 'apple-app-site-association'];
  const read = (app: TestApp, file: string) => app.app.inject(`/.well-known/${file}`);

  it('do not exist unless an app is set', async () => {
    for (const file of files) expect((await read(test, file)).statusCode).toBe(404);
  });

  it('contain the configured apps as JSON', async () => {
    const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':');
    const other = await startApp({
      ANDROID_APP_PACKAGE: 'org.example.dating',
      ANDROID_APP_FINGERPRINTS: `${fingerprint.toLowerCase()}, ${fingerprint}`,
      APPLE_APP_IDS: 'ABCDE12345.org.example.dating',
    });
    const [android, apple] = [await read(other, files[0] ?? ''), await read(other, files[1] ?? '')];
    expect([android, apple].map(({ headers }) => headers['content-type'])).toEqual(
      files.map(() => 'application/json; charset=utf-8'),
    );
    expect(android.json()).toMatchObject([
      { target: { package_name: 'org.example.dating', sha256_cert_fingerprints: [fingerprint, fingerprint] } },
    ]);
    expect(apple.json()).toMatchObject({
      applinks: { details: [{ appIDs: ['ABCDE12345.org.example.dating'] }] },
      webcredentials: { apps: ['ABCDE12345.org.example.dating'] },
    });
    await other.close();
  });
});

describe('the web app’s public configuration', () => {
  it('contains neither secrets nor internal addresses', async () => {
    const { raw, body } = await guarded.call(getConfig);
    expect(raw).not.toContain(metricsToken);
    // The key is random, and may contain any of these words.
    expect(raw.replace(body.data.pushPublicKey, '')).not.toMatch(/postgres|127\.0\.0\.1|secret|jwt|password":"/i);
  });
});

describe('GET /readyz', () => {
  let service: TestApp;

  beforeEach(async () => {
    service = await startApp();
  });

  afterEach(() => service.close());

  const readiness = () => service.app.inject({ url: '/readyz' });

  it('reports ready while the database answers', async () => {
    expect((await readiness()).statusCode).toBe(200);
  });

  it('reports not ready when the database hangs, which counts as a failure', async () => {
    const url = service.pool.options.connectionString;
    const other = new pg.Client({ ...(url === undefined ? {} : { connectionString: url }) });
    await other.connect();
    await other.query('begin; lock table installation');
    const answer = await readiness();
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('2');
    expect((await metricsOf(service, '127.0.0.1')).body).toMatch(/route="\/readyz",status="503"/);
    await other.end();
    expect((await readiness()).statusCode).toBe(200);
  });

  it('reports not ready as soon as the app begins to stop, as /healthz does', async () => {
    service.app.isDraining = true;
    expect((await readiness()).statusCode).toBe(503);
    expect((await service.app.inject({ url: '/healthz' })).statusCode).toBe(503);
  });
});
