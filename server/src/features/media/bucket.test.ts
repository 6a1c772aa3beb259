import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deletePicture } from '#contract/media.ts';
import { decideSelfie, listSelfies, withdrawSelfies } from '#contract/photo-verification.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { replayLedger } from '../auth/retention/replay.ts';
import { s3Storage } from './storage/storage-s3.ts';
import { readConfig } from '#platform/config/config.ts';
import { createLog } from '#platform/process/log.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { draw, sendFile, upload, uploadProfilePicture } from '../../../test/pictures.ts';
import { startS3Double, type S3Double } from '../../../test/doubles/s3-double.ts';
import { sentSelfies } from '../../../test/selfies.ts';

let double: S3Double;
let test: TestApp;
let member: TestMember;
beforeAll(async () => {
  double = await startS3Double();
  test = await startApp(double.environment);
});
beforeEach(async () => {
  double.objects.clear();
  member = await makeMember(test, { pictureless: true });
});
afterAll(async () => {
  await test.close();
  await double.close();
});

async function sweep(): Promise<void> {
  await test.pool.query('update media_discard set due_at = now()');
  await test.pool.query(`select graphile_worker.add_job('media.sweep')`);
  await test.drain();
}

/** The status, headers and body that a browser gets when it follows the redirect from our address. */
async function follow(address: string) {
  const ours = await test.app.inject({ url: address });
  expect(ours.statusCode).toBe(302);
  expect(ours.headers['cache-control']).toBe('private, max-age=30');
  return { location: String(ours.headers.location), response: await fetch(String(ours.headers.location)) };
}

const pictureCount = async () =>
  (await test.pool.query('select from picture where account_id = $1', [member.id])).rowCount;

describe('a picture stored in S3', () => {
  it('has an address on our server, which redirects to the same bytes in the bucket', async () => {
    const { url, thumbnailUrl, publicId } = await upload(test, member);
    expect([...double.objects.keys()].sort()).toEqual([
      expect.stringMatching(/^[\w-]{22}\.large$/),
      expect.stringMatching(/^[\w-]{22}\.thumbnail$/),
    ]);
    const { sha256 } = await test.db
      .selectFrom('picture')
      .select('sha256')
      .where('public_id', '=', publicId)
      .executeTakeFirstOrThrow();
    for (const address of [url, thumbnailUrl]) {
      const { location, response } = await follow(address);
      expect(location.startsWith(`${double.endpoint}/pictures/`)).toBe(true);
      expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/webp']);
      if (address !== url) continue;
      const digest = createHash('sha256').update(Buffer.from(await response.arrayBuffer()));
      expect(digest.digest()).toEqual(sha256);
    }
    expect(await readdir(test.mediaDir)).toEqual([]);
  });

  it('reveals its bucket address only to the viewer it is signed for', async () => {
    const { url } = await upload(test, member);
    const stranger = await makeMember(test);
    for (const address of [url.replaceAll(member.id, stranger.id), url.split('?')[0] ?? '']) {
      const answer = await test.app.inject({ url: address });
      expect([answer.statusCode, answer.headers.location]).toEqual([401, undefined]);
    }
  });

  it('is allowed by the page’s content security policy', async () => {
    const policy = (await test.app.inject('/healthz')).headers['content-security-policy'];
    expect(policy).toContain(`img-src 'self' data: blob: ${double.endpoint};`);
  });

  it('is removed from the bucket after deletion, even if the store answers late', async () => {
    const publicId = await uploadProfilePicture(test, member);
    const { pictures } = (await test.call(getProfile, { token: member.token })).body.userData.user;
    const address = pictures[0]?.url ?? '';
    await follow(address);
    await test.call(deletePicture, { token: member.token, params: { publicId } });
    expect((await test.app.inject({ url: address })).statusCode).toBe(404);
    await double.goDown();
    await sweep();
    await double.comeBack();
    expect(double.objects.size).toBe(2);
    await test.drainLater();
    expect(double.objects.size).toBe(0);
    expect((await test.pool.query('select from media_discard')).rowCount).toBe(0);
  });
});

