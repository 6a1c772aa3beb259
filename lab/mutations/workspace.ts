import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from '../../launcher/command.ts';
import type { TestReport } from './mutation.ts';

/** A temporary copy of the project, in which files may be changed. */
export interface Workspace {
  folder: string;
  /** Its files, as paths in the project. */
  paths: string[];
  read(path: string): string | null;
  exists(path: string): boolean;
  write(path: string, text: string): void;
}

/** Copies the current files that Git tracks or would add, and links to the installed packages. */
export function copyProject(): Workspace {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: projectRoot,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 ** 2,
  });
  // Deleted files are listed until the deletion is staged.
  const paths = listed.split('\0').filter((path) => path !== '' && existsSync(join(projectRoot, path)));
  const folder = mkdtempSync(join(tmpdir(), 'heartwood-mutate-'));
  // The embedded database runs as another user.
  chmodSync(folder, 0o755);
  for (const path of paths) cpSync(join(projectRoot, path), join(folder, path), { recursive: true });
  linkPackages(join(folder, 'node_modules'));
  const exists = (path: string) => existsSync(join(folder, path));
  return {
    folder,
    paths,
    exists,
    read: (path) => (exists(path) ? readFileSync(join(folder, path), 'utf8') : null),
    write: (path, text) => writeFileSync(join(folder, path), text),
  };
}

/** Links to each package separately, so that the copy has separate caches next to the packages. */
function linkPackages(folder: string): void {
  const installed = realpathSync(join(projectRoot, 'node_modules'));
  mkdirSync(folder);
  for (const name of readdirSync(installed).filter((entry) => entry === '.bin' || !entry.startsWith('.')))
    symlinkSync(join(installed, name), join(folder, name));
}

/** The result of a test run: Vitest's report (null if it wrote none) and its output. */
interface TestRun {
  report: TestReport | null;
  output: string;
}

/** The projects in `vitest.config.ts` that may contain a test. */
const projectsOf = (path: string) =>
  path.startsWith('web/') ? ['web'] : path.startsWith('e2e/') ? ['e2e', 'e2e-rest'] : ['server', 'rest'];

/**
 * Runs test files of the project in `folder`, with `bail` up to the first failure. Ends the run after `timeoutMs` or when `stop` aborts.
 */
export async function runTests(
  folder: string,
  tests: string[],
  { bail, timeoutMs, stop }: { bail: boolean; timeoutMs: number; stop: AbortSignal },
): Promise<TestRun> {
  const reportPath = join(folder, 'mutation-report.json');
  rmSync(reportPath, { force: true });
  const projects = [...new Set(tests.flatMap(projectsOf))].flatMap((name) => ['--project', name]);
  const options = ['--reporter=json', `--outputFile=${reportPath}`, ...(bail ? ['--bail=1'] : [])];
  const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...projects, ...options, ...tests], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    signal: stop,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  await new Promise<void>((done) => {
    // An aborted child first emits an error and ends later.
    child.on('error', (error) => (output += error.message));
    child.on('close', () => done());
  });
  return { report: readReport(reportPath), output };
}

function readReport(path: string): TestReport | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as TestReport;
  } catch {
    return null;
  }
}
