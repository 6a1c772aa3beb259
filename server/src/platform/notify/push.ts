import webPush from 'web-push';
import type { FastifyBaseLogger } from 'fastify';
import { type PushConfig, publicKeyOf } from '../config/push.ts';

/** A browser that wants to be told: its vendor's address, and what only it can read what it is sent with. */
export interface Device {
  endpoint: string;
  p256dh: string;
  auth: string;
}

/** Words on devices, through the vendors of their browsers (RFC 8030, 8291, 8292). */
export interface Push {
  /** What browsers know this service by: base64url of 65 bytes. */
  publicKey: string;
  /** Whether an address is a browser vendor's. It comes from whoever asks: anything else would be sent to for strangers. */
  isAllowed(endpoint: string): boolean;
  /** Sends up to 3 KB; what comes later under the same `topic` replaces what has not arrived. */
  send(device: Device, payload: string, topic: string): Promise<'sent' | 'gone' | 'failed'>;
}

const keptSeconds = 86_400;
const giveUpMs = 10_000;

/** @param privateKey of P-256, base64url of 32 bytes */
export function createPush({ subject, allowedHosts }: PushConfig, privateKey: string, log: FastifyBaseLogger): Push {
  const publicKey = publicKeyOf(privateKey);
  const isAllowed = (endpoint: string) => {
    const url = URL.parse(endpoint);
    if (url === null || url.protocol !== 'https:' || url.username !== '' || url.password !== '') return false;
    return allowedHosts.some((allowed) =>
      allowed.startsWith('*.') ? url.host.endsWith(allowed.slice(1)) : url.host === allowed,
    );
  };
  return {
    publicKey,
    isAllowed,
    async send({ endpoint, p256dh, auth }, payload, topic) {
      if (!isAllowed(endpoint)) return 'gone';
      try {
        await webPush.sendNotification({ endpoint, keys: { p256dh, auth } }, payload, {
          vapidDetails: { subject, publicKey, privateKey },
          TTL: keptSeconds,
          urgency: 'normal',
          topic,
          timeout: giveUpMs,
        });
        return 'sent';
      } catch (error) {
        const status = (error as { statusCode?: number }).statusCode ?? 0;
        if (status === 404 || status === 410) return 'gone';
        log.warn({ status }, 'a device could not be told');
        return 'failed';
      }
    },
  };
}
