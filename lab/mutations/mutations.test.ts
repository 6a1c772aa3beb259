import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../../launcher/command.ts';
import { mutations } from './list.ts';
import { applyTo, judge, type Mutation, obstacleOf } from './mutation.ts';

const exists = (path: string) => existsSync(join(projectRoot, path));
const read = (path: string) => (exists(path) ? readFileSync(join(projectRoot, path), 'utf8') : null);

describe('the list of mutations', () => {
  it('contains 33 server rules, 17 access checks and 10 screens with different names', () => {
    const counts = Map.groupBy(mutations, ({ kind }) => kind);
    expect([...counts].map(([kind, { length }]) => [kind, length])).toEqual([
      ['server rule', 33],
      ['access check', 17],
      ['screen', 10],
    ]);
    expect(new Set(mutations.map(({ name }) => name)).size).toBe(mutations.length);
  });

  it.each(mutations.map((mutation): [string, Mutation] => [mutation.name, mutation]))(
    'contains an applicable mutation: %s',
    (_, mutation) => {
      expect(obstacleOf(mutation, read, exists)).toBeNull();
      expect(mutation.replace).not.toBe(mutation.find);
    },
  );
});

const example: Mutation = {
  name: 'says no',
  kind: 'server rule',
  file: 'a.ts',
  find: 'yes',
  replace: 'no',
  tests: ['a.test.ts'],
};

describe('a mutation', () => {
  it('replaces its text', () => {
    expect(applyTo('say yes ($&)', example)).toBe('say no ($&)');
  });

  it.each([
    ['its text is gone', 'say no', true, 'its text is no longer in a.ts — adapt it'],
    ['its text occurs twice', 'yes, yes', true, 'its text occurs 2 times in a.ts — adapt it'],
    ['its file is gone', null, true, 'a.ts no longer exists — adapt it'],
    ['its test is gone', 'yes', false, 'its tests a.test.ts no longer exist — adapt it'],
  ])('is not applicable when %s', (_, text, hasTest, why) => {
    expect(
      obstacleOf(
        example,
        () => text,
        () => hasTest,
      ),
    ).toBe(why);
  });
});

describe('the verdict on a mutation', () => {
  const report = (status: string, message = '', loadError = '') => ({
    testResults: [
      {
        name: 'a.test.ts',
        status: status === 'passed' ? 'passed' : 'failed',
        message: loadError,
        assertionResults:
          loadError === '' ? [{ fullName: 'GET /a returns 403', status, failureMessages: [message] }] : [],
      },
    ],
  });

  it.each([
    [
      'a failed test kills it',
      report('failed', 'AssertionError: expected 200 to be 403'),
      'KILLED',
      'GET /a returns 403',
    ],
    ['passed tests let it survive', report('passed'), 'SURVIVED', 'all named tests pass'],
    [
      'an unknown name breaks the code',
      report('failed', 'ReferenceError: x is not defined'),
      'NOT APPLICABLE',
      'it breaks the code instead of the rule: ReferenceError: x is not defined',
    ],
    [
      'a file that cannot be loaded breaks the code',
      report('failed', '', 'Error: Transform failed'),
      'NOT APPLICABLE',
      'it breaks the code instead of the rule: Error: Transform failed',
    ],
    ['no report says nothing', null, 'NOT APPLICABLE', 'no test ran: killed'],
  ])('%s', (_, given, state, detail) => {
    expect(judge(given, 'killed\n')).toEqual({ state, detail });
  });
});
