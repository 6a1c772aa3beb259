import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createRandom } from '../random.ts';
import { crash } from './crash.ts';
import { matches } from './matches.ts';
import { messages } from './messages.ts';
import type { Figure, Proof } from './proof.ts';
import { screens } from './screens.ts';

const proofs: Proof[] = [crash, matches, messages, screens];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    help: { type: 'boolean', default: false },
  },
});

const usage = [
  'Use: npm run prove -- [--short] [--seed=N] [NAME …]      (all of them without a name)',
  ...proofs.map(({ name, about }) => `  ${name.padEnd(10)} ${about}`),
  'They look into /proc and run on Linux only.',
];

/** Runs one proof in a separate folder, which is kept if it fails. */
async function prove(proof: Proof): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), `heartwood-prove-${proof.name}-`));
  chmodSync(folder, 0o755);
  const say = (text: string) => process.stdout.write(`  ${proof.name}: ${text}\n`);
  const stage = { short: values.short, random: createRandom(Number(values.seed)), folder, say };
  const figures = await proof.run(stage).catch((error: unknown): Figure[] => {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return [{ promise: proof.about, figure: words, isKept: false }];
  });
  if (figures.every(({ isKept }) => isKept)) rmSync(folder, { recursive: true, force: true });
  else say(`its data is kept in ${folder}`);
  return figures;
}

const isUnknown = positionals.some((name) => !proofs.some((proof) => proof.name === name));
if (values.help || isUnknown || process.platform !== 'linux') {
  process.stdout.write(`${usage.join('\n')}\n`);
  process.exit(values.help ? 0 : 1);
}

process.stdout.write(`Seed ${values.seed}${values.short ? ', short form' : ''}\n`);
const figures: Figure[] = [];
for (const proof of proofs.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
  process.stdout.write(`\n${proof.name}: ${proof.about}\n`);
  const reached = await prove(proof);
  for (const { promise, figure, isKept } of reached)
    process.stdout.write(`${isKept ? 'PASS' : 'FAIL'} ${promise}: ${figure}\n`);
  figures.push(...reached);
}
const broken = figures.filter(({ isKept }) => !isKept).length;
process.stdout.write(`\n${figures.length - broken} kept, ${broken} broken\n`);
process.exitCode = broken === 0 ? 0 : 1;
