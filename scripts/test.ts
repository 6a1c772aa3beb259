import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks.ts';
import { findChromium, noChromium } from './chromium.ts';
import { runPackage } from './command.ts';
import { addUp, countsOf, type Counts } from './test-counts.ts';
import { buildWebApp, checkBudgets } from './web-build.ts';

const reports = mkdtempSync(join(tmpdir(), 'heartwood-reports-'));
const one = (ok: boolean): Counts => ({ passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 });

/** Runs the named projects of `vitest.config.ts` in so many workers at once; a run that leaves no report has failed. */
async function runTests(projects: string[], workers: string, env: NodeJS.ProcessEnv = {}): Promise<Counts> {
  const report = join(reports, `${projects.join('-')}.json`);
  const args = [
    'run',
    `--maxWorkers=${workers}`,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const end = await runPackage('vitest/vitest.mjs', [...args, ...projects.map((name) => `--project=${name}`)], { env });
  if (!existsSync(report)) return one(false);
  return countsOf(readFileSync(report, 'utf8'), end.code);
}

async function succeeds(step: () => Promise<void>): Promise<boolean> {
  try {
    await step();
    return true;
  } catch (error) {
    process.stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

const chromium = await findChromium();
const counts: Counts[] = (await runChecks()).map(({ code }) => one(code === 0));
counts.push(one(await succeeds(buildWebApp)), one(await succeeds(checkBudgets)));
counts.push(await runTests(['server', 'web'], '100%'));
counts.push(chromium === null ? one(false) : await runTests(['e2e'], '1', { CHROMIUM: chromium }));
rmSync(reports, { recursive: true });

const { passed, failed, skipped } = addUp(counts);
if (chromium === null) process.stdout.write(`${noChromium}\n`);
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
