import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mountSmallDisk, type SmallDisk } from '../chaos/small-disk.ts';
import { databaseProcesses, signalAll } from '../chaos/processes.ts';
import { createProgram, machines, must, nodeNetwork, until, type Machine, type Program } from './machine.ts';

const programs = '/usr/lib/postgresql/15/bin';
/** The passwords of a cluster that no other machine can reach and that is deleted after the run. */
export const passwords = { superuser: 'rehearsal-superuser', serving: 'rehearsal-serving', owner: 'rehearsal-owner' };
const replication = { username: 'replicator', password: 'rehearsal-replication' };

/** One machine with etcd, Patroni and the PostgreSQL that Patroni starts on it. */
export interface Node {
  machine: Machine;
  etcd: Program;
  patroni: Program;
  /** Holds the tables and the write-ahead log. */
  disk: SmallDisk;
  /** The processes of its PostgreSQL. */
  database(): number[];
}

interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | string;
}

export interface Cluster {
  nodes: Node[];
  primary(): Promise<Node>;
  /** The replica that commits wait for. */
  synchronous(): Promise<Node>;
  /** The node with etcd's leader. */
  etcdLeader(): Promise<Node>;
  /** One primary, two replicas that stream from it, one of them synchronous. */
  isHealthy(): Promise<boolean>;
  untilHealthy(): Promise<void>;
  /** Copies nodes again that do not replicate; returns their names. */
  repair(): Promise<string[]>;
}

/** Starts three nodes below `folder` with disks of that size and returns when they replicate. */
export async function startCluster(folder: string, diskMegabytes: number): Promise<Cluster> {
  const nodes = await Promise.all(machines.map((machine) => createNode(folder, machine, diskMegabytes)));
  for (const { etcd } of nodes) etcd.start();
  const nodeNamed = (name: string | undefined): Node => {
    const node = nodes.find(({ machine }) => machine.name === name);
    if (node === undefined) throw new Error(`no node has that role now`);
    return node;
  };

  async function etcdLeader(): Promise<Node> {
    for (const node of nodes.filter(({ etcd }) => etcd.isUp())) {
      const answer = await fetchJson<EtcdStatus>(`http://${node.machine.address}:2379/v3/maintenance/status`, {});
      if (answer !== null && answer.leader === answer.header.member_id) return node;
    }
    throw new Error('etcd has no leader now');
  }

  /** As any Patroni sees them. */
  async function members(): Promise<Member[]> {
    for (const { machine } of nodes) {
      const answer = await fetchJson<{ members: Member[] }>(`http://${machine.address}:8008/cluster`);
      if (answer !== null) return answer.members;
    }
    return [];
  }

  const isReplica = ({ role, state, timeline, lag }: Member, leader: Member | undefined) =>
    role !== 'leader' && ['running', 'streaming'].includes(state) && timeline === leader?.timeline && lag === 0;

  const cluster: Cluster = {
    nodes,
    primary: async () => nodeNamed((await members()).find(({ role }) => role === 'leader')?.name),
    synchronous: async () => nodeNamed((await members()).find(({ role }) => role === 'sync_standby')?.name),
    etcdLeader,
    async isHealthy() {
      const all = await members();
      const [leader] = all.filter(({ role, state }) => role === 'leader' && state === 'running');
      const replicas = all.filter((member) => isReplica(member, leader));
      return replicas.length === 2 && replicas.some(({ role }) => role === 'sync_standby');
    },
    untilHealthy: () => until('a primary with two replicas', cluster.isHealthy),
    async repair() {
      const all = await members();
      const leader = all.find(({ role }) => role === 'leader');
      const broken = all.filter((member) => member !== leader && !isReplica(member, leader));
      for (const { name } of broken)
        await fetchJson(`http://${nodeNamed(name).machine.address}:8008/reinitialize`, { force: true });
      await cluster.untilHealthy();
      return broken.map(({ name }) => name);
    },
  };

  await until('etcd', async () => (await etcdLeader()).etcd.isUp(), 30_000);
  for (const { patroni } of nodes) patroni.start();
  await cluster.untilHealthy();
  return cluster;
}

interface EtcdStatus {
  header: { member_id: string };
  leader: string;
}

/** The JSON at `url`, by POST with a body, or null without a usable answer within a second. */
async function fetchJson<T>(url: string, body?: object): Promise<T | null> {
  const request = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  try {
    return (await (await fetch(url, { ...request, signal: AbortSignal.timeout(1000) })).json()) as T;
  } catch {
    return null;
  }
}

