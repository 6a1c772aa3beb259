import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../launcher/command.ts';
import { createDatabase, startCluster } from './cluster.ts';
import { faults, type Scene } from './faults.ts';
import { poolerKeepsStatements, ports, startFront } from './front.ts';
import { followPage, pagePackages } from './page.ts';
import { passProxies, proxyPackages } from './proxy.ts';
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

/** A rehearsal in which nothing fails. */
interface Calm {
  about: string;
  packages: Record<string, string>;
  /** The namespaces that it runs in, besides those of all. */
  namespaces: string[];
  /** Returns what was missed. */
  run(folder: string, say: (text: string) => void): Promise<string[]>;
}
const calm: Record<string, Calm> = {
  proxy: {
    about: 'messages, a photo and a rolling restart behind deploy/proxy/nginx.conf and Caddyfile',
    packages: proxyPackages,
    namespaces: ['--net'],
    run: passProxies,
  },
  page: {
    about: 'a new server is set up as docs/operating/first-server.md says',
    packages: pagePackages,
    namespaces: [],
    run: followPage,
  },
};

const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true, default: [] },
    // A rate that two cores can handle next to everything else.
    rate: { type: 'string', default: '40' },
    previous: { type: 'string' },
    roles: { type: 'string' },
    pooler: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
    // Options for the call inside the namespaces: its folder, what runs without faults, and the folder of the release to start with.
    inside: { type: 'string' },
    calm: { type: 'string' },
    release: { type: 'string', default: projectRoot },
  },
});

