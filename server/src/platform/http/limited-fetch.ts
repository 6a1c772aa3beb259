import { createHmac } from 'node:crypto';
import type { SignedHook } from '../config/config.ts';

/** The `fetch` used to call external services. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Far more than any JSON that we request from other services. */
export const jsonBytes = 65_536;

/** Thrown for an answer that is longer than allowed. */
export class AnswerTooLong extends Error {
  override name = 'AnswerTooLong';
  readonly code = 'ANSWER_TOO_LONG';
}

/**
 * Reads the body of an answer. Once it is longer than `bytes`, this rejects and stops receiving: an external service
 * must not be able to fill the memory. The signal of the request must limit the time.
 */
export async function readLimited(
  { body }: { body: AsyncIterable<Uint8Array> | null },
  bytes = jsonBytes,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the rest.
  for await (const part of body ?? []) {
    length += part.length;
    if (length > bytes) throw new AnswerTooLong(`more than ${bytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts, length);
}

const withoutBody = [204, 205, 304];

/**
 * The same `fetch`, for libraries that read the answer themselves: it resolves when the whole answer has arrived, which
 * has at most `bytes`.
 */
export function limitedFetch(fetch: Fetch, bytes = jsonBytes): Fetch {
  return async (url, init) => {
    const response = await fetch(url, init);
    const { status, statusText, headers } = response;
    const body = new Uint8Array(await readLimited(response, bytes));
    return new Response(withoutBody.includes(status) ? null : body, { status, statusText, headers });
  };
}

const patienceMs = 5000;

/**
 * Posts a body to a service of the operator with its signature in `X-Signature` (HMAC-SHA256 with the shared secret, hex). The whole answer
 * must arrive within five seconds.
 */
export function postSigned({ url, secret }: SignedHook, contentType: string, body: Uint8Array): Promise<Response> {
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return limitedFetch(fetch)(url, {
    method: 'POST',
    headers: { 'content-type': contentType, 'x-signature': signature },
    body: new Uint8Array(body),
    redirect: 'error',
    signal: AbortSignal.timeout(patienceMs),
  });
}
