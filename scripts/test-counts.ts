export interface Counts {
  passed: number;
  failed: number;
  skipped: number;
}

/** What a JSON report of Vitest counts; a file that could not be run, or an end in error with nothing failed, is one failure. */
export function countsOf(report: string, exitCode: number): Counts {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(report) as Report;
  const broken = testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every(({ status: test }) => test !== 'failed'),
  );
  const failed = numFailedTests + broken.length;
  const ran = numPassedTests + failed > 0;
  const unexplained = failed === 0 && (exitCode !== 0 || !ran) ? 1 : 0;
  return { passed: numPassedTests, failed: failed + unexplained, skipped: numPendingTests + numTodoTests };
}

/** What failed by a JSON report of Vitest: file, test and what it said, as lines to print; a file that could not be run by itself. */
export function failuresOf(report: string): string[] {
  const { testResults } = JSON.parse(report) as Report;
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (failed.length === 0) return status === 'failed' ? [`${name}\n${message}`] : [];
    return failed.map((test) => [`${name} > ${test.fullName}`, ...test.failureMessages].join('\n'));
  });
}

/** The sums over all runs. */
export function addUp(counts: Counts[]): Counts {
  const sum = (key: keyof Counts) => counts.reduce((total, one) => total + one[key], 0);
  return { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped') };
}

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
  }[];
}
