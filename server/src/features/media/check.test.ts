import { createHmac } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import sharp from 'sharp';
import { encode } from 'uqr';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deletePicture } from '#contract/media.ts';
import { decidePicture, listQueuedPictures, type QueuedPicture } from '#contract/moderation/picture-queue.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { startApp, startAppForTests, type TestApp } from '../../../test/harness.ts';
import { draw, sendFile, uploadFurther, uploadProfilePicture } from '../../../test/pictures.ts';
import { bandsOfColumn, imageBands } from './image.ts';

const test = startAppForTests();
let moderator: TestMember;
beforeAll(async () => {
  moderator = await makeModerator(test);
});

/** A QR code as a picture with this many pixels per module. */
async function qrCode(pixels = 4): Promise<Buffer> {
  const { data, size } = encode('https://example.test/a-better-place-to-chat', { border: 4 });
  const grey = Buffer.from(data.flat().map((isDark) => (isDark ? 0 : 255)));
  return await sharp(grey, { raw: { width: size, height: size, channels: 1 } })
    .resize(size * pixels, size * pixels, { kernel: 'nearest' })
    .png()
    .toBuffer();
}

/** A picture with a tilted QR code in it. */
async function withQrCode(): Promise<Buffer> {
  const tilted = await sharp(await qrCode())
    .rotate(15, { background: '#fff' })
    .toBuffer();
  return await sharp(await draw({ width: 900, height: 1200 }))
    .composite([{ input: tilted, left: 400, top: 700 }])
    .jpeg({ quality: 70 })
    .toBuffer();
}

/** 9 × 8 shades of grey, whose neighbours are the bits of an image hash. With `isChanged`, eight of these bits differ. */
function shades(seed: number, isChanged: boolean): number[] {
  let state = seed;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) >>> 8;
  const grey = Array.from({ length: 72 }, () => 60 + (next() % 140));
  if (!isChanged) return grey;
  for (const row of [0, 1, 2, 3]) {
    const [first, last] = [row * 9, row * 9 + 8];
    grey[first] = (grey[first] ?? 0) < (grey[first + 1] ?? 0) ? 250 : 5;
    grey[last] = (grey[last - 1] ?? 0) < (grey[last] ?? 0) ? 5 : 250;
  }
  return grey;
}

/** A picture of fields in 9 × 8 shades. */
async function fields(seed: number, isChanged = false): Promise<Buffer> {
  return await sharp(Buffer.from(shades(seed, isChanged)), { raw: { width: 9, height: 8, channels: 1 } })
    .resize(360, 400, { kernel: 'nearest', fit: 'fill' })
    .png()
    .toBuffer();
}

/** A new member's profile picture after all checks; returns its public id and its owner. */
async function checked(bytes: Buffer, app = test) {
  const owner = await makeMember(app, { pictureless: true });
  const publicId = await uploadProfilePicture(app, owner, bytes);
  await app.drain('media.check');
  return { publicId, owner };
}

/** What staff see of a pending picture; undefined once it is decided. */
async function queued(publicId: string, by = moderator, app = test): Promise<QueuedPicture | undefined> {
  const { body } = await app.call(listQueuedPictures, { token: by.token, query: { limit: '1000' } });
  return body.data.pictures.find((picture) => picture.publicId === publicId);
}

const found = async (publicId: string, by = moderator, app = test) => {
  const { labels, externalLabels, alsoOn } = (await queued(publicId, by, app)) ?? {};
  return { labels, externalLabels, alsoOn: alsoOn?.map(({ _id }) => _id) };
};
const pairsOf = async (publicIds: string[]) =>
  await test.db
    .selectFrom('same_picture')
    .innerJoin('picture', 'picture.id', 'same_picture.picture_id')
    .selectAll('same_picture')
    .where('public_id', 'in', publicIds)
    .execute();
const nothing = { labels: [], externalLabels: [], alsoOn: [] };

const reject = (publicId: string) =>
  test.call(decidePicture, {
    token: moderator.token,
    params: { publicId },
    body: { verdict: 'rejected', reason: 'No' },
  });

