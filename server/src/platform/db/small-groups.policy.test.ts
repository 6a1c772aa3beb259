import { describe, expect, it } from 'vitest';
import { randomOf } from '../../../test/random.ts';
import { groupsShown } from './small-groups.policy.ts';

const dimensions = ['gender', 'age', 'country'] as const;
type Name = (typeof dimensions)[number];
type Cell = Record<Name, string> & { people: number };
const combinations: Name[][] = [['gender'], ['age'], ['country'], ['gender', 'age'], ['gender', 'country']];

const peopleIn = (cells: readonly Cell[]) => cells.reduce((sum, { people }) => sum + people, 0);
const shownOf = (cells: readonly Cell[], tables = combinations) =>
  groupsShown(tables.map((names) => ({ names, rows: cells, peopleIn })));

describe('the hidden groups of one dimension', () => {
  it.each([
    ['none, if each has enough people', { a: 10, b: 200 }, []],
    ['one with too few and the next smallest, because the total is shown', { a: 9, b: 30, c: 200 }, ['a', 'b']],
    ['those with too few alone, if together they are enough', { a: 4, b: 6, c: 200 }, ['a', 'b']],
    ['the only one, if it has too few', { a: 3 }, ['a']],
    ['two of two, if one has too few', { a: 3, b: 90 }, ['a', 'b']],
    ['none without anyone', { a: 0, b: 12 }, []],
  ])('are %s', (_, people, hidden) => {
    const cells = Object.entries(people).map(([gender, of]) => ({ gender, age: '', country: '', people: of }));
    const isShown = shownOf(cells);
    expect(cells.filter((cell) => !isShown(['gender'], cell)).map(({ gender }) => gender)).toEqual(hidden);
  });
});

describe('the groups of two dimensions', () => {
  const cell = (gender: string, age: string, people: number): Cell => ({ gender, age, country: '', people });

  it('hide two ages of each gender if one group is too small', () => {
    const cells = [
      ...[cell('woman', '18-25', 3), cell('man', '18-25', 20)],
      ...[cell('woman', '26-35', 40), cell('man', '26-35', 30)],
      ...[cell('woman', '36-45', 50), cell('man', '36-45', 60)],
      ...[cell('woman', '46-55', 60), cell('man', '46-55', 60)],
    ];
    const isShown = shownOf(cells);
    const ages = cells.filter((one) => isShown(['gender', 'age'], one)).map(({ age }) => age);
    expect(ages).toEqual(['36-45', '36-45', '46-55', '46-55']);
    expect(cells.map((one) => isShown(['gender'], one) && isShown(['age'], one))).not.toContain(false);
  });

  it('are hidden for combinations without a table', () => {
    const cells = [cell('woman', '18-25', 30), cell('man', '18-25', 30)];
    expect(shownOf(cells)(['gender', 'country'], { gender: 'woman', age: '*', country: '' })).toBe(true);
    expect(shownOf(cells)(['age', 'country'], { gender: '*', age: '18-25', country: '' })).toBe(false);
  });
});

/** A random table of three genders, three ages and two countries, in which some cells have no one and some too few. */
function randomCells(seed: number): Cell[] {
  const random = randomOf(seed);
  return ['a', 'b', 'c'].flatMap((gender) =>
    ['x', 'y', 'z'].flatMap((age) =>
      ['1', '2'].map((country) => {
        const people = random.chance(0.2) ? 0 : random.below(random.chance(0.4) ? 12 : 60);
        return { gender, age, country, people };
      }),
    ),
  );
}

