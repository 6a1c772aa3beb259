import { readFileSync } from 'node:fs';
import { createServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listAudit } from '#contract/moderation/audit.ts';
import { getOperations, retryJobs } from '#contract/operations.ts';
import { makeAdministrator } from '../../../test/factories.ts';
import { loseDatabase, startApp, type TestApp } from '../../../test/harness.ts';
import { production } from '../../../test/production.ts';
import type { Deps } from '../../deps.ts';
import { readConfig } from '#platform/config/config.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { createMetrics } from '#platform/process/metrics.ts';
import { certificateJob, keptCertificates, peersOf } from './certificates.ts';
import { dangersOf } from './operations.ts';
import { judge, since, together } from './policy.ts';
import { operationsTickers } from './status.ts';

let test: TestApp;
function eachWithAnApp(): void {
  beforeEach(async () => {
    test = await startApp();
  });
  afterEach(() => test.close());
}

const statusPage = () => test.app.inject({ url: '/app/status' });
const fail = (message: string) =>
  sql`
  update graphile_worker._private_jobs set attempts = max_attempts, last_error = ${message}`.execute(test.db);
/** Reports of another process about its requests in the last five minutes. */
const beat = (answered: object) =>
  sql`
  insert into server_process (id, host, version, node, runs_jobs, started_at, seen_at, answered)
  values (gen_random_uuid(), 'other', '9.9.9', '24.0.0', true, ${test.clock.now()}, ${test.clock.now()}, ${JSON.stringify(answered)})`.execute(
    test.db,
  );

