import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { checkCards } from './cards.ts';
import { byTruth, cardGates, fullGates, smallGates, truthTable } from './gates.ts';
import { fullForm, measureSeed, type SeedFigures, smallForm, type Task, tasksOf } from './measure.ts';
import { recallAt20 } from './recall.ts';
import { markdown, pageTables, tableOf, writeReport, writeToPage } from './report.ts';
import { measureSpeedDating, speedDatingGates } from './speed-dating/speed-dating.ts';

const usage = `Use: npm run eval:match -- [--full | --small] [--seeds=N] [--per-side=N] [--threads=N] [--write] [--data=FILE [--sha256=HEX]]
  --full      ${fullForm.perSide} + ${fullForm.perSide} members, ${fullForm.truths.length} truths, ${fullForm.seeds} seeds, every gate (the default)
  --small     ${smallForm.perSide} + ${smallForm.perSide} members, ${smallForm.weeks} weeks, ${smallForm.truths.length} truths, one seed: only order and coverage
  --seeds     how many markets of each truth, seeds 0, 1, 2 …
  --per-side  another size; the gates hold for the full form's
  --threads   how many markets at once; by default one for each core
  --write     puts the tables into docs/matching.md
  --data      decisions of speed-dating evenings as CSV; without it that part is skipped
`;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** What a thread reports: progress, or the figures of its market. */
type Report = string | { figures: SeedFigures; recall: number };

/** Runs the tasks on threads, a few at once, and returns their results in order. */
async function runAll(tasks: readonly Task[], threads: number): Promise<Exclude<Report, string>[]> {
  const results: Exclude<Report, string>[] = [];
  const waiting = [...tasks.entries()];
  const runOne = ([index, task]: [number, Task]) =>
    new Promise<void>((done, fail) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: task });
      worker.on('error', fail);
      worker.on('message', (report: Report) => {
        if (typeof report === 'string') say(report);
        else results[index] = report;
      });
      worker.on('exit', () => done());
    });
  const runner = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await runOne(next);
  };
  await Promise.all(Array.from({ length: threads }, runner));
  return results;
}

/** One market, on a thread. */
function runTask(task: Task): void {
  const send = (report: Report) => parentPort?.postMessage(report);
  const { figures, shipped } = measureSeed(task, send);
  send({ figures, recall: task.truth === 'formula' ? recallAt20(shipped) : 1 });
}

async function main(): Promise<void> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    options: {
      full: flag,
      small: flag,
      help: flag,
      write: flag,
      seeds: text,
      'per-side': text,
      threads: text,
      data: text,
      sha256: text,
    },
  });
  const kind = values.small ? smallForm : fullForm;
  const form = {
    ...kind,
    seeds: Number(values.seeds ?? kind.seeds),
    perSide: Number(values['per-side'] ?? kind.perSide),
  };
  const threads = Number(values.threads ?? availableParallelism());
  const isWrong = [form.seeds, form.perSide, threads].some((count) => !Number.isInteger(count) || count < 1);
  if (values.help || (values.full && values.small) || isWrong) {
    process.stdout.write(usage);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const startedAt = performance.now();
  const results = await runAll(tasksOf(form), threads);
  const seeds = results.map(({ figures }) => figures);
  const recall = Math.min(...results.map((result) => result.recall));
  const cards = checkCards(form.firstSeed, form.cards, form.reasonCards);
  if (values.data === undefined) say('Real decisions are skipped: pass their file with --data=FILE.');
  else if (!existsSync(values.data)) say(`Real decisions are skipped: ${values.data} does not exist.`);
  const speedDating =
    values.data !== undefined && existsSync(values.data) ? measureSpeedDating(values.data, values.sha256, say) : null;
  const gates = [
    ...(values.small ? smallGates(seeds) : fullGates(seeds, recall)),
    ...cardGates(cards),
    ...speedDatingGates(speedDating),
  ];
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const path = writeReport({
    form,
    seconds,
    gates,
    seeds,
    recall,
    cards,
    speedDating,
  });
  const missed = gates.filter(({ isKept }) => isKept === false).length;
  for (const [truth, own] of byTruth(seeds)) say(`\n${truth}\n\n${markdown(truthTable(own))}`);
  say(`\n${tableOf(gates)}\n\n${pageTables(seeds, gates)}\n`);
  if (values.write) writeToPage(pageTables(seeds, gates));
  say(`${missed === 0 ? 'All measured gates passed' : `${missed} gates failed`} (${seconds} s); ${path}`);
  process.exitCode = missed === 0 ? 0 : 1;
}

if (isMainThread) await main();
else runTask(workerData as Task);
