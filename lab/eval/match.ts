import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { checkCards } from './cards.ts';
import { cardGates, fullGates, segmentGaps, smallGates } from './gates.ts';
import { fullForm, smallForm } from './forms.ts';
import { measureSeed, type SeedFigures } from './measure.ts';
import { recallAt20 } from './recall.ts';
import { tableOf, writeReport } from './report.ts';
import { measureSpeedDating, speedDatingGates } from './speed-dating/speed-dating.ts';

const usage = `Use: npm run eval:match -- [--full | --small] [--seeds=N] [--data=FILE [--sha256=HEX]]
  --full     ${fullForm.perSide} + ${fullForm.perSide} members, ${fullForm.seeds} seeds, every gate (the default)
  --small    ${smallForm.perSide} + ${smallForm.perSide} members, ${smallForm.weeks} weeks, one seed: only order and coverage
  --seeds    how many markets, seeds 0, 1, 2 …
  --data     decisions of speed-dating evenings as CSV; without it that part is skipped
`;

const say = (text: string) => process.stdout.write(`${text}\n`);

const { values } = parseArgs({
  options: {
    full: { type: 'boolean', default: false },
    small: { type: 'boolean', default: false },
    seeds: { type: 'string' },
    data: { type: 'string' },
    sha256: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const form = values.small ? smallForm : fullForm;
const seedCount = Number(values.seeds ?? form.seeds);
if (values.help || (values.full && values.small) || !Number.isInteger(seedCount) || seedCount < 1) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 1);
}

const startedAt = performance.now();
const seeds: SeedFigures[] = [];
let recall = 0;
for (let number = 0; number < seedCount; number += 1) {
  const { figures, ours } = measureSeed(form.firstSeed + number, form, say);
  if (number === 0) recall = recallAt20(ours);
  seeds.push(figures);
}
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
const path = writeReport({ form, seconds, gates, segments: segmentGaps(seeds), seeds, recall, cards, speedDating });
const missed = gates.filter(({ isKept }) => isKept === false).length;
say(`\n${tableOf(gates)}\n`);
say(`${missed === 0 ? 'All measured gates passed' : `${missed} gates failed`} (${seconds} s); ${path}`);
process.exitCode = missed === 0 ? 0 : 1;
