import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { addPictures, setProfilePicture, uploadPicture } from '#contract/media.ts';
import type { TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

/** A file as a browser sends it. */
export interface SentFile {
  bytes: Buffer;
  name?: string;
  type?: string;
  /** The form's field; 'file' by default. */
  field?: string;
}

/** A form with one file: its bytes and the content type. */
export async function formOf({ bytes, name = 'me.jpg', type = 'image/jpeg', field = 'file' }: SentFile) {
  const form = new FormData();
  form.append(field, new Blob([new Uint8Array(bytes)], { type }), name);
  const message = new Response(form);
  return {
    payload: Buffer.from(await message.arrayBuffer()),
    headers: { 'content-type': message.headers.get('content-type') ?? '' },
  };
}

let drawn = 0;

/** A unique picture: colored fields that encode its number. */
export async function draw({ width = 320, height = 400, seed = (drawn += 1) } = {}): Promise<Buffer> {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
  const cells = Buffer.from(Array.from({ length: 9 * 8 * 3 }, () => Math.floor(next() * 256)));
  return await sharp(cells, { raw: { width: 9, height: 8, channels: 3 } })
    .resize(width, height, { kernel: 'nearest', fit: 'fill' })
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** A picture of one shade in any size, a few hundred kilobytes at most. */
export function plainPng(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  const magic = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    magic,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Sends a file as an account; returns any answer. */
export async function sendFile(
  test: TestApp,
  member: TestMember,
  file: SentFile,
  headers: Record<string, string> = {},
) {
  return await test.call(uploadPicture, { token: member.token, file, headers });
}

/** Uploads a picture; returns the answer. */
export async function upload(test: TestApp, member: TestMember, bytes?: Buffer) {
  return (await sendFile(test, member, { bytes: bytes ?? (await draw()) })).body.data;
}

/** Inserts an account's upload as a database row, without bytes. */
export async function placeUpload(test: TestApp, accountId: string): Promise<{ publicId: string; key: string }> {
  const publicId = randomBytes(16).toString('base64url');
  const key = `without-bytes-${publicId}`;
  await test.db
    .insertInto('picture')
    .values({ ...bareUpload(publicId, key, test.clock.now()), account_id: accountId })
    .execute();
  return { publicId, key };
}

/** The columns of an unused upload. */
export function bareUpload(publicId: string, key: string, now: Date) {
  return {
    public_id: publicId,
    object_key: key,
    name: 'me.jpg',
    size: 1000,
    width: 1200,
    height: 1500,
    placeholder: '3OcRJYB4d3h/iIeHeEh3eIhw+j3A',
    sha256: randomBytes(32),
    dhash: '0',
    state: 'unclaimed' as const,
    place: null,
    reason: null,
    uploaded_at: now,
    claimed_at: null,
    decided_at: null,
  };
}

/** Uploads a picture and makes it the profile picture. */
export async function uploadProfilePicture(test: TestApp, member: TestMember, bytes?: Buffer) {
  const { publicId } = await upload(test, member, bytes);
  await test.call(setProfilePicture, { token: member.token, body: { imageData: { publicId } } });
  return publicId;
}

/** Uploads this many additional pictures. */
export async function uploadFurther(test: TestApp, member: TestMember, count: number): Promise<string[]> {
  const uploads: Awaited<ReturnType<typeof upload>>[] = [];
  // A member may have only four uploads in progress at a time.
  for (let n = 0; n < count; n += 1) uploads.push(await upload(test, member));
  const imagesData = uploads.map(({ publicId }) => ({ publicId }));
  await test.call(addPictures, { token: member.token, body: { imagesData } });
  return imagesData.map(({ publicId }) => publicId);
}
