import { parseArgs } from 'node:util';
import { benchAudit } from './audit.ts';
import { benchCases } from './cases.ts';
import { benchExport } from './export.ts';
import { type BenchData, openBenchData } from './data.ts';
import { benchCosts } from './costs.ts';
import { benchDiscovery, benchLikes } from './discovery.ts';
import { benchFlame } from './flame.ts';
import { benchMessages } from './messages.ts';
import { benchNaive } from './naive.ts';
import { benchPhone } from './phone.ts';
import { benchProfile, benchStorm } from './profile.ts';
import { missedFigures } from './report.ts';
import { benchReports } from './reports.ts';
import { benchStatistics } from './statistics.ts';
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
  audit: benchAudit,
  cases: benchCases,
  phone: benchPhone,
  flame: benchFlame,
};
type Question = keyof typeof questions;

const say = (line: string) => process.stdout.write(`${line}\n`);
const isQuestion = (name: string): name is Question => name in questions;

const { values, positionals: asked } = parseArgs({
  options: { members: { type: 'string', default: '1000000' } },
  allowPositionals: true,
});
const unknown = asked.find((name) => !isQuestion(name));
if (unknown !== undefined) {
  say(`There is no bench "${unknown}"; there are: ${Object.keys(questions).join(', ')}.`);
  process.exit(1);
}
/** `flame` measures nothing: it draws a picture for the documentation. */
const usual = (Object.keys(questions) as Question[]).filter((name) => name !== 'flame');
const chosen = asked.length === 0 ? usual : asked.filter(isQuestion);

let data: BenchData | undefined;
try {
  for (const name of chosen) {
    if (name === 'phone') await benchPhone();
    else await questions[name]((data ??= await openBenchData(Number(values.members), say)));
  }
} finally {
  await data?.close();
}
say(
  missedFigures() === 0 ? '\nAll figures are within their limits.' : `\n${missedFigures()} figures miss their limits.`,
);
process.exit(missedFigures() === 0 ? 0 : 1);
