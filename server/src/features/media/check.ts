import { createHmac } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { PhotoCheckConfig } from '../../platform/config/config.ts';

export interface Verdict {
  verdict: 'allow' | 'review' | 'block';
  /** The check's own labels. */
  labels: string[];
}

/** An automatic check before the human review. */
export interface PhotoModerator {
  check(picture: Buffer): Promise<Verdict>;
}

const forPeople: Verdict = { verdict: 'review', labels: [] };

/** Leaves every picture to the review queue. */
const manual: PhotoModerator = { check: () => Promise.resolve(forPeople) };

const patienceMs = 5000;
const longestLabel = 60;

/**
 * Calls a service at `url`: a POST of the bytes with their signature in `X-Signature` (HMAC-SHA256 under the shared secret, hex), which
 * answers `{verdict, labels}`. Missing, late or invalid answers leave the picture to human review.
 */
function remote(url: string, secret: string, log: FastifyBaseLogger): PhotoModerator {
  return {
    async check(picture) {
      try {
        const answer = await fetch(url, {
          method: 'POST',
          headers: {
            'content-type': 'image/webp',
            'x-signature': createHmac('sha256', secret).update(picture).digest('hex'),
          },
          body: new Uint8Array(picture),
          redirect: 'error',
          signal: AbortSignal.timeout(patienceMs),
        });
        return answer.ok ? verdictOf(await answer.json()) : forPeople;
      } catch (error) {
        log.warn({ err: error }, 'the picture check did not answer');
        return forPeople;
      }
    },
  };
}

function verdictOf(answer: unknown): Verdict {
  const { verdict, labels } = (answer ?? {}) as { verdict?: unknown; labels?: unknown };
  if (verdict !== 'allow' && verdict !== 'block') return forPeople;
  const words = Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : [];
  return { verdict, labels: words.slice(0, 10).map((label: string) => label.slice(0, longestLabel)) };
}

/** The configured check. */
export function createPhotoModerator(config: PhotoCheckConfig | null, log: FastifyBaseLogger): PhotoModerator {
  return config === null ? manual : remote(config.url, config.secret, log);
}
