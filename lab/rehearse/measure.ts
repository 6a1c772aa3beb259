import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createDb, type Db } from '../../server/src/platform/db/db.ts';
import { createPool } from '../../server/src/platform/db/pool.ts';
import { compareDevices, demoTokens, openChats, type Chat } from '../chaos/chats.ts';
import { isClean, verdictInWords } from '../chaos/ledger.ts';
import { unsentMails } from '../chaos/mails.ts';
import { administratorToken } from '../chaos/product.ts';
import { startWorkload, type Workload } from '../chaos/workload.ts';
import { ordinaryDays, wake } from './days.ts';
import type { Fault, Scene } from './faults.ts';
import { until } from './machine.ts';
import type { Service } from './service.ts';
import { watchStatements, type Worked } from './statements.ts';
import { startTraffic, type Sent, writesAndReads } from './traffic.ts';

const pairs = 3;
const members = 40;
const steadyMs = 5000;
/** Longer than Patroni needs to notice anything. */
const settleMs = 8000;
/** How often messages are written and members join, and how long before anything is measured: without rest, or on ordinary days. */
const restless = { messageEveryMs: 250, joining: { clients: 2, pauseMs: 500 }, warmUpMs: steadyMs };
const ordinary = { messageEveryMs: 10_000, joining: { clients: 1, pauseMs: 10_000 }, warmUpMs: 20_000 };
/** A member's day has more than a hundred requests. */
const requestsPerDay = 100;
const ordinaryS = 100;
const giveUpMs = 90_000;
const socketPollMs = 50;

/** What a fault cost. */
export interface Row {
  fault: Fault;
  perSecond: number;
  requests: number;
  failed: number;
  /** How failed requests ended, such as `12 × 503`. */
  failures: string;
  /** The longest time without a successful write, in seconds. */
  longestS: number;
  /** From the fault until the last failed request was sent, in seconds; 0 without failures. */
  lastFailureS: number;
  /** The longest time during which a socket was not connected, in seconds. */
  socketsS: number;
  acknowledged: number;
  lost: number;
  messages: number;
  messagesLost: number;
  messagesDoubled: number;
  /** What statements cost on the primary and on replicas; null if a database restarted, which forgets it. */
  worked: Worked | null;
  /** What else is wrong; empty if nothing is. */
  problems: string[];
  isKept: boolean;
}

export interface Rehearsed {
  row: Row;
  workload: Workload;
}

/** Causes one fault while members work, waits until everything is healthy again, and compares what was acknowledged with what is there. */
export async function rehearse(scene: Scene, fault: Fault, perSecond: number): Promise<Rehearsed> {
  const { cluster, service, folder } = scene;
  const isOrdinary = fault.isOrdinary === true && scene.hasPopulation;
  const pool = createPool(service.databaseUrl());
  const db = createDb(pool);
  try {
    const chats = await openChats(db, service.origin, pairs);
    const pace = isOrdinary ? ordinary : restless;
    const next = isOrdinary ? await days(db, service, perSecond) : await restlessMembers(db, service);
    const stopWriting = keepWriting(chats, pace.messageEveryMs);
    const workload = await startWorkload(service, join(folder, `ledger-${fault.name}.jsonl`), pace.joining);
    const traffic = startTraffic(next, perSecond);
    await pause(pace.warmUpMs);
    const statements = await watchStatements(cluster);
    const sockets = watchSockets(chats);
    const at = performance.now();
    const undo = await fault.cause(scene);
    const causedAt = performance.now();
    await until('writes', () => Promise.resolve(hasSettled(traffic.sent, causedAt)), giveUpMs);
    await undo();
    const repaired = await cluster.untilHealthy().then(
      () => [],
      () => cluster.repair(),
    );
    await pause(steadyMs);
    const socketsS = sockets.stop() / 1000;
    await traffic.stop();
    await stopWriting();
    await workload.stop();
    const worked = await statements.stop();
    await Promise.all(chats.flatMap(({ devices }) => devices.map((device) => device.catchUp())));
    const talk = compareDevices(chats);
    for (const { devices } of chats) for (const device of devices) device.close();
    const ended = await Promise.all([...service.apps, service.worker].map((product) => service.restart(product)));
    const unsent = await unsentMails(service);
    const verdict = await workload.check();
    const sent = traffic.sent.filter(({ endedAt }) => endedAt >= at);
    const bad = sent.filter(({ isGood }) => !isGood);
    const problems = [
      ...(isClean(verdict) ? [] : [verdictInWords(verdict)]),
      ...verdict.contradictions.slice(0, 3),
      ...repaired.map((name) => `${name} had to be copied again`),
      ...(ended.includes(true) ? ['a process ended that was not killed'] : []),
      ...(unsent === 0 ? [] : [`${unsent} mails were not sent`]),
      ...(talk.ghosts + talk.others === 0 ? [] : [`${talk.ghosts} messages never sent, ${talk.others} chats differ`]),
    ];
    const row = {
      fault,
      perSecond,
      requests: sent.length,
      failed: bad.length,
      failures: countWords(bad),
      longestS: longestGapMs(sent, at) / 1000,
      lastFailureS: Math.max(0, ...bad.map(({ sentAt }) => sentAt - at)) / 1000,
      socketsS,
      acknowledged: verdict.acknowledged,
      lost: verdict.lost.length,
      messages: talk.written,
      messagesLost: talk.lost,
      messagesDoubled: talk.doubled,
      worked,
      problems,
    };
    return { row: { ...row, isKept: isKept(row) }, workload };
  } finally {
    await pool.end();
  }
}