describe('the picture check', () => {
  it('finds nothing in different pictures, in several of one member and in plain surfaces', async () => {
    const plain = sharp({ create: { width: 400, height: 500, channels: 3, background: '#333' } }).jpeg();
    const bytes = await draw();
    for (const one of [bytes, await draw(), await plain.toBuffer(), await plain.toBuffer()]) {
      const { publicId, owner } = await checked(one);
      const further = await uploadFurther(test, owner, 1);
      await test.drain('media.check');
      for (const id of [publicId, ...further]) expect(await found(id)).toEqual(nothing);
    }
  });

  it('finds a QR code, even a small and tilted one in a larger picture', async () => {
    for (const bytes of [await qrCode(10), await withQrCode()]) {
      const { publicId } = await checked(bytes);
      expect(await found(publicId)).toEqual({ ...nothing, labels: ['qrCode'] });
      expect(await queued(publicId)).toMatchObject({ state: 'pending' });
    }
  });

  it('accepts a picture with many corners that look like QR codes, but no code', async () => {
    const corner = [0, 0, 0, 0, 0, 0, 0, 255].map((edge, row) =>
      [0, 1, 2, 3, 4, 5, 6, 7].map((column) => {
        const ring = Math.max(Math.abs(row - 3), Math.abs(column - 3));
        return row === 7 || column === 7 ? 255 : ring === 2 ? 255 : edge;
      }),
    );
    const tile = await sharp(Buffer.from(corner.flat()), { raw: { width: 8, height: 8, channels: 1 } })
      .resize(16, 16, { kernel: 'nearest' })
      .png()
      .toBuffer();
    const full = await sharp({ create: { width: 1000, height: 1000, channels: 3, background: '#fff' } })
      .composite([{ input: tile, tile: true }])
      .png()
      .toBuffer();
    expect(await found((await checked(full)).publicId)).toEqual(nothing);
  });

  it('finds that a picture looks like one that staff rejected, but refuses no upload for it', async () => {
    const { publicId: original, owner } = await checked(await fields(1));
    expect((await reject(original)).status).toBe(200);
    expect((await sendFile(test, owner, { bytes: await fields(1) })).status).toBe(422);
    const { publicId } = await checked(await fields(1, true));
    expect(await found(publicId)).toEqual({ ...nothing, labels: ['likeRemoved'] });
  });

  it('finds that a picture looks like one that a decision removed, as long as the decision is in force', async () => {
    const { publicId: original, owner } = await checked(await fields(2));
    await test.sql`insert into sanction (account_id, kind, content, reason, created_by_name, starts_at, strikes, strikes_until)
      select account_id, 'remove_content', jsonb_build_object('dhash', dhash::text), 'x', 'x', now(), 0, now()
      from picture where public_id = ${original}`;
    await test.call(deletePicture, { token: owner.token, params: { publicId: original } });
    expect(await found((await checked(await fields(2, true))).publicId)).toEqual({
      ...nothing,
      labels: ['likeRemoved'],
    });
    await test.sql`update sanction set revoked_at = now() where account_id = ${owner.id}::uuid`;
    expect((await found((await checked(await fields(2, true))).publicId)).labels).toEqual([]);
  });

  it('finds the same picture on other accounts, for both accounts, until one of them removes it', async () => {
    const bytes = await draw();
    const [one, two] = [
      await checked(bytes),
      await checked(await sharp(bytes).resize(300).jpeg({ quality: 50 }).toBuffer()),
    ];
    expect(await found(one.publicId)).toEqual({ ...nothing, alsoOn: [two.owner.id] });
    expect(await found(two.publicId)).toEqual({ ...nothing, alsoOn: [one.owner.id] });
    expect((await queued(one.publicId))?.alsoOn[0]?.name).toBe((await queued(two.publicId))?.user.name);
    await test.call(deletePicture, { token: one.owner.token, params: { publicId: one.publicId } });
    expect(await found(two.publicId)).toEqual(nothing);
    expect(await pairsOf([two.publicId])).toEqual([]);
  });

  it('finds each pair once when many accounts get the same picture at the same time', async () => {
    const bytes = await draw();
    const owners = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => makeMember(test, { pictureless: true })));
    const ids = await Promise.all(owners.map((owner) => uploadProfilePicture(test, owner, bytes)));
    await Promise.all([1, 2, 3].map(() => test.drain('media.check')));
    for (const id of ids) expect((await found(id)).alsoOn).toHaveLength(5);
    expect(await pairsOf(ids)).toHaveLength(42);
  });

  it('does not name people whose cases the viewer may not handle', async () => {
    const bytes = await draw();
    const administrator = await makeAdministrator(test);
    await uploadProfilePicture(test, administrator, bytes);
    const leaver = await checked(bytes);
    await test.sql`update account set leaving_since = now() where id = ${leaver.owner.id}::uuid`;
    const { publicId } = await checked(bytes);
    expect((await found(publicId)).alsoOn).toEqual([]);
    expect((await found(publicId, await makeAdministrator(test))).alsoOn).toEqual([administrator.id]);
  });

  it('finds similar pictures by an index on the bands of their hashes', async () => {
    const dhash = -4_417_938_711_223_994_131n;
    const { rows } = await sql<{ bands: number[] }>`
      select ${bandsOfColumn} as bands from (select ${String(dhash)}::bigint as dhash) one`.execute(test.db);
    expect(rows[0]?.bands).toEqual(imageBands(dhash));
    const plan = await test.db.transaction().execute(async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      return await sql`explain select from picture
        where ${bandsOfColumn} && ${imageBands(dhash)}::int[] and state <> 'unclaimed'`.execute(tx);
    });
    expect(JSON.stringify(plan.rows)).toContain('picture_bands');
  });
});

