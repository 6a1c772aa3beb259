import { expect, test } from 'vitest';
import { addUp, countsOf, failuresOf } from './test-counts.ts';

const report = (counts: object, testResults: object[] = []) =>
  JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults, ...counts });

test.each([
  ['passed and skipped', report({ numPassedTests: 3, numPendingTests: 1, numTodoTests: 1 }), 0, [3, 0, 2]],
  ['failed', report({ numPassedTests: 3, numFailedTests: 2 }), 1, [3, 2, 0]],
  [
    'a file that could not be loaded is a failure',
    report({ numPassedTests: 3 }, [{ status: 'failed', assertionResults: [] }]),
    1,
    [3, 1, 0],
  ],
  [
    'a file with a failed test counts once',
    report({ numFailedTests: 1 }, [{ status: 'failed', assertionResults: [{ status: 'failed' }] }]),
    1,
    [0, 1, 0],
  ],
  ['an end in error that no test explains is a failure', report({ numPassedTests: 3 }), 1, [3, 1, 0]],
  ['nothing run is a failure', report({}), 0, [0, 1, 0]],
])('%s', (_name, text, exitCode, [passed, failed, skipped]) => {
  expect(countsOf(text, exitCode)).toEqual({ passed, failed, skipped });
});

test('what failed is named with what it said, and a file that could not be run by itself', () => {
  const passed = { fullName: 'a thing works', status: 'passed', failureMessages: [] };
  const failed = { fullName: 'a thing holds', status: 'failed', failureMessages: ['expected 1 to be 2'] };
  const text = report({}, [
    { name: 'a.test.ts', status: 'failed', message: '', assertionResults: [passed, failed] },
    { name: 'b.test.ts', status: 'passed', message: '', assertionResults: [passed] },
    { name: 'c.test.ts', status: 'failed', message: 'Cannot find module', assertionResults: [] },
  ]);
  expect(failuresOf(text)).toEqual(['a.test.ts > a thing holds\nexpected 1 to be 2', 'c.test.ts\nCannot find module']);
});

test('runs are added up', () => {
  expect(
    addUp([
      { passed: 1, failed: 0, skipped: 2 },
      { passed: 3, failed: 1, skipped: 0 },
    ]),
  ).toEqual({
    passed: 4,
    failed: 1,
    skipped: 2,
  });
});
