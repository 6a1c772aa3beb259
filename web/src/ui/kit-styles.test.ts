import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const source = resolve(import.meta.dirname, '..');
const kit = resolve(source, '../../node_modules/@mantine/core');
const components = join(kit, 'esm/components');

const sourceFiles = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name) && !name.includes('.test.'))
  .map((name) => join(source, name));

/** Styles of parts that a component can draw but, as it is used here, never does. */
const neverDrawn: Record<string, readonly string[]> = {
  Checkbox: ['CheckboxCard', 'CheckboxIndicator'],
  NativeSelect: ['CloseButton', 'Combobox'],
  PasswordInput: ['CloseButton'],
  TextInput: ['CloseButton'],
  Textarea: ['CloseButton'],
};

const read = (file: string) => readFileSync(file, 'utf8');

/** The kit's stylesheets that one of its modules needs, by following its imports. */
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

function listed(file: string): string[] {
  return [...read(join(source, file)).matchAll(/styles\/(\w+)\.layer\.css/g)].map(([, name]) => name ?? '');
}

/** Files reached from `roots` by static and lazy imports of ours. */
function reach(roots: string[]): Set<string> {
  const reached = new Set<string>();
  const queue = [...roots];
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (reached.has(file) || !sourceFiles.includes(file)) continue;
    reached.add(file);
    const base = dirname(file);
    queue.push(...[...read(file).matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, path]) => resolve(base, path ?? '')));
  }
  return reached;
}

const isAdminPage = (file: string) => file.includes('/admin/pages/') || file.endsWith('/AdminLayout.tsx');
const everybodys = ['src/member', 'src/ui', 'src/features/auth']
  .map((folder) => resolve(source, '..', folder))
  .flatMap((folder) => sourceFiles.filter((file) => file.startsWith(folder)))
  .concat(join(source, 'admin/LoginPage.tsx'));

describe("the kit's styles, imported part by part", () => {
  const forEverybody = listed('ui/kit-styles.ts');
  const forAdmins = listed('admin/admin-kit-styles.ts');

  it('are there for every part that pages outside the administrators’ area use', () => {
    expect(needed([...reach(everybodys)]).filter((name) => !forEverybody.includes(name))).toEqual([]);
  });

  it('are there for every part that administrators’ pages use', () => {
    const files = [...reach(sourceFiles.filter(isAdminPage))];
    expect(needed(files).filter((name) => ![...forEverybody, ...forAdmins].includes(name))).toEqual([]);
  });

  it('exist, and none is listed twice', () => {
    const all = [...forEverybody, ...forAdmins];
    expect(all.filter((name) => !existsSync(join(kit, 'styles', `${name}.layer.css`)))).toEqual([]);
    expect(new Set(all).size).toBe(all.length);
  });
});
