import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import webPush from 'web-push';
import type { FastifyBaseLogger } from 'fastify';
import { readLimited } from '../http/limited-fetch.ts';
import { type PushConfig, publicKeyOf } from '../config/push.ts';

/** A browser's push subscription: the vendor's endpoint and the keys that encrypt messages for this browser. */
export interface Device {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Push notifications through browser vendors (RFC 8030, 8291, 8292). */
export interface Push {
  /** The VAPID public key that browsers subscribe with: base64url of 65 bytes. */
  publicKey: string;
  /**
   * Whether an endpoint belongs to a browser vendor. Clients choose it, so other endpoints would make us call arbitrary
   * servers.
   */
  isAllowed(endpoint: string): boolean;
  /** Sends up to 3 KB; a later message with the same `topic` replaces one that was not delivered yet. */
  send(device: Device, payload: string, topic: string): Promise<PushOutcome>;
}

/**
 * `gone`: the vendor no longer knows the device. `refused`: the vendor knows it, but doesn't accept messages for it at
 * the moment. `unsent`: the configuration doesn't allow the vendor's host, which the operator may correct.
 */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'failed' | 'unsent';

const keptSeconds = 86_400;
/** The time limit for a vendor's whole answer. */
const giveUpMs = 10_000;

/**
 * Returns the status of a vendor's answer. The library's own request waits for as long as the vendor keeps sending, and
 * keeps all of it in memory.
 */
async function post({ endpoint, method, headers, body }: webPush.RequestDetails, withinMs: number): Promise<number> {
  const signal = AbortSignal.timeout(withinMs);
  const sending = request(endpoint, { method, headers, signal });
  // Errors before the answer reject `once`; a later one affects only what follows the status.
  sending.on('error', () => undefined);
  sending.end(body);
  const [answer] = (await once(sending, 'response')) as [IncomingMessage];
  await readLimited({ body: answer }).catch(() => undefined);
  return answer.statusCode ?? 0;
}

/** A P-256 key with its leading zeros, which some tools leave out and the library requires. */
const inFull = (key: Buffer) => Buffer.concat([Buffer.alloc(Math.max(0, 32 - key.length)), key]).toString('base64url');

/** Creates push notifications with `givenKey`, a P-256 key as base64url. */
export function createPush(
  { subject, allowedHosts }: PushConfig,
  givenKey: string,
  log: FastifyBaseLogger,
  withinMs = giveUpMs,
): Push {
  const privateKey = inFull(Buffer.from(givenKey, 'base64url'));
  const publicKey = publicKeyOf(privateKey);
  /** The URL to call, or null. It is normalized, so that web-push, whose parser is older, reads the same host. */
  const addressOf = (endpoint: string) => {
    const url = URL.parse(endpoint);
    if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return null;
    if (!/^[a-z0-9.-]+$/.test(url.hostname)) return null;
    const isVendor = allowedHosts.some((allowed) =>
      allowed.startsWith('*.') ? url.host.endsWith(allowed.slice(1)) : url.host === allowed,
    );
    return isVendor ? url.href : null;
  };
  return {
    publicKey,
    isAllowed: (endpoint) => addressOf(endpoint) !== null,
    async send(device, payload, topic) {
      const endpoint = addressOf(device.endpoint);
      if (endpoint === null) return 'unsent';
      const subscription = { endpoint, keys: { p256dh: device.p256dh, auth: device.auth } };
      const options = {
        vapidDetails: { subject, publicKey, privateKey },
        TTL: keptSeconds,
        urgency: 'normal',
        topic,
      } as const;
      const sending = async () => post(webPush.generateRequestDetails(subscription, payload, options), withinMs);
      const status = await sending().catch(() => 0);
      if (status >= 200 && status < 300) return 'sent';
      if (status === 404 || status === 410) return 'gone';
      log.warn({ status }, 'a push notification could not be sent');
      return status === 403 ? 'refused' : 'failed';
    },
  };
}
