import { globSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Left and right in style sheets, and in the style props of components. */
const physical: Record<string, RegExp> = {
  '.css': /(margin|padding|border)-(left|right)|^\s*(left|right|float):|text-align: (left|right)/,
  '.tsx': /\s[mp][lr]=|(margin|padding)(Left|Right)/,
};
/** The labels of a card that is swiped, where right is like in both directions. */
const intended = [
  'src/features/discovery/deck/deck.module.css: left: 1.1rem;',
  'src/features/discovery/deck/deck.module.css: right: 1.1rem;',
];

it('all styles follow the reading direction', () => {
  const files = globSync('{src,landing}/**/*.{css,tsx}', { cwd: root, exclude: ['**/*.test.*'] });
  const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n');
  const found = files.flatMap((file) =>
    linesOf(file).flatMap((line) => (physical[extname(file)]?.test(line) ? [`${file}: ${line.trim()}`] : [])),
  );
  expect(found).toEqual(intended);
});
