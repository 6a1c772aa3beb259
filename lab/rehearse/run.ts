import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../launcher/command.ts';
import { smallMost } from '../bench/data.ts';
import { isClean, verdictInWords } from '../chaos/ledger.ts';
import { createDatabase, startCluster } from './cluster.ts';
import { faults, type Scene } from './faults.ts';
import { ports, startFront } from './front.ts';
import { buildNetwork, must } from './machine.ts';
import { rehearse, type Rehearsed } from './measure.ts';
import { statementsOf, tableOf } from './report.ts';
import { createService, takeRelease } from './service.ts';

/** Debian's packages and a program of each. */
const packages = {
  'etcd-server': '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  'postgresql-15': '/usr/lib/postgresql/15/bin/postgres',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  'redis-server': '/usr/bin/redis-server',
  iproute2: '/usr/sbin/ip',
};

/** The size of each node's disk. */
const diskMegabytes = 1024;
const megabytesPerMember = 0.05;

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    // Two cores carry that beside everything else.
    rate: { type: 'string', default: '40' },
    members: { type: 'string', default: '100' },
    previous: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    inside: { type: 'string' },
  },
});

const usage = [
  'Use: npm run rehearse -- [--only=FAULT …] [--rate=REQUESTS_PER_SECOND] [--members=COUNT] [--previous=COMMIT] [--keep]',
  'All faults without --only; --previous starts the release of a tag or commit, which the upgrade replaces.',
  'More than 10,000 members are those of the benchmarks, whose ordinary days `none` measures; each needs up to 150 KB of memory.',
  ...faults.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`),
];
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Why the rehearsal cannot run here, in one sentence, or null. */
function obstacle(): string | null {
  const unknown = values.only.filter((name) => !faults.some((fault) => fault.name === name));
  if (unknown.length > 0) return `There is no fault ${unknown.join(', ')}.\n${usage.join('\n')}`;
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'The rehearsal builds networks and disks of its own: run it on Linux as root.';
  const missing = Object.entries(packages).filter(([, program]) => !isProgram(program));
  if (missing.length === 0) return null;
  return `Install what is missing: apt-get install --no-install-recommends ${missing.map(([name]) => name).join(' ')}`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Runs this file again with processes, mounts and networks of its own. The system ends all of these with the first process, so nothing
 * is left behind however this one ends.
 */
async function runInside(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'heartwood-rehearse-'));
  chmodSync(folder, 0o755);
  const own = ['unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // A shell as the first process collects the processes that lost their parent.
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
  await buildNetwork();
  const { previous } = values;
  const release = previous === undefined ? projectRoot : await takeRelease(previous, join(folder, 'previous'));
  const service = await createService(folder, release);
  const front = startFront(
    folder,
    service.apps.map(({ origin }) => Number(new URL(origin).port)),
  );
  say('Starting etcd, Patroni and PostgreSQL …');
  const members = Number(values.members);
  const cluster = await startCluster(folder, diskMegabytes + members * megabytesPerMember);
  await createDatabase(ports.write, join(projectRoot, 'deploy/compose/roles.sh'));
  say('Starting the services …');
  await service.start(members, say);
  return { folder, cluster, front, service, hasPopulation: members > smallMost };
}

async function rehearseAll(folder: string): Promise<number> {
  say(await versions());
  const scene = await setTheScene(folder);
  const chosen = faults.filter(({ name }) => values.only.length === 0 || values.only.includes(name));
  const done: Rehearsed[] = [];
  for (const fault of chosen) {
    say(`\n${fault.name}: ${fault.about} (load ${loadavg()[0]?.toFixed(1) ?? ''})`);
    try {
      const rehearsed = await rehearse(scene, fault, Number(values.rate));
      say(tableOf([rehearsed.row]));
      const { worked } = rehearsed.row;
      if (fault.isOrdinary === true && worked !== null) say(statementsOf(worked));
      done.push(rehearsed);
    } catch (error) {
      say(`MISSED: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
      await scene.cluster.repair();
    }
  }
  say('\nEverything acknowledged, compared once more …');
  for (const { row, workload } of done) {
    const verdict = await workload.check();
    if (!isClean(verdict)) row.problems.push(`at the end: ${verdictInWords(verdict)}`);
    row.isKept &&= isClean(verdict);
  }
  const rows = done.map(({ row }) => row);
  say(`\n${tableOf(rows)}`);
  return rows.length === chosen.length && rows.every(({ isKept }) => isKept) ? 0 : 1;
}

async function versions(): Promise<string> {
  const shown = await must('dpkg-query', '--show', ...Object.keys(packages));
  return shown.trim().replaceAll('\t', ' ');
}

const trouble = values.help ? usage.join('\n') : obstacle();
if (trouble !== null) {
  say(trouble);
  process.exit(values.help ? 0 : 1);
}
process.exit(values.inside === undefined ? await runInside() : await rehearseAll(values.inside));
