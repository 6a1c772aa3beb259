import sharp from 'sharp';
import { thumbHashToApproximateAspectRatio, thumbHashToAverageRGBA } from 'thumbhash';
import { describe, expect, test } from 'vitest';
import { genders } from '#contract/profiles/profile-details.ts';
import type { Storage } from '../../server/src/features/media/storage/storage.ts';
import { demoMember } from '../members/member.ts';
import { type DemoPicture, demoPictureSvg, demoPlaceholder } from './demo-picture.ts';
import { drawPerson } from './person.ts';
import { demoPictures } from './rows.ts';
import { brightness } from './sheet.ts';
import { withDemoPictures } from './storage.ts';

const portraits = Array.from({ length: 200 }, (_, seed) => wish(seed, 'portrait'));
const places = Array.from({ length: 60 }, (_, seed) => wish(seed, 'place'));

function wish(seed: number, kind: DemoPicture['kind']): DemoPicture {
  return { seed, kind, gender: genders[seed % 4] ?? null, origin: null, age: 18 + ((seed * 7) % 70) };
}

/** Which of two neighbours is brighter, in 8 rows of 9: similar pictures differ in few of these 64 bits. */
async function differenceHash(svg: string): Promise<boolean[]> {
  const small = sharp(Buffer.from(svg), { density: 6 }).greyscale().resize(9, 8, { fit: 'fill' });
  const grey = await small.raw().toBuffer();
  const bits = Array.from({ length: 64 }, (_, i) => Math.floor(i / 8) * 9 + (i % 8));
  return bits.map((at) => (grey[at] ?? 0) < (grey[at + 1] ?? 0));
}

const differing = (one: boolean[], other: boolean[]) => one.filter((bit, i) => bit !== other[i]).length;

describe('demo pictures', () => {
  test('are always the same for the same request', () => {
    const wanted = [...portraits.slice(0, 40), ...places.slice(0, 40)];
    const first = wanted.map(demoPictureSvg);
    expect(wanted.toReversed().map(demoPictureSvg).toReversed()).toEqual(first);
    expect(wanted.map(demoPlaceholder)).toEqual(wanted.map(demoPlaceholder));
  });

  test('become WebP files of 1200 × 1500', async () => {
    for (const wanted of [...portraits.slice(0, 3), ...places.slice(0, 2)]) {
      const file = await sharp(Buffer.from(demoPictureSvg(wanted)))
        .webp()
        .toBuffer();
      expect(await sharp(file).metadata()).toMatchObject({ format: 'webp', width: 1200, height: 1500 });
      expect((await sharp(file).stats()).entropy).toBeGreaterThan(3);
    }
  });

  test('contain only drawings: no text, scripts or external references', () => {
    for (const wanted of [...portraits, ...places]) {
      const svg = demoPictureSvg(wanted);
      const tags = new Set(Array.from(svg.matchAll(/<\/?([a-zA-Z]+)/g), ([, tag]) => tag));
      const drawn = [
        'svg',
        'defs',
        'g',
        'path',
        'ellipse',
        'rect',
        'stop',
        'linearGradient',
        'radialGradient',
        'clipPath',
      ];
      expect([...tags].filter((tag) => !drawn.includes(tag ?? ''))).toEqual([]);
      expect(svg.replaceAll(/<[^<>]*>/g, '')).toBe('');
      expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/href|url\((?!#)|:\/\/|\son[a-z]+=|style=/i);
      expect(svg).not.toMatch(/NaN|undefined|Infinity|null/);
      const ids = new Set(Array.from(svg.matchAll(/id="([^"]+)"/g), ([, id]) => id));
      for (const [, id] of svg.matchAll(/url\(#([^)]+)\)/g)) expect(ids).toContain(id);
    }
  });

  test('show people who look different', async () => {
    const hashes = await Promise.all(portraits.map((wanted) => differenceHash(demoPictureSvg(wanted))));
    const unlikeAll = hashes.filter((hash) => hashes.every((other) => other === hash || differing(hash, other) > 6));
    expect(unlikeAll.length).toBeGreaterThanOrEqual(150);
    expect(new Set([...portraits, ...places].map(demoPictureSvg)).size).toBe(portraits.length + places.length);
  });
});

describe('the placeholders of demo pictures', () => {
  test('are short, upright and close to the picture’s colour', async () => {
    for (const wanted of [...portraits.slice(0, 20), ...places.slice(0, 20)]) {
      const hash = Buffer.from(demoPlaceholder(wanted), 'base64');
      expect(hash.length).toBeLessThanOrEqual(30);
      expect(thumbHashToApproximateAspectRatio(hash)).toBeLessThan(1);
      const { r, g, b } = thumbHashToAverageRGBA(hash);
      const { channels } = await sharp(Buffer.from(demoPictureSvg(wanted)), { density: 6 }).stats();
      for (const [i, channel] of [r, g, b].entries()) {
        expect(Math.abs(channel * 255 - (channels[i]?.mean ?? 0))).toBeLessThan(40);
      }
    }
  });
});

describe('the portraits of demo members', () => {
  const now = new Date('2026-11-29T12:00:00Z');
  const drawn = Array.from({ length: 600 }, (_, number) => {
    const member = demoMember(number, now);
    return demoPictures(number, member, now)
      .slice(0, 1)
      .map((picture) => ({ member, picture }));
  }).flat();

  test('show the stated gender, or that of the first name if none is stated', () => {
    for (const { member, picture } of drawn) expect(picture.gender).toBe(member.gender ?? member.looks.gender);
    expect(drawn.some(({ member }) => member.gender === null)).toBe(true);
  });

  test('have dark eyes and the hair of their age where names from one region say so', () => {
    const fromAsia = drawn.filter(({ picture }) => picture.origin === 'east-asia');
    expect(fromAsia.length).toBeGreaterThan(5);
    for (const { picture } of fromAsia) {
      const person = drawPerson(picture);
      expect(person.hasDarkEyes).toBe(true);
      if (picture.age < 44) expect(brightness(person.hair.base)).toBeLessThan(70);
    }
  });

  test('are also drawn for the keys of earlier demos, which name no origin', async () => {
    const kept = new Map<string, Buffer>();
    const storage = withDemoPictures({
      get: async (key: string) => kept.get(key) ?? null,
      put: async (key: string, bytes: Buffer) => void kept.set(key, bytes),
    } as Storage);
    expect(await storage.get('drawn-p-w-30-00000017.thumbnail')).toBeInstanceOf(Buffer);
  });
});
