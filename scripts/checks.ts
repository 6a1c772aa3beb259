import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { runCommand } from '../launcher/command.ts';

interface Check {
  name: string;
  /** Arguments of Node, from the project's folder. */
  args: string[];
}

export interface CheckResult {
  name: string;
  ok: boolean;
}

const lingui = 'node_modules/@lingui/cli/dist/lingui.js';

/** Types, lint, format, texts and packages. The longest comes first, so that it doesn't run alone at the end. */
export const checks: Check[] = [
  { name: 'types and lint', args: ['node_modules/oxlint/bin/oxlint', '--quiet'] },
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'] },
  ...['sync', 'missing'].flatMap((what) => [
    { name: `texts: ${what}, those of staff`, args: [lingui, 'check', what, '--config', 'lingui.staff.config.ts'] },
    { name: `texts: ${what}`, args: [lingui, 'check', what, '--config', 'lingui.members.config.ts'] },
  ]),
  { name: 'licences, bill of materials and known vulnerabilities of packages', args: ['scripts/dependencies.ts'] },
];

/** A fresh build of the web app within its budgets. */
export const build: Check = { name: 'build and budgets', args: ['launcher/build.ts'] };

/** Runs the checks, one per core at a time, and prints one line for each, plus the output of failed ones. */
export async function runChecks(list: Check[]): Promise<CheckResult[]> {
  const limit = pLimit(availableParallelism());
  const run = async ({ name, args }: Check) => {
    const { code, output } = await runCommand(process.execPath, args, { quiet: true });
    const ok = code === 0;
    const notes = output.split('\n').filter((line) => line.startsWith('note: '));
    process.stdout.write(ok ? [`ok     ${name}`, ...notes, ''].join('\n') : `FAILED ${name}\n${output}`);
    return { name, ok };
  };
  return await Promise.all(list.map((check) => limit(run, check)));
}
