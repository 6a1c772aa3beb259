import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import type { AnswerOf, BodyInput, EndpointSpec, ParamsInput, QueryInput } from '#contract/endpoint.ts';
import { errorBodySchema, type ErrorBody } from '#contract/error-body.ts';
import type { OutboxMail } from '#contract/system.ts';
import { demoProviders } from '../../demo/installation.ts';
import { buildApp } from '../src/app.ts';
import { mailTemplates } from '../src/features.ts';
import { readConfig } from '#platform/config/config.ts';
import { createDb, type Db } from '#platform/db/db.ts';
import { createPool } from '#platform/db/pool.ts';
import type { Deps } from '../src/deps.ts';
import { drainJobs } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/process/log.ts';
import { readOutbox } from '#platform/notify/mail.ts';
import { TestClock } from './clock.ts';
import { formOf, type SentFile } from './pictures.ts';
import { outsideTransactions } from './transaction-guard.ts';

export const adminUrl = (): string => {
  const url = process.env['TEST_DATABASE_URL'];
  if (url === undefined) throw new Error('TEST_DATABASE_URL is not set; run the tests with npm test');
  return url;
};

/** Runs statements on the database server, outside the tests' clones. */
async function asServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl() });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/**
 * A pool for tests. Its statements may take longer than the product's, because a busy machine needs time for thousands
 * of fixture rows.
 */
export function createTestPool(url: string, max = 8): pg.Pool {
  return createPool(url, { max, giveUpMs: 60_000, connectTimeoutMs: 60_000 });
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Clones a separate database from `template`, by default the migrated one. */
export async function cloneDatabase(template = 'heartwood_template'): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asServer(`create database ${name} template ${template} strategy file_copy`);
  const url = new URL(adminUrl());
  url.pathname = `/${name}`;
  const drop = async () => {
    await asServer(untilIdle(name));
    await asServer(`drop database if exists ${name} with (force)`);
  };
  return { url: url.href, drop };
}

/**
 * Waits until no connection to a database runs a statement, for ten seconds at most. A statement whose connection is
 * terminated would fail in work that no test waits for.
 */
const untilIdle = (name: string) => `
  do $$ begin
    for _ in 1..1000 loop
      perform pg_stat_clear_snapshot();
      exit when not exists (select from pg_stat_activity where datname = '${name}' and state <> 'idle');
      perform pg_sleep(0.01);
    end loop;
  end $$`;

/** Copies a database that is in use. */
async function copyDatabase({ url }: TestDatabase): Promise<string> {
  const name = new URL(url).pathname.slice(1);
  const copy = `${name}_copy`;
  await asServer(`alter database ${name} allow_connections false`);
  await asServer(untilIdle(name));
  await asServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  await asServer(`create database ${copy} template ${name} strategy file_copy`);
  await asServer(`alter database ${name} allow_connections true`);
  return copy;
}

/** Creates the template `name` filled by `fill`, unless this run has already created it. */
export async function ensureTemplate(name: string, fill: (url: string) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl() });
  await client.connect();
  try {
    // Two test files may need the same template at the same time.
    await client.query('select pg_advisory_lock(hashtext($1))', [name]);
    if ((await client.query('select from pg_database where datname = $1', [name])).rowCount === 1) return;
    const draft = await cloneDatabase();
    await fill(draft.url);
    await client.query(`alter database ${new URL(draft.url).pathname.slice(1)} rename to ${name}`);
  } finally {
    await client.end();
  }
}

interface CallOptions<E extends EndpointSpec> {
  token?: string;
  params?: ParamsInput<E>;
  query?: QueryInput<E>;
  body?: BodyInput<E>;
  headers?: Record<string, string>;
  /** Sent as a form instead of a body. */
  file?: SentFile;
}

interface Answered<E extends EndpointSpec> {
  status: number;
  /** The success body, checked against the contract; reading it after a refusal fails the test. */
  body: AnswerOf<E>;
  error: ErrorBody;
  headers: Record<string, string | string[] | number | undefined>;
  raw: string;
}

export interface TestApp {
  app: FastifyInstance;
  pool: pg.Pool;
  db: Db;
  /** Runs a statement. */
  sql(text: TemplateStringsArray, ...values: unknown[]): Promise<unknown>;
  /** The folder of its pictures. */
  mediaDir: string;
  clock: TestClock;
  /** Log lines written so far, as JSON text. */
  logLines(): string;
  /** Calls an endpoint in the same process; every answer is checked against its schema. */
  call<E extends EndpointSpec>(endpoint: E, options?: CallOptions<E>): Promise<Answered<E>>;
  /** Runs all due jobs, or only those of some tasks, because the others may have become many. */
  drain(...tasks: string[]): Promise<void>;
  /** Like `drain`, including jobs scheduled for later. */
  drainLater(): Promise<void>;
  /** The mails written to an address, newest first. */
  outbox(to: string): Promise<OutboxMail[]>;
  /** Copies the current database, as a backup would; returns the name of the copy, which can be used as a template. */
  copy(): Promise<string>;
  close(): Promise<void>;
}

/** Starts the whole app over a cloned database, with a stopped clock and no request limits by default. */
export async function startApp(environment: Record<string, string> = {}, template?: string): Promise<TestApp> {
  return await startAppOn(await cloneDatabase(template), environment);
}

