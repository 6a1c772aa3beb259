import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answers } from './runs/answers.ts';
import { clock } from './runs/clock.ts';
import { crash } from './runs/crash.ts';
import { databaseCrash } from './runs/database-crash.ts';
import { fullDisk } from './runs/full-disk.ts';
import { fullUploads } from './runs/full-uploads.ts';
import { guessing } from './runs/guessing.ts';
import { hungDatabase } from './runs/hung-database.ts';
import { membership } from './runs/membership.ts';
import { messages } from './runs/messages.ts';
import type { Figure, Proof } from './proof.ts';
import { createRandom } from './random.ts';
import { restart } from './runs/restart.ts';
import { screens } from './runs/screens.ts';

const proofs: Proof[] = [
  membership,
  crash,
  databaseCrash,
  hungDatabase,
  fullDisk,
  fullUploads,
  restart,
  clock,
  messages,
  screens,
  guessing,
  answers,
];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

const usage = [
  'Use: npm run prove -- [--short] [--seed=N] [NAME …]      (all of them without a name)',
  ...proofs.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`),
];

/** Runs one proof in a separate folder, which is kept if it fails. */
async function prove(proof: Proof, seed: number): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), `heartwood-prove-${proof.name}-`));
  chmodSync(folder, 0o755);
  const say = (text: string) => process.stdout.write(`  ${proof.name}: ${text}\n`);
  const [load = 0] = loadavg();
  if (load > availableParallelism()) say(`this machine is busy (load ${load.toFixed(1)}): timings will be slower`);
  const figures = await proof
    .run({ short: values.short, random: createRandom(seed), folder, say })
    .catch((error: unknown): Figure[] => [
      {
        promise: proof.about,
        figure: error instanceof Error ? (error.stack ?? error.message) : String(error),
        state: 'FAIL',
      },
    ]);
  if (figures.some(({ state }) => state === 'FAIL')) say(`its data is kept in ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
  return figures;
}

const unknown = positionals.filter((name) => !proofs.some((proof) => proof.name === name));
if (values.help || unknown.length > 0 || process.platform !== 'linux') {
  if (unknown.length > 0) process.stdout.write(`Unknown proof: ${unknown.join(', ')}.\n`);
  if (process.platform !== 'linux') process.stdout.write('The proofs look into /proc and run on Linux only.\n');
  process.stdout.write(`${usage.join('\n')}\n`);
  process.exit(values.help ? 0 : 1);
}

const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
const chosen = positionals.length === 0 ? proofs : proofs.filter(({ name }) => positionals.includes(name));
process.stdout.write(`Seed ${seed}${values.short ? ', short form' : ''}\n`);
const figures: Figure[] = [];
for (const proof of chosen) {
  process.stdout.write(`\n${proof.name}: ${proof.about}\n`);
  const reached = await prove(proof, seed);
  for (const { promise, figure, state } of reached) process.stdout.write(`${state.padEnd(8)} ${promise}: ${figure}\n`);
  figures.push(...reached);
}
const count = (wanted: Figure['state']) => figures.filter(({ state }) => state === wanted).length;
process.stdout.write(`\n${count('PASS')} kept, ${count('FAIL')} broken, ${count('NOT RUN')} not run\n`);
process.exitCode = figures.every(({ state }) => state === 'PASS') ? 0 : 1;
