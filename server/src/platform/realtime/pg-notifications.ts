import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';

/** Notifications that triggers send to every process; see `server/sql/notifications.sql`. */
export type PgNotification =
  | { what: 'session-ended'; id: string }
  | { what: 'statistics' }
  /** The owner has changed the service. */
  | { what: 'service' }
  /** A report or case has changed; without ids, there may be new ones. */
  | { what: 'reports'; reportId?: string | null; caseId?: string | null }
  /** This account has a new notification, or has read one. */
  | { what: 'news'; id: string; notificationId: string; isRead: boolean }
  /** A colleague assigned a case to this account. */
  | { what: 'assigned'; id: string; caseId: string; by: string }
  | { what: 'match' | 'match-ended'; id: string; low: string; high: string };

/** The handlers of each channel's notifications, which are JSON objects. */
export type Channels = Record<string, (notification: never) => void>;

interface Handlers {
  channels: Channels;
  /** Called when listening starts and after each reconnect, because notifications may have been missed until then. */
  missed: () => Promise<void>;
}

const againAfterMs = 500;
const askEveryMs = 15_000;

/**
 * Queries a connection every few seconds. A listening connection sends nothing else, so the system would notice only
 * after two hours that it was cut silently; the pool closes a connection that doesn't answer.
 */
function keepAsking(client: pg.PoolClient, everyMs: number): void {
  const ask = () => client.query('select 1 as listening').catch(() => clearInterval(timer));
  const timer = setInterval(() => void ask(), everyMs).unref();
}

/** The notification in a payload; throws for anything but an object. */
function notificationIn(payload: string): never {
  const notification: unknown = JSON.parse(payload);
  if (typeof notification !== 'object' || notification === null) throw new Error('not an object');
  return notification as never;
}

/** Listens on one connection at a time, and on a new one when it breaks. */
export function listenToDatabase(
  pool: pg.Pool,
  { channels, missed }: Handlers,
  log: FastifyBaseLogger,
  everyMs = askEveryMs,
) {
  const stopping = new AbortController();
  const { signal } = stopping;

  /**
   * Listens until the connection ends or listening stops; fails if the connection breaks or the check for missed
   * notifications fails.
   */
  async function listen(): Promise<void> {
    const client = await pool.connect();
    const ended = new AbortController();
    client.once('end', () => ended.abort());
    client.on('notification', ({ channel, payload = '' }) => {
      if (signal.aborted) return;
      try {
        channels[channel]?.(notificationIn(payload));
      } catch {
        // Every role that can connect to the database may send any text, which the error may quote.
        log.warn({ channel }, 'a database notification is not one of ours');
      }
    });
    try {
      for (const channel of Object.keys(channels)) await client.query(`listen ${client.escapeIdentifier(channel)}`);
      await missed();
      keepAsking(client, everyMs);
      if (!ended.signal.aborted) await once(client, 'end', { signal });
    } finally {
      client.release(true);
    }
  }

  async function keepListening(): Promise<void> {
    while (!signal.aborted) {
      await listen().catch((error: unknown) => {
        if (!signal.aborted) log.warn({ err: error }, 'the connection that listens for database notifications broke');
      });
      await pause(againAfterMs, undefined, { signal }).catch(() => undefined);
    }
  }

  void keepListening();
  return {
    stop: () => stopping.abort(),
  };
}
