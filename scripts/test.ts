import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runChecks } from './checks.ts';
import { findChromium, noChromium } from './chromium.ts';
import { runPackage } from './command.ts';
import { addUp, countsOf, failuresOf, type Counts } from './test-counts.ts';
import { buildWebApp, checkBudgets } from './web-build.ts';

const reports = mkdtempSync(join(tmpdir(), 'heartwood-reports-'));
const failures: string[] = [];

/** A step that counts as one; a failed one is named again at the end. */
function one(name: string, ok: boolean): Counts {
  if (!ok) failures.push(name);
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0 };
}

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
  if (!existsSync(report)) return one(`tests of ${projects.join(', ')}: no report`, false);
  const text = readFileSync(report, 'utf8');
  const counted = countsOf(text, end.code);
  const named = failuresOf(text);
  failures.push(...named);
  if (counted.failed > named.length) failures.push(`tests of ${projects.join(', ')}: ended with ${end.code}`);
  return counted;
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
const counts: Counts[] = (await runChecks()).map(({ name, code }) => one(name, code === 0));
counts.push(one('build', await succeeds(buildWebApp)), one('budgets', await succeeds(checkBudgets)));
counts.push(await runTests(['server', 'web'], '100%'));
counts.push(
  chromium === null ? one('tests of e2e: no browser', false) : await runTests(['e2e'], '1', { CHROMIUM: chromium }),
);
rmSync(reports, { recursive: true });

const { passed, failed, skipped } = addUp(counts);
if (chromium === null) process.stdout.write(`${noChromium}\n`);
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
