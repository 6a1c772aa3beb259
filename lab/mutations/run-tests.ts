import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { TestReport } from './judge.ts';

/** What a run of tests left: Vitest's report, null if it wrote none, and what it printed. */
export interface TestRun {
  report: TestReport | null;
  output: string;
}

/** The projects in `vitest.config.ts` that may contain a test. */
const projectsOf = (path: string) =>
  path.startsWith('web/') ? ['web'] : path.startsWith('e2e/') ? ['e2e', 'e2e-rest'] : ['server', 'rest'];

/**
 * Runs test files of the project in `folder`, up to the first failure with `bail`. A run that takes longer than `timeoutMs` is ended, and one
 * that `stop` aborts.
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
    // An aborted child says so first and ends later.
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
