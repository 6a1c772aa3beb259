import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type pg from 'pg';
import { StartError } from '../process/lifecycle.ts';

export interface SqlFile {
  /**
   * The part and the file name, such as `migrations/0001-nicknames.sql`: a migration keeps it when its folder changes.
   */
  name: string;
  /** The folder within the part: of a release, `next`, or `.`. */
  folder: string;
  text: string;
  checksum: string;
}

/** The SQL files of a release: see `server/migrations/README.md`. */
export interface ReleaseFiles {
  baseline: SqlFile[];
  /** The files that turn a database of the former release into one of the baseline, in order of name. */
  upgrade: SqlFile[];
  migrations: SqlFile[];
  logic: SqlFile[];
}

/**
 * The release that the upgrade starts from, and a hash of its tables according to its `schema_file`. Tables that the baseline has in a
 * folder other than that release's are new since.
 */
const former = { release: '0.2.0', hash: 'ad23ed1ffda42472d248d3cddd3afc0b51d0bb6cea16069077a1fcfb8629c900' };

const byName = (one: { name: string }, other: { name: string }) => (one.name < other.name ? -1 : 1);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** Reads the SQL files below `folder`. */
export function readRelease(folder: string): ReleaseFiles {
  const [baseline, changes, migrations, logic] = ['schema', 'upgrade', 'migrations', 'sql'].map((part) =>
    readPart(folder, part),
  ) as [SqlFile[], SqlFile[], SqlFile[], SqlFile[]];
  const added = baseline.filter((file) => file.folder !== former.release);
  const fileName = ({ name }: SqlFile) => ({ name: basename(name) });
  const upgrade = [...changes, ...added].sort((one, other) => byName(fileName(one), fileName(other)));
  return { baseline, upgrade, migrations, logic };
}

/** The files of a part in the order of their names, whatever folder they are in. */
function readPart(folder: string, part: string): SqlFile[] {
  if (!existsSync(join(folder, part))) return [];
  const paths = readdirSync(join(folder, part), { recursive: true, encoding: 'utf8' });
  const files = paths
    .filter((path) => path.endsWith('.sql'))
    .map((path) => {
      const text = readFileSync(join(folder, part, path), 'utf8').replaceAll('\r\n', '\n');
      return { name: `${part}/${basename(path)}`, folder: dirname(path), text, checksum: sha256(text) };
    });
  return files.sort(byName);
}

/** The checksums of the files applied to a database, by name. Throws a `StartError` for one from before 0.2.0. */
export async function appliedFiles(client: pg.Client): Promise<Map<string, string>> {
  const hasTable = async (name: string) => {
    const found = await client.query("select from pg_tables where schemaname = 'public' and tablename = $1", [name]);
    return found.rowCount !== 0;
  };
  if (await hasTable('migration')) {
    throw new StartError(
      'This database was made by a release before 0.2.0, which this release cannot read. Nothing was changed: export or back up ' +
        'what you need with the old release, then start with an empty database or another DATA_DIR.',
    );
  }
  if (!(await hasTable('schema_file'))) return new Map();
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from schema_file');
  return new Map(rows.map(({ name, checksum }) => [name, checksum]));
}

/** Whether the files of one part differ in name or text from those that were applied. */
export function differs(files: SqlFile[], applied: Map<string, string>, part: string): boolean {
  const known = [...applied.keys()].filter((name) => name.startsWith(`${part}/`));
  return known.length !== files.length || files.some(({ name, checksum }) => applied.get(name) !== checksum);
}

/**
 * The state of a database, derived from its applied files: empty, of the former release (perhaps with part of the upgrade), or of this
 * release (perhaps without the newest migrations). Throws a `StartError` for all others.
 */
export function originOf(
  { baseline, upgrade, migrations }: ReleaseFiles,
  applied: Map<string, string>,
): 'empty' | 'former' | 'current' {
  if (applied.size === 0) return 'empty';
  if (isFormer(upgrade, applied)) return 'former';
  if (differs(baseline, applied, 'schema')) {
    const names = new Set(baseline.map(({ name }) => name));
    const isOurs = [...applied.keys()].every((name) => !name.startsWith('schema/') || names.has(name));
    throw new StartError(
      isOurs
        ? 'The files in server/schema differ from those the database was created with: restore them, and make the change in a new file in server/migrations.'
        : `The tables of this database are neither those of ${former.release} nor those of this release: a state between the two made them, from which no upgrade leads on. Nothing was changed.`,
    );
  }
  refuseOtherMigrations(migrations, applied);
  return 'current';
}

function isFormer(upgrade: SqlFile[], applied: Map<string, string>): boolean {
  const added = new Set(upgrade.map(({ name }) => name));
  const tables = [...applied].filter(([name]) => /^(schema|migrations)\//.test(name) && !added.has(name));
  return (
    sha256(
      tables
        .map((file) => file.join(' '))
        .sort()
        .join('\n'),
    ) === former.hash
  );
}

function refuseOtherMigrations(migrations: SqlFile[], applied: Map<string, string>): void {
  const checksums = new Map(migrations.map(({ name, checksum }) => [name, checksum]));
  for (const [name, checksum] of applied) {
    if (!name.startsWith('migrations/') || checksums.get(name) === checksum) continue;
    throw new StartError(
      checksums.has(name)
        ? `The file ${name} differs from the one applied to the database: restore it, and make the change in a new file.`
        : `The database has ${name}, which this release does not know: start the newer release again.`,
    );
  }
}
