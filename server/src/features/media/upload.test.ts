import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import type { ErrorBody } from '#contract/error-body.ts';
import { uploadPicture } from '#contract/media.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startApp, startAppForTests } from '../../../test/harness.ts';
import { draw, formOf, plainPng, sendFile, type SentFile } from '../../../test/pictures.ts';
import { startDecoder } from './decoding/decode.ts';
import { makePicture } from './image.ts';

const test = startAppForTests();
let member: TestMember;
beforeAll(async () => {
  member = await makeMember(test);
});

const bytesAt = async (address: string) => {
  const response = await test.app.inject({ url: address });
  expect(response.statusCode).toBe(200);
  return response;
};

const withPlaces = async () =>
  sharp(await draw({ width: 400, height: 300 }))
    .withExif({
      IFD0: { Artist: 'CANARYARTIST', ImageDescription: 'CANARYDESCRIPTION' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '50/1 5/1 0/1', GPSLongitudeRef: 'E', GPSLongitude: '14/1 25/1 0/1' },
    })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><!--CANARYXMP--></x:xmpmeta>')
    .jpeg()
    .toBuffer();

describe('an upload', () => {
  it('is re-encoded as WebP in two sizes with a placeholder, and has an address for its owner only', async () => {
    const { status, body } = await sendFile(test, member, {
      bytes: await draw({ width: 2000, height: 2500 }),
      name: 'C:\\pictures\\..\\..\\me at the lake.jpg',
    });
    expect(status).toBe(201);
    const { data } = body;
    expect(data).toMatchObject({ mimeType: 'image/webp', width: 1280, height: 1600, name: 'me at the lake.jpg' });
    expect(data.publicId).toMatch(/^[\w-]{22}$/);
    expect(Buffer.from(data.placeholder, 'base64').length).toBeLessThan(40);
    const large = await bytesAt(data.url);
    expect(large.headers).toMatchObject({
      'content-type': 'image/webp',
      'content-disposition': 'inline',
      'x-content-type-options': 'nosniff',
    });
    expect(large.headers['cache-control']).toMatch(/^private, max-age=\d+, immutable$/);
    expect(large.rawPayload.length).toBe(data.size);
    expect(await sharp(large.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 1280, height: 1600 });
    const small = await bytesAt(data.thumbnailUrl);
    expect(await sharp(small.rawPayload).metadata()).toMatchObject({ format: 'webp', width: 400, height: 500 });
  });

  it.each([
    [false, [...Array<number>(10).fill(201), 422]],
    [true, Array<number>(11).fill(201)],
  ])('is one of at most ten until the address is confirmed (%s)', async (verified, statuses) => {
    const joiner = await makeMember(test, { verified, pictureless: true });
    const bytes = await draw({ width: 300, height: 300 });
    const got = [];
    for (const _ of statuses) got.push((await sendFile(test, joiner, { bytes })).status);
    expect(got).toEqual(statuses);
  });

  it('is never enlarged', async () => {
    const { body } = await sendFile(test, member, { bytes: await draw({ width: 500, height: 700 }) });
    expect(body.data).toMatchObject({ width: 500, height: 700 });
  });

  it('is stored once when it is repeated with the same idempotency key', async () => {
    const bytes = await draw();
    const headers = { 'idempotency-key': 'the-same-upload' };
    const [one, other] = await Promise.all([1, 2].map(() => sendFile(test, member, { bytes }, headers)));
    const again = await sendFile(test, member, { bytes }, headers);
    expect(new Set([one, other, again].map((answer) => answer?.body.data.publicId)).size).toBe(1);
    const another = await sendFile(test, member, { bytes: await draw() }, headers);
    expect([another.status, another.error.code]).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
  });

  it('appears on no profile, and is limited in number', async () => {
    const hoarder = await makeMember(test);
    const bytes = await draw();
    const statuses: number[] = [];
    for (let n = 0; n < 21; n += 1) statuses.push((await sendFile(test, hoarder, { bytes })).status);
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 422]);
    const { pictures } = await test.db
      .selectFrom('profile')
      .select('pictures')
      .where('account_id', '=', hoarder.id)
      .executeTakeFirstOrThrow();
    expect(pictures).toHaveLength(1);
  });

  /** An upload of which the server has read half. `finish` sends the rest and returns the status of the answer. */
  const half = async (who: TestMember, headers: Record<string, string> = {}) => {
    const form = await formOf({ bytes: await draw() });
    const body = new PassThrough({ highWaterMark: 1 });
    const answer = test.app
      .inject({
        method: 'POST',
        url: apiBasePath + uploadPicture.path,
        headers: { ...form.headers, authorization: `Bearer ${who.token}`, ...headers },
        payload: body,
      })
      .then(({ statusCode }) => statusCode);
    const middle = Math.floor(form.payload.length / 2);
    body.write(form.payload.subarray(0, middle));
    await once(body, 'drain');
    const finish = () => {
      body.end(form.payload.subarray(middle));
      return answer;
    };
    return { finish };
  };

  it('waits for others of the same member: only four run at a time, and other members are not delayed', async () => {
    const [ada, bo] = [await makeMember(test), await makeMember(test)];
    const bytes = await draw();
    const underWay = await Promise.all([ada, ada, ada, ada].map((who) => half(who)));
    expect((await sendFile(test, ada, { bytes })).status).toBe(429);
    expect((await sendFile(test, bo, { bytes })).status).toBe(201);
    expect(await Promise.all(underWay.map(({ finish }) => finish()))).toEqual([201, 201, 201, 201]);
    expect((await sendFile(test, ada, { bytes })).status).toBe(201);
  });

  it('is not delayed by uploads of others that claim to be large and stall', async () => {
    const others = await Promise.all(Array.from({ length: 6 }, () => makeMember(test)));
    const headers = { 'content-length': '10000000' };
    const stalled = await Promise.all(others.flatMap((who) => [half(who, headers), half(who, headers)]));
    expect((await sendFile(test, member, { bytes: await draw() }, headers)).status).toBe(201);
    expect(await Promise.all(stalled.map(({ finish }) => finish()))).toEqual(stalled.map(() => 201));
  });

  it('is deleted with its bytes after a day unless it is used', async () => {
    const app = await startApp();
    const forgetful = await makeMember(app);
    await sendFile(app, forgetful, { bytes: await draw() });
    const files = async () =>
      (await readdir(app.mediaDir, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    expect(await files()).toHaveLength(2);
    app.clock.advance(25 * 3600);
    await app.pool.query(`select graphile_worker.add_job('media.forgetUnclaimed')`);
    await app.drain();
    await app.pool.query('update media_discard set due_at = now()');
    await app.pool.query(`select graphile_worker.add_job('media.sweep')`);
    await app.drain();
    expect(await files()).toEqual([]);
    expect((await app.pool.query('select from picture where state = $1', ['unclaimed'])).rowCount).toBe(0);
    expect((await app.pool.query('select from media_discard')).rowCount).toBe(0);
    await app.close();
  });

  it('is cleaned up if it was interrupted, and hashes of rejected pictures are deleted after two years', async () => {
    const app = await startApp();
    const names = ['unfinished-of-yesterday', 'unfinished-of-now'];
    for (const name of names) await writeFile(join(app.mediaDir, name), 'x');
    const yesterday = new Date(Date.now() - 86_400_000);
    await utimes(join(app.mediaDir, 'unfinished-of-yesterday'), yesterday, yesterday);
    const looks = [1, 2].map((dhash, n) => ({
      dhash: String(dhash),
      bands: [dhash],
      rejected_at: new Date(app.clock.now().getTime() - (n === 0 ? 731 : 729) * 86_400_000),
    }));
    await app.db.insertInto('rejected_look').values(looks).execute();
    await app.pool.query(`select graphile_worker.add_job('media.forgetUnclaimed')`);
    await app.drain();
    expect(await readdir(app.mediaDir)).toEqual(['unfinished-of-now']);
    expect((await app.db.selectFrom('rejected_look').select('dhash').execute()).map(({ dhash }) => dhash)).toEqual([
      '2',
    ]);
    await app.close();
  });
});

