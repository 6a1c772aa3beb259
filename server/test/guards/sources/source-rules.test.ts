import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import ts from 'typescript';
import { filesBelow, nodesOf, parseSource, placeOf, projectRoot, readSources, type SourceFile } from './sources.ts';

const folders = [
  'contract',
  'server',
  'web/src',
  'web/test',
  'web/worker',
  'scripts',
  'e2e',
  'demo',
  'launcher',
  'lab',
];
const sources = readSources(folders);
const written = filesBelow(folders, ['.ts', '.tsx', '.mjs', '.css', '.sql']);

type Parsed = Pick<SourceFile, 'path' | 'ast' | 'text'>;
const isPublic = (path: string) => path.endsWith('/public.ts');

/** A file that only re-exports others; a feature's `.public.ts` may. */
function barrels({ path, ast }: Parsed): string[] {
  const handsOn = ast.statements.filter(
    (statement) => ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined,
  );
  const handsOnAll = handsOn.some(
    (statement) => ts.isExportDeclaration(statement) && statement.exportClause === undefined,
  );
  if (handsOnAll) return [`${path} exports all of another file`];
  return handsOn.length > 0 && handsOn.length === ast.statements.length && !isPublic(path)
    ? [`${path} is a barrel`]
    : [];
}

const vagueName = /(^|[-._])(index|utils?|helpers?|manager)([-._]|$)/i;
const fileName =
  /^([a-z0-9]+(-[a-z0-9]+)*|[A-Z][A-Za-z0-9]*|\d{4}-[a-z0-9-]+)(\.[a-z]+(-[a-z]+)*)*\.(ts|tsx|mjs|css|sql)$/;

const looseType = (file: Parsed) =>
  (/\bany\b/.test(file.text) ? [...nodesOf(file.ast)] : [])
    .filter((node) => node.kind === ts.SyntaxKind.AnyKeyword)
    .map((node) => `${placeOf(file, node)} says any`);

const testWords = new Set(['it', 'test', 'describe', 'suite']);
const setAside = new Set(['only', 'skip', 'skipIf', 'runIf', 'todo', 'fails']);
/** Few files have one of the words, and walking through the others takes seconds. */
const setAsideWord = /\b(only|skip|skipIf|runIf|todo|fails|xit|xtest|xdescribe|fit|fdescribe)\b/;

/** `it.skip` and similar calls. */
function testsSetAside(file: Parsed): string[] {
  if (!setAsideWord.test(file.text)) return [];
  return [...nodesOf(file.ast)]
    .filter((node) => {
      if (ts.isIdentifier(node) && ts.isCallExpression(node.parent) && node.parent.expression === node) {
        return /^(xit|xtest|xdescribe|fit|fdescribe)$/.test(node.text);
      }
      if (!ts.isPropertyAccessExpression(node) || !setAside.has(node.name.text)) return false;
      return testWords.has(/^\w+/.exec(node.expression.getText())?.[0] ?? '');
    })
    .map((node) => `${placeOf(file, node)}: ${node.getText()}`);
}

// Written so that this file does not contain what it searches for.
const silencers =
  /(es|ox)lint-disabl[e]|@ts-(ignor[e]|nochec[k]|expect-erro[r])|prettier-ignor[e]|istanbul ignor[e]|v8 ignor[e]/;
const leftovers = /\b(TOD[O]|FIXM[E]|XX[X]|HAC[K])\b/;

const linesThat = (pattern: RegExp) => (file: Parsed) =>
  file.text
    .split('\n')
    .flatMap((line, index) => (pattern.test(line) ? [`${file.path}:${index + 1}: ${line.trim()}`] : []));

/** A cited page that is not in the repository. */
const missingPages = ({ path, text }: Parsed) =>
  [...text.matchAll(/\b[\w./-]+\.md\b/g)]
    .filter(([page]) => !['', 'docs', 'docs/decisions'].some((folder) => existsSync(join(projectRoot, folder, page))))
    .map(([page]) => `${path} cites ${page}`);

/** The product's own connections get their settings in one place, and their first question to a database in another. */
const connecting = ['connection.ts', 'check.ts', 'pool.ts'].map((name) => `server/src/platform/db/${name}`);
const bareConnections = (file: Parsed) =>
  /^(server\/src|launcher|demo)\/(?!.*\.test\.ts$)/.test(file.path) && !connecting.includes(file.path)
    ? linesThat(/new (pg\.)?(Client|Pool)\(/)(file)
    : [];

const rules: [string, (file: Parsed) => string[]][] = [
  ['no barrels', barrels],
  ['never uses the type any', looseType],
  ['never skips or isolates a test', testsSetAside],
  ['never silences a check', linesThat(silencers)],
  ['has no comments about later work', linesThat(leftovers)],
  ['cites only existing pages', missingPages],
  ['connects to the database only where the settings of connections are made', bareConnections],
];

describe('every source', () => {
  it.each(rules)('%s', (_, offences) => {
    expect(sources.flatMap(offences)).toEqual([]);
  });

  it('has a name that says what is in it', () => {
    expect(written.filter((path) => vagueName.test(basename(path)))).toEqual([]);
    expect(written.filter((path) => !fileName.test(basename(path)))).toEqual([]);
  });

  it('is found', () => {
    expect(sources.length).toBeGreaterThan(100);
  });
});

describe('the guard itself notices', () => {
  it.each<[string, string, (file: Parsed) => string[]]>([
    ['a barrel', "export { a } from './a.ts';\nexport { b } from './b.ts';", barrels],
    ['a star', "export * from './a.ts';\nexport const a = 1;", barrels],
    ['any', 'const a = 1 as any;', looseType],
    ['an isolated test', "it.only('x', () => undefined);", testsSetAside],
    ['a skipped table of tests', "describe.skip.each([])('x', () => undefined);", testsSetAside],
    ['a silenced linter', ['// oxlint-', 'disable-next-line no-console'].join(''), linesThat(silencers)],
    ['a linter silenced as ESLint is', ['// eslint-', 'disable-next-line no-console'].join(''), linesThat(silencers)],
    ['a silenced compiler', ['// @ts-', 'ignore'].join(''), linesThat(silencers)],
    ['a missing page', '// As plans' + '.md says.', missingPages],
    ['a connection without our settings', 'const client = new pg.Client({ connectionString });', bareConnections],
    ['postponed work', ['// TO', 'DO: later'].join(''), linesThat(leftovers)],
  ])('%s', (_, text, offences) => {
    expect(offences(parseSource('server/src/x.ts', text))).not.toEqual([]);
  });

  it('a vague name', () => {
    expect(['index.ts', 'utils.ts', 'date-helpers.ts', 'file.manager.ts'].every((name) => vagueName.test(name))).toBe(
      true,
    );
    expect(
      ['LoginPage.tsx', 'auth.sign-in.service.ts', '0001-accounts.sql', 'Page.module.css'].every((name) =>
        fileName.test(name),
      ),
    ).toBe(true);
    expect(['Login_page.ts', 'loginPage.ts'].some((name) => fileName.test(name))).toBe(false);
  });
});
