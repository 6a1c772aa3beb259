import type { TestModule } from 'vitest/node';
import { describe, expect, test } from 'vitest';
import { countsOf } from './test-run.ts';

type State = 'passed' | 'failed' | 'skipped' | 'pending';
const file = (state: 'passed' | 'failed', ...tests: State[]) =>
  ({
    state: () => state,
    children: { allTests: () => tests.map((each) => ({ result: () => ({ state: each }) })) },
  }) as unknown as TestModule;

describe('countsOf', () => {
  test.each([
    ['passed and skipped tests', [file('passed', 'passed', 'passed', 'skipped')], 0, [2, 0, 1]],
    ['tests of several files', [file('passed', 'passed'), file('failed', 'passed', 'failed')], 0, [2, 1, 0]],
    ['a file that cannot be loaded as a failure', [file('passed', 'passed'), file('failed')], 0, [1, 1, 0]],
    ['a file with a failed hook as a failure', [file('failed', 'passed', 'skipped')], 0, [1, 1, 1]],
    ['a file with a failed test once', [file('failed', 'failed')], 0, [0, 1, 0]],
    ['a test that never ended as a failure', [file('passed', 'passed', 'pending')], 0, [1, 1, 0]],
    ['an error outside a test as a failure', [file('passed', 'passed')], 1, [1, 1, 0]],
    ['a run without tests as a failure', [], 0, [0, 1, 0]],
  ])('counts %s', (_, modules, unhandledErrors, [passed, failed, skipped]) => {
    expect(countsOf(modules, unhandledErrors)).toEqual({ passed, failed, skipped });
  });
});