/** Hostile files with the expected result: their error code, or null if they are re-encoded cleanly. */
const hostile: [string, string | null, () => Promise<SentFile> | SentFile][] = [
  ['GPS, EXIF and XMP', null, async () => ({ bytes: await withPlaces() })],
  [
    'SVG with a script',
    'UNSUPPORTED_MEDIA_TYPE',
    () => ({
      bytes: Buffer.from(
        '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400"><script>alert(1)</script><image href="http://127.0.0.1:9/x.png" width="9" height="9"/></svg>',
      ),
      type: 'image/svg+xml',
      name: 'x.svg',
    }),
  ],
  ['SVG of groups that draw groups', 'UNSUPPORTED_MEDIA_TYPE', () => ({ bytes: nestedSvg(30), type: 'image/png' })],
  [
    'SVG after the first bytes of a JPEG',
    'UNSUPPORTED_MEDIA_TYPE',
    () => ({ bytes: Buffer.concat([Buffer.from([0xff, 0xd8]), nestedSvg(30)]) }),
  ],
  [
    'a TIFF',
    'UNSUPPORTED_MEDIA_TYPE',
    async () => ({
      bytes: await sharp(await draw())
        .tiff()
        .toBuffer(),
    }),
  ],
  [
    'an AVIF',
    null,
    async () => ({
      bytes: await sharp(await draw())
        .avif({ effort: 0 })
        .toBuffer(),
    }),
  ],
  ['a video', 'UNSUPPORTED_MEDIA_TYPE', () => ({ bytes: Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomavc1') })],
  [
    'a truncated AVIF',
    'PICTURE_UNREADABLE',
    async () => ({
      bytes: (
        await sharp(await draw())
          .avif({ effort: 0 })
          .toBuffer()
      ).subarray(0, -100),
    }),
  ],
  ['a truncated PNG', 'PICTURE_UNREADABLE', () => ({ bytes: plainPng(2000, 2000).subarray(0, -40) })],
  ['a JPEG with hundreds of scans', 'PICTURE_UNREADABLE', async () => ({ bytes: await withScans(300) })],
  [
    'a JPEG that is also HTML',
    null,
    async () => ({ bytes: Buffer.concat([await draw(), Buffer.from('<html><script>CANARYSCRIPT()</script>')]) }),
  ],
  [
    'HTML with a .jpg name',
    'UNSUPPORTED_MEDIA_TYPE',
    () => ({ bytes: Buffer.from('<!doctype html><script>alert(1)</script>') }),
  ],
  ['16,000 × 16,000 pixels', 'PICTURE_TOO_LARGE', () => ({ bytes: plainPng(16_000, 16_000), type: 'image/png' })],
  ['50 MB', 'PAYLOAD_TOO_LARGE', () => ({ bytes: Buffer.alloc(50_000_000, 7) })],
  ['a file name that contains a path', null, async () => ({ bytes: await draw(), name: '../../../../etc/cron.d/x' })],
  [
    'a truncated JPEG',
    'PICTURE_UNREADABLE',
    async () => ({ bytes: (await draw({ width: 900, height: 900 })).subarray(0, 9000) }),
  ],
  ['an animation', null, async () => ({ bytes: await animation(), type: 'image/webp' })],
  [
    'CMYK',
    null,
    async () => ({
      bytes: await sharp(await draw())
        .toColourspace('cmyk')
        .jpeg()
        .toBuffer(),
    }),
  ],
  ['zero bytes', 'PICTURE_UNREADABLE', () => ({ bytes: Buffer.alloc(0) })],
  [
    'a GIF',
    'UNSUPPORTED_MEDIA_TYPE',
    async () => ({
      bytes: await sharp(await draw())
        .gif()
        .toBuffer(),
      type: 'image/jpeg',
    }),
  ],
  [
    'a PDF with a .png name',
    'UNSUPPORTED_MEDIA_TYPE',
    () => ({ bytes: Buffer.from('%PDF-1.7\n1 0 obj'), type: 'image/png' }),
  ],
  ['a picture of 10 × 10 pixels', 'PICTURE_TOO_SMALL', async () => ({ bytes: await draw({ width: 10, height: 10 }) })],
];

/** A file of a few hundred bytes whose size takes long to measure: each further level doubles the time. */
function nestedSvg(levels: number): Buffer {
  const groups = Array.from(
    { length: levels },
    (_, n) => `<g id="g${n + 1}"><use href="#g${n}"/><use href="#g${n}"/></g>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg"><rect id="g0" width="9" height="9"/>${groups.join('')}</svg>`,
  );
}

/** A progressive JPEG that repeats its last scan many times; each repetition makes a decoder go over all pixels again. */
async function withScans(count: number): Promise<Buffer> {
  const jpeg = await sharp(await draw())
    .jpeg({ progressive: true })
    .toBuffer();
  const scan = jpeg.subarray(jpeg.lastIndexOf(Buffer.from([0xff, 0xda])), -2);
  return Buffer.concat([jpeg.subarray(0, -2), ...Array.from({ length: count }, () => scan), jpeg.subarray(-2)]);
}

async function animation(): Promise<Buffer> {
  const frames = await Promise.all([draw(), draw(), draw()]);
  return await sharp(frames, { join: { animated: true } })
    .webp({ loop: 0 })
    .toBuffer();
}

describe('a hostile file', () => {
  it.each(hostile)('is rejected or re-encoded cleanly if it contains %s', async (_what, code, make) => {
    const { payload, headers } = await formOf(await make());
    const answer = await test.app.inject({
      method: 'POST',
      url: '/api/v1/uploads',
      headers: { ...headers, authorization: `Bearer ${member.token}` },
      payload,
    });
    const body = answer.json<Pick<ErrorBody, 'code' | 'errors'> & Pick<AnswerOf<typeof uploadPicture>, 'data'>>();
    expect(answer.statusCode === 201 ? null : body.code).toBe(code);
    if (code !== null) {
      expect(body.errors?.[0]?.msg).toMatch(/\w/);
      // Whatever the file contains, its decoder didn't have to be killed.
      expect(body.errors?.[0]?.msg).not.toContain('takes too long');
      return;
    }
    const { data } = body;
    expect(data.name).not.toMatch(/[/\\]/);
    for (const address of [data.url, data.thumbnailUrl]) {
      const { rawPayload } = await bytesAt(address);
      const { exif, xmp, iptc, tifftagPhotoshop, comments, pages, space, format } = await sharp(rawPayload).metadata();
      expect({ exif, xmp, iptc, tifftagPhotoshop, comments, pages }).toEqual({});
      expect([format, space]).toEqual(['webp', 'srgb']);
      expect(rawPayload.toString('latin1')).not.toMatch(/CANARY|<script|GPS|Exif/);
    }
  });

  it('is accepted if it is a JPEG that lacks only its end marker', async () => {
    const whole = await sharp(await draw({ width: 400, height: 400 }))
      .jpeg()
      .toBuffer();
    expect((await sendFile(test, member, { bytes: whole.subarray(0, -2) })).status).toBe(201);
    for (const missing of [40, 400])
      expect((await sendFile(test, member, { bytes: whole.subarray(0, -missing) })).status, `${missing}`).toBe(422);
  });

  it('is rotated upright by its EXIF orientation', async () => {
    const bytes = await sharp(await draw({ width: 400, height: 300 }))
      .withMetadata({ orientation: 6 })
      .jpeg()
      .toBuffer();
    expect((await sendFile(test, member, { bytes })).body.data).toMatchObject({ width: 300, height: 400 });
  });

  it('is stored only in picture storage, under a generated name', async () => {
    const files = await readdir(test.mediaDir, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile()))
      expect(file.name).toMatch(/^[\w-]{22}\.(large|thumbnail)$/);
  });
});

describe('a picture that takes long to decode', () => {
  /** Less than a kilobyte of AVIF that takes a second or two to decode. */
  let slow: Buffer;
  beforeAll(async () => {
    const create = { width: 4000, height: 4000, channels: 3, background: '#888' } as const;
    slow = await sharp({ create }).avif({ effort: 0 }).toBuffer();
  });

  it('is rejected at its deadline, and other pictures are decoded meanwhile', async () => {
    const hostile = ['ada', 'bo', 'cy'].map((one) =>
      makePicture(slow, one, { within: { processorMs: 10, clockMs: 1000 } }),
    );
    for (const one of await Promise.allSettled(hostile))
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'PICTURE_UNREADABLE' } });
    expect(await makePicture(await draw(), 'ada')).toMatchObject({ width: 320, height: 400 });
  });

  it('has a decoder that ends with the server, even if the server crashes', async () => {
    const decoder = startDecoder('picture');
    decoder.send(slow);
    const ended = once(decoder, 'exit');
    decoder.disconnect();
    expect(await ended).toEqual([null, 'SIGKILL']);
  });
});

it('an upload stores the digest of its bytes', async () => {
  const { data } = (await sendFile(test, member, { bytes: await draw() })).body;
  const { sha256 } = await test.db
    .selectFrom('picture')
    .select('sha256')
    .where('public_id', '=', data.publicId)
    .executeTakeFirstOrThrow();
  const { rawPayload } = await bytesAt(data.url);
  expect(createHash('sha256').update(rawPayload).digest()).toEqual(sha256);
});
