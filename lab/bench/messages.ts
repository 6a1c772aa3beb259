import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { realtimePath } from '#contract/realtime.ts';
import { createPool } from '../../server/src/platform/db/db.ts';
import type { BenchData } from './data.ts';
import { p99, type Times } from './measure.ts';
import { postingTo } from './posting.ts';
import { heading, remark, reportAtLeast, reportTimes } from './report.ts';
import { serve, type Service } from './service.ts';

const sockets = 2000;
const askedRate = 200;
const heldMs = 100;
const rates = [
  200, 250, 300, 350, 400, 450, 500, 600, 700, 800, 1000, 1200, 1500, 2000, 2500, 3000, 4000, 5000, 6500, 8000, 10_000,
  12_000,
];
const seconds = { asked: 20, step: 6 };
/** How long to wait for messages still on their way. */
const afterMs = 3000;

/** A member with a socket, and the member they write to. */
interface Writer {
  token: string;
  otherToken: string;
  matchId: string;
  /** The process they are connected to. */
  at: number;
  socket: Socket;
}

/** Sends a message for a writer; the received message contains `text`. */
type Say = (writer: Writer, text: string) => void;

/**
 * Measures the delivery time of messages to 2,000 sockets and the throughput, compared to a bare echo server. Both run as two
 * processes, and both members of a pair are connected to different ones, so every message crosses processes.
 */
export async function benchMessages(data: BenchData): Promise<void> {
  heading(`Messages between ${sockets} sockets`);
  const pool = createPool(data.large);
  const { rows } = await pool.query<{ id: string }>(
    `select account_id as id from directory d join account a on a.id = d.account_id
     where d.is_shown and a.staff_role is null and a.created_at < now() - interval '2 days' order by 1 limit $1`,
    [sockets],
  );
  const ids = rows.map(({ id }) => id);
  const matchIds = await placeMatches(pool, ids);
  const services = await twice(() => serve(data.large, 'ada@heartwood.test'));
  let own: number;
  try {
    const tokens = (await services[0].ask({ signIn: ids })) as string[];
    const writers = await connectAll(services, tokens, matchIds);
    const post = posting(services);
    await carry(writers, post, askedRate, 5);
    const asked = await carry(writers, post, askedRate, seconds.asked);
    reportTimes(`a message from sending to arriving, ${askedRate} a second`, asked.times, heldMs);
    remark('of which arrived', `${asked.times.length} of ${asked.sent}`);
    own = await highestRate(writers, post);
    writers.forEach(({ socket }) => socket.disconnect());
  } finally {
    for (const service of services) await service.stop();
    await pool.query('delete from conversation where id = any ($1::uuid[])', [matchIds]);
    await pool.query('delete from match where id = any ($1::uuid[])', [matchIds]);
    await pool.end();
  }
  const echoes = await twice(() => startEcho(data.large));
  try {
    const writers = await connectAll(echoes, ids, matchIds);
    const bare = await highestRate(writers, ({ socket, otherToken }, text) =>
      socket.emit('say', { to: otherToken, text: text.padEnd(300) }),
    );
    writers.forEach(({ socket }) => socket.disconnect());
    remark(`messages a second with p99 ≤ ${heldMs} ms`, `${own}`);
    remark('the same of a bare echo over the same adapter', `${bare}`);
    reportAtLeast('messages against a bare echo', own / bare, 0.2);
  } finally {
    for (const echo of echoes) await echo.stop();
  }
}

async function twice<T>(start: () => Promise<T>): Promise<[T, T]> {
  return [await start(), await start()];
}

/** Matches each pair of neighbours. */
async function placeMatches(pool: ReturnType<typeof createPool>, ids: string[]): Promise<string[]> {
  const pairs = ids.filter((_, index) => index % 2 === 0).map((one, index) => [one, ids[2 * index + 1] ?? ''].sort());
  const [low, high] = [pairs.map(([one]) => one), pairs.map(([, other]) => other)];
  for (const table of ['conversation', 'match'])
    await pool.query(
      `delete from ${table} using unnest($1::uuid[], $2::uuid[]) p (low, high) where low_id = low and high_id = high`,
      [low, high],
    );
  await pool.query(
    `delete from block using unnest($1::uuid[], $2::uuid[]) p (low, high)
     where (blocker_id, blocked_id) in ((low, high), (high, low))`,
    [low, high],
  );
  const { rows } = await pool.query<{ id: string; low_id: string }>(
    `insert into match (low_id, high_id, matched_at)
     select low, high, now() from unnest($1::uuid[], $2::uuid[]) p (low, high) returning id, low_id`,
    [low, high],
  );
  await pool.query(
    `insert into conversation (id, low_id, high_id, began_at, last_at)
     select id, low_id, high_id, matched_at, matched_at from match where id = any ($1::uuid[])`,
    [rows.map(({ id }) => id)],
  );
  const byLow = new Map(rows.map(({ id, low_id }) => [low_id, id]));
  return low.map((id = '') => byLow.get(id) ?? '');
}

