import type { FastifyBaseLogger } from 'fastify';
import type pg from 'pg';
import type { ServerOptions } from 'socket.io';
import type { Config } from '../config/config.ts';
import { createPool } from '../db/pool.ts';
import { createPgAdapter, eventChannel } from './pg-adapter.ts';
import type { Channels } from './pg-notifications.ts';

/** How processes reach each other's sockets. */
export interface Joined {
  adapter: NonNullable<ServerOptions['adapter']>;
  /** The database channels that the adapter listens to. */
  channels: Channels;
  /** A separate pool, for sending events and for listening to the database, which occupies a connection. */
  pool: pg.Pool;
  /** Call it when nothing listens through the pool any more. */
  close(): Promise<void>;
}

/** Uses the database, which needs no other service, or Redis streams if `REDIS_URL` is set. */
export async function chooseAdapter(config: Config, pool: pg.Pool, log: FastifyBaseLogger): Promise<Joined> {
  const onError = (error: Error) => log.warn({ err: error }, 'a database connection of the socket adapter broke');
  const own = createPool(config.databaseDirectUrl ?? pool.options.connectionString ?? '', {
    max: 2,
    onError,
    asyncCommit: true,
    preparedStatements: config.preparedStatements || config.databaseDirectUrl !== null,
  });
  if (config.redisUrl === null) {
    const { adapter, receive } = createPgAdapter(own, log);
    return { adapter, channels: { [eventChannel]: receive }, pool: own, close: () => own.end() };
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
    channels: {},
    pool: own,
    close: async () => {
      redis.destroy();
      await own.end();
    },
  };
}
