import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startS3Double, type S3Double } from '../../../../test/doubles/s3-double.ts';
import { readConfig } from '#platform/config/config.ts';
import { createLog } from '#platform/process/log.ts';
import { s3Storage } from './storage-s3.ts';
import { diskStorage, type Storage } from './storage.ts';

let directory: string;
let double: S3Double;
const made: Record<string, Storage> = {};
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'heartwood-storage-'));
  double = await startS3Double();
  const { storage } = readConfig(double.environment).media;
  if (storage.driver !== 's3') throw new Error('S3 was expected');
  made['disk'] = diskStorage(directory);
  made['s3'] = s3Storage(storage, createLog('silent'));
});
afterAll(async () => {
  await double.close();
  await rm(directory, { recursive: true });
});

describe.each(['disk', 's3'])('storage on %s', (driver) => {
  const storage = () => made[driver] as Storage;
  const key = 'Qk3_x-9yT0aW2bC4dE6fGh.large';
  afterEach(() => storage().remove(key));

  it('returns any content unchanged', async () => {
    for (const bytes of [randomBytes(400_000), Buffer.from('0;chunk-signature=x\r\n'), Buffer.alloc(0)]) {
      await storage().put(key, bytes);
      expect(await storage().get(key)).toEqual(bytes);
    }
  });

  it('replaces content atomically', async () => {
    await Promise.all([1, 2, 3].map((value) => storage().put(key, Buffer.alloc(200_000, value))));
    const kept = await storage().get(key);
    expect([kept?.length, new Set(kept).size]).toEqual([200_000, 1]);
  });

  it('returns null after a removal, which can be repeated', async () => {
    await storage().put(key, randomBytes(10));
    await storage().remove(key);
    await storage().remove(key);
    expect(await storage().get(key)).toBeNull();
  });

  it('lists keys by prefix in ascending order, after any key', async () => {
    const keys = ['listed-1-a', 'listed-2-b', 'listed-3-c'];
    for (const one of [...keys.toReversed(), key]) await storage().put(one, Buffer.from('x'));
    expect(await storage().list('listed-', '')).toEqual(keys);
    expect(await storage().list('listed-', 'listed-2')).toEqual(keys.slice(1));
    expect(await storage().list('unlisted-', '')).toEqual([]);
    for (const one of [...keys, key]) await storage().remove(one);
  });

  it('keeps selfies apart from pictures', async () => {
    const selfie = 'selfie-Qk3_x-9yT0aW2bC4dE6fGh.webp';
    const bytes = randomBytes(500);
    await storage().put(selfie, bytes);
    expect(await storage().get(selfie)).toEqual(bytes);
    expect(await storage().list('selfie-', '')).toEqual([selfie]);
    await storage().remove(selfie);
    expect(await storage().get(selfie)).toBeNull();
  });

  it.each([
    'selfies/../picture.large',
    'others/picture.large',
    '../../../etc/passwd',
    'a/b.large.x',
    '.hidden',
    'x',
    '',
    'x'.repeat(100),
    'picture?acl',
    'pict ure',
    'päckchen',
  ])('rejects the key %j', async (foreign) => {
    const attempts = [
      async () => storage().put(foreign, randomBytes(3)),
      async () => storage().get(foreign),
      async () => storage().remove(foreign),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toThrow('not a generated key');
  });
});

it('disk and S3 storage leave no unfinished files behind', async () => {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  expect(files.filter((file) => file.isFile())).toEqual([]);
  expect(double.objects.size).toBe(0);
});
