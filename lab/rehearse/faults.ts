import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { killDatabase, passwords, type Cluster, type Node } from './cluster.ts';
import type { Front } from './front.ts';
import { setCable, setRoute } from './machine.ts';
import { makeNextRelease, type Service } from './service.ts';

/** Everything that can fail. */
export interface Scene {
  folder: string;
  cluster: Cluster;
  front: Front;
  service: Service;
  /** There are members for ordinary days. */
  hasPopulation: boolean;
}

export interface Fault {
  name: string;
  about: string;
  /** Does it, and returns how to undo it; what a supervisor does by itself a second later is part of it. */
  cause(scene: Scene): Promise<() => Promise<unknown>>;
  /** The longest time without a successful write, in seconds. */
  mostSeconds?: number;
  /** The share of requests that may fail. */
  mostFailed?: number;
  /** Where there are enough members, they do what they do on a day, instead of writing as much as they can. */
  isOrdinary?: true;
}

/** As in the units of deploy/systemd. */
const supervisorMs = 1000;
const nothing = () => Promise.resolve();

async function lose(node: Node): Promise<() => Promise<unknown>> {
  await Promise.all([node.patroni.kill(), node.etcd.kill()]);
  killDatabase(node);
  return async () => {
    node.etcd.start();
    node.patroni.start();
    await Promise.resolve();
  };
}

/** Fills the disk under the tables and the write-ahead log, and makes the log need space, as an hour of writes would. */
async function fill(node: Node): Promise<void> {
  node.disk.fill();
  const client = new pg.Client({ host: node.machine.address, user: 'postgres', password: passwords.superuser });
  client.on('error', () => undefined);
  try {
    await client.connect();
    for (let page = 0; page < 40; page += 1) await client.query('select txid_current(), pg_switch_wal()');
  } catch {
    // It has no space left.
  } finally {
    await client.end().catch(() => undefined);
  }
}

export const faults: Fault[] = [
  {
    name: 'none',
    about: 'nothing fails for a minute',
    mostFailed: 0,
    isOrdinary: true,
    async cause() {
      await pause(60_000);
      return nothing;
    },
  },
  {
    name: 'app',
    about: 'kill -9 of an app process',
    mostFailed: 0.005,
    async cause({ service }) {
      const [app] = service.apps;
      if (app === undefined) return nothing;
      await app.end('SIGKILL');
      await pause(supervisorMs);
      await service.restart(app);
      return nothing;
    },
  },
  {
    name: 'worker',
    about: 'kill -9 of the worker',
    mostFailed: 0,
    async cause({ service }) {
      await service.worker.end('SIGKILL');
      await pause(supervisorMs);
      await service.restart(service.worker);
      return nothing;
    },
  },
  {
    name: 'redis',
    about: 'kill -9 of Redis, back after 5 s',
    mostFailed: 0.005,
    async cause({ front }) {
      await front.redis.kill();
      await pause(5000);
      front.redis.start();
      return nothing;
    },
  },
  {
    name: 'primary',
    about: 'kill -9 of the primary PostgreSQL',
    mostSeconds: 15,
    async cause({ cluster }) {
      killDatabase(await cluster.primary());
      return nothing;
    },
  },
  {
    name: 'replica',
    about: 'kill -9 of the synchronous replica',
    mostSeconds: 15,
    async cause({ cluster }) {
      killDatabase(await cluster.synchronous());
      return nothing;
    },
  },
  {
    name: 'etcd',
    about: "kill -9 of etcd's leader",
    mostFailed: 0.005,
    async cause({ cluster }) {
      const { etcd } = await cluster.etcdLeader();
      await etcd.kill();
      return async () => {
        etcd.start();
        await Promise.resolve();
      };
    },
  },
  {
    name: 'disk',
    about: "the primary's disk is full",
    mostSeconds: 35,
    async cause({ cluster }) {
      const node = await cluster.primary();
      await fill(node);
      return async () => {
        node.disk.empty();
        await Promise.resolve();
      };
    },
  },
  {
    name: 'node',
    about: "the primary's machine is lost: PostgreSQL, Patroni and etcd",
    mostSeconds: 35,
    cause: async ({ cluster }) => await lose(await cluster.primary()),
  },
  {
    name: 'cable',
    about: "the primary's machine is cut off from everything",
    mostSeconds: 35,
    async cause({ cluster }) {
      const { machine } = await cluster.primary();
      await setCable(machine, false);
      return async () => await setCable(machine, true);
    },
  },
  {
    name: 'network',
    about: 'the network between the services and the primary is cut for 10 s',
    mostSeconds: 20,
    async cause({ cluster }) {
      const { machine } = await cluster.primary();
      await setRoute(machine, false);
      await pause(10_000);
      await setRoute(machine, true);
      return nothing;
    },
  },
  {
    name: 'upgrade',
    about: 'all processes are replaced by a release with another column and other functions',
    mostFailed: 0,
    async cause({ folder, service }) {
      await service.upgrade(makeNextRelease(join(folder, 'next')));
      return nothing;
    },
  },
];
