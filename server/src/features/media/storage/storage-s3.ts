import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { msg } from '@lingui/core/runtime-macro';
import { AwsClient } from 'aws4fetch';
import type { FastifyBaseLogger } from 'fastify';
import { mediaAddressMaxSeconds } from '#contract/constants.ts';
import { AppError } from '#platform/http/app-error.ts';
import { jsonBytes, readLimited } from '#platform/http/limited-fetch.ts';
import { bucketAddress, type S3Config } from '#platform/config/config.ts';
import { pictureMimeType } from '#platform/session/pictures.ts';
import { allOf, checkKey, type Storage } from './storage.ts';

const addressSeconds = 60;
const tries = 3;
const firstPauseMs = 100;
/** Several times the largest object, which is a picture or a part of a data export. */
const objectBytes = 16_000_000;
/** Enough for a thousand keys with everything that a store returns about each of them. */
const pageBytes = 4_000_000;

interface Request {
  method: string;
  url: URL;
  /** The body that is sent. */
  bytes?: Buffer;
  /** The maximum size of the answer, in bytes. */
  answerBytes?: number;
}

interface Answer {
  status: number;
  bytes: Buffer;
}

const isPassing = ({ status }: Answer) => status >= 500 || status === 429;
const isDone = ({ status }: Answer) => status >= 200 && status < 300;

/** The store's error code, such as `SignatureDoesNotMatch`. */
const reasonOf = ({ bytes }: Answer) => /<Code>(\w{1,60})<\/Code>/.exec(bytes.toString('utf8', 0, 2000))?.[1];

/** A missing bucket is answered with 404 too and must not be mistaken for a missing picture. */
const isMissing = (answer: Answer) => answer.status === 404 && reasonOf(answer) !== 'NoSuchBucket';

function urlOf(config: S3Config, key: string): URL {
  checkKey(key);
  return new URL(`${bucketAddress(config)}/${key}`);
}

const keysIn = (page: string) => [...page.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key = '']) => key);

/**
 * Stores bytes as objects of an S3-compatible bucket. Failed requests are tried three times, `patienceMs` each. After that, and immediately
 * after a refusal, callers get a 503 and the reason is logged.
 */
export function s3Storage(config: S3Config, log: FastifyBaseLogger, patienceMs = 10_000): Storage {
  const { accessKeyId, secretAccessKey, region } = config;
  const client = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' });

  async function askOnce({ method, url, bytes, answerBytes = jsonBytes }: Request): Promise<Answer> {
    const request = await client.sign(url, {
      method,
      redirect: 'manual',
      headers: {
        // The digest is signed too, so that bytes altered in transit are refused.
        'x-amz-content-sha256': createHash('sha256')
          .update(bytes ?? '')
          .digest('hex'),
        ...(bytes && {
          'content-type': pictureMimeType,
          'cache-control': `private, max-age=${mediaAddressMaxSeconds}, immutable`,
        }),
      },
      ...(bytes && { body: new Uint8Array(bytes) }),
    });
    const response = await fetch(request, { signal: AbortSignal.timeout(patienceMs) });
    return { status: response.status, bytes: await readLimited(response, answerBytes) };
  }

  async function ask(asked: Request): Promise<Answer> {
    for (let number = 1; ; number += 1) {
      try {
        const answer = await askOnce(asked);
        if (!isPassing(answer) || number === tries) return answer;
      } catch (error) {
        if (number === tries) throw unavailable(asked.method, { err: error, reason: causeOf(error) });
      }
      await pause(firstPauseMs * 2 ** number * Math.random());
    }
  }

  function unavailable(method: string, why: object): AppError {
    log.error({ method, ...why }, 'the picture store refused a request');
    return new AppError('UNAVAILABLE', msg`Pictures aren't available right now. Please try again in a moment.`, {
      retryAfterSeconds: 5,
    });
  }

  const refusal = (method: string, answer: Answer) =>
    unavailable(method, { status: answer.status, reason: reasonOf(answer) });

  async function* pages(prefix: string, after = ''): AsyncGenerator<string[]> {
    for (let last = after; ;) {
      const url = new URL(bucketAddress(config));
      url.search = String(new URLSearchParams({ 'list-type': '2', prefix, 'start-after': last }));
      const answer = await ask({ method: 'GET', url, answerBytes: pageBytes });
      if (!isDone(answer)) throw refusal('GET', answer);
      const page = answer.bytes.toString();
      const found = keysIn(page).filter((key) => key > last);
      yield found;
      if (!page.includes('<IsTruncated>true</IsTruncated>')) return;
      // A store that ignores where the page shall begin would return the same page forever.
      if (found.length === 0) throw unavailable('GET', { reason: 'the list does not continue' });
      last = found.at(-1) ?? last;
    }
  }

  return {
    async put(key, bytes) {
      const answer = await ask({ method: 'PUT', url: urlOf(config, key), bytes });
      if (!isDone(answer)) throw refusal('PUT', answer);
    },
    async get(key) {
      const answer = await ask({ method: 'GET', url: urlOf(config, key), answerBytes: objectBytes });
      if (isMissing(answer)) return null;
      if (!isDone(answer)) throw refusal('GET', answer);
      return answer.bytes;
    },
    async remove(key) {
      const answer = await ask({ method: 'DELETE', url: urlOf(config, key) });
      if (!isDone(answer) && !isMissing(answer)) throw refusal('DELETE', answer);
    },
    list: (prefix, after) => allOf(pages(prefix, after)),
    pages,
    // Objects in a bucket are always complete.
    tidy: () => Promise.resolve(),
    async address(key) {
      const url = urlOf(config, key);
      url.searchParams.set('X-Amz-Expires', String(addressSeconds));
      return (await client.sign(url, { aws: { signQuery: true } })).url;
    },
  };
}

/** Codes such as `ECONNREFUSED` are in the cause of the error thrown by fetch; a timeout is a `TimeoutError`. */
function causeOf(error: unknown): string | undefined {
  const { name, cause } = error as { name?: string; cause?: { code?: string } };
  return cause?.code ?? name;
}
