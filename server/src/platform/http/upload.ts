import { createHash } from 'node:crypto';
import multipart from '@fastify/multipart';
import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pictureNameMaxLength } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { AppError, invalid, tooMany } from './app-error.ts';
import { networkOf } from './client-network.ts';
import type { Config } from '../config/config.ts';

/** An uploaded file. */
export interface Upload {
  bytes: Buffer;
  /** Used as the body: the sanitized file name, and the SHA-256 of the bytes in hexadecimal. */
  body: { name: string; sha256: string };
}

/**
 * Registers endpoints that accept a form with one file of at most the configured size. They have their own plugin
 * scope, because the form parser hooks into every request of its scope.
 */
export async function withForms(
  app: FastifyInstance,
  config: Config,
  mountCalls: (part: FastifyInstance) => void,
): Promise<void> {
  const limits = {
    files: 1,
    fileSize: config.media.maxUploadBytes,
    fields: 4,
    fieldSize: 1000,
    fieldNameSize: 60,
    parts: 5,
    headerPairs: 20,
  };
  await app.register(async (part) => {
    await part.register(multipart, { limits });
    mountCalls(part);
  });
}

/** How many uploads of one member may be read or processed at a time, and how many bytes of all members. */
const mostOfMember = 4;
const mostBytes = 100_000_000;
let bytesHeld = 0;
const uploadsOf = new Map<string, number>();

/**
 * Reserves room for an upload until its answer is sent, because the file is held in memory, however slowly it arrives.
 */
function makeRoom(accountId: string, request: FastifyRequest, reply: FastifyReply): void {
  const own = uploadsOf.get(accountId) ?? 0;
  if (own >= mostOfMember) throw tooMany(msg`Please wait for your other uploads to finish`, 2);
  const bytes = Number(request.headers['content-length'] ?? mostBytes / 10);
  if (bytesHeld + bytes > mostBytes)
    throw new AppError('UNAVAILABLE', msg`Many pictures are being uploaded. Please try again in a moment.`, {
      retryAfterSeconds: 2,
    });
  uploadsOf.set(accountId, own + 1);
  bytesHeld += bytes;
  reply.raw.once('close', () => {
    const left = (uploadsOf.get(accountId) ?? 1) - 1;
    if (left > 0) uploadsOf.set(accountId, left);
    else uploadsOf.delete(accountId);
    bytesHeld -= bytes;
  });
}

/**
 * The uploaded file, or null for endpoints without uploads. 415 for the wrong content type, 413 for a file that is too
 * large, 400 without a file, 429 while the caller has several uploads in progress, 503 while all members together have
 * too many.
 */
export async function readUpload(
  config: Config,
  endpoint: EndpointSpec,
  caller: { accountId: string } | null,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<Upload | null> {
  if (endpoint.uploads !== true) return null;
  if (!request.isMultipart())
    throw invalid('Content-Type', msg`Send the file as multipart/form-data`, 'UNSUPPORTED_MEDIA_TYPE');
  makeRoom(caller?.accountId ?? networkOf(request.ip), request, reply);
  const { filename, bytes } = await onlyFile(request, config.media.maxUploadBytes);
  return { bytes, body: { name: harmless(filename), sha256: createHash('sha256').update(bytes).digest('hex') } };
}

async function onlyFile(request: FastifyRequest, maxBytes: number): Promise<{ filename: string; bytes: Buffer }> {
  try {
    const file = await request.file();
    if (file?.fieldname !== 'file') throw invalid('file', msg`Send one file in the field "file"`);
    return { filename: file.filename, bytes: await file.toBuffer() };
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (code === 'FST_REQ_FILE_TOO_LARGE')
      throw invalid('file', tooLargeText(maxBytes, request.headers['content-length']), 'PAYLOAD_TOO_LARGE');
    // The form parser throws plain errors for malformed forms.
    if (error instanceof AppError || code.startsWith('FST_')) throw error;
    throw invalid('file', msg`The form cannot be read`);
  }
}

/**
 * Names the limit, and the size of the file if the request contains it. It includes the form around the file, which is
 * less than 1 KB.
 */
function tooLargeText(maxBytes: number, contentLength: string | undefined): MessageDescriptor {
  const limit = maxBytes / 1e6;
  const size = Math.ceil(Number(contentLength) / 1e5) / 10;
  return contentLength === undefined
    ? msg`Files can be up to ${{ limit }} MB. Make it smaller and try again.`
    : msg`Files can be up to ${{ limit }} MB. This one has ${{ size }} MB. Make it smaller and try again.`;
}

function harmless(filename: string | undefined): string {
  const name = (filename ?? '')
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}<>:"/\\|?*\u202a-\u202e\u2066-\u2069]/gu, '');
  return [...name]
    .slice(-pictureNameMaxLength / 2)
    .join('')
    .trim();
}
