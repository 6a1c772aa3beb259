import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { errorStatus, type ErrorBody, type ErrorCode } from '#contract/errors.ts';

const refusals: Record<string, [ErrorCode, string, string]> = {
  HPE_HEADER_OVERFLOW: ['PAYLOAD_TOO_LARGE', 'headers', 'The headers are too large'],
  ERR_HTTP_REQUEST_TIMEOUT: ['INVALID_INPUT', 'request', 'The request did not arrive in time'],
};
const otherwise: [ErrorCode, string, string] = ['INVALID_INPUT', 'request', 'The request cannot be read'];

/** Answers what is no HTTP request, and thus never reaches a route, like every other refusal; then ends the connection. */
export function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const [code, field, msg] = refusals[error.code ?? ''] ?? otherwise;
  const status = errorStatus[code];
  const body: ErrorBody = { success: false, message: msg, code, errors: [{ field, msg }], requestId: randomUUID() };
  const text = JSON.stringify(body);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    "content-security-policy: default-src 'none';frame-ancestors 'none'",
    'x-content-type-options: nosniff',
    'x-frame-options: DENY',
    'referrer-policy: no-referrer',
    'cache-control: no-store',
    'connection: close',
  ];
  if (socket.writable) socket.end(`${head.join('\r\n')}\r\n\r\n${text}`);
  socket.destroySoon();
}
