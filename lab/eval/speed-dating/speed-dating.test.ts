import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../chaos/random.ts';
import { normalFrom } from '../draw.ts';
import { fieldsOf, recordsOf } from './csv.ts';
import { readEvenings } from './evenings.ts';
import { topLift, within } from './measures.ts';
import { measureSpeedDating, type SpeedDatingFigures, speedDatingGates } from './speed-dating.ts';

const interests = ['sports', 'art', 'hiking', 'music'];

/** Evenings whose decisions follow from selectivity, appeal and how much the other likes art, as a CSV. */
function invented(waves: number, perSide: number): string {
  const random = createRandom(8);
  const normal = normalFrom(random);
  const lines = [`iid,gender,wave,order,pid,age,goal,date,go_out,${interests.join(',')},"field, in words",dec`];
  for (let wave = 1; wave <= waves; wave += 1) {
    const guests = Array.from({ length: 2 * perSide }, (_, seat) => ({
      iid: wave * 1000 + seat,
      gender: seat < perSide ? 1 : 0,
      selectivity: normal(),
      appeal: normal(),
      age: Math.round(26 + 3 * normal()),
      goal: 1 + Math.floor(random.next() * 3),
      habits: [1 + Math.floor(random.next() * 7), 1 + Math.floor(random.next() * 7)],
      likes: interests.map(() => 1 + Math.floor(random.next() * 10)),
    }));
    for (const one of guests) {
      for (const [turn, other] of guests.filter(({ gender }) => gender !== one.gender).entries()) {
        const logOdds = -0.3 + one.selectivity + other.appeal + 0.25 * ((other.likes[1] ?? 0) - 5.5);
        const liked = random.next() < 1 / (1 + Math.exp(-logOdds)) ? 1 : 0;
        const own = [one.age, one.goal, ...one.habits, ...one.likes];
        lines.push([one.iid, one.gender, wave, turn, `${other.iid}.0`, ...own, '"law, ""old""', liked].join(','));
      }
    }
  }
  return lines.join('\r\n').replaceAll('""old""', '""old"""');
}

describe('a CSV', () => {
  test('can contain commas, line breaks and quotes in quotes', () => {
    expect(fieldsOf('a,"b, c"\r\n"say ""no""","two\nlines"\n')).toEqual([
      ['a', 'b, c'],
      ['say "no"', 'two\nlines'],
    ]);
    expect(recordsOf('\uFEFFWave,IID\n1,\n\n2,7')).toEqual([
      { wave: '1', iid: '' },
      { wave: '2', iid: '7' },
    ]);
  });

  test('of evenings is read with our column names or the published ones', () => {
    const ours = readEvenings('wave,rater,rated,decision,age\n1,a,b,1,30\n1,b,a,0,\n1,a,gone,1,30\n');
    const published = readEvenings('wave,iid,pid,dec,age\n1,a,b,1,30\n1,b,a,0,\n1,a,gone,1,30\n');
    expect(ours).toEqual(published);
    expect(ours.meetings).toEqual([
      { wave: '1', rater: 0, rated: 1, liked: true, turn: 0 },
      { wave: '1', rater: 1, rated: 0, liked: false, turn: 0 },
    ]);
    expect(ours.guests.map(({ age }) => age)).toEqual([30, null]);
    expect(() => readEvenings('wave,rater,rated\n1,a,b\n')).toThrow('The data have no column decision or dec');
  });
});

describe('measures from the standpoint of a deck', () => {
  const scored = (people: number[], scores: number[], isCase: boolean[]) => ({
    ...{ people, scores, isCase, waves: people.map(() => '1') },
  });

  test('weigh people by their pairs of a yes and a no', () => {
    // The first has one such pair, ordered wrongly; the second four, ordered rightly; the third none.
    const people = [1, 1, 2, 2, 2, 2, 3, 3];
    const isCase = [true, false, true, true, false, false, true, true];
    expect(within(scored(people, [0, 1, 4, 3, 2, 1, 9, 8], isCase))).toBeCloseTo(4 / 5, 12);
  });

  test('count the lift only of people with nine dates or more', () => {
    const many = Array.from({ length: 9 }, (_, index) => index);
    const few = [0, 1, 2, 3];
    const people = [...many.map(() => 1), ...few.map(() => 2)];
    const isCase = [...many.map((index) => index >= 6), ...few.map(() => false)];
    expect(topLift(scored(people, [...many, ...few], isCase))).toBeCloseTo(3, 12);
  });
});

describe('decisions of speed-dating evenings', () => {
  const folder = mkdtempSync(join(tmpdir(), 'heartwood-eval-'));
  const path = join(folder, 'evenings.csv');
  const text = invented(12, 10);
  let figures: SpeedDatingFigures;
  beforeAll(() => {
    writeFileSync(path, text);
    figures = measureSpeedDating(path, undefined, () => undefined);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  test('are predicted better with more information, and are calibrated', () => {
    expect(figures).toMatchObject({ evenings: 12, decisions: 12 * 2 * 10 * 10 });
    expect(figures.sha256).toBe(createHash('sha256').update(text).digest('hex'));
    expect(figures.content.overall).toBeGreaterThan(0.6);
    expect(figures.content.within).toBeGreaterThan(0.6);
    expect(figures.oneSided.overall).toBeGreaterThan(figures.content.overall + 0.05);
    expect(figures.mutual.topLift).toBeGreaterThan(1.3);
    expect(figures.mutual.worstFifth).toBeLessThan(0.1);
    expect(figures.gainOverInterests).toBeGreaterThan(0);
  });

  test('are refused if the file has another checksum', () => {
    expect(() => measureSpeedDating(path, 'f00d', () => undefined)).toThrow('is another file');
  });

  test('pass or fail their gates, or neither without data', () => {
    expect(speedDatingGates(null).map(({ isKept }) => isKept)).toEqual([null, null, null, null, null]);
    const missed = { ...figures, content: { overall: 0.58, within: 0.6 }, gainOverInterests: 0.06 };
    expect(speedDatingGates(missed).map(({ isKept }) => isKept)).toMatchObject({ 0: false, 4: true });
  });
});
