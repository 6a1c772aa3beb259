import { appendFileSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../../launcher/command.ts';
import { commandOf, createProduct, makeAdministrator, type Product } from '../../server/test/proofs/product.ts';
import { machines, passwords } from './cluster.ts';
import { ports } from './front.ts';
import { must } from './program.ts';

/** The files that a release needs to run. */
const parts = ['server', 'contract', 'demo', 'launcher', 'locales', 'web/src/ui/text', 'package.json'];
const ownerUrl = `postgres://heartwood_owner:${passwords.owner}@127.0.0.1:${ports.write}/heartwood`;
const withoutPooler = `postgres://heartwood:${passwords.serving}@127.0.0.1:${ports.write}/heartwood`;

/** The product as several processes behind one address. */
export interface Service {
  origin: string;
  /** The database as the serving role, without the pooler. */
  databaseUrl(): string;
  apps: Product[];
  worker: Product;
  /** Creates the tables, this many members and the administrator, and starts all processes. */
  start(members: number): Promise<void>;
  /** Restarts a process if it is down, as a supervisor does; returns whether it was. */
  restart(product: Product): Promise<boolean>;
  /** Migrates the database with the files of another release, then replaces one process after the other. */
  upgrade(release: string): Promise<void>;
}

/** Two app processes and a worker of a release below `folder`, not yet started. */
export async function createService(folder: string, first: string): Promise<Service> {
  const env = {
    DATABASE_URL: `postgres://heartwood:${passwords.serving}@127.0.0.1:${ports.pooler}/heartwood`,
    DATABASE_DIRECT_URL: withoutPooler,
    DATABASE_READ_URL: machines
      .map(({ address }) => `postgres://heartwood:${passwords.serving}@${address}/heartwood`)
      .join(','),
    // Debian 12 has PgBouncer 1.18.
    PREPARED_STATEMENTS: 'off',
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
  return {
    origin: `http://127.0.0.1:${ports.web}`,
    databaseUrl: () => withoutPooler,
    apps,
    worker,
    async start(members) {
      const seed = { SEED: 'demo', SEED_MEMBERS: String(members) };
      await migrate(release, seed);
      await worker.start({ ...seed, ...ownerFor(release) }, release);
      await makeAdministrator(worker, { ...env, ...ownerFor(release) }, release);
      await Promise.all(apps.map((app) => app.start(ownerFor(release), release)));
    },
    async restart(product) {
      if (product.isUp()) return false;
      await product.start(ownerFor(release), release);
      return true;
    },
    async upgrade(next) {
      await migrate(next, { SEED: 'none' });
      release = next;
      for (const product of [...apps, worker]) {
        await product.end('SIGTERM');
        await product.start(ownerFor(next), next);
      }
    },
  };
}

/** Releases up to 0.2.0 migrate and fill in demo data when they start, so their processes need the owner's address. */
const ownerFor = (release: string): Record<string, string> =>
  existsSync(join(release, 'server/src/demo-data.ts')) ? {} : { DATABASE_OWNER_URL: ownerUrl };

/** Migrates with the files of a release and fills in demo data on request; the only process that knows the owner. */
async function migrate(release: string, seed: Record<string, string>): Promise<void> {
  const env = { DATABASE_URL: withoutPooler, DATABASE_OWNER_URL: ownerUrl, ...seed };
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  await must('env', ...variables, process.execPath, ...commandOf(release, 'migrate'));
}

/** The files of a tag or commit in `folder`, with this release's libraries. */
export async function takeRelease(commit: string, folder: string): Promise<string> {
  mkdirSync(folder);
  const listed = await must('git', '-C', projectRoot, 'ls-tree', '-d', '-r', '--name-only', commit);
  const present = parts.filter((part) => part.endsWith('.json') || listed.split('\n').includes(part));
  await must('git', '-C', projectRoot, 'archive', `--output=${folder}.tar`, commit, ...present);
  await must('tar', '--extract', `--file=${folder}.tar`, `--directory=${folder}`);
  symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
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