async function connectAll(processes: { baseUrl: string }[], tokens: string[], matchIds: string[]): Promise<Writer[]> {
  const writers: Writer[] = [];
  for (const [index, token] of tokens.entries()) {
    const at = index % processes.length;
    const socket = io(processes[at]?.baseUrl ?? '', {
      path: realtimePath,
      transports: ['websocket'],
      auth: { token },
      forceNew: true,
    });
    await new Promise<void>((connected, failed) => {
      socket.once('connect', connected);
      socket.once('connect_error', failed);
    });
    const otherToken = tokens[index % 2 === 0 ? index + 1 : index - 1] ?? '';
    writers.push({ token, otherToken, matchId: matchIds[Math.floor(index / 2)] ?? '', at, socket });
  }
  return writers;
}

/** Sends messages as the web app does, with both members of a pair on different processes. */
function posting(services: readonly Service[]): Say {
  const postings = services.map(({ baseUrl }) => postingTo(baseUrl, 32));
  return ({ token, matchId, at }, text) => {
    const body = JSON.stringify({ clientId: randomUUID(), text: text.padEnd(120, '.') });
    postings[at]?.(`/api/v1/matches/${matchId}/messages`, token, body);
  };
}

/** Sends messages at an even rate for some seconds, regardless of replies; returns each message's delivery time. */
async function carry(writers: Writer[], say: Say, rate: number, forSeconds: number) {
  const sentAt = new Map<string, number>();
  const times: Times = [];
  const stops = writers.map(({ socket, token }) => {
    const hear = (event: { text?: string; message?: { text: string } }) => {
      const name = /^\d+ [\d.]+ /.exec(event.text ?? event.message?.text ?? '')?.[0];
      const at = name === undefined ? undefined : sentAt.get(name);
      // The writer's device receives it, too: count only the other member's.
      if (name === undefined || at === undefined || writers[Number(name.split(' ')[0])]?.token === token) return;
      times.push(performance.now() - at);
      sentAt.delete(name);
    };
    socket.on('event', hear);
    return () => socket.off('event', hear);
  });
  const started = performance.now();
  const total = rate * forSeconds;
  for (let sent = 0; sent < total;) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * rate));
    for (; sent < due; sent += 1) {
      const index = (sent * 7919) % writers.length;
      const writer = writers[index];
      if (writer === undefined) continue;
      const text = `${index} ${performance.now()} `;
      sentAt.set(text, performance.now());
      say(writer, text);
    }
    await pause(2);
  }
  const until = performance.now() + afterMs;
  while (sentAt.size > 0 && performance.now() < until) await pause(20);
  for (const stop of stops) stop();
  return { times: times.sort((a, b) => a - b), sent: total };
}

/** The highest rate at which all messages arrived, 99 % in time. Each rate is tried twice. */
async function highestRate(writers: Writer[], say: Say): Promise<number> {
  let highest = 0;
  for (const rate of rates) {
    let holds = false;
    for (let tries = 0; tries < 2 && !holds; tries += 1) {
      const { times, sent } = await carry(writers, say, rate, seconds.step);
      holds = times.length === sent && p99(times) <= heldMs;
    }
    if (!holds) return highest;
    highest = rate;
  }
  return highest;
}

async function startEcho(database: string): Promise<{ baseUrl: string; stop(): Promise<void> }> {
  const child = fork(resolve(import.meta.dirname, 'echo-server.ts'), ['--database', database]);
  const [{ baseUrl }] = (await once(child, 'message')) as [{ baseUrl: string }];
  return {
    baseUrl,
    async stop() {
      const exited = once(child, 'exit');
      child.disconnect();
      await exited;
    },
  };
}
