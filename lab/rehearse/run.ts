import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../launcher/command.ts';
import { createDatabase, startCluster } from './cluster.ts';
import { faults, type Scene } from './faults.ts';
import { ports, startFront } from './front.ts';
import { must } from './program.ts';
import { rehearse, type Row } from './measure.ts';
import { createService, takeRelease } from './service.ts';

/** The required Debian packages, each with one of its programs. */
const packages = {
  'etcd-server': '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  'redis-server': '/usr/bin/redis-server',
  iproute2: '/usr/sbin/ip',
};

const demoMembers = 100;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    // A rate that two cores can handle next to everything else.
    rate: { type: 'string', default: '40' },
    previous: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    inside: { type: 'string' },
  },
});

const usage = [
  'Use: npm run rehearse -- [--only=FAULT …] [--rate=REQUESTS_PER_SECOND] [--previous=COMMIT] [--keep]',
  'All faults without --only; --previous starts the release of a tag or commit, which the upgrade replaces.',
  ...faults.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`),
];
const say = (text: string) => process.stdout.write(`${text}\n`);

/** The reason why the rehearsal cannot run here, or null. */
function obstacle(): string | null {
  const unknown = values.only.filter((name) => !faults.some((fault) => fault.name === name));
  if (unknown.length > 0) return `There is no fault ${unknown.join(', ')}.\n${usage.join('\n')}`;
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'The rehearsal runs in a network of its own: run it on Linux as root.';
  const missing = Object.entries(packages).filter(([, program]) => !existsSync(program));
  if (missing.length === 0) return null;
  return `Install what is missing: apt-get install --no-install-recommends ${missing.map(([name]) => name).join(' ')}`;
}

/**
 * Runs this file again in separate process, mount and network namespaces. The system ends all of these with the first process, so nothing
 * is left behind, however this process ends.
 */
async function runInside(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'heartwood-rehearse-'));
  chmodSync(folder, 0o755);
  const own = ['unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // A shell is the first process, because it collects processes that lost their parent.
  const shell = ['sh', '-c', '"$@" & wait $!', 'sh'];
  const again = [process.execPath, import.meta.filename, ...process.argv.slice(2), '--inside', folder];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...own, ...shell, ...again], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGKILL'));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (values.keep) say(`Logs are in ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
  return code ?? 130;
}

async function setTheScene(folder: string): Promise<Scene> {
  await must('ip', 'link', 'set', 'lo', 'up');
  const { previous } = values;
  const release = previous === undefined ? projectRoot : await takeRelease(previous, join(folder, 'previous'));
  const service = await createService(folder, release);
  const front = startFront(
    folder,
    service.apps.map(({ origin }) => Number(new URL(origin).port)),
  );
  say('Starting etcd, Patroni and PostgreSQL …');
  const cluster = await startCluster(folder);
  await createDatabase(ports.write, join(projectRoot, 'deploy/compose/roles.sh'));
  say('Starting the services …');
  await service.start(demoMembers);
  return { folder, cluster, front, service };
}

async function rehearseAll(folder: string): Promise<number> {
  say(await must('dpkg-query', '--show', ...Object.keys(packages)));
  const scene = await setTheScene(folder);
  const rows: Row[] = [];
  let isKept = true;
  for (const fault of faults.filter(({ name }) => values.only.length === 0 || values.only.includes(name))) {
    say(`\n${fault.name}: ${fault.about}`);
    try {
      const row = await rehearse(scene, fault, Number(values.rate));
      for (const problem of row.problems) say(`MISSED: ${problem}`);
      isKept &&= row.problems.length === 0;
      rows.push(row);
    } catch (error) {
      say(`MISSED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      isKept = false;
      await scene.cluster.repair();
    }
  }
  say(`\n${tableOf(rows)}`);
  return isKept ? 0 : 1;
}

/** The results as a table in Markdown. */
function tableOf(rows: Row[]): string {
  const head = [
    'fault',
    'requests',
    'failed',
    'longest without a write (s)',
    'sockets back (s)',
    'writes',
    'messages',
    'result',
  ];
  const cells = rows.map(({ fault, failed, requests, longestS, socketsS, acknowledged, messages, problems }) => [
    ...[fault.about, `${requests}`, `${failed} (${((failed / requests) * 100).toFixed(1)} %)`],
    ...[longestS.toFixed(1), socketsS.toFixed(1), `${acknowledged}`, `${messages}`],
    problems.length === 0 ? 'kept' : 'MISSED',
  ]);
  return [head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

const trouble = values.help ? usage.join('\n') : obstacle();
if (trouble !== null) {
  say(trouble);
  process.exit(values.help ? 0 : 1);
}
process.exit(values.inside === undefined ? await runInside() : await rehearseAll(values.inside));
