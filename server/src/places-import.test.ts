import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { geoNamesLine } from '../test/geonames.ts';
import { cloneDatabase, createTestPool, type TestDatabase } from '../test/harness.ts';
import { readPlaces } from './features/profiles/place/import-places.ts';

let database: TestDatabase;
let pool: pg.Pool;
let folder: string;
beforeAll(async () => {
  database = await cloneDatabase();
  pool = createTestPool(database.url);
  folder = await mkdtemp(join(tmpdir(), 'heartwood-places-'));
});
afterAll(async () => {
  await pool.end();
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Runs the command; returns its output and exit code. */
async function command(args: string[], nodeOptions: string[] = []) {
  const child = spawn(process.execPath, [...nodeOptions, join(import.meta.dirname, 'places-import.ts'), ...args], {
    env: { ...process.env, DATABASE_URL: database.url },
  });
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { code: child.exitCode, said, complained };
}

async function fileOf(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const places = async () => (await pool.query<{ name: string }>('select * from place order by id')).rows;
const placesOf = async (name: string) =>
  (
    await pool.query<{ country: string; latitude: number; longitude: number; population: number }>(
      'select country, latitude, longitude, population from place where name = $1 order by id',
      [name],
    )
  ).rows;

describe('npm run places:import', () => {
  const lines = [
    geoNamesLine({ name: 'Ålesund', population: '44096' }),
    geoNamesLine({ name: 'London', country: 'GB', latitude: '51.50853', longitude: '-0.12574', population: '8961989' }),
    geoNamesLine({
      name: 'New York City',
      others: 'New York,NYC',
      country: 'US',
      latitude: '40.71427',
      longitude: '-74.00597',
    }),
    'half a line',
    geoNamesLine({ name: 'London', country: 'CA', latitude: '42.98339', longitude: '-81.23304', population: '346765' }),
    geoNamesLine({ name: 'Springfield', country: 'US', latitude: '39.80172', longitude: '-89.64371' }),
    geoNamesLine({ name: 'Springfield', country: 'US', latitude: '37.21533', longitude: '-93.29824' }),
    geoNamesLine({ name: 'Galdhøpiggen', kind: 'T', code: 'MT' }),
    geoNamesLine({ name: "L'Aquila \\N; drop table place", country: 'IT', latitude: '42.35', longitude: '13.4' }),
    geoNamesLine({ name: 'Nowhere', latitude: 'north' }),
  ];

  it('adds unknown places, counts the rest and reports broken lines', async () => {
    const { code, said, complained } = await command([await fileOf('towns.txt', lines.join('\r\n'))]);
    expect([code, complained]).toEqual([0, '']);
    expect(said.split('\n')).toEqual([
      'Lines read: 10. Places added: 5, already known: 2, no present-day towns: 1, broken: 2.',
      'Broken: line 4 has too few columns, line 10 has no latitude.',
      expect.stringContaining('CC BY'),
      '',
    ]);
    expect(await placesOf('Ålesund')).toEqual([
      { country: 'Norway', latitude: 62.47, longitude: 6.15, population: 44_096 },
    ]);
    expect(await placesOf('Springfield')).toHaveLength(2);
    expect(await placesOf("L'Aquila \\N; drop table place")).toHaveLength(1);
  });

  it('keeps our own list of places unchanged', async () => {
    expect(await placesOf('London')).toEqual([
      { country: 'United Kingdom', latitude: 51.51, longitude: -0.13, population: 8_866_000 },
      { country: 'Canada', latitude: 42.98339, longitude: -81.23304, population: 346_765 },
    ]);
    expect(await placesOf('New York City')).toEqual([]);
    expect(await places()).toHaveLength(readPlaces().length + 5);
  });

  it('changes nothing when the same file is imported again or a town has moved slightly', async () => {
    const before = await places();
    const path = await fileOf('again.txt', lines.join('\n').replace('62.47', '62.48'));
    const { said } = await command([path]);
    expect(said).toContain('Lines read: 10. Places added: 0, already known: 7,');
    expect(await places()).toEqual(before);
  });

  it('lists only the first ten of many broken lines', async () => {
    const broken = Array.from({ length: 15 }, () => 'x').join('\n');
    const { code, said } = await command([await fileOf('broken.txt', `${geoNamesLine()}\n${broken}\n`)]);
    expect(code).toBe(0);
    expect(said).toMatch(
      /broken: 15\.\nBroken: line 2 has too few columns, .*line 11 has too few columns, and 5 more\.\n/,
    );
  });
});

describe('an invalid import', () => {
  it.each<[string, () => Promise<string[]> | string[], RegExp]>([
    ['no file', () => [], /^Use: npm run places:import -- FILE/],
    ['two files', () => ['one.txt', 'two.txt'], /^Use: /],
    ['an option', () => ['--force'], /^Use: /],
    [
      'a missing file',
      () => [join(folder, 'nowhere.txt')],
      /nowhere\.txt cannot be imported: there is no such file\.$/,
    ],
    ['a folder', () => [folder], /cannot be imported: it is a folder\.$/],
    ['an empty file', async () => [await fileOf('empty.txt', '')], /^This is not a GeoNames dump/],
    [
      'a table with commas',
      async () => [await fileOf('t.csv', 'name,country\nOslo,Norway\n')],
      /^This is not a GeoNames dump/,
    ],
    [
      'an archive',
      async () => [
        await fileOf('towns.zip', Buffer.concat([Buffer.from('PK\u0003\u0004'), Buffer.alloc(3_000_000, 7)])),
      ],
      /^This is not a GeoNames dump.*unpacked.*Nothing was changed\.$/,
    ],
    [
      'a long text',
      async () => [await fileOf('long.txt', `${'words\n'.repeat(1500)}${geoNamesLine({ name: 'Hidden' })}\n`)],
      /^This is not a GeoNames dump/,
    ],
  ])('is refused with a message and changes nothing: %s', async (_what, args, words) => {
    const before = await places();
    const { code, said, complained } = await command(await args());
    expect([code, said]).toEqual([1, '']);
    expect(complained.trim()).toMatch(words);
    expect(complained.trim().split('\n')).toHaveLength(1);
    expect(await places()).toEqual(before);
  });
});

it('npm run places:import imports 200,000 lines without using much memory', async () => {
  const path = join(folder, 'many.txt');
  const file = createWriteStream(path);
  const others = 'Одно имя,另一个名字,اسم آخر,'.repeat(8);
  for (let row = 0; row < 200_000; row += 1) {
    const latitude = String((row % 1300) / 10 - 60);
    const longitude = String(Math.floor(row / 1300) * 2 - 170);
    if (!file.write(`${geoNamesLine({ name: `Town ${row}`, others, latitude, longitude })}\n`))
      await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
  const { code, said } = await command([path], ['--max-old-space-size=40', '--max-semi-space-size=1']);
  expect(said).toContain('Lines read: 200,000. Places added: 200,000,');
  expect(code).toBe(0);
});
