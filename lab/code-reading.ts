import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, posix, relative } from 'node:path';
import ts from 'typescript';

const notOurs = new Set(['node_modules', 'dist', '.git', '.vite', '.data', '.bench-data', 'coverage']);

/**
 * The files below `root` whose path matches, relative to it and with forward slashes; without built or installed ones.
 */
export function filesBelow(root: string, pattern: RegExp): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      if (notOurs.has(entry.name)) return [];
      const path = join(folder, entry.name);
      return entry.isDirectory() ? walk(path) : [relative(root, path).replaceAll('\\', '/')];
    });
  return walk(root)
    .filter((path) => pattern.test(path))
    .sort();
}

/** The number of lines with code: not blank, and not inside a comment. */
export function codeLines(path: string, text: string): number {
  if (path.endsWith('.css')) return filled(text.replace(/\/\*[\s\S]*?\*\//g, ''));
  if (path.endsWith('.sql')) return filled(text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*--.*$/gm, ''));
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  const mark = (node: ts.Node) => {
    if (ts.isJSDoc(node)) return;
    const parts = node.getChildren();
    if (parts.length > 0) {
      parts.forEach(mark);
      return;
    }
    if (node.getWidth() === 0) return;
    const [from, to] = [node.getStart(), node.getEnd()].map((at) => file.getLineAndCharacterOfPosition(at).line);
    for (let line = from ?? 0; line <= (to ?? 0); line += 1) lines.add(line);
  };
  mark(file);
  return lines.size;
}

const filled = (text: string) => text.split('\n').filter((line) => line.trim() !== '').length;

/** The files of the project that a file imports, including types, without lazy imports. */
export function importsOf(root: string, path: string, text: string): string[] {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  return file.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const specifier = statement.moduleSpecifier;
    const target = specifier && ts.isStringLiteral(specifier) ? targetOf(path, specifier.text) : null;
    return target !== null && existsSync(join(root, target)) && statSync(join(root, target)).isFile() ? [target] : [];
  });
}

function targetOf(importer: string, specifier: string): string | null {
  const path = specifier.split('?')[0] ?? specifier;
  if (path.startsWith('#contract/')) return posix.join('contract/src', path.slice('#contract/'.length));
  return path.startsWith('.') ? posix.join(posix.dirname(importer), path) : null;
}