describe('an external picture check', () => {
  const secret = 'a secret of at least thirty-two characters';
  let service: Server;
  let answer: (body: Buffer, signature: string) => { status?: number; body?: string; isNever?: boolean };
  let app: TestApp;
  let staff: TestMember;
  beforeAll(async () => {
    service = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const {
          status = 200,
          body = '',
          isNever = false,
        } = answer(Buffer.concat(parts), String(request.headers['x-signature']));
        if (!isNever) response.writeHead(status, { location: '/elsewhere' }).end(body);
      });
    });
    await new Promise<void>((listening) => service.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/check`;
    app = await startApp({ MODERATION_URL: url, MODERATION_SECRET: secret });
    staff = await makeModerator(app);
  });
  afterAll(async () => {
    await app.close();
    service.close();
  });

  const checkedWith = async (reply: typeof answer, bytes?: Buffer) => {
    // Unanswered checks would be retried meanwhile.
    await app.sql`delete from graphile_worker._private_jobs`;
    answer = reply;
    const { publicId, owner } = await checked(bytes ?? (await draw()), app);
    const { pictures } = (await app.call(getProfile, { token: owner.token })).body.userData.user;
    return { publicId, picture: pictures[0] };
  };

  it('approves or blocks a picture by its answer, and receives the signed bytes', async () => {
    let isSigned = false;
    const approved = await checkedWith((body, signature) => {
      isSigned = createHmac('sha256', secret).update(body).digest('hex') === signature;
      return { body: '{"verdict":"allow","labels":["face"]}' };
    });
    expect([approved.picture?.state, isSigned]).toEqual(['approved', true]);
    const blocked = await checkedWith(() => ({ body: '{"verdict":"block","labels":["nudity"]}' }));
    expect(blocked.picture).toMatchObject({ state: 'rejected', url: '' });
    expect(blocked.picture?.reason).toMatch(/automatic check/);
  });

  it('shows its labels to staff beside our own, without labels that cannot be displayed', async () => {
    const labels = ['nudity', 7, ' ', 'nul \0', 'nudity ', 'long '.repeat(20)];
    const { publicId } = await checkedWith(
      () => ({ body: JSON.stringify({ verdict: 'review', labels }) }),
      await withQrCode(),
    );
    expect(await found(publicId, staff, app)).toEqual({
      labels: ['qrCode'],
      externalLabels: ['nudity', 'long '.repeat(12).trim()],
      alsoOn: [],
    });
  });

  it('does not approve a picture that our own check flagged, but can block it', async () => {
    const bytes = await withQrCode();
    const allowed = await checkedWith(() => ({ body: '{"verdict":"allow","labels":["face"]}' }), bytes);
    expect(await found(allowed.publicId, staff, app)).toEqual({
      labels: ['qrCode'],
      externalLabels: ['face'],
      alsoOn: [],
    });
    const twin = await checkedWith(() => ({ body: '{"verdict":"allow"}' }), await draw({ seed: 99_001 }));
    expect(twin.picture?.state).toBe('approved');
    const again = await checkedWith(() => ({ body: '{"verdict":"allow"}' }), await draw({ seed: 99_001 }));
    expect((await queued(again.publicId, staff, app))?.alsoOn).toHaveLength(1);
    expect((await checkedWith(() => ({ body: '{"verdict":"block"}' }), bytes)).picture?.state).toBe('rejected');
  });

  it.each([
    ['requests a human review', { body: '{"verdict":"review"}' }],
    ['fails', { status: 500, body: '{"verdict":"allow"}' }],
    ['redirects', { status: 302, body: '{"verdict":"allow"}' }],
    ['sends invalid JSON', { body: '<html>allow' }],
    ['sends an unknown verdict', { body: '{"verdict":"sure","labels":7}' }],
    ['never answers', { isNever: true }],
  ])(
    'leaves the decision to moderators when the check %s, with the findings of our own check',
    async (_what, reply) => {
      const { publicId } = await checkedWith(() => reply, await withQrCode());
      expect(await queued(publicId, staff, app)).toMatchObject({
        state: 'pending',
        labels: ['qrCode'],
        externalLabels: [],
      });
    },
  );

  it('is called again if it did not answer', async () => {
    const { publicId, picture } = await checkedWith(() => ({ status: 503 }));
    expect(picture?.state).toBe('pending');
    answer = () => ({ body: '{"verdict":"allow"}' });
    await app.drainLater();
    expect(await queued(publicId, staff, app)).toBeUndefined();
  });
});
