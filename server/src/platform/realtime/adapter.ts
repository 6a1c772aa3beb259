import { createAdapter as overPostgres } from '@socket.io/postgres-adapter';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { ServerOptions } from 'socket.io';
import type { Config } from '../config/config.ts';
import { inBatches } from '../db/batches.ts';
import { createPool } from '../db/pool.ts';
import { keepAsking } from './pg-notifications.ts';

/** How processes reach each other's sockets, over a separate connection pool. */
export interface Joined {
  adapter: NonNullable<ServerOptions['adapter']>;
  /** For listening to the database, which occupies a connection. */
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Uses the database, which needs no other service, or Redis streams if `REDIS_URL` is set. */
export async function chooseAdapter(config: Config, pool: pg.Pool, log: FastifyBaseLogger): Promise<Joined> {
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection of the socket adapter broke');
  const own = createPool(config.databaseDirectUrl ?? pool.options.connectionString ?? '', {
    max: 4,
    onError,
    asyncCommit: true,
    preparedStatements: config.preparedStatements || config.databaseDirectUrl !== null,
  });
  giveBackBroken(own);
  const endOwn = endingOf(own);
  if (config.redisUrl === null) {
    notifyTogether(own);
    const adapter = overPostgres(listeningOnce(own), { errorHandler: onError });
    return { adapter, pool: own, close: endOwn };
  }
  const [{ createClient }, { createAdapter }] = await Promise.all([
    import('redis'),
    import('@socket.io/redis-streams-adapter'),
  ]);
  const redis = createClient({ url: config.redisUrl });
  redis.on('error', onError);
  await redis.connect();
  return {
    adapter: createAdapter(redis),
    pool: own,
    close: async () => {
      redis.destroy();
      await endOwn();
    },
  };
}

/** The adapter's statement for each event. */
const notifying = 'SELECT pg_notify($1, $2)';

/**
 * Sends events to other processes one statement at a time, what arrives meanwhile together: under load, a commit for each costs as much as
 * its share of writing the message. It also keeps their order, which several connections do not.
 */
function notifyTogether(pool: pg.Pool): void {
  const alone = pool.query.bind(pool);
  const notify = inBatches(
    async (events: [channel: string, payload: string][]) => {
      await alone(
        `select pg_notify(channel, payload) from unnest($1::text[], $2::text[]) as event (channel, payload)`,
        [events.map(([channel]) => channel), events.map(([, payload]) => payload)],
      );
      return events;
    },
    { atOnce: 1, most: 100 },
  );
  pool.query = new Proxy(pool.query, {
    apply: (query, self, args): unknown =>
      args[0] === notifying ? notify(args[1] as [string, string]) : Reflect.apply(query, self, args),
  });
}

/** Returns broken connections to the pool: listeners never release theirs, so the pool would run out of connections. */
function giveBackBroken(pool: pg.Pool): void {
  const held = new Map<pg.PoolClient, () => void>();
  pool.on('acquire', (client) => {
    const giveBack = () => client.release(true);
    held.set(client, giveBack);
    client.once('end', giveBack);
  });
  pool.on('release', (_error, client) => {
    client.off('end', held.get(client) ?? (() => undefined));
    held.delete(client);
  });
}

/**
 * The pool for the library, which connects again when the connection it listens with ends, and again when listening fails: if the connection broke in
 * between, two would listen, and each event would arrive twice. So where listening fails, the connection only ends.
 */
function listeningOnce(pool: pg.Pool): pg.Pool {
  const connect = async () => {
    const client = await pool.connect();
    const query = client.query.bind(client) as (text: string) => Promise<unknown>;
    const listen = (text: string) => query(text).catch(() => client.end());
    keepAsking(query);
    return Object.assign(client, { query: listen });
  };
  return new Proxy(pool, {
    get(target, key) {
      const value: unknown = key === 'connect' ? connect : Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Ends a pool even while its connections are in use: the adapter keeps connections it receives after it was closed. */
function endingOf(pool: pg.Pool): () => Promise<void> {
  const open = new Set<pg.PoolClient>();
  let isEnding = false;
  const end = (client: pg.PoolClient) => {
    client.end().catch(() => undefined);
  };
  pool.on('connect', (client) => {
    open.add(client);
    if (isEnding) end(client);
  });
  pool.on('remove', (client) => open.delete(client));
  return async () => {
    isEnding = true;
    const ended = pool.end();
    for (const client of open) end(client);
    await ended;
  };
}