const restlessMembers = async (db: Db, { origin }: Service) =>
  await writesAndReads(
    origin,
    (await demoTokens(db, members)).map(({ token }) => token),
  );

async function days(db: Db, service: Service, perSecond: number) {
  const people = await wake(db, Math.ceil((perSecond * ordinaryS) / requestsPerDay));
  return ordinaryDays(service.origin, people, await administratorToken(service));
}

function isKept(row: Omit<Row, 'isKept'>): boolean {
  const { mostSeconds = Infinity, mostFailed = Infinity } = row.fault;
  return (
    row.longestS <= mostSeconds &&
    row.failed <= mostFailed * row.requests &&
    row.lost + row.messagesLost + row.messagesDoubled + row.problems.length === 0
  );
}

/** Whether writes sent after `from` have succeeded, and none failed, for long enough that what the fault causes later is seen. */
function hasSettled(sent: Sent[], from: number): boolean {
  const now = performance.now();
  const recent = sent.filter(({ isWrite, endedAt }) => isWrite && endedAt > now - settleMs);
  return now - from > settleMs && recent.some(({ sentAt }) => sentAt > from) && recent.every(({ isGood }) => isGood);
}

/** The longest time after `from` in which no write ended well. */
function longestGapMs(sent: Sent[], from: number): number {
  const ends = sent.filter(({ isWrite, isGood }) => isWrite && isGood).map(({ endedAt }) => endedAt);
  const last = Math.max(from, ...sent.map(({ endedAt }) => endedAt));
  const moments = [from, ...ends.toSorted((a, b) => a - b), last];
  return Math.max(...moments.slice(1).map((moment, index) => moment - (moments[index] ?? 0)));
}

function countWords(sent: Sent[]): string {
  const counts = new Map<string, number>();
  for (const { words } of sent) counts.set(words, (counts.get(words) ?? 0) + 1);
  return [...counts].map(([words, count]) => `${count} × ${words}`).join(', ');
}

/** Two devices of each chat write until stopped; each message is sent again until it is acknowledged. */
function keepWriting(chats: Chat[], everyMs: number): () => Promise<void> {
  const state = { stopped: false };
  const running = chats.flatMap(({ devices, written }, chat) =>
    devices.slice(0, 2).map(async (device, who) => {
      for (let number = 1; !state.stopped; number += 1) {
        const text = `chat ${chat} writer ${who} message ${number}`;
        written.add(text);
        await device.write(text);
        await pause(everyMs);
      }
    }),
  );
  return async () => {
    state.stopped = true;
    await Promise.all(running);
  };
}

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
