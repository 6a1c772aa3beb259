import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { io, type Socket } from 'socket.io-client';
import { realtimePath } from '#contract/realtime.ts';
import type { createPool } from '../../server/src/platform/db/pool.ts';
import type { Times } from './measure.ts';
import { postingTo } from './posting.ts';
import type { Service } from './service.ts';

/** How long to wait for messages still on their way. */
const afterMs = 3000;
const connectingAtOnce = 20;

/** A member with a socket, and the member they write to. */
export interface Writer {
  token: string;
  otherToken: string;
  matchId: string;
  /** The process they are connected to. */
  at: number;
  socket: Socket;
}

/** Sends a message for a writer; the received message contains `text`. */
export type Say = (writer: Writer, text: string) => void;

/** Two of them, one started after the other. */
export async function twice<T>(start: () => Promise<T>): Promise<[T, T]> {
  return [await start(), await start()];
}

/** Members who may write to each other. */
export async function membersFor(pool: ReturnType<typeof createPool>, count: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `select account_id as id from directory d join account a on a.id = d.account_id
     where d.is_shown and a.staff_role is null and a.created_at < now() - interval '2 days' order by 1 limit $1`,
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Matches each pair of neighbours. */
export async function placeMatches(pool: ReturnType<typeof createPool>, ids: string[]): Promise<string[]> {
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

/** Connects a socket for each token, in turns to each process. */
export async function connectAll(
  processes: { baseUrl: string }[],
  tokens: string[],
  matchIds: string[],
): Promise<Writer[]> {
  const connect = async (token: string, index: number): Promise<Writer> => {
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
    return { token, otherToken, matchId: matchIds[Math.floor(index / 2)] ?? '', at, socket };
  };
  const atOnce = pLimit(connectingAtOnce);
  return await Promise.all(tokens.map((token, index) => atOnce(connect, token, index)));
}

/** Sends messages as the web app does, with both members of a pair on different processes. */
export function posting(services: readonly Service[]): Say {
  const postings = services.map(({ baseUrl }) => postingTo(baseUrl, 32));
  return ({ token, matchId, at }, text) => {
    const body = JSON.stringify({ clientId: randomUUID(), text: text.padEnd(120, '.') });
    postings[at]?.(`/api/v1/matches/${matchId}/messages`, token, body);
  };
}

/** Sends messages at an even rate for some seconds, regardless of replies; returns each message's delivery time. */
export async function carry(writers: Writer[], say: Say, rate: number, forSeconds: number) {
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
