import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import ts from 'typescript';
import { readSources } from '../../../../scripts/import-graph.ts';

/** Code that runs in production, without its tests. */
const product = readSources(['contract/src', 'server/src', 'web/src', 'web/worker', 'launcher']).filter(
  ({ path }) => !/\.test\.tsx?$|\/test\//.test(path),
);

/** Tests and their helpers, which wait for states instead of times. */
const tests = readSources(['contract', 'server', 'web', 'e2e', 'launcher', 'demo', 'lab', 'scripts', 'deploy']).filter(
  ({ path }) => /\.test\.tsx?$|\/test\/|^e2e\//.test(path) && !path.includes('/sources/hazards'),
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
      'server/src/features/connections/pair.ts',
      'server/src/features/discovery/jobs.ts',
      'server/src/features/messages/copy.reads.ts',
      'server/src/platform/db/db.ts',
    ],
  ],
  [
    'the browser’s storage, which may be full or forbidden, is used through its wrapper',
    /(?<!['`])\b(localStorage|sessionStorage|indexedDB)\b(?!`)|\bcaches\.\w+\(|window\.caches/,
    ['web/src/browser-storage.ts', 'web/worker/shared-pictures.ts', 'web/worker/shell.ts'],
  ],
  [
    'tests do not sleep',
    /\bsetTimeout\b[^}\n]*\} from 'node:timers\/promises'|waitForTimeout\(|new Promise\([^\n]*setTimeout\(/,
    [
      'e2e/support/visitor.ts',
      // They work on real processes.
      'server/test/proofs/product.ts',
      'server/test/proofs/workload.ts',
    ],
  ],
  [
    'tests do not measure',
    /performance\.now\(\)|process\.(?:cpuUsage|hrtime|memoryUsage)\b|expect\([^\n]*Date\.now\(\)[^\n]*\)\.toBe(?:Less|Greater)/,
    [
      'server/src/features/takeout/memory.test.ts',
      // It sets the clock.
      'web/src/api/realtime/realtime.test.ts',
      'server/test/proofs/http.ts',
      'server/test/proofs/workload.ts',
    ],
  ],
  [
    'random values have 128 bits or more',
    /\brandomBytes\((?!(?:1[6-9]|[2-9]\d)\))/,
    [
      // The number of an encryption.
      'server/src/platform/config/secrets.ts',
      // A part of a puzzle, which is no secret.
      'server/src/features/moderation/outsiders/submit.ts',
    ],
  ],
  [
    // Without options `vi.waitFor` gives up after a second, which no setting changes; `expect.poll` has a minute.
    'tests wait for more than a second',
    /\bvi\.waitFor\((?:(?!\b(?:timeout|patience|waiting)\b)[^;])*\);/,
    // Its options come after the last statement.
    ['e2e/engines/engines.spec.ts'],
  ],
  ['encryption is in one place', /\bcreate(?:C|Dec)ipheriv\(/, ['server/src/platform/config/secrets.ts']],
];

const offences = (files: { path: string; text: string }[], [, pattern, allowed]: Rule) =>
  files.filter(({ path, text }) => pattern.test(text) && !allowed.includes(path)).map(({ path }) => path);
/** The launcher runs the database and the builds as programs. */
function judgedBy([name]: Rule) {
  if (name.startsWith('tests')) return tests;
  return name.startsWith('the server') ? product.filter(({ path }) => path.startsWith('server/')) : product;
}

describe('the rules for dangerous calls', () => {
  it.each(rules)('have no violations: %s', (...rule) => {
    expect(offences(judgedBy(rule), rule)).toEqual([]);
  });

  it.each(rules)('find the permitted uses: %s', (...rule) => {
    expect(rule[2].filter((path) => !offences(judgedBy(rule), [rule[0], rule[1], []]).includes(path))).toEqual([]);
  });

  it.each([
    ['element.innerHTML = name', 0],
    ['eval(text)', 1],
    ["createHash('md5')", 2],
    ["import { spawn } from 'node:child_process'", 3],
    ['sql.raw(column)', 4],
    ["sessionStorage.setItem('name', name)", 5],
    ['await window.caches?.keys()', 5],
    ["import { setTimeout as pause } from 'node:timers/promises'", 6],
    ['await new Promise((done) => setTimeout(done, 300))', 6],
    ['await page.waitForTimeout(300)', 6],
    ['const started = performance.now()', 7],
    ['expect(Date.now() - started).toBeLessThan(500)', 7],
    ['randomBytes(8)', 8],
    ['await vi.waitFor(() => expect(left).toBe(0));', 9],
    ["createCipheriv('aes-128-cbc', key, iv)", 10],
  ])('detect a violation: %s', (text, at) => {
    const rule = rules[at];
    expect(rule && offences([{ path: 'server/src/x.ts', text }], rule)).toEqual(['server/src/x.ts']);
  });
});

/**
 * How often a pattern may backtrack, for each character of a text of this length. The short text finds suspects, and the long one separates
 * patterns that try many words at each position from those whose work grows with the square of the length.
 */
const measures = [
  { length: 100, mostPerCharacter: 20 },
  { length: 4000, mostPerCharacter: 200 },
];

interface Pattern {
  place: string;
  source: string;
  flags: string;
}

// The configuration is written by the operator, so its patterns are excluded.
const files = readSources(['contract/src', 'server/src']).filter(
  ({ path }) => !path.includes('.test.') && !path.startsWith('server/src/platform/config/'),
);

function patternsOf({ path, text }: { path: string; text: string }): Pattern[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const found: Pattern[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const place = `${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
      found.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const patterns = files.flatMap(patternsOf);

/** Characters and words from the pattern, singly and in pairs: repeated, they keep its repetitions going. */
function pumpsOf(source: string): string[] {
  const words = source.match(/[a-z]{2,}/gi) ?? [];
  const classes: [string, string][] = [
    ['\\s', ' '],
    ['\\d', '7'],
    ['\\w', 'a'],
    ['\\S', 'a'],
    ['.', 'a'],
    ['[^', 'a'],
    ['0-9', '7'],
    ['a-z', 'a'],
    ['A-Z', 'A'],
    ['\\p{Nd}', '٣'],
    ['\\p{L', 'a'],
    ['Script=', 'я'],
  ];
  const characters = new Set([
    ...classes.filter(([word]) => source.includes(word)).map(([, character]) => character),
    ...source.replaceAll(/\\[a-zA-Z]|[a-zA-Z0-9[\](){}?*+|^$\\]/g, ''),
    ...words.map((word) => word.charAt(0)),
    ...(source.match(/(?<![a-z\\])[a-z](?![a-z])/gi) ?? []),
  ]);
  const singles = [...characters].slice(0, 12);
  const pairs = singles.flatMap((one) => singles.filter((other) => other !== one).map((other) => one + other));
  return [...singles, ...pairs, ...words, ...words.map((word) => `${word} `)];
}

setFlagsFromString('--allow-natives-syntax');
/** Compiles a regular expression that fails once it has backtracked more often than `limit`. */
const limited = runInThisContext('(source, flags, limit) => %NewRegExpWithBacktrackLimit(source, flags, limit)') as (
  source: string,
  flags: string,
  limit: number,
) => RegExp;

/**
 * Whether a pattern backtracks more often than `most` while it finds all its matches in a text. It counts steps, because time depends on
 * the machine.
 */
function goesBackMoreThan(most: number, { source, flags }: Pattern, text: string): boolean {
  const regexes = new Map<number, RegExp>();
  let total = 0;
  for (let at = 0; at < text.length;) {
    let limit = 4;
    let found: RegExpExecArray | null = null;
    while (found === null) {
      limit *= 2;
      if (total + limit > most) return true;
      const regex = regexes.get(limit) ?? limited(`[^]*?(?:${source}|${end})`, `${flags.replace(/[gy]/g, '')}y`, limit);
      regexes.set(limit, regex);
      regex.lastIndex = at;
      found = regex.exec(text);
    }
    total += limit;
    at += Math.max(found[0].length, 1);
  }
  return false;
}

/** A character that no pattern matches. */
const end = '\u0001';

const isSlow = (pattern: Pattern): boolean =>
  pumpsOf(pattern.source).some((pump) =>
    measures.every(({ length, mostPerCharacter }) =>
      goesBackMoreThan(length * mostPerCharacter, pattern, pump.repeat(length).slice(0, length) + end),
    ),
  );

describe('regular expressions', () => {
  // The optimized code of a loop backtracks without being counted.
  beforeAll(() => setFlagsFromString('--no-regexp-optimization'));
  afterAll(() => setFlagsFromString('--regexp-optimization'));

  it('take work proportional to the length of the worst text', () => {
    expect(patterns.length).toBeGreaterThan(80);
    expect(patterns.filter(isSlow).map(({ place, source }) => `${place} ${source}`)).toEqual([]);
  });

  it('are literals so that they can be measured, except two of fixed length', () => {
    const built = files.filter(({ text }) => /\bnew RegExp\(/.test(text)).map(({ path }) => path);
    expect(built).toEqual(['contract/src/notifications.ts', 'server/src/platform/http/server.ts']);
  });

  it.each(['[\\w.+-]+@', '(?:a*)*b', 'a+a+a+b', 'a+a+b', '\\s*[([{]', '(?:a+)+$', '\\b[a-z0-9][a-z0-9-]*\\s?\\.'])(
    'are found if they are slow: %s',
    (source) => {
      expect(isSlow({ place: '', source, flags: '' })).toBe(true);
    },
  );
});

describe('a number before a noun in a text', () => {
  /** Numbers greater than one that the code names, so that texts with them are never about one. */
  const constants = new Set(
    product.flatMap(({ text }) =>
      [...text.matchAll(/\bconst (\w+) = (\d[\d_]*)(?: \* \d[\d_]*)*;/g)].flatMap(([, name = '', value = '']) =>
        Number(value.replaceAll('_', '')) > 1 ? [name] : [],
      ),
    ),
  );
  /** Placeholders of words, such as the name of someone who "is" or "was" something. */
  const words =
    /^(name|person|viewer|actor|by|other|one|provider|card|report|picture|plan|target|clause|what|amount|terms|here|percent)$/;
  const nouns = /^(?:[a-z-]+ )?(?:people|children|(?!as|its|vs|this|is|was|does|has)[a-z-]+[^sui]s)$/;
  /** Numbers that are never one, although no constant says so. */
  const neverOne = new Map([
    // The limits of fields, of files and of roles.
    ['contract/src/text.ts', ['maximum', 'minimum']],
    ['server/src/platform/http/mount.ts', ['maximum', 'minimum']],
    ['server/src/features/media/decoding/decoder.ts', ['megapixels', 'ratio', 'pictureMinSide', 'pictureMaxRatio']],
    ['server/src/features/auth/policy.ts', ['minimumAgeYears']],
    ['web/src/ui/steps/birth-date.ts', ['age']],
    ['server/src/features/profiles/staff/find.ts', ['quota']],
    ['server/src/features/profiles/staff/reveal.ts', ['quota']],
    ['web/src/features/auth/account/ChangePassword.tsx', ['count']],
    ['web/src/features/moderation/reports/ReplyDialog.tsx', ['max']],
    ['web/src/ui/feedback/ReasonDialog.tsx', ['count']],
    ['web/src/ui/pictures/drawing.ts', ['limit', 'count']],
    // Shown only from two on, or only for a number that is counted no further.
    ['web/src/admin/CommandPalette.tsx', ['count']],
    ['web/src/features/connections/HiddenLikes.tsx', ['count']],
    ['web/src/member/sign-in/ConsentLine.tsx', ['policy']],
    ['web/src/features/insights/SafetyTiles.tsx', ['count']],
    ['web/src/features/moderation/user-file/FileEntries.tsx', ['count']],
    ['web/src/features/moderation/user-file/TagList.tsx', ['count']],
    ['web/src/features/profiles/staff/bulk/UserBulkBar.tsx', ['total']],
    ['web/src/features/moderation/reports/ReportsFigures.tsx', ['days']],
    ['web/src/features/compatibility/QuestionsPart.tsx', ['total']],
    ['web/src/ui/text/distance.ts', ['from', 'to', 'range']],
    // As specified.
    ['web/src/features/profiles/staff/UsersBrowser.tsx', ['total']],
  ]);

  function* placesIn(text: string): Generator<[key: string, value: string, following: string]> {
    for (const [, key = '', value, following = ''] of text.matchAll(
      /\$\{\{ (\w+)(?:: ([^{}]+))? \}\}[ \u00a0]([a-z-]+(?: [a-z-]+)?)/g,
    ))
      yield [key, value?.replace(/^formatNumber\((.*)\)$/, '$1') ?? key, following];
    for (const [, key = '', following = ''] of text.matchAll(
      /\b(?:t|msg)`[^`]*?\$\{(\w+)\}[ \u00a0]([a-z-]+(?: [a-z-]+)?)/g,
    ))
      yield [key, key, following];
    for (const [, message = ''] of text.matchAll(/message:\s*'([^']*)'/g))
      for (const [, key = '', following = ''] of message.matchAll(/\{(\w+)\}[ \u00a0]([a-z-]+(?: [a-z-]+)?)/g))
        yield [key, key, following];
  }
  const withoutPlural = (text: string) =>
    [...placesIn(text)].filter(
      ([key, value, following]) =>
        !constants.has(value) &&
        !words.test(key) &&
        [following, following.split(' ')[0] ?? ''].some((noun) => nouns.test(noun)),
    );

  it('has plural forms, because the number can be one', () => {
    const found = product.flatMap(({ path, text }) =>
      withoutPlural(text).flatMap(([key, , noun]) =>
        neverOne.get(path)?.includes(key) ? [] : [`${path}: ${key} ${noun}`],
      ),
    );
    expect(found, 'Write `plural(…)`, or add numbers that are never one to `neverOne`').toEqual([]);
    for (const [path, keys] of neverOne) {
      const text = product.find((one) => one.path === path)?.text ?? '';
      expect([path, withoutPlural(text).map(([key]) => key)]).toEqual([path, expect.arrayContaining(keys)]);
    }
  });

  it.each([
    ['msg`After ${{ days }} days`', true],
    ['t`${count} sign-ups`', true],
    ["msg({ message: '{count} different people' })", true],
    ['t`Up to ${{ count: formatNumber(bulkIdsMax) }} users`', false],
    ['t`${{ name }} asks you`', false],
    ["msg`After ${plural({ days }, { one: '# day', other: '# days' })}`", false],
  ])('is found without one in %s: %s', (source, isFound) => {
    expect(withoutPlural(source).length > 0).toBe(isFound);
  });
});
