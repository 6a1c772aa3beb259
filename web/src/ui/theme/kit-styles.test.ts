import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = resolve(import.meta.dirname, '../..');
const kit = resolve(source, '../../node_modules/@mantine/core');
const components = join(kit, 'esm/components');

const sourceFiles = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
  .map((name) => join(source, name));

/** Styles of parts that a component could render but never does here. */
const neverDrawn: Record<string, readonly string[]> = {
  NativeSelect: ['CloseButton', 'Combobox'],
  PasswordInput: ['CloseButton'],
  TextInput: ['CloseButton'],
  Textarea: ['CloseButton'],
};

const read = (file: string) => readFileSync(file, 'utf8');

/** The Mantine stylesheets that one of its modules needs, found by following its imports. */
function stylesOf(file: string, seen: Set<string>): string[] {
  if (seen.has(file) || !existsSync(file)) return [];
  seen.add(file);
  const style = /([A-Za-z]+)\.module\.mjs$/.exec(file)?.[1];
  if (style !== undefined) return [style];
  const imports = [...read(file).matchAll(/from "(\.[^"]+)"/g)].map(([, path]) => resolve(dirname(file), path ?? ''));
  return imports.flatMap((path) => stylesOf(path, seen));
}

function kitImports(file: string): string[] {
  const statements = read(file).matchAll(/import \{([^}]+)\} from '@mantine\/core'/g);
  return [...statements]
    .flatMap(([, names]) => (names ?? '').split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

function needed(files: string[]): string[] {
  const parts = files.flatMap(kitImports).filter((name) => existsSync(join(components, name, `${name}.mjs`)));
  const styles = parts.flatMap((name) =>
    stylesOf(join(components, name, `${name}.mjs`), new Set()).filter((style) => !neverDrawn[name]?.includes(style)),
  );
  return [...new Set(styles)].sort();
}

/** The Mantine styles that these files import. */
function listed(files: string[]): string[] {
  return files.flatMap((file) => [...read(file).matchAll(/styles\/(\w+)\.layer\.css/g)].map(([, name]) => name ?? ''));
}

const isAdminPage = (file: string) => /\/admin\/\w+\//.test(file) || file.endsWith('/AdminLayout.tsx');
const isNever = () => false;

/** Our files that are reached from `roots` by static and lazy imports, except those for which `isStop` is true. */
function reach(roots: string[], isStop: (file: string) => boolean = isNever): string[] {
  const reached = new Set<string>();
  const queue = [...roots];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file) || !sourceFiles.includes(file) || isStop(file)) continue;
    reached.add(file);
    const base = dirname(file);
    const imports = [...read(file).matchAll(/(?:from |import |import\()'(\.[^']+)'/g)];
    queue.push(...imports.map(([, path]) => resolve(base, path ?? '')));
  }
  return [...reached];
}

describe("Mantine's styles, imported component by component", () => {
  const sharedFiles = reach([join(source, 'main.tsx')], isAdminPage);
  const adminFiles = reach(sourceFiles.filter(isAdminPage));
  const sharedStyles = listed(sharedFiles);
  const forAdmins = [...listed([join(source, 'ui/theme/kit-styles.ts')]), ...listed(adminFiles)];

  it('include all components used outside the staff area', () => {
    expect(needed(sharedFiles).filter((name) => !sharedStyles.includes(name))).toEqual([]);
  });

  it('include all components used in the staff area', () => {
    expect(needed(adminFiles).filter((name) => !forAdmins.includes(name))).toEqual([]);
  });

  it('exist and are imported once', () => {
    const all = listed(sourceFiles);
    expect(all.filter((name) => !existsSync(join(kit, 'styles', `${name}.layer.css`)))).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
  });

  it('use only colours from our theme', () => {
    const hues = sourceFiles.flatMap((file) => [...read(file).matchAll(/\bcolor="(\w+)/g)].map(([, hue]) => hue));
    expect(
      hues.filter((hue) => !['heartwood', 'moss', 'honey', 'dusk', 'gray', 'dark', 'currentColor'].includes(hue ?? '')),
    ).toEqual([]);
  });
});
