import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import { uploadPicture } from '#contract/media.ts';
import { selfieShots } from '#contract/photo-verification.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { draw, plainPng, sendFile } from '../../../../test/pictures.ts';
import { answerOf } from './decode.ts';

const app = startAppForTests();

describe('decoding', () => {
  let member: TestMember;

  beforeAll(async () => {
    member = await makeMember(app);
  });

  /** Unusual pictures that phones produce, and the size at which they are stored. */
  const ofPhones: [string, () => Promise<Buffer>, { width: number; height: number }?][] = [
    ['a JPEG of 200 megapixels', () => plainJpeg(16_320, 12_240), { width: 1280, height: 960 }],
    [
      'a JPEG of 50 megapixels, upright by its EXIF',
      () => plainJpeg(8160, 6144, (image) => image.withMetadata({ orientation: 6 })),
      { width: 1280, height: 1700 },
    ],
    ['a JPEG followed by a video', async () => Buffer.concat([await draw(), video])],
    ['a JPEG with a further picture after it', async () => Buffer.concat([await draw(), await draw(), video])],
    ['a JPEG followed by a video, with a scan header that decoders warn of', async () => sloppyScan(await draw())],
    [
      'a PNG of 16 bits',
      async () =>
        sharp(await draw())
          .toColourspace('rgb16')
          .png()
          .toBuffer(),
    ],
    [
      'an AVIF of 10 bits',
      async () =>
        sharp(await draw())
          .toColourspace('rgb16')
          .avif({ bitdepth: 10, effort: 0 })
          .toBuffer(),
    ],
    [
      'a JPEG in Display P3',
      async () =>
        sharp(await draw())
          .withIccProfile('p3')
          .jpeg()
          .toBuffer(),
    ],
  ];

  /** The first bytes of an MP4, followed by enough bytes to look like one. */
  const video = Buffer.concat([Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'), Buffer.alloc(5000, 0x55)]);

  /**
   * A grey JPEG of any size that needs no drawing: with the standard tables, 16 × 16 pixels of the same grey are always the same four bytes.
   */
  async function plainJpeg(width: number, height: number, change = (image: Sharp) => image): Promise<Buffer> {
    const create = { width: 16, height: 16, channels: 3, background: '#808080' } as const;
    const small = await change(sharp({ create })).jpeg({ optimiseCoding: false }).toBuffer();
    const jpeg = withSize(small, width, height);
    const scan = jpeg.lastIndexOf(Buffer.from([0xff, 0xda]));
    const blocks = Math.ceil(width / 16) * Math.ceil(height / 16);
    return Buffer.concat([
      jpeg.subarray(0, scan + 2 + jpeg.readUInt16BE(scan + 2)),
      Buffer.alloc(4 * blocks, Buffer.from([0x28, 0xa2, 0x8a, 0x00])),
      Buffer.from([0xff, 0xd9]),
    ]);
  }

  /** The JPEG with another size in its header. */
  function withSize(jpeg: Buffer, width: number, height: number): Buffer {
    const changed = Buffer.from(jpeg);
    const frame = Math.max(...[0xc0, 0xc2].map((marker) => jpeg.indexOf(Buffer.from([0xff, marker, 0, 17, 8]))));
    changed.writeUInt16BE(height, frame + 5);
    changed.writeUInt16BE(width, frame + 7);
    return changed;
  }

  /**
   * A JPEG as some phones write it: the header of the scan has 0 as its last coefficient, and a video follows. Decoders warn and continue.
   */
  function sloppyScan(jpeg: Buffer): Buffer {
    const bytes = Buffer.concat([jpeg, video]);
    const scan = bytes.indexOf(Buffer.from([0xff, 0xda]));
    bytes[scan + 2 + bytes.readUInt16BE(scan + 2) - 2] = 0;
    return bytes;
  }

  describe('POST /uploads with a picture from a phone', () => {
    it.each(ofPhones)('accepts %s', async (_what, make, size = { width: 320, height: 400 }) => {
      const { status, body } = await sendFile(app, member, { bytes: await make() });
      expect([status, body.data.width, body.data.height]).toEqual([201, size.width, size.height]);
    });
  });

  /** A JPEG whose header claims another size. With `split`, it has a separate scan for its first colour. */
  async function claiming(
    width: number,
    height: number,
    { progressive = false, isSplit = false } = {},
  ): Promise<Buffer> {
    const drawn = await sharp(await draw())
      .jpeg({ progressive })
      .toBuffer();
    const jpeg = withSize(drawn, width, height);
    if (!isSplit) return jpeg;
    const scan = jpeg.indexOf(Buffer.from([0xff, 0xda]));
    const ofFirstColour = Buffer.from([0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0]);
    return Buffer.concat([jpeg.subarray(0, scan), ofFirstColour, jpeg.subarray(scan + 14)]);
  }

  /** An AVIF whose header claims another size. */
  async function avifClaiming(width: number, height: number): Promise<Buffer> {
    const avif = await sharp(await draw())
      .avif({ effort: 0 })
      .toBuffer();
    const extents = avif.indexOf('ispe');
    avif.writeUInt32BE(width, extents + 8);
    avif.writeUInt32BE(height, extents + 12);
    return avif;
  }

  const heic = (...brands: string[]) =>
    Buffer.concat([
      Buffer.from([0, 0, 0, 8 + 4 * brands.length]),
      Buffer.from(`ftyp${brands.join('')}`),
      Buffer.alloc(99),
    ]);

  describe('POST /uploads with a refused picture', () => {
    const tryAgain = 'Make it smaller and try again.';
    const tooLarge = (kind: string, most: number, has: number) =>
      `${kind} can have up to ${most} megapixels. This one has ${has}. ${tryAgain}`;
    const progressive = 'JPEG pictures saved as progressive';
    const isHeic =
      "We can't read HEIC pictures. Choose a JPEG, PNG, WebP or AVIF picture, or take a screenshot of this one.";
    it.each<[string, () => Promise<Buffer> | Buffer, string]>([
      ['of too many pixels', () => claiming(18_000, 18_000), tooLarge('Pictures', 200, 324)],
      ['of slightly too many pixels', () => claiming(16_400, 12_240), tooLarge('Pictures', 200, 201)],
      ['in progressive JPEG', () => claiming(12_000, 9000, { progressive: true }), tooLarge(progressive, 51, 108)],
      [
        'in JPEG with a scan for each colour',
        () => claiming(12_000, 9000, { isSplit: true }),
        tooLarge(progressive, 51, 108),
      ],
      ['in PNG', () => plainPng(12_000, 9000), tooLarge('PNG pictures', 51, 108)],
      ['in AVIF', () => avifClaiming(5000, 5000), tooLarge('AVIF pictures', 16, 25)],
      [
        'that is too small',
        () => draw({ width: 150, height: 300 }),
        'Each side of a picture needs at least 200 pixels. This one has 150 × 300. Choose a larger one.',
      ],
      [
        'that is too narrow',
        () => draw({ width: 1101, height: 250 }),
        'The longer side of a picture can be at most 4 times its shorter side. This one is 4.5 times. Crop it and try again.',
      ],
      ['in HEIC', () => heic('heic', '\0\0\0\0', 'mif1', 'heic'), isHeic],
      ['in HEIC of another brand', () => heic('mif1', '\0\0\0\0', 'heix'), isHeic],
      [
        'of too many bytes',
        () => Buffer.alloc(12_340_000, 7),
        `Files can be up to 10 MB. This one has 12.4 MB. ${tryAgain}`,
      ],
    ])('explains the limit and what to do for a picture %s', async (_what, make, message) => {
      const { error } = await sendFile(app, member, { bytes: await make() });
      expect([error.message, error.errors?.[0]?.msg]).toEqual([message, message]);
    });
  });

  describe('answerOf', () => {
    it('returns "killed" if the answer arrives after the decoder was killed', async () => {
      const decoder = Object.assign(new EventEmitter(), {
        killed: false,
        send: () => true,
        kill() {
          decoder.killed = true;
          return decoder.emit('message', 'an answer');
        },
      });
      const answer = answerOf(decoder as unknown as ChildProcess, Buffer.of(1), { processorMs: 0, clockMs: 1000 });
      expect(await answer).toBe('killed');
    });
  });
});

describe('an upload request', () => {
  let member: TestMember;

  beforeAll(async () => {
    member = await makeMember(app);
  });

  const url = `/api/v1${uploadPicture.path}`;
  const authorization = () => `Bearer ${member.token}`;

  it.each([
    ['JSON', { 'content-type': 'application/json' }, '{"file":"x"}', 415],
    ['a request without a body', {}, undefined, 415],
    ['a form without its boundary', { 'content-type': 'multipart/form-data' }, 'x', 400],
    [
      'a form that never ends',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      400,
    ],
    [
      'a form without a file',
      { 'content-type': 'multipart/form-data; boundary=x' },
      '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\nabc\r\n--x--\r\n',
      400,
    ],
  ])('is rejected with a message: %s', async (_what, headers, payload, status) => {
    const answer = await app.app.inject({
      method: 'POST',
      url,
      headers: { ...headers, authorization: authorization() },
      ...(payload === undefined ? {} : { payload }),
    });
    expect(answer.statusCode).toBe(status);
    expect(answer.json<{ message: string }>().message).toMatch(/\w/);
  });

  it('is rejected if the picture is in another field', async () => {
    expect((await sendFile(app, member, { bytes: await draw(), field: 'picture' })).status).toBe(400);
  });

  it('is not read before the sender is authenticated', async () => {
    const answer = await app.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: 'x',
    });
    expect(answer.statusCode).toBe(401);
  });

  it.each([
    ['a picture', uploadPicture.path],
    ['a photo in a chat', '/matches/{id}/media?kind=picture'],
    ['a voice note', '/matches/{id}/media?kind=voice'],
    ['a selfie', `/photo-verification/{id}/${selfieShots[0]}`],
  ])('is rejected before it arrives if it claims to be too large: %s', async (_what, path) => {
    const claim = () =>
      app.app.inject({
        method: 'POST',
        url: apiBasePath + path.replace('{id}', randomUUID()),
        headers: {
          'content-type': 'multipart/form-data; boundary=XX',
          'content-length': '99999999',
          authorization: authorization(),
        },
        payload: new PassThrough(),
      });
    const answers = await Promise.all(Array.from({ length: 4 }, claim));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([413, 413, 413, 413]);
  });

  it('is rejected by endpoints that take no file', async () => {
    const answer = await app.app.inject({
      method: 'PUT',
      url: '/api/v1/auth/edit-profile',
      headers: { 'content-type': 'multipart/form-data; boundary=x', authorization: authorization() },
      payload: '--x\r\ncontent-disposition: form-data; name="bio"\r\n\r\nabc\r\n--x--\r\n',
    });
    expect(answer.statusCode).toBe(415);
  });
});