/** Vectors that are orthogonal to all rows: a set of cells is a sum of rows exactly if it is orthogonal to each of them. */
function complementOf(rows: readonly number[][]): number[][] {
  const width = rows[0]?.length ?? 0;
  const pivots: { column: number; row: number[] }[] = [];
  for (const given of rows) {
    let row = given;
    const without = (from: number[], { column, row: pivot }: (typeof pivots)[number]) =>
      from.map((value, at) => value - (from[column] ?? 0) * (pivot[at] ?? 0));
    for (const pivot of pivots) row = without(row, pivot);
    const column = row.findIndex((value) => Math.abs(value) > 1e-9);
    if (column < 0) continue;
    const scaled = row.map((value) => value / (row[column] ?? 1));
    for (const pivot of pivots) pivot.row = without(pivot.row, { column, row: scaled });
    pivots.push({ column, row: scaled });
  }
  const isPivot = new Set(pivots.map(({ column }) => column));
  return Array.from({ length: width }, (_, free) => free)
    .filter((free) => !isPivot.has(free))
    .map((free) => {
      const vector = Array.from({ length: width }, (_, at) => Number(at === free));
      for (const { column, row } of pivots) vector[column] = -(row[free] ?? 0);
      return vector;
    });
}

/** All sets of cells whose number of people can be derived from the answers, by adding and subtracting them in any way. */
function derivableSets(cells: readonly Cell[], answers: readonly number[][]): { set: number; people: number }[] {
  const complement = complementOf(answers);
  const sums = complement.map(() => 0);
  const found: { set: number; people: number }[] = [];
  let people = 0;
  // In the order of the Gray code, each set differs from the one before in one cell.
  for (let step = 1; step < 2 ** cells.length; step += 1) {
    const set = step ^ (step >> 1);
    const at = 31 - Math.clz32(step & -step);
    const sign = (set >> at) & 1 ? 1 : -1;
    people += sign * (cells[at]?.people ?? 0);
    for (const [index, vector] of complement.entries()) sums[index] = (sums[index] ?? 0) + sign * (vector[at] ?? 0);
    if (sums.every((sum) => Math.abs(sum) < 1e-6)) found.push({ set, people });
  }
  return found;
}

/**
 * The numbers of people that can be derived from the answers, even by readers who know which cells are empty because that can be derived
 * too.
 */
function derivable(all: readonly Cell[], tables = combinations): number[] {
  const isShown = shownOf(all, tables);
  const groups = tables.flatMap((names) =>
    all
      .filter((cell) => isShown(names, cell))
      .map((cell) => (one: Cell) => names.every((name) => one[name] === cell[name])),
  );
  let cells = all;
  for (;;) {
    const answers = [cells.map(() => 1), ...groups.map((isIn) => cells.map((one) => Number(isIn(one))))];
    const sets = derivableSets(cells, answers);
    const empty = sets.reduce((known, { set, people }) => (people === 0 ? known | set : known), 0);
    if (empty === 0) return sets.map(({ people }) => people);
    cells = cells.filter((_, at) => ((empty >> at) & 1) === 0);
  }
}

const few = (numbers: readonly number[]) => numbers.filter((people) => people > 0 && people < 10);

describe('the figures of random members', () => {
  const seeds = Array.from({ length: 40 }, (_, seed) => seed).filter((seed) => peopleIn(randomCells(seed)) >= 10);

  it.each(seeds)(
    'reveal nothing about fewer than ten people, even when they are added or subtracted (seed %i)',
    (seed) => {
      expect(few(derivable(randomCells(seed)))).toEqual([]);
    },
  );

  it('are all shown if each cell has enough people', () => {
    const cells = randomCells(1).map((cell) => ({ ...cell, people: cell.people + 10 }));
    const isShown = shownOf(cells);
    for (const names of combinations)
      expect(
        cells.map((cell) => isShown(names, cell)),
        names.join(),
      ).not.toContain(false);
  });

  it('would reveal small groups if ages and countries were also combined', () => {
    const cells = ['a', 'b'].flatMap((gender) =>
      ['x', 'y'].flatMap((age) => ['1', '2'].map((country) => ({ gender, age, country, people: 20 }))),
    );
    for (const at of [0, 7]) cells[at] = { ...(cells[at] as Cell), people: 2 };
    expect(few(derivable(cells))).toEqual([]);
    expect(few(derivable(cells, [...combinations, ['age', 'country']]))).toContain(4);
  });
});
