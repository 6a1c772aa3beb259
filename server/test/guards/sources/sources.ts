import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, resolve } from 'node:path';
import ts from 'typescript';

export const projectRoot = resolve(import.meta.dirname, '../../../..');

/** One import, static or dynamic; `target` is the path of our file from the project's folder, or null for a package. */
export interface Import {
  specifier: string;
  target: string | null;
  isDynamic: boolean;
  /** Only types, which are not loaded. */
  isType: boolean;
}

export interface SourceFile {
  /** The path from the project's folder, with forward slashes. */
  path: string;
  text: string;
  ast: ts.SourceFile;
  imports: Import[];
}

const notOurs = new Set(['node_modules', 'dist', '.vite']);

/** Every file below the folders whose name ends with one of `endings`, except built and installed ones. */
export function filesBelow(folders: string[], endings: string[]): string[] {
  const found: string[] = [];
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (notOurs.has(entry.name)) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (endings.some((ending) => entry.name.endsWith(ending))) found.push(slashed(path));
    }
  };
  for (const folder of folders.map((name) => join(projectRoot, name))) if (existsSync(folder)) walk(folder);
  return found.sort();
}

const slashed = (path: string) => relative(projectRoot, path).replaceAll('\\', '/');

/** The TypeScript sources below the folders, parsed. */
export function readSources(folders: string[]): SourceFile[] {
  return filesBelow(folders, ['.ts', '.tsx']).map(readSource);
}

function readSource(path: string): SourceFile {
  return parseSource(path, readFileSync(join(projectRoot, path), 'utf8'));
}

/** A source text with its imports, as if located at `path`. */
export function parseSource(path: string, text: string): SourceFile {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const ast = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind);
  return { path, text, ast, imports: importsOf(path, ast) };
}

/** Every node of a tree, in the order of the text. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  for (const child of node.getChildren()) yield* nodesOf(child);
}

/** The location of a node for a message: `path:line`. */
export function placeOf(file: Pick<SourceFile, 'path' | 'ast'>, node: ts.Node): string {
  return `${file.path}:${file.ast.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

function importsOf(path: string, ast: ts.SourceFile): Import[] {
  const imports: Import[] = [];
  const add = (node: ts.Node | undefined, isDynamic: boolean, isType = false) => {
    if (node === undefined || !ts.isStringLiteralLike(node)) return;
    imports.push({ specifier: node.text, target: targetOf(path, node.text), isDynamic, isType });
  };
  for (const node of nodesOf(ast)) {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, false, node.importClause?.isTypeOnly === true);
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, false);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) add(node.argument.literal, false);
    else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      add(node.arguments[0], true);
  }
  return imports;
}

function targetOf(importer: string, specifier: string): string | null {
  const path = specifier.startsWith('#contract/')
    ? posix.join('contract/src', specifier.slice('#contract/'.length))
    : specifier.startsWith('.')
      ? posix.join(dirname(importer), specifier)
      : null;
  if (path === null) return null;
  const bare = path.split('?')[0] ?? path;
  return [bare, `${bare}.ts`, `${bare}.tsx`].find((candidate) => isFile(candidate)) ?? bare;
}

function isFile(path: string): boolean {
  const full = join(projectRoot, path);
  return existsSync(full) && statSync(full).isFile();
}

/** The groups of files that import each other in a cycle (strongly connected components of two files or more). */
export function cyclesOf(files: { path: string; imports: string[] }[]): string[][] {
  const imports = new Map(files.map((file) => [file.path, file.imports]));
  const reachable = (from: string) => {
    const seen = new Set<string>();
    const queue = [...(imports.get(from) ?? [])];
    for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
      if (seen.has(path)) continue;
      seen.add(path);
      queue.push(...(imports.get(path) ?? []));
    }
    return seen;
  };
  const circular = new Map([...imports.keys()].map((path) => [path, reachable(path)] as const));
  const groups = new Map<string, string[]>();
  for (const [path, seen] of circular) {
    if (!seen.has(path)) continue;
    const group = [...seen].filter((other) => circular.get(other)?.has(path)).sort();
    groups.set(group.join(), group);
  }
  return [...groups.values()];
}