async function createNode(folder: string, machine: Machine, diskMegabytes: number): Promise<Node> {
  const place = join(folder, machine.name);
  const owner = statSync('/var/lib/postgresql');
  const disk = await mountSmallDisk(join(place, 'disk'), {
    megabytes: diskMegabytes,
    mode: '0755',
    like: '/var/lib/postgresql',
  });
  if (disk === null) throw new Error('a small disk cannot be mounted here');
  const data = join(place, 'disk/data');
  for (const path of [place, data, join(place, 'etcd')]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chownSync(path, owner.uid, owner.gid);
  }
  const config = join(place, 'patroni.json');
  writeFileSync(config, JSON.stringify(patroniConfig(place, data, machine), null, 2));
  return {
    machine,
    disk,
    etcd: createProgram(place, 'etcd', etcdCommand(place, machine), { machine }),
    patroni: createProgram(place, 'patroni', ['patroni', config], { machine }),
    database: () => databaseProcesses(data),
  };
}

function etcdCommand(place: string, { name, address }: Machine): string[] {
  const settings = {
    name,
    'data-dir': join(place, 'etcd'),
    'listen-peer-urls': `http://${address}:2380`,
    'initial-advertise-peer-urls': `http://${address}:2380`,
    'listen-client-urls': `http://${address}:2379`,
    'advertise-client-urls': `http://${address}:2379`,
    'initial-cluster': machines.map((one) => `${one.name}=http://${one.address}:2380`).join(','),
    'heartbeat-interval': '150',
    'election-timeout': '1500',
    // A member that comes back doesn't force an election.
    'pre-vote': 'true',
    'enable-v2': 'true',
    'log-level': 'warn',
  };
  return ['etcd', ...Object.entries(settings).map(([setting, value]) => `--${setting}=${value}`)];
}

/** Patroni reads YAML, of which JSON is a part. */
function patroniConfig(place: string, data: string, { name, address }: Machine): object {
  return {
    scope: 'heartwood',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    // By the old protocol: with the new one, Patroni 3.0.2 renews the leader's lock without looking whether another node has it now.
    etcd: { hosts: machines.map((one) => `${one.address}:2379`) },
    bootstrap: {
      dcs: {
        ttl: 20,
        // A primary that cannot renew its lock for `retry_timeout` steps down; ttl ≥ loop_wait + 2 retry_timeout.
        loop_wait: 5,
        retry_timeout: 7,
        // A primary that crashed is replaced at once instead of restarted.
        master_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, parameters: { max_connections: 150, wal_log_hints: 'on' } },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: data,
      bin_dir: programs,
      pgpass: join(place, 'pgpass'),
      authentication: {
        superuser: { username: 'postgres', password: passwords.superuser },
        replication,
        rewind: { username: 'rewinder', password: 'rehearsal-rewind' },
      },
      // A node that cannot be rewound is copied again.
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      parameters: {
        shared_buffers: '64MB',
        max_wal_size: '256MB',
        wal_keep_size: '64MB',
        max_standby_streaming_delay: '1s',
        unix_socket_directories: place,
        shared_preload_libraries: 'pg_stat_statements',
        // A commit's time is that of waiting for the replica.
        'pg_stat_statements.track_utility': 'off',
        'pg_stat_statements.track_planning': 'on',
      },
      pg_hba: [
        'local all all trust',
        `host all all ${nodeNetwork} scram-sha-256`,
        `host replication all ${nodeNetwork} scram-sha-256`,
      ],
    },
  };
}

/** Creates the roles and the database with the script of the compose file, once the primary can be reached at `port` of this machine. */
export async function createDatabase(port: number, script: string): Promise<void> {
  const access = ['PGHOST=127.0.0.1', `PGPORT=${port}`, `PGPASSWORD=${passwords.superuser}`];
  await until('the database', async () => {
    await must(
      'env',
      ...access,
      'psql',
      '--username=postgres',
      '--command=create extension if not exists pg_stat_statements',
    );
    return true;
  });
  await must(
    'env',
    ...access,
    `SERVING_PASSWORD=${passwords.serving}`,
    `OWNER_PASSWORD=${passwords.owner}`,
    'sh',
    script,
  );
}

/** Kills the PostgreSQL of a node: all of its processes at once, as when the kernel runs out of memory. */
export function killDatabase(node: Node): void {
  signalAll(node.database(), 'SIGKILL');
}
