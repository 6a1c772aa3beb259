import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSources } from '../../../../scripts/import-graph.ts';

/** How far an area may be above its limit, and below it before the limit has to be lowered. */
const above = 200;
const below = 1000;
const reasonMin = 20;

/** The areas with their limits. Each is a folder without those of its subfolders that are areas themselves. */
function limitsIn(text: string): Map<string, number> {
  const limits = new Map<string, number>();
  for (const row of text.trimEnd().split('\n')) {
    if (row.startsWith('#')) continue;
    const [, area = '', sign, lines, reason = ''] = /^(\S+) (\+?)(\d+)(?: (.+))?$/.exec(row) ?? [];
    const known = limits.get(area);
    const isRaise = sign === '+' && known !== undefined && reason.length >= reasonMin;
    const isFirst = sign === '' && known === undefined && reason === '';
    if (!isRaise && !isFirst) throw new Error(`Neither an area with its lines nor a raise with its reason: ${row}`);
    limits.set(area, (known ?? 0) + Number(lines));
  }
  return limits;
}

/** Lines that are neither blank nor only a comment. */
const codeLines = (text: string) => text.split('\n').filter((line) => !/^\s*(\/\/|\/?\*|$)/.test(line)).length;

const areaOf = (path: string, areas: readonly string[]) =>
  areas.filter((area) => path.startsWith(`${area}/`)).toSorted((one, other) => other.length - one.length)[0];

const limits = limitsIn(readFileSync(join(import.meta.dirname, 'code-lines.txt'), 'utf8'));
const product = readSources(['contract/src', 'server/src', 'web/src', 'web/worker']).filter(
  ({ path }) => !/\.test\.tsx?$|\/test\/|\/generated\//.test(path),
);
const byArea = Map.groupBy(product, ({ path }) => areaOf(path, [...limits.keys()]) ?? path);

describe('the code lines of the product', () => {
  it('all belong to an area of code-lines.txt', () => {
    expect([...byArea.keys()].toSorted()).toEqual([...limits.keys()].toSorted());
  });

  it.each([...limits])('in %s are near their limit of %s, which is raised only with a reason', (area, limit) => {
    const count = (byArea.get(area) ?? []).reduce((sum, { text }) => sum + codeLines(text), 0);
    expect(count, 'Remove code, or add a row with the raise and its reason').toBeLessThanOrEqual(limit + above);
    expect(count, 'Well done! Lower the limit').toBeGreaterThanOrEqual(limit - below);
  });

  it('are counted without blank lines and comments', () => {
    expect(codeLines('/** a\n * b\n */\nconst a = 1; // c\n\n  // d\n{/* e */}\n')).toBe(2);
  });

  it.each(['a 20 because it is', 'a +20', 'a +20 too short', 'b +20 because there is no area b yet', 'a 30'])(
    'have no limit of the form %s',
    (row) => {
      expect(() => limitsIn(`# about\na 10\n${row}\n`)).toThrow(row);
    },
  );
});
