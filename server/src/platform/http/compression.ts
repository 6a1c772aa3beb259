import { randomInt } from 'node:crypto';
import { constants, brotliCompressSync, createBrotliCompress, createZstdCompress, zstdCompressSync } from 'node:zlib';
import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';
import { apiBasePath } from '#contract/constants.ts';

/**
 * Smaller answers fit in the same round trip anyway, and compressing one costs a tenth of its request's time. In bytes.
 */
export const compressedFrom = 4096;
/**
 * Answers up to this size are compressed synchronously, which is cheaper than a stream and takes less than a
 * millisecond. In bytes.
 */
const atOnceMost = 128 * 1024;
const paddingMost = 64;

/** The levels and their order were measured; see decision 4. */
const brotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };
const zstd = { params: { [constants.ZSTD_c_compressionLevel]: 3 } };
const levels = {
  createBrotliCompress: () => createBrotliCompress(brotli),
  brotliCompressSync: (bytes: Buffer) => brotliCompressSync(bytes, brotli),
  createZstdCompress: () => createZstdCompress(zstd),
  zstdCompressSync: (bytes: Buffer) => zstdCompressSync(bytes, zstd),
};

/**
 * Compresses answers of 4 KB and more. API answers also get a header of random length: members write to each other, and
 * the exact size of a compressed answer would reveal whether it repeats a string that someone else chose (BREACH).
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    threshold: compressedFrom,
    syncThreshold: atOnceMost,
    encodings: ['zstd', 'br', 'gzip', 'identity'],
    zlib: levels,
    zlibOptions: { level: 2 },
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (request.headers['accept-encoding'] !== undefined && request.url.startsWith(`${apiBasePath}/`))
      void reply.header('x-padding', '0'.repeat(randomInt(paddingMost)));
    done();
  });
}

const credential = /^(uri|code)$|(token|secret|nonce|challenge|codes)$/i;

/** Whether a JSON schema contains a field for credentials. Such answers are small, and are never compressed. */
export function holdsCredential(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false;
  const fields = 'properties' in schema ? Object.keys(schema.properties ?? {}) : [];
  return fields.some((field) => credential.test(field)) || Object.values(schema).some(holdsCredential);
}
