import { parseArgs } from 'node:util';
import { benchCosts, benchGrowth } from './costs.ts';
import { type BenchData, openBenchData } from './data.ts';
import { benchInsights } from './insights.ts';
import { benchMessages } from './messages.ts';
import { benchNaive } from './naive.ts';
import { missedFigures } from './report.ts';
import { benchUsers } from './users.ts';

const usage = `Use: npm run bench -- [--members=N] [costs] [users] [insights] [naive] [messages]      (all of them without a name)
     npm run bench -- [--members=N,N,N] growth                  (N is 10000 or more)
  costs     what each call costs: processor time, bytes, calls a second
  users     how long staff wait for filters and searches of users
  insights  how long figures over time take, and the roll-up of a day beside a writer
  naive     the database's processor time against the obvious statements
  messages  messages between sockets against a bare echo
  growth    costs with 10,000, 100,000 and 1,000,000 members, or other sizes
Looks into /proc, and runs on Linux only. The first run fills .bench-data: minutes for a million members.
`;
/** With fewer, not everyone who is measured has a full deck, and not all sockets find a member. */
const fewestMembers = 10_000;
const questions: Record<string, (data: BenchData) => Promise<unknown>> = {
  costs: benchCosts,
  users: benchUsers,
  insights: benchInsights,
  naive: benchNaive,
  messages: benchMessages,
};

const { values, positionals: asked } = parseArgs({
  options: { members: { type: 'string' }, help: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const sizes = values.members?.split(',').map(Number);
const isUnknown = asked.some((name) => questions[name] === undefined && name !== 'growth');
if (values.help || isUnknown || sizes?.some((size) => !Number.isInteger(size) || size < 1)) {
  process.stdout.write(usage);
  process.exit(values.help ? 0 : 1);
}
if (sizes?.some((size) => size < fewestMembers)) {
  process.stderr.write(
    `The benchmarks need ${fewestMembers.toLocaleString('en')} members or more, because fewer have too few people to decide about.\n`,
  );
  process.exit(1);
}
if (asked.includes('growth')) await benchGrowth(sizes ?? [10_000, 100_000, 1_000_000]);
const chosen = Object.keys(questions).filter((name) => asked.length === 0 || asked.includes(name));
if (chosen.length > 0) {
  const data = await openBenchData(sizes?.[0] ?? 1_000_000);
  try {
    for (const name of chosen) await questions[name]?.(data);
  } finally {
    await data.close();
  }
}
process.stdout.write(
  missedFigures() === 0
    ? '\nAll figures are within their limits.\n'
    : `\n${missedFigures()} figures miss their limits.\n`,
);
process.exit(missedFigures() === 0 ? 0 : 1);