const usage = [
  'Use: npm run rehearse -- [--only=FAULT …] [--rate=REQUESTS_PER_SECOND] [--previous=COMMIT]',
  '       [--roles=one|two] [--pooler=on|off] [--keep]',
  'All faults without --only. --previous upgrades from the release of a tag or commit, with one role and with two, each with and without',
  'the pooler, unless --roles or --pooler says which.',
  ...faults.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`),
  ...Object.entries(calm).map(([name, { about }]) => `  ${name.padEnd(10)} nothing fails: ${about}`),
];
const say = (text: string) => process.stdout.write(`${text}\n`);

const isAll = values.only.length === 0;
const chosenCalm = Object.keys(calm).filter((name) =>
  isAll ? values.previous === undefined : values.only.includes(name),
);
const withFaults = isAll || values.only.some((name) => calm[name] === undefined);

/** The reason why the rehearsal cannot run here, or null. */
function obstacle(): string | null {
  const unknown = values.only.filter(
    (name) => calm[name] === undefined && !faults.some((fault) => fault.name === name),
  );
  const { roles = 'two', pooler = 'on' } = values;
  if (!['one', 'two'].includes(roles) || !['on', 'off'].includes(pooler)) return usage.join('\n');
  if (unknown.length > 0) return `There is no fault ${unknown.join(', ')}.\n${usage.join('\n')}`;
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    return 'The rehearsal runs in a network of its own: run it on Linux as root.';
  const needed = [withFaults ? packages : {}, ...chosenCalm.map((name) => calm[name]?.packages ?? {})];
  const missing = needed.flatMap((all) => Object.entries(all).filter(([, program]) => !existsSync(program)));
  if (missing.length === 0) return null;
  const names = new Set(missing.map(([name]) => name));
  return `Install what is missing: apt-get install --no-install-recommends ${[...names].join(' ')}`;
}

/** The values of `--roles` and `--pooler` of each installation to build. */
function shapes(): string[][] {
  const { previous, roles, pooler } = values;
  const both = previous !== undefined && roles === undefined && pooler === undefined;
  const given = [[`--roles=${roles ?? 'two'}`, `--pooler=${pooler ?? 'on'}`]];
  return both
    ? ['two', 'one'].flatMap((one) => ['on', 'off'].map((use) => [`--roles=${one}`, `--pooler=${use}`]))
    : given;
}

/** Builds one installation after the other; returns 0 if all requirements were met. */
async function rehearseAll(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'heartwood-rehearse-'));
  chmodSync(folder, 0o755);
  const { previous } = values;
  // The code is above 1 if the rehearsal was interrupted.
  let worst = 0;
  try {
    // Downloaded here, because the rehearsal itself has no access to the registry.
    const release = previous === undefined ? projectRoot : await takeRelease(previous, join(folder, 'previous'));
    for (const [number, shape] of withFaults ? shapes().entries() : []) {
      if (worst > 1) break;
      const place = join(folder, `${number}`);
      mkdirSync(place);
      worst = Math.max(worst, await runInside(['--inside', place, '--release', release, ...shape], ['--net']));
    }
    for (const name of chosenCalm) {
      if (worst > 1) break;
      const place = join(folder, name);
      mkdirSync(place);
      worst = Math.max(worst, await runInside(['--inside', place, '--calm', name], calm[name]?.namespaces ?? []));
    }
  } finally {
    if (values.keep) say(`Logs are in ${folder}`);
    else rmSync(folder, { recursive: true, force: true });
  }
  return worst;
}

/**
 * Runs this file again in a separate process and mount namespace, and in others if named. The system ends all of these with the first process, so nothing
 * is left behind, however this process ends.
 */
async function runInside(options: string[], namespaces: string[]): Promise<number> {
  const own = ['unshare', ...namespaces, '--mount', '--pid', '--fork', '--kill-child', '--mount-proc'];
  // A shell is the first process, because it collects processes that lost their parent.
  const shell = ['sh', '-c', '"$@" & wait $!', 'sh'];
  const again = [process.execPath, import.meta.filename, ...process.argv.slice(2), ...options];
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', ...own, ...shell, ...again], {
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill('SIGKILL'));
  const [code] = (await once(child, 'exit')) as [number | null];
  return code ?? 130;
}

async function setTheScene(folder: string): Promise<Scene> {
  await must('ip', 'link', 'set', 'lo', 'up');
  const [hasOwner, hasPooler] = [values.roles !== 'one', values.pooler !== 'off'];
  const preparesStatements = !hasPooler || (await poolerKeepsStatements());
  const service = await createService(folder, values.release, { hasOwner, hasPooler, preparesStatements });
  say(
    `\n${hasOwner ? 'Two roles' : 'One role'}, ${hasPooler ? 'PgBouncer' : 'no pooler'}, ` +
      `prepared statements ${preparesStatements ? 'on' : 'off'}`,
  );
  const appPorts = service.apps.map(({ origin }) => Number(new URL(origin).port));
  const front = startFront(folder, appPorts, preparesStatements);
  say('Starting etcd, Patroni and PostgreSQL …');
  const cluster = await startCluster(folder);
  await createDatabase(
    ports.write,
    join(projectRoot, 'deploy/compose/roles.sh'),
    hasOwner ? 'heartwood_owner' : 'heartwood',
  );
  say('Starting the services …');
  await service.start(demoMembers);
  return { folder, cluster, front, service };
}

async function causeFaults(folder: string): Promise<number> {
  say(await must('dpkg-query', '--show', ...Object.keys(packages)));
  const scene = await setTheScene(folder);
  const rows: Row[] = [];
  let isKept = true;
  const usual = values.previous === undefined ? faults.map(({ name }) => name) : ['upgrade'];
  const chosen = values.only.length === 0 ? usual : values.only;
  for (const fault of faults.filter(({ name }) => chosen.includes(name))) {
    say(`\n${fault.name}: ${fault.about}`);
    try {
      const row = await rehearse(scene, fault, Number(values.rate));
      if (row.failed > 0) say(row.failures);
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

async function runCalmly(folder: string, name: string): Promise<number> {
  say(`\n${name}: ${calm[name]?.about}`);
  const problems = (await calm[name]?.run(folder, say)) ?? [];
  for (const problem of problems) say(`MISSED: ${problem}`);
  return problems.length === 0 ? 0 : 1;
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
if (values.inside === undefined) process.exit(await rehearseAll());
process.exit(await (values.calm === undefined ? causeFaults(values.inside) : runCalmly(values.inside, values.calm)));