describe('GET /app/status', () => {
  eachWithAnApp();
  it('says in words that everything works, is public, and may be cached', async () => {
    const page = await statusPage();
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({
      'cache-control': 'public, max-age=15',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(page.body).toContain('<h1>Everything works</h1>');
    expect(page.body.match(/Works<\/strong>/g)).toHaveLength(6);
  });

  it('is in the language that the browser requests', async () => {
    const { body, headers } = await test.app.inject({ url: '/app/status', headers: { 'accept-language': 'de' } });
    expect(headers['vary']).toContain('accept-language, cookie');
    expect(body).toMatch(
      /<html lang="de" dir="ltr">[^]+<h1>Alles funktioniert<\/h1>[^]+Geprüft um <time datetime="[^"]+">/,
    );
  });

  it('adds up the answers of all processes, and asks the database once for all readers within 15 seconds', async () => {
    await beat({ messages: { requests: 60, failures: 6 }, discovery: { requests: 100, failures: 2 } });
    expect((await statusPage()).body).toContain('<h1>Some things don’t work as they should</h1>');
    await beat({ messages: { requests: 60, failures: 60 } });
    expect((await statusPage()).body).toContain('Messages</span><strong class="degraded">');
    test.clock.advance(15);
    expect((await statusPage()).body).toContain('Messages</span><strong class="down">');
    expect((await statusPage()).body).toContain('Discovery and likes</span><strong class="works">');
  });

  it('says that everything is down when the database is unavailable', async () => {
    await loseDatabase(test);
    const page = await statusPage();
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<h1>Heartwood is having problems</h1>');
    expect(page.body).not.toContain('Works<');
  });
});

describe('the status of a component', () => {
  const stateOf = (requests: number, failures: number) =>
    judge({ signIn: { requests, failures } }, { late: 0, retrying: 0, refused: 0, sentLately: 0 }, { sells: true })[0]
      ?.state;
  it.each([
    [0, 0, 'works'],
    [1, 1, 'works'],
    [2, 2, 'down'],
    [3, 2, 'down'],
    [5, 2, 'works'],
    [100, 4, 'works'],
    [100, 5, 'degraded'],
    [6, 3, 'down'],
  ])('after %i requests with %i failures is: %s', (requests, failures, state) => {
    expect(stateOf(requests, failures)).toBe(state);
  });

  it.each([
    [0, 1, 0, 0, 'works'],
    [0, 2, 0, 0, 'down'],
    [1, 1, 0, 0, 'down'],
    [0, 2, 0, 1, 'works'],
    [0, 3, 0, 40, 'works'],
    [3, 0, 0, 40, 'degraded'],
    [0, 41, 0, 40, 'degraded'],
    [0, 3, 0, 0, 'down'],
    [0, 1, 1, 0, 'down'],
    [0, 1, 1, 40, 'degraded'],
  ])(
    'for mail with %i late, %i retried, %i of them refused, and %i sent is: %s',
    (late, retrying, refused, sentLately, state) => {
      const parts = judge({}, { late, retrying, refused, sentLately }, { sells: false });
      expect(parts.at(-1)).toEqual({ part: 'mail', state });
      expect(parts.some(({ part }) => part === 'payments')).toBe(false);
    },
  );

  it('counts what happened since an earlier heartbeat, in all processes', () => {
    const before = { mail: { requests: 5, failures: 1 } };
    const now = { mail: { requests: 9, failures: 2 } };
    expect(since(before, now)).toEqual({ mail: { requests: 4, failures: 1 } });
    expect(together([now, before]).mail).toEqual({ requests: 14, failures: 3 });
  });
});

describe('GET /admin/operations', () => {
  eachWithAnApp();
  it('lists running processes with versions, and removes those that have ended', async () => {
    const { token } = await makeAdministrator(test);
    const metrics = createMetrics();
    // Only those who are let in open the app.
    for (const status of [200, 200, 200, 401, 403, 429, 503])
      metrics.observeRequest('GET', '/api/v1/auth/profile', status, 0.01);
    const [ticker] = operationsTickers({
      ...test,
      config: readConfig({}),
      metrics,
      realtime: { isRedisDown: () => true, opened: () => 2 },
    } as unknown as Deps);
    await ticker?.run();
    const read = async () => (await test.call(getOperations, { token })).body.data;
    const { processes, database, features, storage } = await read();
    const counts = { isRedisDown: true, appOpened: 3, socketsOpened: 2 };
    expect(processes).toEqual([expect.objectContaining({ runsJobs: true, node: process.versions.node, ...counts })]);
    expect(database.isReplicaBehind).toBe(false);
    expect(database.migration).toMatch(/^\d+-.+\.sql$/);
    expect(storage.freeBytes).toBeGreaterThan(0);
    expect(features).toContainEqual({ name: 'MAIL_DRIVER', value: 'outbox' });
    await beat({});
    expect((await read()).processes).toHaveLength(2);
    test.clock.advance(61);
    await ticker?.run();
    expect((await read()).processes).toHaveLength(1);
  });

  it('shows failed jobs without the data quoted in their errors', async () => {
    const { token } = await makeAdministrator(test);
    await addJob(test.db, 'mail.send', { id: 'canary' });
    await fail('550 <ada@canary.test>: "Canarietta" is not known here, code 123456');
    const { jobs } = (await test.call(getOperations, { token })).body.data;
    expect(jobs.tasks).toEqual([{ task: 'mail.send', due: 0, failed: 1 }]);
    expect(jobs.failed).toEqual([
      expect.objectContaining({ task: 'mail.send', error: '550 … … is not known here, code …' }),
    ]);
    expect(JSON.stringify(jobs)).not.toMatch(/canary/i);
  });
});

describe('GET /metrics', () => {
  eachWithAnApp();
  const metric = async (line: string) => {
    const { body } = await test.app.inject({ url: '/metrics', remoteAddress: '127.0.0.1' });
    return Number(
      body
        .split('\n')
        .find((one) => one.startsWith(`${line} `))
        ?.split(' ')[1],
    );
  };
  const note = (name: string, value: unknown) =>
    sql`insert into installation (name, value) values (${name}, ${JSON.stringify(value)}::jsonb)`.execute(test.db);
  const after = (seconds: number) => new Date(test.clock.now().getTime() + seconds * 1000).toISOString();

  it('measures the age of backups from the start of the installation, then from the last one', async () => {
    await test.sql`update schema_file set applied_at = ${after(-500)}`;
    await note('lastDrill', after(-90));
    expect([await metric('backup_age_seconds'), await metric('drill_age_seconds')]).toEqual([500, 90]);
  });

  it('measures the time until certificates expire, the free disk space and the processes that run jobs', async () => {
    await note('certificates', [
      { name: 'Mail', validUntil: after(70), problem: null },
      { name: 'Stripe', validUntil: after(70), problem: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
      { name: 'Redis', validUntil: null, problem: 'ECONNREFUSED' },
    ]);
    await beat({});
    expect(await metric('certificate_ends_seconds{peer="Mail"}')).toBe(70);
    expect(await metric('certificate_ends_seconds{peer="Stripe"}')).toBe(0);
    expect(await metric('certificate_ends_seconds{peer="Redis"}')).toBe(0);
    expect(await metric('worker_processes')).toBe(1);
    expect(await metric('disk_free_ratio')).toBeGreaterThan(0);
    test.clock.advance(61);
    expect(await metric('worker_processes')).toBe(0);
  });
});

describe('dangerous settings', () => {
  const reachable = { HOST: '0.0.0.0', SEED: 'none' };
  it.each([
    ['here', {}, []],
    ['here', { SEED: 'demo', STAFF_MFA: 'off', RATE_LIMITS: 'off', ALLOW_CLEAR_TEXT: 'on' }, []],
    ['in production', production, []],
    ['in production', { ...production, SEED: 'demo' }, ['SEED']],
    ['in production', { ...production, STAFF_MFA: 'off' }, ['STAFF_MFA']],
    ['in production', { ...production, ALLOW_CLEAR_TEXT: 'on' }, ['ALLOW_CLEAR_TEXT']],
    ['beyond this machine', reachable, ['NODE_ENV']],
    ['beyond this machine', { PUBLIC_URL: 'https://dating.example', STAFF_MFA: 'on', SEED: 'none' }, ['NODE_ENV']],
    [
      'beyond this machine',
      { ...reachable, SEED: 'demo', STAFF_MFA: 'off', RATE_LIMITS: 'off' },
      ['NODE_ENV', 'SEED', 'STAFF_MFA', 'RATE_LIMITS'],
    ],
  ])('%s with %o are: %j', (_, environment, dangers) => {
    expect(dangersOf(readConfig(environment))).toEqual(dangers);
  });
});

describe('POST /admin/jobs/retry', () => {
  eachWithAnApp();
  it('retries one failed job or all of a task, with an audit event, each only once', async () => {
    const { token } = await makeAdministrator(test);
    for (const id of ['a', 'b', 'c']) await addJob(test.db, 'mail.send', { id });
    await fail('refused');
    const { jobs } = (await test.call(getOperations, { token })).body.data;
    const id = jobs.failed[0]?._id ?? '';
    const retry = async (body: { task: string; id?: string }) =>
      (await test.call(retryJobs, { token, body })).body.data.retried;
    expect(await retry({ task: 'push.send' })).toBe(0);
    expect(await retry({ task: 'push.send', id })).toBe(0);
    expect(await retry({ task: 'mail.send', id: '9'.repeat(18) })).toBe(0);
    const tooLong = { task: 'mail.send', id: '9'.repeat(19) };
    expect((await test.call(retryJobs, { token, body: tooLong })).status).toBe(400);
    expect(await retry({ task: 'mail.send', id })).toBe(1);
    expect(await retry({ task: 'mail.send' })).toBe(2);
    expect(await retry({ task: 'mail.send' })).toBe(0);
    const { events } = (await test.call(listAudit, { token, query: { action: 'jobs.retried' } })).body.data;
    expect(events.map(({ changes }) => changes)).toEqual([
      { 'mail.send': { from: 'failed', to: 'due' } },
      { [`mail.send ${id}`]: { from: 'failed', to: 'due' } },
    ]);
    const after = (await test.call(getOperations, { token })).body.data.jobs;
    expect(after.tasks).toEqual([{ task: 'mail.send', due: 3, failed: 0 }]);
  });
});

describe('the certificate check', () => {
  eachWithAnApp();
  it('reads the certificates of all configured hosts, expired or not', async () => {
    const file = (name: string) => readFileSync(join(import.meta.dirname, '../../../test/doubles/push-vendor', name));
    const server = createServer({ cert: file('localhost.crt'), key: file('localhost.key') }).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const { port } = server.address() as AddressInfo;
    const config = readConfig({ PUBLIC_URL: `https://localhost:${port}`, REDIS_URL: 'rediss://localhost:1' });
    await certificateJob.run({ ...test, config } as unknown as Deps, {}, {} as never);
    expect(await keptCertificates(test.db)).toEqual([
      expect.objectContaining({
        name: 'This service',
        validUntil: expect.stringMatching(/^2\d/) as string,
        problem: expect.stringMatching(/CERT/) as string,
      }),
      expect.objectContaining({ name: 'Redis', validUntil: null, problem: 'ECONNREFUSED' }),
    ]);
    server.close();
  });

  it('is skipped if no external host is configured', () => {
    expect(peersOf(readConfig({}))).toEqual([]);
  });
});
