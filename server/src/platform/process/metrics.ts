import type pg from 'pg';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { countJobs, oldestDueJob } from '../jobs/jobs.ts';

/** The metrics served by `/metrics`, in a registry of this app. */
export interface Metrics {
  registry: Registry;
  /** Records an answered request by its declared route. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** How many requests this process has answered so far, how many with a server error, and how many it accepted, by declared route. */
  answered: ReadonlyMap<string, Answered>;
  loginFailures: Counter;
  deniedRequests: Counter<'code'>;
  workerRestarts: Counter;
  /** Failed calls to external services, other than refusals that concern one member. */
  providerErrors: Counter<'provider'>;
  /** Adds a gauge that is read at each scrape. It has no value if reading fails. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  /** Like `gauge`, with one value for each value of `label`. */
  gauges<Label extends string>(
    name: string,
    help: string,
    label: Label,
    read: () => Promise<Map<string, number>> | Map<string, number>,
  ): void;
}

/** The number of answered requests. */
export interface Answered {
  requests: number;
  failures: number;
  accepted: number;
}

/** New metrics, with the process defaults of the Prometheus client. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  // The event loop's lag is measured by waking it up: the usual hundred times a second costs more than everything else
  // an idle process does. The measured values include this interval.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 50 });
  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  // One observer per combination; there are only a few routes and statuses.
  const observers = new Map<string, { observe(seconds: number): void }>();
  const answered = new Map<string, Answered>();
  return {
    registry,
    observeRequest(method, route, status, seconds) {
      const key = `${method} ${status} ${route}`;
      const observer = observers.get(key) ?? requestSeconds.labels(method, route, String(status));
      observers.set(key, observer);
      observer.observe(seconds);
      const counts = answered.get(route) ?? { requests: 0, failures: 0, accepted: 0 };
      answered.set(route, counts);
      counts.requests += 1;
      if (status >= 500) counts.failures += 1;
      if (status < 400) counts.accepted += 1;
    },
    answered,
    loginFailures: new Counter({
      name: 'login_failures_total',
      help: 'Sign-ins refused for a wrong password',
      registers: [registry],
    }),
    deniedRequests: new Counter({
      name: 'denied_requests_total',
      help: 'Requests refused with 401, 403 or 429',
      labelNames: ['code'],
      registers: [registry],
    }),
    workerRestarts: new Counter({
      name: 'job_worker_restarts_total',
      help: 'Job workers replaced because they ended or took no due job for a minute',
      registers: [registry],
    }),
    providerErrors: new Counter({
      name: 'provider_errors_total',
      help: 'Calls to outside services that failed',
      labelNames: ['provider'],
      registers: [registry],
    }),
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({
        name,
        help,
        registers: [registry],
        async collect() {
          gauge.reset();
          gauge.set(await Promise.resolve(read()).catch(() => NaN));
        },
      });
    },
    gauges(name, help, label, read) {
      const gauge: Gauge<typeof label> = new Gauge({
        name,
        help,
        labelNames: [label],
        registers: [registry],
        async collect() {
          gauge.reset();
          const values = await Promise.resolve(read()).catch(() => new Map<string, number>());
          for (const [value, number] of values) gauge.labels(value).set(number);
        },
      });
    },
  };
}

/**
 * Adds the gauges of this process and the job queue. Call it before adding other gauges, whose queries during a scrape
 * would count as requests that wait for a connection.
 */
export function measureProcess(
  metrics: Metrics,
  { pool, realtime }: { pool: pg.Pool; realtime: { count(): number; isRedisDown(): boolean } },
): void {
  const connections = () =>
    new Map([
      ['busy', pool.totalCount - pool.idleCount],
      ['idle', pool.idleCount],
      ['waiting', pool.waitingCount],
    ]);
  metrics.gauges(
    'database_connections',
    'Connections in use and idle, and requests waiting for one',
    'state',
    connections,
  );
  metrics.gauge('sockets_open', 'Open sockets of this process', () => realtime.count());
  metrics.gauge('redis_down', 'Whether REDIS_URL is set and Redis cannot be reached: 1 or 0', () =>
    Number(realtime.isRedisDown()),
  );
  metrics.gauges('jobs_due', 'Jobs that are due, by task', 'task', () => countJobs(pool, 'due'));
  metrics.gauges('jobs_failed', 'Jobs that failed for good, by task', 'task', () => countJobs(pool, 'failed'));
  metrics.gauge('jobs_oldest_due_seconds', 'How long the oldest due job has been waiting', () => oldestDueJob(pool));
}

const outages = ['UNAVAILABLE', 'unavailable', 'rate_limited'];

/** Wraps the client of an external service so that failed calls are counted. */
export function withErrorsCounted<T extends object>(metrics: Metrics, provider: string, client: T): T {
  const count = () => metrics.providerErrors.inc({ provider });
  return new Proxy(client, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(value, target, args);
        if (result instanceof Promise)
          result.then(
            (outcome: unknown) => outcome === 'failed' && count(),
            (error: unknown) => outages.includes((error as { code?: string }).code ?? '') && count(),
          );
        return result;
      };
    },
  });
}
