import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Product } from '../../server/test/proofs/product.ts';
import { killDatabase, type Cluster } from './cluster.ts';
import type { Front } from './front.ts';
import { makeNextRelease, type Service } from './service.ts';

/** The components of the installation that can fail. */
export interface Scene {
  folder: string;
  cluster: Cluster;
  front: Front;
  service: Service;
}

export interface Fault {
  name: string;
  about: string;
  /** Causes the fault and returns how to undo it. This includes restarts that a supervisor would do a second later. */
  cause(scene: Scene): Promise<() => unknown>;
  /** The longest time without a successful write, in seconds. */
  mostSeconds?: number;
  /** The share of requests that may fail. */
  mostFailed?(service: Service): number;
}

/** The restart delay, as in the units of deploy/systemd. */
const supervisorMs = 1000;
const nothing = () => undefined;

async function killProcess(service: Service, product: Product | undefined): Promise<() => void> {
  if (product === undefined) return nothing;
  await product.end('SIGKILL');
  await pause(supervisorMs);
  await service.restart(product);
  return nothing;
}

export const faults: Fault[] = [
  {
    name: 'none',
    about: 'nothing fails for a minute',
    mostFailed: () => 0,
    async cause() {
      await pause(60_000);
      return nothing;
    },
  },
  {
    name: 'app',
    about: 'kill -9 of an app process',
    mostFailed: () => 0.005,
    cause: ({ service }) => killProcess(service, service.apps[0]),
  },
  {
    name: 'worker',
    about: 'kill -9 of the worker',
    mostFailed: () => 0,
    cause: ({ service }) => killProcess(service, service.worker),
  },
  {
    name: 'redis',
    about: 'kill -9 of Redis, back after 5 s',
    mostFailed: () => 0.005,
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
    name: 'node',
    about: "the primary's machine is lost: PostgreSQL, Patroni and etcd",
    mostSeconds: 35,
    async cause({ cluster }) {
      const node = await cluster.primary();
      await Promise.all([node.patroni.kill(), node.etcd.kill()]);
      killDatabase(node);
      return () => {
        node.etcd.start();
        node.patroni.start();
      };
    },
  },
  {
    name: 'upgrade',
    about: 'all processes are replaced by a release with another column and other functions',
    // A client that writes to a process with an old query plan has to retry until that process is replaced.
    mostFailed: (service) => (service.keepsOldPlans() ? 1 : 0),
    async cause({ folder, service }) {
      await service.upgrade(makeNextRelease(join(folder, 'next')));
      return nothing;
    },
  },
];