describe('picture storage in S3', () => {
  it('refuses uploads with a message and stores nothing while it is down, and works again later', async () => {
    const bytes = await draw();
    await double.goDown();
    const headers = { 'idempotency-key': 'one-upload-in-the-end' };
    const { status, error, headers: answered } = await sendFile(test, member, { bytes }, headers);
    expect([status, error.code, error.message]).toEqual([503, 'UNAVAILABLE', expect.stringMatching(/try again/)]);
    expect(Number(answered['retry-after'])).toBeGreaterThan(0);
    expect(await pictureCount()).toBe(0);
    // The upload of each of the two sizes times out on its own.
    await expect.poll(() => test.logLines().match(/"method":"PUT".*ECONNREFUSED/g)).toHaveLength(2);
    await double.comeBack();
    expect((await sendFile(test, member, { bytes }, headers)).status).toBe(201);
    expect([await pictureCount(), double.objects.size]).toEqual([1, 2]);
    await sweep();
    expect(double.objects.size).toBe(2);
  });

  it('refuses the upload and deletes the stored size when the bucket accepts only one of the two sizes', async () => {
    double.fail(503, 3, /thumbnail$/);
    expect((await sendFile(test, member, { bytes: await draw() })).status).toBe(503);
    expect([...double.objects.keys()]).toEqual([expect.stringMatching(/large$/)]);
    expect(await pictureCount()).toBe(0);
    await sweep();
    expect(double.objects.size).toBe(0);
    expect((await test.pool.query('select from media_discard')).rowCount).toBe(0);
  });

  it('prevents the start with a wrong key, because the bucket also holds the ledger, and logs no secret', async () => {
    const environment = { ...double.environment, S3_SECRET_ACCESS_KEY: 'a-hidden-word' };
    const sink = new PassThrough();
    let lines = '';
    sink.on('data', (chunk: Buffer) => (lines += chunk.toString()));
    const { storage: s3 } = readConfig(environment).media;
    if (s3.driver !== 's3') throw new Error('a bucket was expected');
    const storage = s3Storage(s3, createLog('debug', sink));
    const parts = { db: test.db, clock: test.clock, emit: async () => {}, log: createLog('silent') };
    await expect(replayLedger({ ...parts, storage, addressKey: 'key' })).rejects.toThrow(/store of pictures/);
    expect(lines).toContain('SignatureDoesNotMatch');
    expect(lines).not.toMatch(/a-hidden-word|DOUBLEKEY/);
  });
});

describe('selfies in a bucket', () => {
  const send = async () => {
    const sender = await makeMember(test);
    return { sender, id: await sentSelfies(test, sender) };
  };

  it('have a separate prefix, and never a direct address', async () => {
    await send();
    expect([...double.objects.keys()]).toEqual([
      expect.stringMatching(/^selfie-[\w-]{22}\.webp$/),
      expect.stringMatching(/^selfie-[\w-]{22}\.webp$/),
    ]);
    const moderator = await makeModerator(test);
    const { selfies } = (await test.call(listSelfies, { token: moderator.token })).body.data;
    const answer = await test.app.inject({ url: selfies[0]?.frontUrl ?? '' });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/webp']);
  });

  it('are deleted after the decision or a withdrawal', async () => {
    const before = double.objects.size;
    const moderator = await makeModerator(test);
    const { id } = await send();
    const { sender, id: withdrawn } = await send();
    expect(double.objects.size).toBe(before + 4);
    const body = { verdict: 'again' as const, reason: 'Too dark', pictures: [] };
    await test.call(decideSelfie, { token: moderator.token, params: { id }, body });
    await test.call(withdrawSelfies, { token: sender.token, params: { id: withdrawn } });
    await test.drain();
    expect(double.objects.size).toBe(before);
  });
});
