import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { chromium } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { buildWebApp } from '../../launcher/web-build.ts';
import { demoProviders } from '../../demo/installation.ts';
import { buildApp } from '../../server/src/app.ts';
import { systemClock } from '#platform/process/clock.ts';
import { readConfig } from '#platform/config/config.ts';
import { createDb } from '#platform/db/db.ts';
import { startTicker } from '#platform/jobs/jobs.ts';
import { createLog } from '#platform/process/log.ts';
import { demoActivityEverySeconds, keepDemoOnline } from '../../demo/keep-online.ts';
import { importPlaces } from '../../server/src/features/profiles/place/import-places.ts';
import { seedDemo } from '../../demo/seed.ts';
import { cloneDatabase, createTestPool, ensureTemplate } from '../../server/test/harness.ts';
import { callerOf, type Caller } from './server-calls.ts';
import { openVisitor, type ReusingBrowser, type VisitorOptions, type Visitor } from './visitor.ts';

/** The running product: server, jobs and web app with a separate database, and a browser for visitors. */
export interface Service {
  url: string;
  pool: pg.Pool;
  /** Calls the API directly. */
  call: Caller;
  /** A visitor with a fresh browser profile, signed in as given by `options`. */
  visitor(options?: VisitorOptions): Promise<Visitor>;
  /** Closes all visitors' browsers; fails if a page caused browser errors. */
  closeVisitors(): Promise<void>;
  close(): Promise<void>;
}

/** Features to switch off: Playwright's own list, which this one replaces, and others that take time and that no test needs. */
const unusedFeatures = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  // Suggestions of the address bar, which start a process for each profile that takes longer than our own page.
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  // Starts a process in advance for a next page, which is rarely needed.
  'SpareRendererForSitePerProcess',
];
const browserFlags = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  // One process for all pages: starting one for each visitor, and compiling the app again there, takes a third of a journey.
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
  // Optimisations that no page is open long enough to profit from.
  '--js-flags=--no-opt,--no-maglev',
  '--disable-threaded-animation',
  '--disable-threaded-scrolling',
  '--disable-checker-imaging',
  `--disable-features=${unusedFeatures.join()}`,
];
const stateWithinMs = 60_000;

interface ServiceOptions {
  /** The number of demo accounts. */
  members?: number;
  /** The server's environment. */
  environment?: Record<string, string>;
  /** The host name that browsers use, since passkeys don't work with an IP address. */
  host?: '127.0.0.1' | 'localhost';
}

/** One browser for all files of a worker: each visitor has a separate profile. Closed with the worker. */
let browser: Promise<ReusingBrowser> | undefined;

/** Starts the product. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
  await buildWebApp();
  browser ??= openBrowser();
  const [served, opened] = await Promise.all([serve(options), browser]);
  const call = callerOf(served.url);
  const visitors = new Set<Visitor>();

  async function closeVisitors() {
    const leaving = [...visitors];
    visitors.clear();
    await Promise.all(leaving.map((visitor) => visitor.close()));
    expect(leaving.flatMap(({ problems }) => problems)).toEqual([]);
  }

  return {
    url: served.url,
    pool: served.pool,
    call,
    visitor: async (options = {}) => {
      const visitor = await openVisitor(opened, served.url, call, options);
      visitors.add(visitor);
      return visitor;
    },
    closeVisitors,
    close: () => served.stop(),
  };
}

/**
 * The product for the tests of a file or suite. A repeated test gets a new one, since the first try may have registered
 * its email address, or left someone signed out or blocked.
 */
export function serviceForTests(options: ServiceOptions = {}): Service {
  let running: Service;
  beforeAll(async () => {
    running = await startService(options);
  });
  beforeEach(async ({ task: { result } }) => {
    if (!result?.retryCount && !result?.repeatCount) return;
    await running.close();
    running = await startService(options);
  });
  afterEach(() => running.closeVisitors());
  afterAll(() => running.close());
  return {
    get url() {
      return running.url;
    },
    get pool() {
      return running.pool;
    },
    get call() {
      return running.call;
    },
    visitor: (as) => running.visitor(as),
    closeVisitors: () => running.closeVisitors(),
    close: () => running.close(),
  };
}

async function openBrowser(): Promise<ReusingBrowser> {
  return (await chromium.launch({
    executablePath: process.env['CHROMIUM'] || '/usr/bin/chromium',
    headless: true,
    chromiumSandbox: false,
    args: browserFlags,
  })) as ReusingBrowser;
}

async function serve({
  members = 200,
  environment = {},
  host = '127.0.0.1',
}: ServiceOptions): Promise<{ url: string; pool: pg.Pool; stop: () => Promise<void> }> {
  const database = await cloneDatabase(await demoTemplate(members));
  const mediaDir = await mkdtemp(join(tmpdir(), 'heartwood-media-'));
  const config = readConfig({
    RATE_LIMITS: 'off',
    SEED: 'none',
    MEDIA_DIR: mediaDir,
    WORKER_CONCURRENCY: '2',
    ...environment,
  });
  const log = createLog('error');
  const pool = createTestPool(database.url, 12);
  const app = await buildApp({ config, pool, clock: systemClock, log, providers: demoProviders });
  const keepOnline = () => keepDemoOnline(createDb(pool), systemClock.now());
  const tickers = [
    app.background.startTickers(),
    startTicker('demo', demoActivityEverySeconds * 1000, keepOnline, log),
  ];
  const worker = await app.background.startWorker();
  const url = (await app.listen({ host: '127.0.0.1', port: 0 })).replace('127.0.0.1', host);
  // The base address of emailed links is only known now.
  config.publicUrl = url;
  return {
    url,
    pool,
    stop: async () => {
      // A browser may keep an unused connection open, and closing would wait a minute for it.
      app.server.closeAllConnections();
      await app.close();
      await worker.stop();
      await Promise.all(tickers.map((ticker) => ticker.stop()));
      await pool.end();
      await database.drop();
      // A picture may still be on its way to the disk.
      await rm(mediaDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

/** The name of a template with that many demo accounts: cloning one is much faster than filling a database. */
async function demoTemplate(members: number): Promise<string> {
  const name = `heartwood_demo_${members}`;
  await ensureTemplate(name, async (url) => {
    const pool = createTestPool(url);
    await importPlaces(pool);
    await seedDemo(pool, { members, now: systemClock.now() });
    await pool.end();
  });
  return name;
}

/** Waits until `read` returns the expected value; fails if it does not within `withinMs`. */
export function eventually<T>(read: () => T | Promise<T>, withinMs = stateWithinMs) {
  return expect.poll(read, { timeout: withinMs, interval: 40 });
}
