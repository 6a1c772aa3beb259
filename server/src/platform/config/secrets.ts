import {
  randomBytes,
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomInt,
} from 'node:crypto';
import type { Db } from '../db/db.ts';

/**
 * The value of an installation-wide secret: `given` if it is configured, otherwise created once and shared by all
 * processes.
 */
export async function installationSecret(db: Db, name: string, given: string | null): Promise<string> {
  if (given !== null) return given;
  await db
    .insertInto('secret')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((c) => c.column('name').doNothing())
    .execute();
  const row = await db.selectFrom('secret').select('value').where('name', '=', name).executeTakeFirstOrThrow();
  return row.value;
}

/** SHA-256 of a random token; only the hash is ever stored. */
export function hashToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** A keyed hash of `text`, for values that could be guessed from a plain hash. */
export function keyedHash(key: string, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

/** 256 random bits, URL-safe. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Six random digits. */
export function newCode(): string {
  return String(randomInt(0, 1_000_000)).padStart(6, '0');
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
const keyFrom = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'heartwood sealed answer', 32));

/** Encrypts `content` so that only someone with `secret` can read it (AES-256-GCM; a secret is used for few contents). */
export function seal(secret: string, content: string | Buffer): Buffer {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, keyFrom(secret), iv, { authTagLength: tagBytes });
  const sealed = [
    typeof content === 'string' ? cipher.update(content, 'utf8') : cipher.update(content),
    cipher.final(),
  ];
  return Buffer.concat([iv, cipher.getAuthTag(), ...sealed]);
}

/** Decrypts what `seal` encrypted; throws if `secret` is wrong or the bytes were changed. */
export function unsealBytes(secret: string, bytes: Buffer): Buffer {
  const decipher = createDecipheriv(algorithm, keyFrom(secret), bytes.subarray(0, ivBytes), {
    authTagLength: tagBytes,
  });
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes));
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes + tagBytes)), decipher.final()]);
}

/** Decrypts text that `seal` encrypted; throws like `unsealBytes`. */
export const unseal = (secret: string, bytes: Buffer): string => unsealBytes(secret, bytes).toString('utf8');
