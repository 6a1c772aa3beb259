import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { Namespace, ServerOptions } from 'socket.io';
import { type Adapter, ClusterAdapter, type ClusterMessage, type ClusterResponse } from 'socket.io-adapter';
import type { Config } from '../config/config.ts';
import { createPool } from '../db/pool.ts';
import type { Channels } from './pg-notifications.ts';

/** How processes reach each other's sockets. */
export interface Joined {
  adapter: NonNullable<ServerOptions['adapter']>;
  /** The database channels that the adapter listens to. */
  channels: Channels;
  /** A separate pool, for sending events and for listening to the database, which occupies a connection. */
  pool: pg.Pool;
  /** Whether `REDIS_URL` is set and Redis can't be reached. */
  isRedisDown(): boolean;
  /** Call it when nothing listens through the pool any more. */
  close(): Promise<void>;
}

/**
 * Uses the database, which needs no other service, or Redis streams if `REDIS_URL` is set, and the database while Redis
 * can't be reached.
 */
export async function chooseAdapter(config: Config, pool: pg.Pool, log: FastifyBaseLogger): Promise<Joined> {
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection of the socket adapter broke');
  const own = createPool(config.databaseDirectUrl ?? pool.options.connectionString ?? '', {
    max: 2,
    onError,
    asyncCommit: true,
    preparedStatements: config.preparedStatements || config.databaseDirectUrl !== null,
  });
  const database = createPgAdapter(own, log);
  const channels = { [eventChannel]: database.receive };
  if (config.redisUrl === null)
    return { adapter: database.adapter, channels, pool: own, isRedisDown: () => false, close: () => own.end() };
  const [{ createClient }, { createAdapter }] = await Promise.all([
    import('redis'),
    import('@socket.io/redis-streams-adapter'),
  ]);
  const redis = createClient({ url: config.redisUrl, socket: { reconnectStrategy: () => redisAgainAfterMs } });
  let isKnown = false;
  redis.on('error', (error: Error) => {
    if (!isKnown) log.warn({ err: error }, 'Redis is down; until it is back, live events go through the database');
    isKnown = true;
  });
  redis.on('ready', () => {
    if (isKnown) log.info('Redis is back');
    isKnown = false;
  });
  // Not awaited: without Redis, the service starts all the same.
  redis.connect().catch(onError);
  const overRedis = createAdapter(redis);
  return {
    // The library calls it with `new`, which an arrow function refuses.
    adapter: function createWithFallback(namespace: Namespace) {
      return withFallback(overRedis(namespace) as unknown as Wire, () => redis.isReady, database);
    },
    channels,
    pool: own,
    isRedisDown: () => !redis.isReady,
    close: async () => {
      redis.destroy();
      await own.end();
    },
  };
}

const redisAgainAfterMs = 500;

/** How an adapter sends and receives, which its library declares as protected. */
interface Wire extends Adapter {
  doPublish(message: ClusterMessage): Promise<string>;
  onMessage(message: ClusterMessage): void;
}

/** Lets an adapter send through the database while `isReady` is false, and always receive from there. */
function withFallback(adapter: Wire, isReady: () => boolean, database: ReturnType<typeof createPgAdapter>): Adapter {
  const publish = adapter.doPublish.bind(adapter);
  adapter.doPublish = async (message) => {
    // Not awaited, because sockets of this process would wait for it.
    if (isReady()) publish(message).catch(() => database.send(message));
    else database.send(message);
    return await Promise.resolve('');
  };
  database.receivers.push((message) => adapter.onMessage(message));
  return adapter;
}

/** The channel of `@socket.io/postgres-adapter`, which the last release used: both releases run during an upgrade. */
export const eventChannel = 'socket.io#/';
/** PostgreSQL refuses longer payloads. */
const payloadMaxBytes = 7999;
/** In UTF-16 units, each of which takes at most three bytes in JSON. */
const partLength = 2500;

/** A part of a message that is too long for a notification. */
interface Part {
  uid: string;
  part: string;
  index: number;
  count: number;
}

/**
 * An adapter that reaches the sockets of other processes through database notifications, and `receive`, which must be
 * called for each notification of `eventChannel`. Messages that the database doesn't accept are dropped, because events
 * are only hints.
 */
export function createPgAdapter(pool: pg.Pool, log: FastifyBaseLogger) {
  const join = partJoiner();
  /** One adapter per namespace, of which there is one. */
  const receivers: ((message: ClusterMessage) => void)[] = [];
  let lastSent: Promise<unknown> = Promise.resolve();

  /** One statement at a time, because events on several connections could overtake each other. */
  function send(message: ClusterMessage | ClusterResponse): void {
    const values = [eventChannel, payloadsOf(message)];
    lastSent = lastSent
      .then(() => pool.query('select pg_notify($1, payload) from unnest($2::text[]) as payload', values))
      .catch((error: unknown) => log.warn({ err: error }, 'an event could not be sent to other processes'));
  }

  class PgAdapter extends ClusterAdapter {
    constructor(namespace: Namespace) {
      super(namespace);
      receivers.push((message) => this.onMessage(message));
    }
    protected override async doPublish(message: ClusterMessage): Promise<string> {
      send(message);
      return '';
    }
    protected override async doPublishResponse(_uid: string, response: ClusterResponse): Promise<void> {
      send(response);
    }
  }

  return {
    adapter: PgAdapter,
    send,
    receivers,
    receive(sent: ClusterMessage | Part): void {
      const message = 'part' in sent ? join(sent) : sent;
      if (message !== null) for (const receive of receivers) receive(message);
    },
  };
}

/** The payloads of a message, sent in one statement, so that either all arrive or none. */
function payloadsOf(message: ClusterMessage | ClusterResponse): string[] {
  const text = JSON.stringify(message);
  if (Buffer.byteLength(text) <= payloadMaxBytes) return [text];
  const count = Math.ceil(text.length / partLength);
  return Array.from({ length: count }, (_, index) => {
    const part = text.slice(index * partLength, (index + 1) * partLength);
    return JSON.stringify({ uid: message.uid, part, index, count } satisfies Part);
  });
}

/** Joins the parts from each process; null until the last part has arrived. */
function partJoiner(): (part: Part) => ClusterMessage | null {
  const texts = new Map<string, string>();
  return ({ uid, part, index, count }) => {
    // The connection may have broken before the last part of an earlier message.
    const text = index === 0 ? part : (texts.get(uid) ?? '') + part;
    texts.set(uid, text);
    if (index < count - 1) return null;
    texts.delete(uid);
    return JSON.parse(text) as ClusterMessage;
  };
}
