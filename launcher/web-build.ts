import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { StartError } from '#platform/process/lifecycle.ts';
import { takeLock, type ProcessLock } from './process-lock.ts';
import { projectRoot, runCommand, runPackage } from './command.ts';

const output = join(projectRoot, 'dist/web');
const stamp = join(projectRoot, 'dist/web.stamp');
const sources = [
  'web',
  'contract',
  'locales',
  'lingui.config.ts',
  'vite.config.ts',
  'package-lock.json',
  'tsconfig.base.json',
];
const pollMs = 200;
const compressible = ['.js', '.css', '.svg', '.json', '.webmanifest'];

/** Builds the web app if its sources have changed since the last build (or `always`), with compressed copies of its files. */
export async function buildWebApp(options: { always?: boolean } = {}): Promise<void> {
  if (options.always !== true && isBuilt(hashSources())) return;
  const lock = await takeTurn();
  const wanted = hashSources();
  if (options.always === true || !isBuilt(wanted)) await build(wanted);
  lock.release();
}

/**
 * Throws if the built web app exceeds its budgets or shows texts that it doesn't load; used by `npm run build` and
 * `npm test`, not at a start.
 */
export async function checkBudgets(): Promise<void> {
  for (const script of ['check-budgets.mjs', 'check-texts.mjs']) {
    const { code, output: words } = await runCommand(process.execPath, [join(projectRoot, 'scripts', script)], {
      quiet: true,
    });
    if (code !== 0) throw new StartError(`The web app can't be served like this:\n${words}`);
    process.stdout.write(words);
  }
}

/** Only one build at a time in this folder. */
async function takeTurn(): Promise<ProcessLock> {
  for (;;) {
    const lock = takeLock(join(projectRoot, 'dist/build.lock'), 'a build');
    if (lock.heldBy === null) return lock;
    await pause(pollMs);
  }
}

async function build(wanted: string): Promise<void> {
  process.stdout.write('Building the web app …\n');
  rmSync(stamp, { force: true });
  const { code, output: words } = await runPackage('vite/bin/vite.js', ['build', '--logLevel', 'warn'], {
    env: { NODE_ENV: 'production' },
    quiet: true,
  });
  if (code !== 0) throw new StartError(`The web app could not be built:\n${words}`);
  process.stdout.write(words);
  compress(output);
  writeFileSync(stamp, wanted);
}

function isBuilt(wanted: string): boolean {
  return existsSync(join(output, 'index.html')) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

/** A hash of the contents. Timestamps would differ in a fresh clone or a copy. */
function hashSources(): string {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((path) => filesBelow(join(projectRoot, path)))) {
    if (/\.test\.tsx?$/.test(file)) continue;
    hash.update(file.slice(projectRoot.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesBelow(path: string): string[] {
  if (!existsSync(path)) return [];
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path).filter((name) => name !== 'node_modules');
  return names.sort().flatMap((name) => filesBelow(join(path, name)));
}

/** Compresses files once at build time instead of on every request. */
function compress(folder: string): void {
  for (const file of filesBelow(join(folder, 'assets')).filter((name) => compressible.includes(extname(name)))) {
    const content = readFileSync(file);
    writeFileSync(
      `${file}.br`,
      brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    );
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
}
