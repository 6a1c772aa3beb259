import { describe, expect, it } from 'vitest';
import { readSources } from '../../../../scripts/import-graph.ts';

/** Code that runs in production, without its tests. */
const product = readSources(['contract/src', 'server/src', 'web/src', 'web/worker', 'launcher']).filter(
  ({ path }) => !/\.test\.tsx?$|\/test\//.test(path),
);

type Rule = [string, RegExp, string[]];

/** What only the listed files may do: each was read with this in mind. */
const rules: Rule[] = [
  ['no page is built from text', /\b(inner|outer)HTML\b|dangerouslySet|insertAdjacentHTML|document\.write\(/, []],
  ['no code is built from text', /\beval\(|\bnew Function\(/, []],
  ['hashes are SHA-256', /\bcreate(Hash|Hmac)\((?!'sha256')/, []],
  [
    'the server starts no program but its decoder',
    /node:child_process/,
    ['server/src/features/media/decoding/decode.ts'],
  ],
  [
    'only constants become SQL as they are',
    /\bsql\.raw\(/,
    [
      'server/src/features/auth/accounts.ts',
      'server/src/features/connections/pair.ts',
      'server/src/features/discovery/jobs.ts',
      'server/src/features/messages/copy.reads.ts',
      'server/src/platform/db/db.ts',
    ],
  ],
];

const offences = (files: { path: string; text: string }[], [, pattern, allowed]: Rule) =>
  files.filter(({ path, text }) => pattern.test(text) && !allowed.includes(path)).map(({ path }) => path);
/** The launcher runs the database and the builds as programs. */
const judgedBy = ([name]: Rule) =>
  name.startsWith('the server') ? product.filter(({ path }) => path.startsWith('server/')) : product;

describe('dangerous calls', () => {
  it.each(rules)('%s', (...rule) => {
    expect(offences(judgedBy(rule), rule)).toEqual([]);
  });

  it.each(rules)('are found where they are allowed: %s', (...rule) => {
    expect(rule[2].filter((path) => !product.some((file) => file.path === path && rule[1].test(file.text)))).toEqual(
      [],
    );
  });

  it.each([
    ['element.innerHTML = name', 0],
    ['eval(text)', 1],
    ["createHash('md5')", 2],
    ["import { spawn } from 'node:child_process'", 3],
    ['sql.raw(column)', 4],
  ])('are noticed: %s', (text, at) => {
    const rule = rules[at];
    expect(rule && offences([{ path: 'server/src/x.ts', text }], rule)).toEqual(['server/src/x.ts']);
  });
});
