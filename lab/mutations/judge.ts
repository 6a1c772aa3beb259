/** The part of Vitest's JSON report that is read here. */
export interface TestReport {
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[];
  }[];
}

/** What became of a mutation, and by which test or why. */
export interface Verdict {
  state: 'KILLED' | 'SURVIVED' | 'NOT APPLICABLE';
  detail: string;
}

/** Failures of a mutation that isn't valid code, which say nothing about the rule. */
const broken = /^(SyntaxError|ReferenceError)\b|Transform failed|Failed to (resolve|parse)|Cannot find module/;
const firstLine = (text: string) => text.trim().split('\n')[0] ?? '';

/**
 * A mutation is killed by a test that ran and failed. One that keeps a file from being loaded, or that isn't valid code, is not applicable:
 * every test would notice it. `report` is null if there was none, `output` is what Vitest printed.
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
