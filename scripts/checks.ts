import { runPackage, type CommandEnd } from './command.ts';

export interface CheckResult extends CommandEnd {
  name: string;
}

const checks = [
  { name: 'types of the server', program: 'typescript/bin/tsc', args: ['-p', '.'] },
  { name: 'types of the web app', program: 'typescript/bin/tsc', args: ['-p', 'web'] },
  { name: 'types of the service worker', program: 'typescript/bin/tsc', args: ['-p', 'web/worker'] },
  { name: 'lint', program: 'eslint/bin/eslint.js', args: ['.'] },
  { name: 'format', program: 'prettier/bin/prettier.cjs', args: ['--check', '--log-level=warn', '.'] },
];

/** Checks types, lint and format, two at a time, and prints one line each, with the findings of those that fail. */
export async function runChecks(): Promise<CheckResult[]> {
  const waiting = [...checks];
  const results: CheckResult[] = [];
  const worker = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const end = await runPackage(check.program, check.args, { quiet: true });
      process.stdout.write(
        `${end.code === 0 ? 'ok    ' : 'FAILED'} ${check.name}\n${end.code === 0 ? '' : end.output}`,
      );
      results.push({ name: check.name, ...end });
    }
  };
  await Promise.all([worker(), worker()]);
  return results;
}
