import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { mean, spread } from './figures.ts';
import { byTruth, figuresIn, type Judged, judgeAll, ratiosTo } from './gates.ts';
import { measureSeed, type SeedFigures, type Task, tasksOf } from './measure.ts';
import { seasonWeeks } from './members.ts';
import type { PolicyName } from './policies.ts';

const usage = `Use: npm run eval:match -- [--seeds=N] [--per-side=N] [--threads=N] [--write]
  Simulates markets for each ground truth and checks the shipped policy against its gates. It fails if a figure misses its gate by more
  than the bounds of the known misses.
  --seeds     how many markets for each ground truth, seeds 0, 1, 2 … (5)
  --per-side  how many men and how many women (3000); the gates hold for this size
  --threads   how many markets at once (one for each core)
  --write     puts the tables into lab/eval/results.txt
`;
const reportFile = join(import.meta.dirname, 'report.json');
const resultsFile = join(import.meta.dirname, 'results.txt');
const say = (text: string) => process.stdout.write(`${text}\n`);

/** Simulates the tasks on threads, a few at once, and returns what they found, in order. */
async function simulateAll(tasks: readonly Task[], threads: number): Promise<SeedFigures[]> {
  const found: SeedFigures[] = [];
  const waiting = [...tasks.entries()];
  const simulate = (index: number, task: Task) =>
    new Promise<void>((done, fail) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: task });
      worker.on('error', fail);
      worker.on('message', (report: string | SeedFigures) => {
        if (typeof report === 'string') say(report);
        else found[index] = report;
      });
      worker.on('exit', () => done());
    });
  const runner = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await simulate(...next);
  };
  await Promise.all(Array.from({ length: threads }, runner));
  return found;
}

const shown: readonly PolicyName[] = ['random', 'one-sided + inbox', 'shipped', 'live', 'oracle'];

/** Rows of cells, the first being the head, as a Markdown table. */
function markdown(all: readonly string[][]): string {
  const widths = (all[0] ?? []).map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [head = [], ...rows] = all;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** The mean over the seeds with its standard deviation. */
const around = (values: readonly number[]) => `${mean(values).toFixed(2)} ± ${spread(values).toFixed(2)}`;

/** Matches per 100 cards of each policy for each ground truth, and the gates, of which missed ones are bold. */
function tablesOf(seeds: readonly SeedFigures[], judged: readonly Judged[]): string {
  const truths = byTruth(seeds);
  const rows = [...truths].map(([truth, own]) => [
    `\`${truth}\``,
    ...shown.map((policy) => {
      const isSimulated = own[0]?.policies[policy] !== undefined;
      return isSimulated ? around(figuresIn(own, policy).map((figures) => figures.matchesPer100Cards)) : '';
    }),
    around(ratiosTo(own, 'random')),
    around(ratiosTo(own, 'one-sided + inbox')),
  ]);
  const gates = judged.map(({ gate, goal, found }) => [
    gate,
    ...[...truths.keys()].map((truth) => {
      const { value, isKept } = found[truth] ?? {};
      const text = value?.toFixed(2) ?? '';
      return isKept === false ? `**${text}**` : text;
    }),
    goal,
  ]);
  return [
    markdown([['truth', ...shown, 'shipped / random', 'shipped / one-sided + inbox'], ...rows]),
    markdown([['gate', ...[...truths.keys()].map((truth) => `\`${truth}\``), 'goal'], ...gates]),
  ].join('\n\n');
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '5' },
      'per-side': { type: 'string', default: '3000' },
      threads: { type: 'string', default: String(availableParallelism()) },
      write: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const [seeds, perSide, threads] = [Number(values.seeds), Number(values['per-side']), Number(values.threads)];
  const isWrong = [seeds, perSide, threads].some((count) => !Number.isInteger(count) || count < 1);
  if (values.help || isWrong) {
    process.stdout.write(usage);
    return values.help ? 0 : 1;
  }
  const found = await simulateAll(tasksOf({ perSide, weeks: seasonWeeks, seeds }), threads);
  const judged = judgeAll(found);
  const missed = judged.filter((gate) => Object.values(gate.found).some(({ isKept }) => !isKept));
  const failed = missed.filter((gate) =>
    Object.values(gate.found).some(({ isKept, isAsBefore }) => !isKept && !isAsBefore),
  );
  const tables = tablesOf(found, judged);
  writeFileSync(reportFile, `${JSON.stringify({ seeds: found, gates: judged }, null, 2)}\n`);
  if (values.write) writeFileSync(resultsFile, `${tables}\n`);
  const worse = failed.length === 0 ? '' : `, worse than before: ${failed.map(({ gate }) => gate).join('; ')}`;
  say(`\n${tables}\n\n${judged.length - missed.length} of ${judged.length} gates kept${worse}; ${reportFile}`);
  return failed.length === 0 ? 0 : 1;
}

if (isMainThread) process.exitCode = await main();
else parentPort?.postMessage(measureSeed(workerData as Task, (text) => parentPort?.postMessage(text)));
