import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, lchownSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { DatabasePlace } from './place.ts';
import { StartError } from '#platform/process/lifecycle.ts';

/** The complete environment of PostgreSQL's programs. */
export const databaseEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** The role and the database of the product; the role owns the database and isn't a superuser. */
export const databaseName = 'heartwood';

/** The folder of a cluster that is being restored; it replaces `data` once it is complete. */
export const unfinishedRestore = 'data.restoring';

/** A file that exists in a restored cluster until its sessions are deleted. It is inside the cluster's folder, so that it moves with it. */
export const sessionsToEnd = 'sessions-to-end';

/** The major version of PostgreSQL that is installed with this release. */
export const majorVersion = '18';

/** npm stores no symbolic links, and the script that creates them may be disabled. */
export function completeBinaries(binaries: string): void {
  const links = JSON.parse(readFileSync(join(binaries, 'pg-symlinks.json'), 'utf8')) as {
    source: string;
    target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(dirname(binaries), target);
    if (!existsSync(link)) symlinkSync(relative(dirname(target), source), link);
  }
}

/**
 * The cluster in `place`, created on the first call: either complete or absent, so a start that is killed leaves nothing to
 * repair. Returns its folder and the password of its two roles, `heartwood` and the superuser `postgres`.
 */
export async function prepareCluster(
  place: DatabasePlace,
  options: { sync: boolean },
): Promise<{ folder: string; password: string }> {
  const folder = join(place.home, 'data');
  const password = keptPassword(place);
  if (existsSync(folder)) {
    const version = readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim();
    if (version === majorVersion) return { folder, password };
    throw new StartError(
      `The database in ${folder} was created by PostgreSQL ${version}, but this release includes ${majorVersion}: docs/operating.md says how to move it.`,
    );
  }
  if (existsSync(join(place.home, unfinishedRestore)))
    throw new StartError(`A restore into ${place.home} did not finish. Run it again before the next start.`);
  const half = join(place.home, 'data.half');
  rmSync(half, { recursive: true, force: true });
  const init = [
    '-D',
    half,
    '-U',
    'postgres',
    `--pwfile=${join(place.home, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
  ];
  // The built-in collation is the same on every system; pg_trgm uses LC_CTYPE to decide which characters are letters.
  const ctype = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';
  const locale = ['--locale=C', `--lc-ctype=${ctype}`, '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  await runTool(place, 'initdb', [...init, ...locale, ...(options.sync ? [] : ['--no-sync'])], '');
  await runTool(place, 'postgres', ['--single', '-j', '-D', half, 'template1'], foundation(password));
  renameSync(half, folder);
  return { folder, password };
}

/** The statements for single-user mode, in which an empty line ends each statement. */
function foundation(password: string): string {
  const statements = [
    `create role ${databaseName} login password '${password}'`,
    `create database ${databaseName} owner ${databaseName}`,
  ];
  return statements.map((statement) => `${statement};\n\n`).join('');
}

/** The password of the cluster's roles, generated on the first call. */
export function keptPassword(place: DatabasePlace): string {
  const file = join(place.home, 'password');
  if (!existsSync(file)) {
    writeFileSync(`${file}.half`, randomBytes(24).toString('base64url'), { mode: 0o600 });
    if (place.user !== null) lchownSync(`${file}.half`, place.user.uid, place.user.gid);
    renameSync(`${file}.half`, file);
  }
  return readFileSync(file, 'utf8');
}

/**
 * Ends `child` when this process ends, unless it is killed. This process doesn't wait for it: PostgreSQL ends as soon as
 * it has rolled back open transactions.
 */
export function endWithProcess(child: ChildProcess): void {
  const end = () => child.kill('SIGINT');
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
}

/** The first line that says what went wrong; later lines may only describe the cleanup. */
const firstError = (output: string) => /^.*\b(?:error|ERROR|FATAL|PANIC): .*$/m.exec(output)?.[0];

async function runTool(place: DatabasePlace, tool: string, args: string[], input: string): Promise<void> {
  const child = spawn(join(place.binaries, 'bin', tool), args, {
    ...(place.user === null ? {} : { uid: place.user.uid, gid: place.user.gid }),
    cwd: '/',
    env: databaseEnvironment,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  endWithProcess(child);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0 || /\b(ERROR|FATAL|PANIC): /.test(errors)) {
    if (/No space left on device|Check free disk space/.test(errors))
      throw new StartError(
        `The disk is full. Free at least 200 MB for the database in ${place.home}, then start again.`,
      );
    throw new StartError(
      `The database could not be made in ${place.home}: ${firstError(errors) ?? `${tool} ended with ${code}`}`,
    );
  }
}
