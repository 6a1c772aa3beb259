import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  lchownSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { databaseEnvironment, endWithProcess } from './cluster.ts';
import type { DatabasePlace } from './place.ts';
import { StartError } from '#platform/process/lifecycle.ts';

const pollMs = 10;
const harshSignalMs = 300;
const logMaxBytes = 5_000_000;
/** The longest path of a socket: `sun_path` has 104 bytes on macOS, 108 on Linux. */
const socketPathMaxBytes = 103;

/** The folder of the socket, which only the database's user and root may enter. */
export function socketFolder(place: DatabasePlace): string {
  const inside = join(place.home, 'socket');
  const fits = Buffer.byteLength(join(inside, '.s.PGSQL.5432')) <= socketPathMaxBytes;
  return fits
    ? inside
    : join(tmpdir(), `heartwood-${createHash('sha256').update(place.home).digest('hex').slice(0, 16)}`);
}

/**
 * Starts PostgreSQL on the cluster in `folder`, which no other process serves, and returns its process once it accepts
 * connections, however long the recovery after a crash takes. It leads a separate process group: Ctrl-C in a terminal
 * must not reach it before the server has stopped.
 */
export async function startServer(
  place: DatabasePlace,
  folder: string,
  settings: Record<string, string>,
): Promise<ChildProcess> {
  const socket = socketFolder(place);
  makeSocketFolder(place, socket);
  // PostgreSQL trusts a stale lock while any process has its number, even a zombie.
  for (const left of ['.s.PGSQL.5432', '.s.PGSQL.5432.lock']) rmSync(join(socket, left), { force: true });
  const logFile = join(place.home, 'postgres.log');
  const log = openSync(logFile, existsSync(logFile) && statSync(logFile).size > logMaxBytes ? 'w' : 'a', 0o600);
  const folders = `"${socket.replaceAll('"', '""')}"`;
  const all = { ...settings, listen_addresses: '', port: '5432', unix_socket_directories: folders };
  const child = spawn(
    join(place.binaries, 'bin/postgres'),
    ['-D', folder, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      ...(place.user === null ? {} : { uid: place.user.uid, gid: place.user.gid }),
      cwd: '/',
      env: databaseEnvironment,
      detached: true,
      stdio: ['ignore', log, log],
    },
  );
  closeSync(log);
  endWithProcess(child);
  const failure = new Promise<Error>((resolve) => child.once('error', resolve));
  while (!isReady(folder, child.pid)) {
    const failed = await Promise.race([failure, pause(pollMs)]);
    if (failed !== undefined || child.exitCode !== null || child.signalCode !== null) {
      throw new StartError(`The embedded database did not start: ${failed?.message ?? lastComplaint(logFile)}`);
    }
  }
  return child;
}

/** Stops PostgreSQL: within `graceMs` by rolling back open transactions, then like a crash, which recovery repairs. */
export async function stopServer(child: ChildProcess, graceMs: number): Promise<void> {
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (ended()) return;
    child.kill(signal);
    await eventually(ended, signal === 'SIGINT' ? graceMs : harshSignalMs);
  }
}

/** Stops processes an earlier start left running on this cluster and removes its pid file. Other processes are not touched. */
export async function stopLeftovers(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const cluster = realpathSync(folder);
  const postmaster = readPid(folder);
  if (postmaster !== null && serves(postmaster, cluster)) {
    process.kill(postmaster, 'SIGINT');
    await eventually(() => !serves(postmaster, cluster), 5000);
  }
  for (const pid of processesOf(cluster)) process.kill(pid, 'SIGKILL');
  if (!(await eventually(() => processesOf(cluster).length === 0, 5000))) {
    throw new StartError(`Processes of an earlier start are still using the database in ${folder}.`);
  }
  rmSync(join(folder, 'postmaster.pid'), { force: true });
}

/** PostgreSQL writes its status to the last line of its pid file, which `pg_ctl -w` reads, too. */
function isReady(folder: string, pid: number | undefined): boolean {
  const lines = readLines(join(folder, 'postmaster.pid'));
  return lines[0] === String(pid) && lines[7]?.trim() === 'ready';
}

function readPid(folder: string): number | null {
  const pid = Number(readLines(join(folder, 'postmaster.pid'))[0]);
  return Number.isInteger(pid) && pid > 1 ? pid : null;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * Every PostgreSQL process runs in its cluster's folder, which distinguishes ours from others and from a reused pid.
 */
function serves(pid: number, cluster: string): boolean {
  try {
    if (process.platform === 'linux') return readlinkSync(`/proc/${pid}/cwd`) === cluster;
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' }).includes(cluster);
  } catch {
    return false;
  }
}

function processesOf(cluster: string): number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 1 && pid !== process.pid && serves(pid, cluster));
}

function makeSocketFolder(place: DatabasePlace, socket: string): void {
  mkdirSync(socket, { recursive: true, mode: 0o700 });
  const owner = place.user?.uid ?? process.getuid?.() ?? 0;
  if (statSync(socket).uid !== owner && place.user !== null) lchownSync(socket, place.user.uid, place.user.gid);
  if (statSync(socket).uid !== owner)
    throw new StartError(`${socket} belongs to another user: remove it, or set DATA_DIR to a shorter path.`);
  chmodSync(socket, 0o700);
}

function lastComplaint(file: string): string {
  const lines = readLines(file).filter((line) => line !== '');
  return lines.findLast((line) => /FATAL|PANIC/.test(line)) ?? lines.at(-1) ?? 'it exited immediately';
}

async function eventually(condition: () => boolean, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await pause(pollMs);
  }
  return true;
}
