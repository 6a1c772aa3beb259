import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { apiBasePath } from '#contract/constants.ts';
import { inWords, send, type Outcome, type Sending } from './http.ts';

/** One of each kind of call every fifth of a second: ten requests per second in all, each on a new connection. */
const everyMs = 700;

/** Calls that continue through failures, and their outcomes. */
export interface Probes {
  stop(): Promise<void>;
  /** Of the calls sent from `from` to `to`, all or those to `path`. */
  between(from: number, to: number, path?: string): Summary;
  /** How many calls sent after `moment` failed. */
  failuresAfter(moment: number): number;
}

export interface Summary {
  asked: number;
  unanswered: number;
  slowestMs: number;
  slowestPath: string;
  /** Such as `12 × 200, 3 × 503`. */
  statuses: string;
}

const json = (path: string, body: object): Sending => ({
  method: 'POST',
  path: apiBasePath + path,
  body: JSON.stringify(body),
});

/** Reading and writing, with and without a key, of visitors and of health checks. */
const kinds: (() => Sending)[] = [
  () => ({ method: 'GET', path: '/healthz' }),
  () => ({ method: 'GET', path: '/readyz' }),
  () => ({ method: 'GET', path: `${apiBasePath}/config` }),
  () => json('/auth/login', { email: 'nobody@prove.test', password: 'not their password' }),
  () => json('/auth/forgot-password', { email: 'nobody@prove.test' }),
  () => json('/auth/refresh-token', { refreshToken: 'x'.repeat(43) }),
  () => ({
    ...json('/auth/register', {
      email: `probe-${randomUUID()}@prove.test`,
      password: 'a phrase nobody would guess',
      firstName: 'Ida',
      acceptTerms: true,
    }),
    headers: { 'idempotency-key': randomUUID() },
  }),
];

/** Starts calling `origin`. */
export function startProbes(origin: string): Probes {
  const calls: { path: string; at: number; outcome: Outcome }[] = [];
  const underWay = new Set<Promise<void>>();
  let stopped = false;

  const probe = async (sending: Sending) => {
    const at = performance.now();
    calls.push({ path: sending.path, at, outcome: await send(origin, sending) });
  };
  const rhythm = async (kind: () => Sending, number: number) => {
    await pause((everyMs * number) / kinds.length);
    while (!stopped) {
      const running = probe(kind()).finally(() => underWay.delete(running));
      underWay.add(running);
      await pause(everyMs);
    }
  };
  const running = Promise.all(kinds.map(rhythm));

  return {
    async stop() {
      stopped = true;
      await running;
      await Promise.all(underWay);
    },
    between: (from, to, path) =>
      summaryOf(calls.filter((call) => call.at >= from && call.at <= to && (path === undefined || call.path === path))),
    failuresAfter: (moment) => calls.filter(({ at, outcome }) => at > moment && hasFailed(outcome)).length,
  };
}

const hasFailed = (outcome: Outcome) => outcome.kind !== 'answered' || outcome.status >= 500;

function summaryOf(calls: { path: string; outcome: Outcome }[]): Summary {
  const counts = new Map<string, number>();
  for (const { outcome } of calls) counts.set(inWords(outcome), (counts.get(inWords(outcome)) ?? 0) + 1);
  const slowest = calls.toSorted((a, b) => b.outcome.ms - a.outcome.ms)[0];
  return {
    asked: calls.length,
    unanswered: calls.filter(({ outcome }) => outcome.kind !== 'answered').length,
    slowestMs: slowest?.outcome.ms ?? 0,
    slowestPath: slowest?.path ?? '',
    statuses: [...counts].map(([words, count]) => `${count} × ${words}`).join(', '),
  };
}
