import { createHash } from 'node:crypto';
import multipart from '@fastify/multipart';
import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pictureNameMaxLength } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { AppError, invalid } from './app-error.ts';
import { networkOf } from './client-network.ts';
import { uploadRoom, whileArriving } from './upload-room.ts';
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

const room = uploadRoom();
/** More than the rest of a form around its file. */
const formBytes = 10_000;

/** The member who uploads, and what is done before the file is read. */
interface Uploading {
  caller: { accountId: string } | null;
  /** Counts the request towards the limit of its call; 429 if the limit is exceeded. */
  spend: () => Promise<void>;
}

/**
 * The uploaded file, or null for endpoints without uploads. 415 for the wrong content type, 413 for a file that is or
 * claims to be too large, 400 without a file, 408 if its sender stops sending, 429 while the caller has four uploads in
 * progress, 503 while all members together have too many. The file takes up memory until the answer is sent.
 */
export async function readUpload(
  config: Config,
  endpoint: EndpointSpec,
  { caller, spend }: Uploading,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): Promise<Upload | null> {
  if (endpoint.uploads !== true) return null;
  if (!request.isMultipart())
    throw invalid('Content-Type', msg`Send the file as multipart/form-data`, 'UNSUPPORTED_MEDIA_TYPE');
  const { maxUploadBytes } = config.media;
  if (Number(request.headers['content-length'] ?? 0) > maxUploadBytes + formBytes)
    throw tooLarge(maxUploadBytes, request);
  const network = networkOf(request.ip);
  const place = room.enter(caller?.accountId ?? network, network);
  reply.raw.once('close', () => place.leave());
  await spend();
  const { filename, bytes } = await whileArriving(request.raw, place.take, () =>
    onlyFile(request, maxUploadBytes),
  ).catch((error: unknown) => {
    // The rest would take up memory that is no longer counted.
    if (error instanceof AppError && ['REQUEST_TIMEOUT', 'UNAVAILABLE'].includes(error.code))
      void reply.header('connection', 'close');
    throw error;
  });
  return { bytes, body: { name: harmless(filename), sha256: createHash('sha256').update(bytes).digest('hex') } };
}

async function onlyFile(request: FastifyRequest, maxBytes: number): Promise<{ filename: string; bytes: Buffer }> {
  try {
    const file = await request.file();
    if (file?.fieldname !== 'file') throw invalid('file', msg`Send one file in the field "file"`);
    return { filename: file.filename, bytes: await file.toBuffer() };
  } catch (error) {
    const { code = '' } = error as { code?: string };
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw tooLarge(maxBytes, request);
    // The form parser throws plain errors for malformed forms.
    if (error instanceof AppError || code.startsWith('FST_')) throw error;
    throw invalid('file', msg`The form cannot be read`);
  }
}

/**
 * 413 that names the limit, and the size of the file if the request contains it. It includes the form around the file,
 * which is less than 1 KB.
 */
function tooLarge(maxBytes: number, { headers }: FastifyRequest): AppError {
  const contentLength = headers['content-length'];
  const limit = maxBytes / 1e6;
  const size = Math.ceil(Number(contentLength) / 1e5) / 10;
  const text =
    contentLength === undefined
      ? msg`Files can be up to ${{ limit }} MB. Make it smaller and try again.`
      : msg`Files can be up to ${{ limit }} MB. This one has ${{ size }} MB. Make it smaller and try again.`;
  return invalid('file', text, 'PAYLOAD_TOO_LARGE');
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
