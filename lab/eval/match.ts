import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type CardFigures, checkCards } from './cards.ts';
import { cardGates, fullGates, smallGates } from './gates.ts';
import { type Form, fullForm, measureSeed, type SeedFigures, smallForm, type Task, tasksOf } from './measure.ts';
import { recallAt20 } from './recall.ts';
import { pageTables, tableOf, writeReport, writeResults } from './report.ts';
import { measureSpeedDating, type SpeedDatingFigures, speedDatingGates } from './speed-dating/speed-dating.ts';

const usage = `Use: npm run eval:match -- [--full | --small] [--seeds=N] [--per-side=N] [--threads=N] [--every-policy] [--write] [--data=FILE [--sha256=HEX]]
  --full      ${fullForm.perSide} + ${fullForm.perSide} members, ${fullForm.truths.length} truths, ${fullForm.seeds} seeds, every gate (the default)
  --small     ${smallForm.perSide} + ${smallForm.perSide} members, ${smallForm.weeks} weeks, ${smallForm.truths.length} truths, one seed: only order and coverage
  --seeds     how many markets of each truth, seeds 0, 1, 2 …
  --per-side  another size; the gates hold for the full form's
  --every-policy  all policies and premium in every seed (twice the time); otherwise those that a gate compares
  --threads   how many markets at once; by default one for each core
  --write     puts the tables into lab/eval/results.txt
  --data      decisions of speed-dating evenings as CSV; without it that part is skipped
`;

const say = (text: string) => process.stdout.write(`${text}\n`);

/** What a thread does: a market, the checks of random cards, or predictions of real decisions. */
type Job =
  | { kind: 'market'; task: Task }
  | { kind: 'cards'; form: Form }
  | { kind: 'decisions'; path: string; sha256: string | undefined };

/** What is found, by the job's kind. */
interface Results {
  markets: { figures: SeedFigures; recall: number }[];
  cards: CardFigures | null;
  speedDating: SpeedDatingFigures | null;
}

/** What a thread reports: progress, or its part of the results. */
type Report = string | Partial<Results>;

function reportOf(job: Job, report: (text: string) => void): Partial<Results> {
  switch (job.kind) {
    case 'market': {
      const { figures, shipped } = measureSeed(job.task, report);
      return { markets: [{ figures, recall: job.task.truth === 'formula' ? recallAt20(shipped) : 1 }] };
    }
    case 'cards':
      return { cards: checkCards(job.form.firstSeed, job.form.cards, job.form.reasonCards) };
    case 'decisions':
      return { speedDating: measureSpeedDating(job.path, job.sha256, report) };
  }
}

/** Runs the jobs on threads, a few at once, and returns what they found, markets in order. */
async function runAll(jobs: readonly Job[], threads: number): Promise<Results> {
  const found: Partial<Results>[] = [];
  const waiting = [...jobs.entries()];
  const runOne = ([index, job]: [number, Job]) =>
    new Promise<void>((done, fail) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: job });
      worker.on('error', fail);
      worker.on('message', (report: Report) => {
        if (typeof report === 'string') say(report);
        else found[index] = report;
      });
      worker.on('exit', () => done());
    });
  const runner = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await runOne(next);
  };
  await Promise.all(Array.from({ length: threads }, runner));
  return {
    markets: found.flatMap(({ markets }) => markets ?? []),
    cards: found.find(({ cards }) => cards)?.cards ?? null,
    speedDating: found.find(({ speedDating }) => speedDating)?.speedDating ?? null,
  };
}

function jobsOf(form: Form, path: string | undefined, sha256: string | undefined): Job[] {
  if (path === undefined) say('Real decisions are skipped: pass their file with --data=FILE.');
  else if (!existsSync(path)) throw new Error(`${path} does not exist`);
  return [
    ...(path === undefined ? [] : [{ kind: 'decisions', path, sha256 } as const]),
    { kind: 'cards', form },
    ...tasksOf(form).map((task) => ({ kind: 'market', task }) as const),
  ];
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
      'every-policy': flag,
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
    everyPolicy: values['every-policy'],
  };
  const threads = Number(values.threads ?? availableParallelism());
  const isWrong = [form.seeds, form.perSide, threads].some((count) => !Number.isInteger(count) || count < 1);
  if (values.help || (values.full && values.small) || isWrong) {
    process.stdout.write(usage);
    process.exitCode = values.help ? 0 : 1;
    return;
  }
  const startedAt = performance.now();
  const { markets, cards, speedDating } = await runAll(jobsOf(form, values.data, values.sha256), threads);
  if (cards === null) throw new Error('Cards were not checked');
  const seeds = markets.map(({ figures }) => figures);
  const recall = Math.min(...markets.map((market) => market.recall));
  const gates = [
    ...(values.small ? smallGates(seeds) : fullGates(seeds, recall)),
    ...cardGates(cards),
    ...speedDatingGates(speedDating),
  ];
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const path = writeReport({ form, seconds, gates, seeds, recall, cards, speedDating });
  const missed = gates.filter(({ isKept }) => isKept === false).length;
  say(`\n${tableOf(gates)}\n\n${pageTables(seeds, gates)}\n`);
  if (values.write) writeResults(pageTables(seeds, gates));
  say(`${missed === 0 ? 'All measured gates passed' : `${missed} gates failed`} (${seconds} s); ${path}`);
  process.exitCode = missed === 0 ? 0 : 1;
}

if (isMainThread) await main();
else parentPort?.postMessage(reportOf(workerData as Job, (text) => parentPort?.postMessage(text)));
