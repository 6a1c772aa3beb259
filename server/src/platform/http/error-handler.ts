import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { errorStatus, type ErrorCode } from '#contract/errors.ts';
import { AppError, type ErrorBody, invalid, notFound } from './app-error.ts';
import type { Metrics } from '../process/metrics.ts';
import { requestedLanguage, textOf } from '../texts.ts';
import { networkOf } from './client-network.ts';

/** Fastify's error codes with our code, the part of the request, and the message. */
const frameworkErrors: Record<string, [ErrorCode, string, MessageDescriptor]> = {
  FST_ERR_CTP_INVALID_JSON_BODY: ['INVALID_JSON', 'body', msg`The body is not valid JSON`],
  FST_ERR_CTP_EMPTY_JSON_BODY: ['INVALID_JSON', 'body', msg`The body is not valid JSON`],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    'INVALID_INPUT',
    'Content-Length',
    msg`The body length does not match the Content-Length header`,
  ],
  FST_ERR_CTP_BODY_TOO_LARGE: ['PAYLOAD_TOO_LARGE', 'body', msg`The body is too large`],
  FST_FILES_LIMIT: ['INVALID_INPUT', 'file', msg`Send one file`],
  FST_FIELDS_LIMIT: ['INVALID_INPUT', 'file', msg`Send only the file`],
  FST_PARTS_LIMIT: ['INVALID_INPUT', 'file', msg`Send only the file`],
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['UNSUPPORTED_MEDIA_TYPE', 'Content-Type', msg`Send the body as application/json`],
  FST_CP_ERR_INVALID_CONTENT: [
    'INVALID_INPUT',
    'body',
    msg`The body encoding does not match the Content-Encoding header`,
  ],
  FST_CP_ERR_INVALID_CONTENT_ENCODING: [
    'UNSUPPORTED_MEDIA_TYPE',
    'Content-Encoding',
    msg`Send the body without an encoding`,
  ],
};

// SQLSTATE classes that mean "try again later": connection lost, too many connections, out of space or time, shutdown,
// deadlock; also a database that is being restored (3D, 55) or is a standby (25006).
const passingStates = /^(08|3D|40|53|55|57|58|25006)/;
const passingMessages =
  /terminated|timeout|ECONNREFUSED|ECONNRESET|EPIPE|ENOENT|ENOSPC|EDQUOT|EROFS|not queryable|client was closed|end on the pool/i;

function asAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  const { code, message = '', statusCode } = error as { code?: string; message?: string; statusCode?: number };
  const known = code === undefined ? undefined : frameworkErrors[code];
  if (known !== undefined) {
    const [ours, field, text] = known;
    return invalid(field, text, ours);
  }
  if (statusCode === 429) {
    const { retryAfterSeconds = 60 } = error as { retryAfterSeconds?: number };
    return new AppError('TOO_MANY_REQUESTS', msg`Too many requests. Please try again later.`, { retryAfterSeconds });
  }
  if (code === '22021' || code === '22P05') return invalid('request', msg`Contains characters that cannot be stored`);
  if ((code !== undefined && passingStates.test(code)) || passingMessages.test(`${code ?? ''} ${message}`)) {
    return new AppError('UNAVAILABLE', msg`The service is not available right now. Please try again in a moment.`, {
      retryAfterSeconds: 2,
    });
  }
  if (code?.startsWith('FST_') === true && statusCode !== undefined && statusCode < 500) {
    return invalid('request', msg`The request cannot be read`);
  }
  return null;
}

function errorBody(error: AppError, request: FastifyRequest): ErrorBody {
  const { errors, data } = error.details;
  const language = requestedLanguage(request.headers['accept-language']);
  const words = (text: MessageDescriptor) => textOf(text, text.values, language);
  return {
    success: false,
    message: words(error.text),
    code: error.code,
    ...(errors && { errors: errors.map((one) => ({ ...one, msg: words(one.msg) })) }),
    requestId: request.id,
    ...(data === undefined ? {} : { data }),
  };
}

const unexpected = (faultMessage: MessageDescriptor | undefined) =>
  faultMessage === undefined
    ? new AppError('INTERNAL', msg`Server error: Please try again later.`)
    : new AppError('UNAVAILABLE', faultMessage, { retryAfterSeconds: 2 });

/**
 * Whether a refusal is counted and logged. A wrong code or passkey is a failed proof like a wrong password, whatever
 * its status.
 */
const isDenied = ({ status, code }: AppError) =>
  [401, 403, 429].includes(status) || code === 'INVALID_CODE' || code === 'PASSKEY_REFUSED';

/** Turns every error into an answer that never contains a stack trace, SQL or a library's message. */
export function handleErrors(app: FastifyInstance, metrics: Metrics): void {
  app.setErrorHandler(async (error, request, reply) => {
    const known = asAppError(error);
    if (known === null || (known !== error && known.code === 'UNAVAILABLE'))
      request.log.error({ err: error, req: request }, 'request failed');
    const shown = known ?? unexpected(request.routeOptions.config.mounted?.endpoint.faultMessage);
    if (isDenied(shown)) {
      metrics.deniedRequests.inc({ code: shown.code });
      const accountId = request.acting?.accountId ?? null;
      request.log.info({ req: request, code: shown.code, accountId, network: networkOf(request.ip) }, 'request denied');
    }
    if (shown.details.retryAfterSeconds !== undefined)
      void reply.header('retry-after', String(shown.details.retryAfterSeconds));
    // Closing while the client still writes would reset the connection and lose the answer. Node reads and drops the
    // rest until the request times out.
    if (shown.code === 'PAYLOAD_TOO_LARGE') void reply.removeHeader('connection');
    return reply.status(errorStatus[shown.code]).send(errorBody(shown, request));
  });
}

/** The body of a 404 for an unknown path. */
export function notFoundBody(request: FastifyRequest): ErrorBody {
  return errorBody(notFound(), request);
}
