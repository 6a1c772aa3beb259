import { describe, expect, it } from 'vitest';
import { drawnName, drawnSize, firstFraming, framed, mostZoom, partOf, wholeOf } from './crop.ts';

const upright = { width: 1200, height: 1600 };
const lying = { width: 3000, height: 1000 };

describe('the framed part of a picture', () => {
  it.each([upright, lying, { width: 400, height: 500 }])(
    'has the shape of a card and is as large as possible at first (%o)',
    (size) => {
      const part = partOf(size, firstFraming(size));
      expect(part.width / part.height).toBeCloseTo(0.8);
      expect(part.width === size.width || part.height === size.height).toBe(true);
      expect(part.x).toBeGreaterThanOrEqual(0);
      expect(part.x + part.width).toBeLessThanOrEqual(size.width);
    },
  );

  it('starts above the middle of a portrait picture', () => {
    const { y, height } = partOf(upright, firstFraming(upright));
    expect(y).toBeLessThan((upright.height - height) / 2);
  });

  it('stays inside the picture', () => {
    expect(partOf(upright, framed(upright, { x: -500, y: 9000, zoom: 2 }))).toEqual({
      x: 0,
      y: 1600 - 750,
      width: 600,
      height: 750,
    });
  });

  it('cannot be zoomed in so far that a card would be blurred', () => {
    expect(mostZoom(upright)).toBe(3);
    expect(mostZoom({ width: 300, height: 300 })).toBe(1);
    expect(mostZoom({ width: 8000, height: 10_000 })).toBe(5);
    expect(framed(upright, { x: 600, y: 800, zoom: 99 }).zoom).toBe(3);
    expect(framed(upright, { x: 600, y: 800, zoom: 0.1 }).zoom).toBe(1);
  });
});

describe('the uploaded picture', () => {
  it('is at most 2048 pixels long and never enlarged', () => {
    expect(drawnSize(wholeOf({ width: 4000, height: 3000 }))).toEqual({ width: 2048, height: 1536 });
    expect(drawnSize(wholeOf(upright))).toEqual(upright);
  });

  it.each([
    ['IMG_0001.HEIC', 'IMG_0001.jpg'],
    ['me.and.you.png', 'me.and.you.jpg'],
    ['picture', 'picture.jpg'],
    [`${'ä'.repeat(200)}.webp`, `${'ä'.repeat(58)}.jpg`],
  ])('made from the file %s is called %s', (name, drawn) => {
    expect(drawnName(name)).toBe(drawn);
  });
});
