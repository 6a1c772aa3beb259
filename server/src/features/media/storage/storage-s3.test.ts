import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startS3Double, type S3Double } from '../../../../test/doubles/s3-double.ts';
import { faultOf } from '../../../../test/doubles/s3-signature.ts';
import type { AppError } from '#platform/http/app-error.ts';
import type { S3Config } from '#platform/config/config.ts';
import { createLog } from '#platform/process/log.ts';
import { s3Storage } from './storage-s3.ts';

const key = 'Qk3_x-9yT0aW2bC4dE6fGh.large';
const bytes = Buffer.from('the bytes of a picture');
const patienceMs = 150;

let double: S3Double;
let lines = '';
beforeAll(async () => {
  double = await startS3Double();
});
beforeEach(() => {
  lines = '';
  double.requests.length = 0;
  double.objects.clear();
  double.fail(500, 0);
});
afterAll(() => double.close());

function storageWith(changes: Partial<S3Config> = {}) {
  const sink = new PassThrough();
  sink.on('data', (chunk: Buffer) => (lines += chunk.toString()));
  const { endpoint, bucket, keys } = double;
  return s3Storage(
    { endpoint, bucket, ...keys, forcePathStyle: true, ...changes },
    createLog('debug', sink),
    patienceMs,
  );
}

/** The error of a call that must fail. */
const failure = async (call: Promise<unknown>): Promise<AppError> =>
  await call.then(
    () => Promise.reject(new Error('a refusal was expected')),
    (error: unknown) => error as AppError,
  );

describe('an object in S3', () => {
  it('has a content type and private caching for a limited time', async () => {
    await storageWith().put(key, bytes);
    expect(double.objects.get(key)).toEqual({
      bytes,
      type: 'image/webp',
      cacheControl: 'private, max-age=600, immutable',
    });
  });

  it('has an address that works for one minute and only for this object', async () => {
    const storage = storageWith();
    await storage.put(key, bytes);
    const address = (await storage.address(key)) ?? '';
    const response = await fetch(address);
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(Buffer.from(await response.arrayBuffer())).toEqual(bytes);
    expect((await fetch(address, { method: 'DELETE' })).status).toBe(403);
    expect((await fetch(address.replace(key, key.replace('large', 'thumbnail')))).status).toBe(403);
    expect((await fetch(address.replace('Expires=60', 'Expires=6000'))).status).toBe(403);
    expect((await fetch(address.split('?')[0] ?? '')).status).toBe(403);
    double.aheadMs = 45_000;
    expect((await fetch(address)).status).toBe(200);
    double.aheadMs = 75_000;
    expect((await fetch(address)).status).toBe(403);
    double.aheadMs = 0;
  });

  it('uses the bucket’s host name unless path style is configured', async () => {
    const storage = storageWith({ endpoint: 'https://s3.eu.example/base', forcePathStyle: false });
    const address = new URL((await storage.address(key)) ?? '');
    expect(`${address.origin}${address.pathname}`).toBe(`https://pictures.s3.eu.example/base/${key}`);
    const target = `${address.pathname}${address.search}`;
    const request = { method: 'GET', target, headers: { host: address.host }, body: Buffer.alloc(0) };
    expect(faultOf(request, double.keys, new Date())).toBeNull();
  });
});

describe('a list of objects', () => {
  const keys = Array.from({ length: 2001 }, (_, n) => `listed-${String(n).padStart(4, '0')}`);

  it('continues after a page of a thousand objects', async () => {
    for (const one of keys) double.objects.set(one, { bytes, type: undefined, cacheControl: undefined });
    expect(await storageWith().list('listed-', 'listed-0000')).toEqual(keys.slice(1));
  });

  it.each<[string, (found: readonly string[]) => string[]]>([
    ['ignores where a page shall begin', () => keys.slice(0, 1000)],
    ['returns no keys in a page that is not the last', () => []],
  ])('ends with an error where the store %s', async (_what, found) => {
    double.pages = (after) => found(keys.filter((one) => one > after));
    expect((await failure(storageWith().list('listed-', ''))).code).toBe('UNAVAILABLE');
    expect(lines).toContain('the list does not continue');
    double.pages = null;
  });

  it('is refused when the bucket is missing', async () => {
    expect((await failure(storageWith({ bucket: 'elsewhere' }).list('listed-', ''))).code).toBe('UNAVAILABLE');
  });
});

describe('S3 storage', () => {
  it.each([500, 503, 429])('tries three times when the store answers %i', async (status) => {
    const storage = storageWith();
    double.fail(status, 2);
    await storage.put(key, bytes);
    expect(double.requests).toEqual([`PUT ${key} ${status}`, `PUT ${key} ${status}`, `PUT ${key} 200`]);
    double.fail(status, 3);
    expect((await failure(storage.get(key))).code).toBe('UNAVAILABLE');
    expect(await storage.get(key)).toEqual(bytes);
    expect(lines).toContain(`"status":${status},"reason":"InternalError"`);
  });

  it('tries three times when the store does not answer', async () => {
    const storage = storageWith();
    double.hang(2);
    await storage.put(key, bytes);
    expect(await storage.get(key)).toEqual(bytes);
    double.hang(3);
    expect((await failure(storage.remove(key))).code).toBe('UNAVAILABLE');
    expect(lines).toContain('TimeoutError');
  });

  it('reports that the store is down, and works again afterwards', async () => {
    const storage = storageWith();
    await double.goDown();
    const { code, message, details } = await failure(storage.put(key, bytes));
    expect([code, message]).toEqual(['UNAVAILABLE', expect.stringMatching(/try again/)]);
    expect(details.retryAfterSeconds).toBeGreaterThan(0);
    expect(lines).toContain('ECONNREFUSED');
    await double.comeBack();
    await storage.put(key, bytes);
    expect(await storage.get(key)).toEqual(bytes);
  });

  it.each<[string, Partial<S3Config>, string]>([
    ['knows another secret', { secretAccessKey: 'a-hidden-word' }, 'SignatureDoesNotMatch'],
    ['does not know the key', { accessKeyId: 'NOBODY' }, 'InvalidAccessKeyId'],
    ['is another region’s', { region: 'us-east-1' }, 'AuthorizationHeaderMalformed'],
    ['has no such bucket', { bucket: 'elsewhere' }, 'NoSuchBucket'],
  ])('fails immediately when the store %s, and logs the reason', async (_what, changes, reason) => {
    const storage = storageWith(changes);
    for (const call of [() => storage.put(key, bytes), () => storage.get(key), () => storage.remove(key)])
      expect((await failure(call())).code).toBe('UNAVAILABLE');
    expect(double.requests).toHaveLength(3);
    expect(lines.match(new RegExp(`"reason":"${reason}"`, 'g'))).toHaveLength(3);
    expect(lines).not.toMatch(/hidden|Credential|http/);
  });
});
