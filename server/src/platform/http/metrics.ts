import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';

/** The metrics served by `/metrics`, in a registry of this app. */
export interface Metrics {
  registry: Registry;
  /** Records an answered request by its declared route. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  loginFailures: Counter;
  deniedRequests: Counter<'code'>;
  workerRestarts: Counter;
}

/** New metrics, with the process defaults of the Prometheus client. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requestSeconds = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from request to answer',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  // One observer for each combination; there are few, because routes and their statuses are few.
  const observers = new Map<string, { observe(seconds: number): void }>();
  return {
    registry,
    observeRequest(method, route, status, seconds) {
      const key = `${method} ${status} ${route}`;
      const observer = observers.get(key) ?? requestSeconds.labels(method, route, String(status));
      observers.set(key, observer);
      observer.observe(seconds);
    },
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
  };
}
