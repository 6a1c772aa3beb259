import { randomInt } from 'node:crypto';
import { buildWebApp } from '../launcher/web-build.ts';
import { build, checks, runChecks } from './checks.ts';
import { findChromium, noChromium } from './chromium.ts';
import { findEngines } from './engines.ts';
import { runTests } from './test-run.ts';

// `npm test` runs the checks and the everyday tests; `npm run test:all` runs the long ones: storms, attacks, proofs, the demo and more
// journeys, and those with other engines and PostgreSQL 15, which `npm run test:engines` runs alone. `npm test -- <pattern>` selects from all other tests
// by a part of the file's path or of the title. With `--shuffle`, files and the tests in them run in a random order, which reveals
// tests that depend on each other; `--shuffle=7` repeats the order of the seed 7.
const usage = 'Use: npm test [-- [PATTERN] [--shuffle[=SEED]]]';
const given = process.argv.slice(2);
if (given.some((word) => word.startsWith('--') && !/^--(rest|engines|shuffle(=\d+)?)$/.test(word))) {
  process.stdout.write(`${usage}\n`);
  process.exit(given.includes('--help') ? 0 : 1);
}
const shuffle = given.find((word) => /^--shuffle(=\d+)?$/.test(word));
const seed = shuffle === undefined ? undefined : Number(shuffle.split('=')[1] ?? randomInt(1_000_000));
const isRest = given.includes('--rest');
const isEngines = given.includes('--engines');
const pattern = given.filter((word) => !word.startsWith('--')).join(' ');

const chromium = await findChromium();
if (chromium !== null) process.env['CHROMIUM'] = chromium;

const everyDay = ['server', 'web', 'e2e'];
const rest = ['rest', 'e2e-rest'];
const engines = isRest || isEngines ? await findEngines() : [];
const browsers = engines.filter((engine) => engine !== 'postgresql');
process.env['ENGINES'] = browsers.join();
const inEngines = [
  ...(browsers.length > 0 ? ['engines'] : []),
  ...(engines.includes('postgresql') ? ['postgresql'] : []),
];
if (isEngines && engines.length === 0) process.exit(0);

function chooseProjects(): string[] {
  if (isEngines) return inEngines;
  if (pattern !== '') return [...everyDay, ...rest];
  return isRest ? [...rest, ...inEngines] : everyDay;
}
const chosen = chooseProjects();
const projects = chosen.filter((name) => chromium !== null || !/^e(2e|ngines)/.test(name));

if (isRest || isEngines) await buildWebApp();
const results = pattern === '' && !isRest && !isEngines ? await runChecks([...checks, build]) : [];
if (seed !== undefined) process.stdout.write(`Shuffled; --shuffle=${seed} repeats this order.\n`);
const tests = await runTests(projects, pattern, seed);

const failures = results.filter(({ ok }) => !ok).map(({ name }) => name);
if (chromium === null) failures.push(noChromium);
for (const failure of failures) process.stdout.write(`FAILED ${failure}\n`);
const passed = tests.passed + results.filter(({ ok }) => ok).length;
const failed = tests.failed + failures.length;
process.stdout.write(`${passed} passed, ${failed} failed, ${tests.skipped} skipped\n`);
process.exit(failed > 0 ? 1 : 0);
