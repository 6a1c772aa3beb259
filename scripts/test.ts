import { build, checks, runChecks } from './checks.ts';
import { findChromium, noChromium } from './chromium.ts';
import { runTests } from './test-run.ts';

// npm test -- <pattern>: part of a test file's path or of a test's title. With --shuffle, files run in a random order and no test is tried
// again, which shows tests that depend on others or on chance.
const given = process.argv.slice(2);
const isShuffled = given.includes('--shuffle');
const pattern = given.filter((word) => word !== '--shuffle').join(' ');

const chromium = await findChromium();
if (chromium !== null) process.env['CHROMIUM'] = chromium;
const results = pattern === '' ? await runChecks([...checks, build]) : [];
const tests = await runTests(chromium === null ? ['server', 'web'] : ['server', 'web', 'e2e'], pattern, isShuffled);

const failures = results.filter(({ ok }) => !ok).map(({ name }) => name);
if (chromium === null) failures.push(noChromium);
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
const passed = tests.passed + results.filter(({ ok }) => ok).length;
const failed = tests.failed + failures.length;
process.stdout.write(`${passed} passed, ${failed} failed, ${tests.skipped} skipped\n`);
process.exit(failed > 0 ? 1 : 0);
