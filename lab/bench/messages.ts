import { randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import { sendMessage } from '#contract/messages/messages.ts';
import { realtimePath } from '#contract/realtime.ts';
import { call } from '../../server/test/proofs/http.ts';
import { findMembers, matchNeighbours, signIn } from '../product.ts';
import type { BenchData } from './data.ts';
import { heading, quantile, remark, reportAtLeast, reportAtMost } from './report.ts';
import { serve, startHelper, type Usage, usageOf, usagePer } from './service.ts';

const sockets = 1000;
const askedRate = 200;
const heldMs = 100;
const rates = [200, 300, 400, 500, 650, 800, 1000, 1500, 2000, 3000, 4000, 5000, 6500, 8000, 10_000];
const seconds = { warm: 5, asked: 20, step: 6 };
/** How long to wait for messages that are still on their way. */
const afterMs = 3000;

/** A member with a socket, and a function that writes to their match. */
interface Writer {
  token: string;
  socket: Socket;
  say(text: string): void;
}

/** Measures the delivery time of messages between sockets, the throughput and the cost, compared to a bare echo. */
export async function benchMessages({ url }: BenchData): Promise<void> {
  heading(`Messages between ${sockets} sockets`);
  const service = await serve(url);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  const { db, origin, usage } = service;
  const ids = await findMembers(db, sockets);
  const matchIds = await matchNeighbours(db, ids);
  const echo = await startHelper('echo');
  try {
    const tokens = (await signIn(db, origin, ids)).map(({ token }) => token);
    const post = (token: string, at: number, text: string) => {
      const body = { clientId: randomUUID(), text: text.padEnd(120, '.') };
      void call(origin, sendMessage, { token, agent, params: { id: matchIds[Math.floor(at / 2)] ?? '' }, body });
    };
    const writers = await connectAll(origin, tokens, (_, at) => (text) => post(tokens[at] ?? '', at, text));
    await carry(writers, askedRate, seconds.warm);
    const own = await measure(writers, usage);
    reportAtMost(`a message from sending to arriving, ${askedRate} a second, p99`, own.p99, heldMs, ' ms');
    const echoing = await connectAll(echo.origin, ids, (socket, at) => (text) => {
      socket.emit('say', { to: ids[at % 2 === 0 ? at + 1 : at - 1], text: text.padEnd(300) });
    });
    const bare = await measure(echoing, () => usageOf(echo.pid, db));
    remark(`messages a second with p99 ≤ ${heldMs} ms`, `${own.highest}`);
    remark('the same of a bare echo in one process', `${bare.highest}`);
    remark('CPU of a message', `${own.serverMs.toFixed(2)} ms and ${own.databaseMs.toFixed(2)} ms of the database`);
    remark('CPU of a bare echo', `${bare.serverMs.toFixed(2)} ms`);
    reportAtLeast('CPU of a bare echo against a message', bare.serverMs / (own.serverMs + own.databaseMs), 0.05);
    for (const { socket } of [...writers, ...echoing]) socket.disconnect();
  } finally {
    await db.query('delete from conversation where id = any ($1::uuid[])', [matchIds]);
    await db.query('delete from match where id = any ($1::uuid[])', [matchIds]);
    agent.destroy();
    await echo.stop();
    await service.stop();
  }
}

/** Connects a socket for each token. */
async function connectAll(
  origin: string,
  tokens: string[],
  saying: (socket: Socket, at: number) => Writer['say'],
): Promise<Writer[]> {
  const writers: Writer[] = [];
  for (const [at, token] of tokens.entries()) {
    const socket = io(origin, { path: realtimePath, transports: ['websocket'], auth: { token }, forceNew: true });
    await new Promise<void>((connected, failed) => {
      socket.once('connect', connected);
      socket.once('connect_error', failed);
    });
    writers.push({ token, socket, say: saying(socket, at) });
  }
  return writers;
}

/** The p99 and the CPU of a message at the target rate, and the highest rate at which all arrived, 99 % of them in time. */
async function measure(writers: Writer[], usage: () => Promise<Usage>) {
  const before = await usage();
  const asked = await carry(writers, askedRate, seconds.asked);
  const { serverMs, databaseMs } = usagePer(asked.sent, before, await usage());
  let highest = 0;
  for (const rate of rates) {
    const { times, sent } = await carry(writers, rate, seconds.step);
    if (times.length < sent || quantile(times, 0.99) > heldMs) break;
    highest = rate;
  }
  const p99 = asked.times.length === asked.sent ? quantile(asked.times, 0.99) : Infinity;
  return { p99, serverMs, databaseMs, highest };
}

/** Sends messages at an even rate for some seconds, regardless of replies; returns each message's delivery time. */
async function carry(writers: Writer[], rate: number, forSeconds: number): Promise<{ times: number[]; sent: number }> {
  const sentAt = new Map<string, number>();
  const times: number[] = [];
  const stops = writers.map(({ socket }, at) => {
    const hear = (event: { text?: string; message?: { text: string } }) => {
      const name = /^\d+ [\d.]+ /.exec(event.text ?? event.message?.text ?? '')?.[0];
      const moment = name === undefined ? undefined : sentAt.get(name);
      // The writer's device receives the message, too; only the other member's counts.
      if (name === undefined || moment === undefined || Number(name.split(' ')[0]) === at) return;
      times.push(performance.now() - moment);
      sentAt.delete(name);
    };
    socket.on('event', hear);
    return () => socket.off('event', hear);
  });
  const started = performance.now();
  const total = rate * forSeconds;
  for (let sent = 0; sent < total; await pause(2)) {
    const due = Math.min(total, Math.floor(((performance.now() - started) / 1000) * rate));
    for (; sent < due; sent += 1) {
      const at = (sent * 7919) % writers.length;
      const text = `${at} ${performance.now()} `;
      sentAt.set(text, performance.now());
      writers[at]?.say(text);
    }
  }
  for (const until = performance.now() + afterMs; sentAt.size > 0 && performance.now() < until;) await pause(20);
  for (const stop of stops) stop();
  return { times, sent: total };
}
