import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { projectRoot } from '../launcher/command.ts';
import { cyclesOf, filesBelow, readSources } from '../scripts/import-graph.ts';

// node lab/figures.ts [folder]: the size and structure of the code in a working copy, by default this one.
const root = resolve(process.argv[2] ?? projectRoot);
const folders = ['contract', 'server', 'web', 'demo', 'lab', 'launcher', 'e2e', 'deploy', 'scripts'];
const most = { parameters: 4, shown: 40 };

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const say = (name: string, value: number | string) => process.stdout.write(`${name.padEnd(58)} ${value}\n`);
const isTest = (path: string) => /\.(test|spec)\.tsx?$|(^|\/)(test|e2e)\//.test(path);
const filled = (text: string) => text.split('\n').filter((line) => line.trim() !== '').length;
const parse = (path: string) => ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest, true);

/** The number of lines with code: not blank, and not inside a comment. */
function codeLines(path: string): number {
  if (path.endsWith('.css')) return filled(read(path).replace(/\/\*[\s\S]*?\*\//g, ''));
  if (path.endsWith('.sql'))
    return filled(
      read(path)
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/^\s*--.*$/gm, ''),
    );
  const file = parse(path);
  const lines = new Set<number>();
  const mark = (node: ts.Node) => {
    if (ts.isJSDoc(node)) return;
    const parts = node.getChildren();
    if (parts.length > 0) return parts.forEach(mark);
    if (node.getWidth() === 0) return;
    const [from = 0, to = 0] = [node.getStart(), node.getEnd()].map(
      (at) => file.getLineAndCharacterOfPosition(at).line,
    );
    for (let line = from; line <= to; line += 1) lines.add(line);
  };
  mark(file);
  return lines.size;
}

/** Where functions take more positional parameters than one can tell apart at a call. */
function longSignatures(path: string): string[] {
  const file = parse(path);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isFunctionLike(node) && 'body' in node && node.parameters.length > most.parameters)
      found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const every = filesBelow(folders, /\.(tsx?|mjs|css|sql)$/, root);
const sum = (paths: string[], of: (path: string) => number) => paths.reduce((total, path) => total + of(path), 0);
say('', 'files / code lines / of these tests');
for (const folder of folders) {
  const own = every.filter((path) => path.startsWith(`${folder}/`));
  say(folder, `${own.length} / ${sum(own, codeLines)} / ${sum(own.filter(isTest), codeLines)}`);
}

const words = (path: string) => read(path).split(/\s+/).filter(Boolean).length;
const pages = filesBelow(['.'], /\.md$/, root);
say('documents: pages / words', `${pages.length} / ${sum(pages, words)}`);

const cycles = cyclesOf(readSources(folders, root).filter(({ path }) => !isTest(path)));
say('import cycles (groups of files)', cycles.length);
for (const cycle of cycles) say('', cycle.join(' → '));

const long = every.filter((path) => /\.tsx?$/.test(path)).flatMap(longSignatures);
say(`functions with more than ${most.parameters} positional parameters`, long.length);
for (const place of long.slice(0, most.shown)) say('', place);
