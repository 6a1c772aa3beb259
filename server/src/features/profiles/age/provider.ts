import { createHmac, timingSafeEqual } from 'node:crypto';
import type { AgeAnswer } from '#contract/age-check.ts';

/** A service that confirms whether someone is an adult. It learns nothing about the member except a random id of the check. */
export interface AgeProvider {
  /** Its host name, which members read before they go there. */
  name: string;
  /** The URL for the check; `backTo` is the page that the browser returns to. */
  addressFor(check: string, backTo: string): string;
  /** Whether the answer is from the provider. */
  isSigned(answer: AgeAnswer): boolean;
}

/** The signature of texts in this order, in hexadecimal. */
export const ageSignature = (secret: string, ...parts: string[]): string =>
  createHmac('sha256', secret).update(parts.join('\n')).digest('hex');

/** A provider at a URL, with which this service shares a secret. */
export function signedAgeProvider(
  { url, secret }: { url: string; secret: string },
  name = new URL(url).host,
): AgeProvider {
  return {
    name,
    addressFor(check, backTo) {
      const asked = { check, return: backTo, signature: ageSignature(secret, check, backTo) };
      return `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(asked).toString()}`;
    },
    isSigned({ check, result, signature }) {
      const [given, right] = [Buffer.from(signature), Buffer.from(ageSignature(secret, check, result))];
      return given.length === right.length && timingSafeEqual(given, right);
    },
  };
}
