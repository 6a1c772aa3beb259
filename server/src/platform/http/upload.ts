import { createHash } from 'node:crypto';
import multipart from '@fastify/multipart';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pictureNameMaxLength } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { AppError, invalid } from './app-error.ts';
import type { Config } from '../config/config.ts';

/** What is known of a sent file. */
export interface Upload {
  bytes: Buffer;
  /** Takes the place of the body: the file's name, made harmless, and the SHA-256 of its bytes in hexadecimal. */
  body: { name: string; sha256: string };
}

/**
 * A part of the app whose calls take forms: one file of the configured size, and hardly anything beside it. A part of its own,
 * since reading forms hooks into every request of the part.
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

const wrongType = (msg: string) =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', msg, { errors: [{ field: 'Content-Type', msg }] });

/** The file of an uploading endpoint, null for any other. 415 for the wrong kind of body, 413 for too much, 400 without a file. */
export async function readUpload(endpoint: EndpointSpec, request: FastifyRequest): Promise<Upload | null> {
  if (endpoint.uploads !== true) return null;
  if (!request.isMultipart()) throw wrongType('Send the file as multipart/form-data');
  const { filename, bytes } = await onlyFile(request);
  return { bytes, body: { name: harmless(filename), sha256: createHash('sha256').update(bytes).digest('hex') } };
}

async function onlyFile(request: FastifyRequest): Promise<{ filename: string; bytes: Buffer }> {
  try {
    const file = await request.file();
    if (file?.fieldname !== 'file') throw invalid('file', 'Send one file in the field "file"');
    return { filename: file.filename, bytes: await file.toBuffer() };
  } catch (error) {
    const { code = '' } = error as { code?: string };
    // The parser of forms throws plain errors for what is no form.
    if (error instanceof AppError || code.startsWith('FST_')) throw error;
    throw invalid('file', 'The form cannot be read');
  }
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
