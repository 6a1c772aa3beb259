import { chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { databaseProcesses, signalAll } from '../../server/test/proofs/product.ts';
import { createProgram, must, type Program, until } from './program.ts';

const programs = '/usr/lib/postgresql/15/bin';
/** The passwords of a cluster that other machines can't reach and that is deleted after the run. */
export const passwords = { superuser: 'rehearsal-superuser', serving: 'rehearsal-serving', owner: 'rehearsal-owner' };
const replication = { username: 'replicator', password: 'rehearsal-replication' };

/** Represents a separate machine: an address of this one, with etcd, Patroni and the PostgreSQL that Patroni starts. */
export interface Node {
  name: string;
  address: string;
  etcd: Program;
  patroni: Program;
  /** The processes of its PostgreSQL. */
  database(): number[];
}

/** The names and addresses of the nodes. */
export const machines = [1, 2, 3].map((number) => ({ name: `node${number}`, address: `127.0.0.${10 + number}` }));
type Machine = (typeof machines)[number];

/** A node as Patroni sees it. */
interface Member {
  name: string;
  role: string;
  state: string;
  timeline?: number;
  lag?: number | string;
}

export interface Cluster {
  primary(): Promise<Node>;
  /** The synchronous replica, which commits wait for. */
  synchronous(): Promise<Node>;
  /** Waits for one primary and two replicas that stream from it, one of them synchronous. */
  untilHealthy(): Promise<void>;
  /** Copies nodes again that do not replicate; returns their names. */
  repair(): Promise<string[]>;
}

/** Starts three nodes below `folder` and returns when they replicate. */
export async function startCluster(folder: string): Promise<Cluster> {
  const nodes = machines.map((machine) => createNode(folder, machine));

  async function members(): Promise<Member[]> {
    for (const { address } of nodes) {
      const answer = await fetchJson<{ members: Member[] }>(`http://${address}:8008/cluster`);
      if (answer !== null) return answer.members;
    }
    return [];
  }
  async function nodeWith(role: string): Promise<Node> {
    const name = (await members()).find((member) => member.role === role)?.name;
    const node = nodes.find((one) => one.name === name);
    if (node === undefined) throw new Error(`no node is ${role} now`);
    return node;
  }
  const isReplica = ({ role, state, timeline, lag }: Member, leader: Member | undefined) =>
    role !== 'leader' && ['running', 'streaming'].includes(state) && timeline === leader?.timeline && lag === 0;
  const untilHealthy = () =>
    until('a primary with two replicas', async () => {
      const all = await members();
      const leader = all.find(({ role, state }) => role === 'leader' && state === 'running');
      const replicas = all.filter((member) => isReplica(member, leader));
      return replicas.length === 2 && replicas.some(({ role }) => role === 'sync_standby');
    });

  for (const { etcd, patroni } of nodes) {
    etcd.start();
    patroni.start();
  }
  await untilHealthy();
  return {
    primary: () => nodeWith('leader'),
    synchronous: () => nodeWith('sync_standby'),
    untilHealthy,
    async repair() {
      const all = await members();
      const leader = all.find(({ role }) => role === 'leader');
      const broken = all.filter((member) => member !== leader && !isReplica(member, leader)).map(({ name }) => name);
      for (const { name, address } of nodes)
        if (broken.includes(name)) await fetchJson(`http://${address}:8008/reinitialize`, { force: true });
      await untilHealthy();
      return broken;
    },
  };
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

function createNode(folder: string, machine: Machine): Node {
  const place = join(folder, machine.name);
  const owner = statSync('/var/lib/postgresql');
  const data = join(place, 'data');
  for (const path of [place, data, join(place, 'etcd')]) {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    chownSync(path, owner.uid, owner.gid);
  }
  const config = join(place, 'patroni.json');
  writeFileSync(config, JSON.stringify(patroniConfig(place, data, machine), null, 2));
  return {
    ...machine,
    etcd: createProgram(place, 'etcd', etcdCommand(place, machine)),
    patroni: createProgram(place, 'patroni', ['patroni', config]),
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
    // Otherwise a member that comes back forces an election.
    'pre-vote': 'true',
    'enable-v2': 'true',
    'log-level': 'warn',
  };
  return ['etcd', ...Object.entries(settings).map(([setting, value]) => `--${setting}=${value}`)];
}

/** The configuration as JSON, which Patroni accepts because it is valid YAML. */
function patroniConfig(place: string, data: string, { name, address }: Machine): object {
  return {
    scope: 'heartwood',
    name,
    restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
    // The old protocol, because with the new one Patroni 3.0.2 renews the leader's lock without checking whether another node has it.
    etcd: { hosts: machines.map((one) => `${one.address}:2379`) },
    bootstrap: {
      dcs: {
        ttl: 20,
        // A primary that cannot renew its lock for `retry_timeout` steps down; required: ttl ≥ loop_wait + 2 retry_timeout.
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
      },
      pg_hba: [
        'local all all trust',
        'host all all 127.0.0.0/8 scram-sha-256',
        'host replication all 127.0.0.0/8 scram-sha-256',
      ],
    },
  };
}

const superuserAt = (port: number) => ['PGHOST=127.0.0.1', `PGPORT=${port}`, `PGPASSWORD=${passwords.superuser}`];

/** Runs a statement in the database as the superuser, on the primary that can be reached at `port` of this machine. */
export const runAsSuperuser = (port: number, statement: string): Promise<string> =>
  must('env', ...superuserAt(port), 'psql', '--username=postgres', `--command=${statement}`);

/** Creates the roles and the database with the script of the compose file, and gives the database to `owner`. */
export async function createDatabase(port: number, script: string, owner: string): Promise<void> {
  await until('the database', async () => (await runAsSuperuser(port, 'select 1')) !== '');
  const roles = [`SERVING_PASSWORD=${passwords.serving}`, `OWNER_PASSWORD=${passwords.owner}`];
  await must('env', ...superuserAt(port), ...roles, 'sh', script);
  await runAsSuperuser(port, `alter database heartwood owner to ${owner}`);
}

/** Kills the PostgreSQL of a node: all of its processes at once, as when the kernel runs out of memory. */
export function killDatabase(node: Node): void {
  signalAll(node.database(), 'SIGKILL');
}
