import { describe, expect, it } from 'vitest';
import { readSources } from '../../../../scripts/import-graph.ts';

/** Code that runs in production, without its tests. */
const product = readSources(['contract/src', 'server/src', 'web/src', 'web/worker', 'launcher']).filter(
  ({ path }) => !/\.test\.tsx?$|\/test\//.test(path),
);

type Rule = [string, RegExp, string[]];

/** Patterns that only the listed files may contain, because these files were reviewed for it. */
const rules: Rule[] = [
  ['HTML is not built from text', /\b(inner|outer)HTML\b|dangerouslySet|insertAdjacentHTML|document\.write\(/, []],
  ['code is not built from text', /\beval\(|\bnew Function\(/, []],
  ['hashes use SHA-256', /\bcreate(Hash|Hmac)\((?!'sha256')/, []],
  [
    'the server starts no program except its image decoder',
    /node:child_process/,
    ['server/src/features/media/decoding/decode.ts'],
  ],
  [
    'only constants are inserted into SQL as text',
    /\bsql\.raw\(/,
    [
      'server/src/features/auth/accounts.ts',
      'server/src/features/connections/decisions.ts',
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

describe('the rules for dangerous calls', () => {
  it.each(rules)('have no violations: %s', (...rule) => {
    expect(offences(judgedBy(rule), rule)).toEqual([]);
  });

  it.each(rules)('find the permitted uses: %s', (...rule) => {
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
  ])('detect a violation: %s', (text, at) => {
    const rule = rules[at];
    expect(rule && offences([{ path: 'server/src/x.ts', text }], rule)).toEqual(['server/src/x.ts']);
  });
});
