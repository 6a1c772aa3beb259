/** One small change to the product that breaks a rule, and the tests that should notice. */
export interface Mutation {
  /** What the broken product does, as the end of the sentence "The product …". */
  name: string;
  kind: 'server rule' | 'access check' | 'screen';
  file: string;
  /** Text that occurs exactly once in `file`. */
  find: string;
  replace: string;
  /** Test files, or folders of them. */
  tests: string[];
}

/** Reads a file of the project; null if it doesn't exist. */
export type ReadFile = (path: string) => string | null;

/** Why a mutation can't be applied to the files that `read` returns, as the end of a sentence; null if it can. */
export function obstacleOf({ file, find, tests }: Mutation, read: ReadFile, exists: (path: string) => boolean) {
  const lost = tests.filter((path) => !exists(path));
  if (lost.length > 0) return `its tests ${lost.join(', ')} no longer exist — adapt it`;
  const text = read(file);
  if (text === null) return `${file} no longer exists — adapt it`;
  const count = text.split(find).length - 1;
  if (count === 0) return `its text is no longer in ${file} — adapt it`;
  return count > 1 ? `its text occurs ${count} times in ${file} — adapt it` : null;
}

/** The file's text with the mutation. */
export const applyTo = (text: string, { find, replace }: Mutation): string => text.split(find).join(replace);

/** The part of Vitest's JSON report that is read here. */
export interface TestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[];
  }[];
}

/** The result of a mutation, with the test that killed it or the reason. */
export interface Verdict {
  state: 'KILLED' | 'SURVIVED' | 'NOT APPLICABLE';
  detail: string;
}

/** Failures that show that the mutated code isn't valid, which prove nothing about the rule. */
const broken = /^(SyntaxError|ReferenceError)\b|Transform failed|Failed to (resolve|parse)|Cannot find module/;
const firstLine = (text: string) => text.trim().split('\n')[0] ?? '';

/**
 * A mutation is killed by a test that ran and failed. A mutation that isn't valid code or prevents a file from being loaded is not
 * applicable, because every test would notice it. `report` is null if Vitest wrote none; `output` is what it printed.
 */
export function judge(report: TestReport | null, output: string): Verdict {
  const files = report?.testResults ?? [];
  const failed = files.flatMap((file) => file.assertionResults.filter(({ status }) => status === 'failed'));
  const isBroken = ({ failureMessages }: (typeof failed)[number]) => broken.test(firstLine(failureMessages?.[0] ?? ''));
  const killer = failed.find((test) => !isBroken(test));
  if (killer !== undefined) return { state: 'KILLED', detail: killer.fullName };
  const [invalid] = failed;
  const unloaded = files.find((file) => file.status === 'failed');
  const why = invalid?.failureMessages?.[0] ?? unloaded?.message;
  if (why !== undefined)
    return { state: 'NOT APPLICABLE', detail: `it breaks the code instead of the rule: ${firstLine(why)}` };
  const hasRun = files.some((file) => file.assertionResults.some(({ status }) => status === 'passed'));
  if (!hasRun)
    return { state: 'NOT APPLICABLE', detail: `no test ran: ${output.trim().split('\n').slice(-5).join(' ')}` };
  return { state: 'SURVIVED', detail: 'all named tests pass' };
}
