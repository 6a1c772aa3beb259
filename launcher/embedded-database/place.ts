import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { canReach, databaseUser, giveTo, type SystemUser } from './user.ts';

export interface DatabasePlace {
  /** Holds the cluster, its password, its socket and its log. */
  home: string;
  /** Holds `bin`, `lib` and `share`. */
  binaries: string;
  /** Null: PostgreSQL runs as the user of this process. */
  user: SystemUser | null;
  /** The folder outside the project that is used because the database's user can't reach the project, or null. */
  outside: string | null;
}

/** The folder of the database if this process is root, which other users can't read. */
const farOf = (dataDir: string, outsideRoot: string) =>
  join(outsideRoot, createHash('sha256').update(dataDir).digest('hex').slice(0, 16));

const systemRoot = '/var/lib/heartwood';

/** Whether `dataDir` has a database. Creates nothing. */
export function hasDatabase(dataDir: string, outsideRoot = systemRoot): boolean {
  if (!existsSync(dataDir)) return false;
  const real = realpathSync(dataDir);
  const homes = [real, ...(process.getuid?.() === 0 ? [farOf(real, outsideRoot)] : [])];
  return homes.some((home) => existsSync(join(home, 'postgres/data')));
}

/**
 * The folders of database and binaries: in `dataDir` and where npm put them. When this process is root, folders that the
 * database's user cannot reach are replaced by `outsideRoot/<hash of dataDir>`. Creates the folders, and moves a database
 * that has become unreachable.
 */
export function chooseDatabasePlace(dataDir: string, packaged: string, outsideRoot = systemRoot): DatabasePlace {
  const near = join(dataDir, 'postgres');
  if (process.getuid?.() !== 0) {
    mkdirSync(near, { recursive: true, mode: 0o700 });
    return { home: near, binaries: packaged, user: null, outside: null };
  }
  const outside = farOf(dataDir, outsideRoot);
  const far = join(outside, 'postgres');
  const user = databaseUser([join(far, 'data'), join(near, 'data')]);
  const binariesNear = canReach(user, join(packaged, 'bin/postgres'), 'execute');
  const homeNear = !existsSync(far) && reaches(user, near);
  if (!binariesNear || !homeNear) openFolder(outside);
  if (!homeNear) {
    if (existsSync(join(near, 'data')) && !existsSync(far)) moveHome(near, far);
    makeHome(user, far);
  }
  return {
    home: homeNear ? near : far,
    binaries: binariesNear ? packaged : copyBinaries(user, packaged, outside),
    user,
    outside: binariesNear && homeNear ? null : outside,
  };
}

function reaches(user: SystemUser, home: string): boolean {
  mkdirSync(dirname(home), { recursive: true });
  const existed = existsSync(home);
  makeHome(user, home);
  const reachable = canReach(user, home, 'write');
  if (!reachable && !existed) rmSync(home, { recursive: true });
  return reachable;
}

/** When root copies a project, the database files belong to root, which PostgreSQL refuses. */
function makeHome(user: SystemUser, home: string): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const cluster = join(home, 'data');
  if (statSync(existsSync(cluster) ? cluster : home).uid !== user.uid) giveTo(user, home);
}

/** Lets the database's user enter, regardless of the umask. */
function openFolder(outside: string): void {
  mkdirSync(outside, { recursive: true });
  chmodSync(dirname(outside), 0o755);
  chmodSync(outside, 0o755);
}

function moveHome(near: string, far: string): void {
  const half = `${far}.half`;
  rmSync(half, { recursive: true, force: true });
  cpSync(near, half, { recursive: true, verbatimSymlinks: true, filter: (path) => basename(path) !== 'socket' });
  renameSync(half, far);
  rmSync(near, { recursive: true });
}

function copyBinaries(user: SystemUser, packaged: string, outside: string): string {
  const { version } = JSON.parse(readFileSync(join(packaged, '../package.json'), 'utf8')) as { version: string };
  const target = join(outside, `native-${version}`);
  if (existsSync(target)) return target;
  for (const older of readdirSync(outside).filter((name) => name.startsWith('native-'))) {
    rmSync(join(outside, older), { recursive: true });
  }
  const half = `${target}.half`;
  cpSync(packaged, half, { recursive: true, verbatimSymlinks: true });
  giveTo(user, half);
  renameSync(half, target);
  return target;
}
