import { rmSync } from 'node:fs';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';
import { mutations } from './list.ts';
import { applyTo, judge, type Mutation, obstacleOf, type Verdict } from './mutation.ts';
import { copyProject, runTests, type Workspace } from './workspace.ts';

/*
 * Breaks rules of the product one at a time, in a temporary copy of the project, and runs the tests that should notice. A mutation is KILLED
 * when one of its tests fails, SURVIVED when all pass, and NOT APPLICABLE when its text is gone, when it breaks the code instead of the rule,
 * or when its tests fail anyway.
 * The exit code is 0 only if all were killed.
 */
const usage = [
  'Use: npm run mutate -- [--list] [NAME | NUMBER …]      (all of them without a name)',
  '  NAME     part of a name; NUMBER as in the list',
  '  --list   prints the mutations instead of running them',
];

const baselineWithinMs = 30 * 60_000;
const mutationWithinMs = 5 * 60_000;

type Numbered = Mutation & { number: number };

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { list: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
});
const say = (text: string) => process.stdout.write(`${text}\n`);

const numbered: Numbered[] = mutations.map((mutation, index) => ({ ...mutation, number: index + 1 }));
const matches = ({ number, name }: Numbered, asked: string) =>
  /^\d+$/.test(asked) ? number === Number(asked) : name.includes(asked);
const unknown = positionals.filter((asked) => !numbered.some((mutation) => matches(mutation, asked)));
if (values.help || unknown.length > 0) {
  if (unknown.length > 0) say(`Unknown mutation: ${unknown.join(', ')}.`);
  say(usage.join('\n'));
  process.exit(values.help ? 0 : 1);
}
const chosen = numbered.filter(
  (mutation) => positionals.length === 0 || positionals.some((asked) => matches(mutation, asked)),
);

const titleOf = ({ number, kind, name }: Numbered) => `${String(number).padStart(2)} ${kind}: ${name}`;
if (values.list) {
  for (const mutation of chosen) say(titleOf(mutation));
  process.exit(0);
}

const secondsSince = (startedAt: number) => Math.round((performance.now() - startedAt) / 1000);

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());

/** Runs these tests without a mutation, prints those that fail and returns their files, because they can't detect a broken rule. */
async function failingFiles({ folder }: Workspace, tests: string[]): Promise<string[]> {
  if (tests.length === 0) return [];
  say(`Running ${tests.length} test files without a mutation …`);
  const baseline = { bail: false, timeoutMs: baselineWithinMs, stop: stop.signal };
  const { report, output } = await runTests(folder, tests, baseline);
  if (stop.signal.aborted) return tests;
  if (report === null) say(`The tests could not be run:\n${output}`);
  const failed = report?.testResults.filter(({ status }) => status !== 'passed') ?? [];
  for (const { name, message, assertionResults } of failed) {
    say(`FAILED without a mutation: ${relative(folder, name)} ${message}`);
    for (const { fullName, status } of assertionResults) if (status === 'failed') say(`  ${fullName}`);
  }
  return report === null ? tests : failed.map(({ name }) => relative(folder, name));
}

/** The file that contains the mutation's text now, as a hint for adapting it. */
function newPlaceOf({ file, find }: Mutation, { paths, read }: Workspace): string {
  const place = paths.find((path) => path !== file && !path.startsWith('lab/') && read(path)?.includes(find));
  return place === undefined ? '' : ` (it is now in ${place})`;
}

async function verdictOn(mutation: Numbered, workspace: Workspace, failing: string[]): Promise<Verdict> {
  const { read, exists, write, folder } = workspace;
  const notApplicable = (detail: string): Verdict => ({ state: 'NOT APPLICABLE', detail });
  const obstacle = obstacleOf(mutation, read, exists);
  if (obstacle !== null)
    return notApplicable(`mutation ${mutation.number}: ${obstacle}${newPlaceOf(mutation, workspace)}`);
  if (failing.some((path) => mutation.tests.some((test) => path.startsWith(test))))
    return notApplicable('its tests fail without it');
  const before = read(mutation.file) ?? '';
  write(mutation.file, applyTo(before, mutation));
  const options = { bail: true, timeoutMs: mutationWithinMs, stop: stop.signal };
  const { report, output } = await runTests(folder, mutation.tests, options);
  write(mutation.file, before);
  return judge(report, output);
}

async function runAll(workspace: Workspace): Promise<boolean> {
  const firstAt = performance.now();
  const tests = [...new Set(chosen.flatMap((mutation) => mutation.tests))].filter(workspace.exists);
  const failing = await failingFiles(workspace, tests);
  const states: Verdict['state'][] = [];
  for (const mutation of chosen) {
    const startedAt = performance.now();
    const { state, detail } = await verdictOn(mutation, workspace, failing);
    if (stop.signal.aborted) return false;
    say(
      `${state.padEnd(8)} ${titleOf(mutation)} — ${state === 'KILLED' ? 'by ' : ''}${detail} (${secondsSince(startedAt)} s)`,
    );
    states.push(state);
  }
  const count = (wanted: Verdict['state']) => states.filter((state) => state === wanted).length;
  const summary = `${count('KILLED')} killed, ${count('SURVIVED')} survived, ${count('NOT APPLICABLE')} not applicable`;
  say(`\n${summary}, in ${secondsSince(firstAt)} s`);
  return count('KILLED') === chosen.length;
}

const workspace = copyProject();
try {
  process.exitCode = (await runAll(workspace)) ? 0 : 1;
} finally {
  rmSync(workspace.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
