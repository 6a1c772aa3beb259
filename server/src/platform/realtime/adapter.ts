import { createAdapter as overPostgres } from '@socket.io/postgres-adapter';
import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { ServerOptions } from 'socket.io';
import type { Config } from '../config/config.ts';
import { createPool } from '../db/db.ts';

/** How processes reach each other's sockets, with connections of its own. */
export interface Joined {
  adapter: NonNullable<ServerOptions['adapter']>;
  /** For those who listen to the database: such a connection stays busy. */
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Through the database, which takes nothing new to run; through Redis streams where `REDIS_URL` names one. */
export async function chooseAdapter(config: Config, pool: pg.Pool, log: FastifyBaseLogger): Promise<Joined> {
  const onError = (error: Error) => log.warn({ err: error }, 'a connection of the sockets broke');
  const own = createPool(pool.options.connectionString ?? '', { max: 4, onError, isHasty: true });
  giveBackBroken(own);
  const endOwn = endingOf(own);
  if (config.redisUrl === null) {
    const adapter = overPostgres(own, { errorHandler: onError });
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

/** Whoever listens keeps their connection; one that breaks goes back to the pool all the same, which would run empty otherwise. */
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

/** Ends a pool whoever still holds its connections, or is about to get one: the adapter keeps what comes after its own end. */
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