/** Like `startApp`, over a given database, which is dropped at the end. */
export async function startAppOn(database: TestDatabase, environment: Record<string, string> = {}): Promise<TestApp> {
  const mediaDir = await mkdtemp(join(tmpdir(), 'heartwood-media-'));
  const config = readConfig({
    RATE_LIMITS: 'off',
    SEED: 'none',
    AGE_PROVIDER: environment['NODE_ENV'] === 'production' ? 'off' : 'double',
    MEDIA_DIR: mediaDir,
    PUSH_ALLOWED_HOSTS: 'localhost:9',
    ...environment,
  });
  const pool = createTestPool(database.url);
  const clock = new TestClock(new Date('2026-06-15T12:00:00.000Z'));
  const sink = new PassThrough();
  let lines = '';
  sink.on('data', (chunk: Buffer) => {
    lines += chunk.toString();
  });
  const log = createLog('debug', sink);
  const app = await buildApp({ config, pool, clock, log, providers: demoProviders }).catch(async (error: unknown) => {
    await pool.end();
    throw error;
  });
  await app.ready();
  const db = createDb(pool);
  return {
    app,
    pool,
    db,
    sql: (text, ...values) => sql(text, ...values).execute(db),
    mediaDir: config.media.directory,
    clock,
    logLines: () => lines,
    call: (endpoint, options) => callEndpoint(app, endpoint, options ?? {}),
    drain: (...only) => {
      const { tasks } = app.background;
      const chosen = Object.entries(tasks).filter(([name]) => only.length === 0 || only.includes(name));
      return drainJobs(pool, Object.fromEntries(chosen), log);
    },
    drainLater: async () => {
      await pool.query('update graphile_worker._private_jobs set run_at = now()');
      await drainJobs(pool, app.background.tasks, log);
    },
    outbox: (to) => readOutbox({ db, config } as Deps, mailTemplates, to),
    copy: () => copyDatabase(database),
    close: async () => {
      await app.close();
      await pool.end();
      await database.drop();
      // A picture may still be being written.
      await rm(mediaDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/**
 * An app for the tests of the file or `describe` that calls this: started before the first one, and closed after the
 * last. It can be used in tests and their hooks.
 */
export function startAppForTests(environment: Record<string, string> = {}, template?: string): TestApp {
  let started: TestApp;
  beforeAll(async () => {
    started = await startApp(environment, template);
  });
  afterAll(() => started.close());
  return new Proxy({} as TestApp, { get: (_, name) => Reflect.get(started, name) as unknown });
}

async function callEndpoint<E extends EndpointSpec>(
  app: FastifyInstance,
  endpoint: E,
  options: CallOptions<E>,
): Promise<Answered<E>> {
  const params = Object.entries<string>(options.params ?? {});
  const path = params.reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(value)),
    endpoint.path,
  );
  const query = new URLSearchParams(Object.entries(options.query ?? {}) as [string, string][]).toString();
  const form = options.file && (await formOf(options.file));
  const request = {
    method: endpoint.method,
    url: apiBasePath + path + (query === '' ? '' : `?${query}`),
    headers: {
      ...(options.token === undefined ? {} : { authorization: `Bearer ${options.token}` }),
      ...form?.headers,
      ...options.headers,
    },
    ...(form === undefined ? {} : { payload: form.payload }),
    ...(options.body === undefined ? {} : { payload: options.body as object }),
  };
  const response = await outsideTransactions(async () => await app.inject(request));
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  const parsed: unknown = isJson ? response.json() : response.body;
  const succeeded = response.statusCode < 300;
  if (isJson) checkAnswer(endpoint, response.statusCode, succeeded, parsed);
  return {
    status: response.statusCode,
    get body(): AnswerOf<E> {
      if (!succeeded)
        throw new Error(`${endpoint.method} ${endpoint.path} answered ${response.statusCode}: ${response.body}`);
      return parsed as AnswerOf<E>;
    },
    get error(): ErrorBody {
      if (succeeded)
        throw new Error(
          `${endpoint.method} ${endpoint.path} was expected to refuse, but answered ${response.statusCode}`,
        );
      return parsed as ErrorBody;
    },
    headers: response.headers,
    raw: response.body,
  };
}

function checkAnswer(endpoint: EndpointSpec, status: number, succeeded: boolean, body: unknown): void {
  const schema = succeeded ? endpoint.response : errorBodySchema;
  const result = schema?.safeParse(body);
  if (result !== undefined && !result.success) {
    throw new Error(
      `${endpoint.method} ${endpoint.path} (${status}) breaks its contract: ${JSON.stringify(result.error.issues)}`,
    );
  }
  if (succeeded && status !== (endpoint.status ?? 200))
    throw new Error(`${endpoint.method} ${endpoint.path} answered ${status}`);
}

/** Cuts a running app off from its database: every connection breaks and no new one succeeds. */
export async function loseDatabase(test: TestApp): Promise<void> {
  const name = new URL(test.pool.options.connectionString ?? '').pathname.slice(1);
  const client = new pg.Client({ connectionString: adminUrl() });
  await client.connect();
  await client.query(`drop database ${pg.escapeIdentifier(name)} with (force)`);
  await client.end();
}

let networks = 0;

/**
 * The headers of a caller from a network that no other request of this test file uses; requires
 * TRUSTED_PROXIES=loopback.
 */
export function newNetwork(): Record<string, string> {
  networks += 1;
  return { 'x-forwarded-for': `10.${Math.floor(networks / 250)}.${networks % 250}.7` };
}
