import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../launcher/command.ts';
import { commandOf, createProduct, makeAdministrator, type Product } from '../../server/test/proofs/product.ts';
import { machines, passwords, runAsSuperuser } from './cluster.ts';
import { ports } from './front.ts';
import { must } from './program.ts';

/** The files that a release needs to run. */
const parts = ['server', 'contract', 'demo', 'launcher', 'locales', 'web/src/ui/text', 'package.json'];
const lock = 'package-lock.json';
const ownerUrl = `postgres://heartwood_owner:${passwords.owner}@127.0.0.1:${ports.write}/heartwood`;
const withoutPooler = `postgres://heartwood:${passwords.serving}@127.0.0.1:${ports.write}/heartwood`;

/** How the installation is built. */
export interface Shape {
  /** Whether a separate role owns the tables. */
  hasOwner: boolean;
  hasPooler: boolean;
  /** Whether connections keep prepared statements. */
  preparesStatements: boolean;
}

/** The product as several processes behind one address. */
export interface Service {
  origin: string;
  /** The database as the serving role, without the pooler. */
  databaseUrl(): string;
  apps: Product[];
  worker: Product;
  /** Whether the processes keep statements that a migration makes unusable, as release 0.2.0 does. */
  keepsOldPlans(): boolean;
  /** Creates the tables, this many members and the administrator, and starts all processes. */
  start(members: number): Promise<void>;
  /** Restarts a process if it is down, as a supervisor does; returns whether it was. */
  restart(product: Product): Promise<boolean>;
  /** Migrates the database with the files of another release, then replaces one process after the other. */
  upgrade(release: string): Promise<void>;
}

/** Two app processes and a worker of a release below `folder`, not yet started. */
export async function createService(folder: string, first: string, shape: Shape): Promise<Service> {
  const { hasOwner, hasPooler, preparesStatements } = shape;
  const pooler = `postgres://heartwood:${passwords.serving}@127.0.0.1:${ports.pooler}/heartwood`;
  const env = {
    DATABASE_URL: hasPooler ? pooler : withoutPooler,
    ...(hasPooler && { DATABASE_DIRECT_URL: withoutPooler }),
    DATABASE_READ_URL: machines
      .map(({ address }) => `postgres://heartwood:${passwords.serving}@${address}/heartwood`)
      .join(','),
    PREPARED_STATEMENTS: preparesStatements ? 'on' : 'off',
    REDIS_URL: `redis://127.0.0.1:${ports.redis}`,
    MEDIA_DIR: join(folder, 'media'),
    MAIL_DRIVER: 'outbox',
    TRUSTED_PROXIES: 'loopback',
  };
  const declare = async (name: string, worker: string) => {
    mkdirSync(join(folder, name), { recursive: true });
    return await createProduct(join(folder, name), { ...env, WORKER: worker });
  };
  const apps = [await declare('app1', 'off'), await declare('app2', 'off')];
  const worker = await declare('worker', 'inline');
  let release = first;
  const owner = hasOwner ? { DATABASE_OWNER_URL: ownerUrl } : {};
  /** Releases up to 0.2.0 migrate and fill in demo data when they start, so their processes need the owner's address. */
  const ownerFor = () => (isOld(release) ? owner : {});
  /** Migrates and fills in demo data on request; the only process of this release that knows the owner. */
  const migrate = (seed: Record<string, string>) => {
    const variables = Object.entries({ DATABASE_URL: withoutPooler, ...owner, ...seed });
    const command = [process.execPath, ...commandOf(release, 'migrate')];
    return must('env', ...variables.map(([name, value]) => `${name}=${value}`), ...command);
  };
  return {
    origin: `http://127.0.0.1:${ports.web}`,
    databaseUrl: () => withoutPooler,
    apps,
    worker,
    keepsOldPlans: () => preparesStatements && isOld(release),
    async start(members) {
      const seed = { SEED: 'demo', SEED_MEMBERS: String(members) };
      await migrate(seed);
      await worker.start({ ...seed, ...ownerFor() }, release);
      await makeAdministrator(worker, { ...env, ...ownerFor() }, release);
      await Promise.all(apps.map((app) => app.start(ownerFor(), release)));
    },
    async restart(product) {
      if (product.isUp()) return false;
      await product.start(ownerFor(), release);
      return true;
    },
    async upgrade(next) {
      if (hasOwner && isOld(release)) {
        // The owner of 0.2.0 can't read the job queue, so the backup of that release refuses; see docs/operating.md, Upgrading.
        await runAsSuperuser(ports.write, 'grant heartwood to heartwood_owner');
        await must('pg_dump', '--format=custom', `--file=${join(folder, 'heartwood.dump')}`, ownerUrl);
      }
      release = next;
      // With one role, the first process that starts migrates.
      if (hasOwner) await migrate({ SEED: 'none' });
      for (const product of [...apps, worker]) {
        await product.end('SIGTERM');
        await product.start(ownerFor(), next);
      }
    },
  };
}

const isOld = (release: string) => !existsSync(join(release, 'server/src/demo-data.ts'));

/** The files of a tag or commit in `folder`, with this release's libraries or, if it needs others, its own from the registry. */
export async function takeRelease(commit: string, folder: string): Promise<string> {
  mkdirSync(folder);
  const listed = await must('git', '-C', projectRoot, 'ls-tree', '-d', '-r', '--name-only', commit);
  const present = parts.filter((part) => part.endsWith('.json') || listed.split('\n').includes(part)).concat(lock);
  await must('git', '-C', projectRoot, 'archive', `--output=${folder}.tar`, commit, ...present);
  await must('tar', '--extract', `--file=${folder}.tar`, `--directory=${folder}`);
  const [ours, theirs] = [projectRoot, folder].map((root) => readFileSync(join(root, lock), 'utf8'));
  if (ours === theirs) symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  else await must('npm', 'ci', '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error');
  return folder;
}

/** A copy of this release in `folder` with another column and a changed file of functions, so that all of them are replaced. */
export function makeNextRelease(folder: string): string {
  for (const part of parts) cpSync(join(projectRoot, part), join(folder, part), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'server/migrations/next'), { recursive: true });
  writeFileSync(
    join(folder, 'server/migrations/next/9999-rehearsal.sql'),
    'alter table profile add column rehearsed boolean not null default false;\n',
  );
  appendFileSync(join(folder, 'server/sql/profiles.sql'), '\n-- The next release.\n');
  return folder;
}
