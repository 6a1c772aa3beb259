import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { unsubscribeToken } from '../../../src/features/notifications/notifications.ts';
import { installationSecret } from '../../../src/platform/config/secrets.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** A push service that is not running. */
export const unusedHost = 'localhost:9';

/** A browser's push subscription. */
export function browserSubscription(host = unusedHost) {
  const pair = createECDH('prime256v1');
  const p256dh = pair.generateKeys('base64url', 'uncompressed');
  const auth = randomBytes(16).toString('base64url');
  return { endpoint: `https://${host}/send/${randomUUID()}`, keys: { p256dh, auth } };
}

/** A valid request for every call about notifications. */
export const notificationsRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'GET /notifications': () => ({ query: { limit: '5' } }),
  'POST /notifications/read': () => ({ body: { kind: 'like' } }),
  'GET /notifications/settings': () => ({}),
  'PUT /notifications/settings': () => ({ body: { settings: { like: { mail: 'never', push: false } } } }),
  'POST /notifications/unsubscribe': async ({ test, actor, other }) => ({
    query: {
      token: unsubscribeToken(await installationSecret(test.db, 'unsubscribe', null), (actor ?? other).id, ['like']),
    },
  }),
  'POST /push-subscriptions': () => ({ body: browserSubscription() }),
  'DELETE /push-subscriptions': () => ({}),
};
