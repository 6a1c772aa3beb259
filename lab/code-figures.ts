import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { cyclesOf } from '../server/test/guards/sources/sources.ts';
import { codeLines, filesBelow, importsOf } from './code-reading.ts';

// node lab/code-figures.ts [folder]: the size and structure of the code in a working copy, by default this one.
const root = process.argv[2] ?? join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const say = (name: string, value: number | string) => process.stdout.write(`${name.padEnd(52)} ${value}\n`);

const isTest = (path: string) => /\.(test|spec)\.tsx?$|(^|\/)(test|e2e)\//.test(path);
const isDemoOrLab = (path: string) => /^(demo|lab|bench|prove|eval)\/|^server\/src\/seed\//.test(path);
const every = filesBelow(root, /\.(tsx?|mjs|css|sql)$/).filter((path) => !isTest(path));
const isProduct = (path: string) => /^(server|web|contract)\//.test(path) && !isDemoOrLab(path);
const product = every.filter(isProduct);
const linesIn = (paths: string[]) => paths.reduce((sum, path) => sum + codeLines(path, read(path)), 0);

say('code lines: server, web and contract', linesIn(product));
say('  of these TypeScript', linesIn(product.filter((path) => /\.(tsx?|mjs)$/.test(path))));
for (const side of ['server', 'web', 'contract']) {
  say(`  of these ${side}`, linesIn(product.filter((path) => path.startsWith(`${side}/`))));
}
say('code lines moved out: demo', linesIn(every.filter((path) => /^demo\/|^server\/src\/seed\//.test(path))));
say('code lines moved out: launcher', linesIn(every.filter((path) => path.startsWith('launcher/'))));
say('code lines moved out: lab', linesIn(every.filter((path) => /^(lab|bench|prove|eval)\//.test(path))));

const sources = product.filter((path) => /\.(tsx?|mjs)$/.test(path));
say('source files (TypeScript)', sources.length);
say('source files with styles and SQL', product.length);
say('CSS modules', product.filter((path) => path.endsWith('.module.css')).length);

const perFolder = Map.groupBy(filesBelow(root, /^/).filter(isProduct), dirname);
const [largest, inLargest] = [...perFolder].reduce((most, entry) => (entry[1].length > most[1].length ? entry : most));
say('largest flat folder (files, with tests)', `${inLargest.length} in ${largest}`);

say('triggers', triggersLeft());
const cycles = cyclesOf(sources.map((path) => ({ path, imports: importsOf(root, path, read(path)) })));
say('import cycles (groups of files)', cycles.length);
for (const cycle of cycles) say('', cycle.join(' → '));

const exported = sources.flatMap((path) => exportsOf(path));
const documented = exported.filter(Boolean).length;
say('exports with a doc comment', `${documented} of ${exported.length}, ${share(documented, exported.length)}`);

const oldWords = /\b(somebody|anew|whoever|whom|begun|mend(ed|s)?)\b/gi;
const written = [...every, ...filesBelow(root, /\.md$/)].filter((path) => !/^LICENSE|^NOTICE/.test(basename(path)));
const counted = written.map((path) => ({ path, words: read(path).match(oldWords)?.length ?? 0 }));
say(
  'old-fashioned words, sources and docs',
  counted.reduce((sum, { words }) => sum + words, 0),
);

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(1)} %`;
}

/** Triggers created and not dropped later, in the files that define the schema, in the order they are applied. */
function triggersLeft(): number {
  const left = new Set<string>();
  const order = ['server/schema/', 'server/migrations/', 'server/sql/'];
  const files = order.flatMap((folder) => every.filter((path) => path.startsWith(folder) && path.endsWith('.sql')));
  for (const path of files) {
    const text = read(path).replace(/--.*$/gm, '');
    const statement =
      /\b(create(?: or replace)?(?: constraint)?|drop) trigger (?:if exists )?(\w+)[\s\S]*?\bon (\w+)/gi;
    for (const [, verb = '', name, table] of text.matchAll(statement)) {
      const trigger = `${name} on ${table}`;
      if (/^drop/i.test(verb)) left.delete(trigger);
      else left.add(trigger);
    }
  }
  return left.size;
}

/** For each function, class, constant or interface that a file exports: whether it has a doc comment. */
function exportsOf(path: string): boolean[] {
  const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);
  return file.statements
    .filter((statement) => ts.canHaveModifiers(statement))
    .filter((statement) => ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .map((statement) => ts.getJSDocCommentsAndTags(statement).length > 0);
}
