import { describe, expect, it } from 'vitest';
import { openedSize, tooLargeHere, whyUnusable } from './drawing.ts';

describe('the size at which a picture is opened', () => {
  it.each([
    ['12 megapixels', 4032, 3024, { width: 4032, height: 3024 }],
    ['a square as large as the canvas of an iPhone', 4096, 4096, { width: 4096, height: 4096 }],
    ['48 megapixels of an iPhone', 8064, 6048, { width: 4729, height: 3547 }],
    ['50 megapixels of a Pixel', 8160, 6144, { width: 4720, height: 3554 }],
    ['50 megapixels, upright', 6144, 8160, { width: 3554, height: 4720 }],
    ['108 megapixels', 12_000, 9000, { width: 4729, height: 3547 }],
    ['200 megapixels', 16_320, 12_240, { width: 4729, height: 3547 }],
    ['a panorama', 16_382, 3628, { width: 8192, height: 1814 }],
    ['a screenshot of a long page', 1440, 20_000, { width: 589, height: 8192 }],
  ])('is right for %s', (_, width, height, expected) => {
    expect(openedSize({ width, height })).toEqual(expected);
  });

  it.each([
    [18_000, 18_000, 324],
    [16_400, 12_240, 201],
  ])('is not calculated for %s × %s pixels, which are too many', (width, height, megapixels) => {
    expect(() => openedSize({ width, height })).toThrow(
      `Pictures can have up to 200 megapixels. This one has ${megapixels}. Make it smaller, or take a screenshot of it.`,
    );
  });
});

describe('whyUnusable', () => {
  const heic = new File([new Uint8Array([0, 0, 0, 24]), 'ftypheic\0\0\0\0mif1heic', 'pixels'], 'IMG_1.HEIC');

  it.each([
    [
      'that needs more memory than the browser has',
      new File([], 'me.png'),
      tooLargeHere({ width: 12_000, height: 9000 }),
      'This picture has 108 megapixels, which is more than this device can open. Choose a smaller one, or take a screenshot of it.',
    ],
    [
      'in HEIC format that the browser cannot decode',
      heic,
      new Error('EncodingError'),
      "This browser can't open HEIC pictures. Take a screenshot of it and choose that, or set your camera to save JPEG. On an iPhone: Settings, Camera, Formats, Most Compatible.",
    ],
    [
      'that is another kind of file',
      new File(['%PDF'], 'me.jpg'),
      new Error('EncodingError'),
      "This file can't be opened as a picture. Choose a JPEG, PNG or WebP, or take a screenshot of it.",
    ],
  ])('explains what to do with a picture %s', async (_, file, error, text) => {
    expect(await whyUnusable(file, error)).toBe(text);
  });
});
