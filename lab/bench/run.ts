import { parseArgs } from 'node:util';
import { benchAudit } from './audit.ts';
import { benchCases } from './cases.ts';
import { benchExport } from './export.ts';
import { type BenchData, openBenchData } from './data.ts';
import { benchCosts } from './costs.ts';
import { benchDiscovery, benchLikes } from './discovery.ts';
import { benchFlame } from './flame.ts';
import { benchGrowth } from './growth.ts';
import { benchMessages } from './messages.ts';
import { benchNaive } from './naive.ts';
import { benchPhone } from './phone.ts';
import { benchPictures } from './pictures.ts';
import { benchProfile, benchStorm } from './profile.ts';
import { missedFigures } from './report.ts';
import { benchReports } from './reports.ts';
import { benchSockets } from './sockets.ts';
import { benchStatistics } from './statistics.ts';
import { benchTracing } from './tracing.ts';
import { benchUsers } from './users.ts';

const questions = {
  costs: benchCosts,
  naive: benchNaive,
  statistics: benchStatistics,
  storm: benchStorm,
  users: benchUsers,
  export: benchExport,
  profile: benchProfile,
  reports: benchReports,
  discovery: benchDiscovery,
  likes: benchLikes,
  messages: benchMessages,
  sockets: benchSockets,
  audit: benchAudit,
  cases: benchCases,
  phone: benchPhone,
  pictures: benchPictures,
  tracing: benchTracing,
  flame: benchFlame,
};
type Question = keyof typeof questions;

const say = (line: string) => process.stdout.write(`${line}\n`);
const isQuestion = (name: string): name is Question => name in questions;

const { values, positionals: asked } = parseArgs({
  // Several sizes, with commas in between, for `growth`, which is asked for by its name.
  options: { members: { type: 'string', default: '1000000' }, decisions: { type: 'string' } },
  allowPositionals: true,
});
const unknown = asked.find((name) => !isQuestion(name) && name !== 'growth');
if (unknown !== undefined) {
  say(`There is no bench "${unknown}"; there are: ${Object.keys(questions).join(', ')}, growth.`);
  process.exit(1);
}
/** `flame` measures nothing: it draws a picture for the documentation. */
const usual = (Object.keys(questions) as Question[]).filter((name) => name !== 'flame');
const chosen = asked.length === 0 ? usual : asked.filter(isQuestion);

const sizes = values.members.split(',').map(Number);
if (asked.includes('growth'))
  await benchGrowth(sizes, values.decisions === undefined ? undefined : Number(values.decisions), say);

let data: BenchData | undefined;
try {
  for (const name of chosen) {
    if (name === 'phone') await benchPhone();
    else await questions[name]((data ??= await openBenchData(Math.max(...sizes), say)));
  }
} finally {
  await data?.close();
}
say(
  missedFigures() === 0 ? '\nAll figures are within their limits.' : `\n${missedFigures()} figures miss their limits.`,
);
process.exit(missedFigures() === 0 ? 0 : 1);
