import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inWords } from '../../server/test/proofs/http.ts';
import { isClean, verdictInWords } from '../../server/test/proofs/ledger.ts';
import { startWorkload } from '../../server/test/proofs/workload.ts';
import { type Chat, compareDevices, openChats, writeAll } from '../chaos/chats.ts';
import { findMembers, signIn, unsentMails } from '../product.ts';
import type { Fault, Scene } from './faults.ts';
import { until } from './program.ts';
import { hasSettled, longestGapMs, startTraffic } from './traffic.ts';

const pairs = 3;
const members = 40;
const steadyMs = 5000;
/** Longer than Patroni needs to notice a failure. */
const settleMs = 8000;
const giveUpMs = 90_000;
const messageEveryMs = 250;
const socketPollMs = 50;

/** The measured effects of a fault. */
export interface Row {
  fault: Fault;
  requests: number;
  failed: number;
  /** How requests failed, and when. */
  failures: string;
  /** The longest time without a successful write, in seconds. */
  longestS: number;
  /** The longest time during which a socket was not connected, in seconds. */
  socketsS: number;
  acknowledged: number;
  messages: number;
  /** The requirements that were missed. */
  problems: string[];
}

/** Causes one fault while members work, waits until everything is healthy again, and compares acknowledged writes with the stored data. */
export async function rehearse(scene: Scene, fault: Fault, perSecond: number): Promise<Row> {
  const { cluster, service, folder } = scene;
  const { origin } = service;
  const pool = new pg.Pool({ connectionString: service.databaseUrl() });
  // Faults cut connections.
  pool.on('error', () => undefined);
  try {
    const chats = await openChats(pool, origin, pairs);
    const sessions = await signIn(pool, origin, await findMembers(pool, members));
    let isOver = false;
    const writing = writeAll(chats, { pauseMs: () => messageEveryMs, isOver: () => isOver });
    const ledger = join(folder, `ledger-${fault.name}.jsonl`);
    const workload = await startWorkload(service, ledger, {
      clients: 2,
      pauseMs: 500,
      // Through the proxy the outbox does not exist.
      outboxAt: service.apps[0]?.origin ?? origin,
    });
    const tokens = sessions.map(({ token }) => token);
    const traffic = await startTraffic(origin, tokens, perSecond);
    await pause(steadyMs);
    const sockets = watchSockets(chats);
    const mostFailed = fault.mostFailed?.(service) ?? 1;
    const at = performance.now();
    const undo = await fault.cause(scene);
    const causedAt = performance.now();
    await until('writes', () => Promise.resolve(hasSettled(traffic.sent, causedAt, settleMs)), giveUpMs);
    await undo();
    const repaired = await cluster.untilHealthy().then(
      () => [],
      () => cluster.repair(),
    );
    await pause(steadyMs);
    const socketsS = sockets.stop() / 1000;
    await traffic.stop();
    isOver = true;
    const writes = await writing;
    await workload.stop();
    await Promise.all(chats.flatMap(({ devices }) => devices.map((device) => device.catchUp())));
    const talk = compareDevices(chats);
    for (const device of chats.flatMap(({ devices }) => devices)) device.close();
    const ended = await Promise.all([...service.apps, service.worker].map((product) => service.restart(product)));
    const unsent = await unsentMails(pool);
    const verdict = await workload.check();
    const sent = traffic.sent.filter(({ endedAt }) => endedAt >= at);
    const answers = workload.answers.map(({ at: endedAt, outcome }) => ({
      endedAt,
      // Limits of the product refuse the administrator after some time.
      isGood: outcome.kind === 'answered' && outcome.status < 500,
      words: inWords(outcome),
    }));
    const all = [...sent, ...answers.filter(({ endedAt }) => endedAt >= at)].toSorted((a, b) => a.endedAt - b.endedAt);
    const bad = all.filter(({ isGood }) => !isGood);
    const secondsAfter = (moment = at) => `${((moment - at) / 1000).toFixed(1)} s`;
    // Devices send a message again until it is acknowledged.
    const again = writes - talk.written;
    const [requests, failed] = [all.length + writes, bad.length + again];
    const when = `from ${secondsAfter(bad[0]?.endedAt)} to ${secondsAfter(bad.at(-1)?.endedAt)}`;
    const failures = [
      countOf(bad.map(({ words }) => words)),
      bad.length > 0 && when,
      again > 0 && `${again} messages sent again`,
    ]
      .filter(Boolean)
      .join(', ');
    const longestS = longestGapMs(sent, at) / 1000;
    const { mostSeconds = Infinity } = fault;
    const wrong: [isWrong: boolean, words: string][] = [
      [longestS > mostSeconds, `no write for ${longestS.toFixed(1)} s`],
      [failed > mostFailed * requests, `failed requests: ${failures}`],
      [!isClean(verdict), verdictInWords(verdict)],
      [verdict.contradictions.length > 0, verdict.contradictions.slice(0, 3).join('; ')],
      [talk.lost + talk.doubled + talk.ghosts + talk.others > 0, `messages: ${JSON.stringify(talk)}`],
      [repaired.length > 0, `${repaired.join(', ')} had to be copied again`],
      [ended.includes(true), 'a process ended that was not killed'],
      [unsent > 0, `${unsent} mails were not sent`],
    ];
    return {
      ...{ fault, requests, failed, failures, longestS, socketsS },
      ...{ acknowledged: verdict.acknowledged, messages: talk.written },
      problems: wrong.flatMap(([isWrong, words]) => (isWrong ? [words] : [])),
    };
  } finally {
    await pool.end();
  }
}

/** Counts in the form `12 × 503, 1 × no connection`. */
export const countOf = (words: string[]): string =>
  [...Map.groupBy(words, (word) => word)].map(([word, { length }]) => `${length} × ${word}`).join(', ');

/** Measures the longest time a socket was not connected; `stop` returns it in milliseconds. */
function watchSockets(chats: Chat[]): { stop(): number } {
  const devices = chats.flatMap((chat) => chat.devices);
  const lastUp = new Map(devices.map((device) => [device, performance.now()]));
  let longest = 0;
  const timer = setInterval(() => {
    for (const device of devices) {
      if (!device.isConnected()) longest = Math.max(longest, performance.now() - (lastUp.get(device) ?? 0));
      else lastUp.set(device, performance.now());
    }
  }, socketPollMs);
  return {
    stop() {
      clearInterval(timer);
      return longest;
    },
  };
}
