import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { projectRoot } from '../launcher/command.ts';

const notOurs = new Set(['node_modules', 'dist', '.vite', '.git', '.data', '.bench-data', 'coverage', 'backups']);

/** The matching files below folders of the project, as paths with forward slashes, without built and installed files. */
export function filesBelow(folders: readonly string[], pattern: RegExp, root = projectRoot): string[] {
  const walk = (folder: string): string[] =>
    readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      if (notOurs.has(entry.name)) return [];
      const path = posix.join(folder, entry.name);
      return entry.isDirectory() ? walk(path) : [path];
    });
  return folders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap(walk)
    .filter((path) => pattern.test(path))
    .sort();
}

/** One import, static or lazy; `target` is the path of our file from the project's folder, or null for a package. */
export interface Import {
  specifier: string;
  target: string | null;
  isLazy: boolean;
  /** Whether it imports only types, which are not loaded. */
  isType: boolean;
}

const statement = /^(?:import|export)(\stype)?\s(?:[^'"`;]*?\sfrom\s)?\s*'([^']+)'|\bimport\(\s*'([^']+)'/gm;

/** What a source imports, types included. */
export function importsOf(path: string, text: string): Import[] {
  return [...text.matchAll(statement)].map(([, type, fixed, lazy]) => {
    const specifier = fixed ?? lazy ?? '';
    return {
      specifier,
      target: targetOf(path, specifier),
      isLazy: lazy !== undefined,
      isType: type !== undefined,
    };
  });
}

function targetOf(importer: string, specifier: string): string | null {
  const [path = ''] = specifier.split('?');
  if (path.startsWith('#contract/')) return posix.join('contract/src', path.slice('#contract/'.length));
  if (path.startsWith('#platform/')) return posix.join('server/src/platform', path.slice('#platform/'.length));
  return path.startsWith('.') ? posix.join(dirname(importer), path) : null;
}

/** The TypeScript sources below folders, with what they import. */
export const readSources = (folders: readonly string[], root = projectRoot) =>
  filesBelow(folders, /\.tsx?$/, root).map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    return { path, text, imports: importsOf(path, text) };
  });

/** The groups of files that import each other in a cycle, including by lazy imports and types (strongly connected components, by Tarjan). */
export function cyclesOf(files: readonly { path: string; imports: readonly Import[] }[]): string[][] {
  const targets = new Map(files.map(({ path, imports }) => [path, imports.flatMap(({ target }) => target ?? [])]));
  const order = new Map<string, { index: number; low: number; isOpen: boolean }>();
  const open: string[] = [];
  const groups: string[][] = [];
  const visit = (path: string) => {
    const node = { index: order.size, low: order.size, isOpen: true };
    order.set(path, node);
    open.push(path);
    for (const target of targets.get(path) ?? []) {
      if (!targets.has(target)) continue;
      const known = order.get(target) ?? visit(target);
      if (known.isOpen) node.low = Math.min(node.low, known.low);
    }
    if (node.low === node.index) {
      const group = open.splice(open.indexOf(path));
      for (const one of group) Object.assign(order.get(one) ?? {}, { isOpen: false });
      if (group.length > 1) groups.push(group.sort());
    }
    return node;
  };
  for (const path of targets.keys()) if (!order.has(path)) visit(path);
  return groups;
}
