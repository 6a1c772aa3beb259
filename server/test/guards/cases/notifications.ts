import { createECDH, randomBytes, randomUUID } from 'node:crypto';
import { subscribePush } from '#contract/notifications.ts';
import { unsubscribeToken } from '../../../src/features/notifications/notifications.ts';
import { installationSecret } from '#platform/config/secrets.ts';
import type { CallRequest, Scene } from '../requests.ts';
import { makeMember } from '../../factories.ts';
import { everyone, signedIn, row, type Row } from '../people.ts';

/** A push service that is not running. */
export const unusedHost = 'localhost:9';

/** A browser's push subscription. */
export function browserSubscription(host = unusedHost) {
  const pair = createECDH('prime256v1');
  const p256dh = pair.generateKeys('base64url', 'uncompressed');
  const auth = randomBytes(16).toString('base64url');
  return { endpoint: `https://${host}/send/${randomUUID()}`, keys: { p256dh, auth } };
}

/** The request of a device whose subscription was replaced by its push service. */
async function renewal({ test }: Scene) {
  const { endpoint, keys } = browserSubscription();
  // Other requests of a test may have ended every session of the scene.
  const { token } = await makeMember(test);
  await test.call(subscribePush, { token, body: { endpoint, keys } });
  return { body: { ...browserSubscription(), former: { endpoint, auth: keys.auth } } };
}

/** A valid request for every endpoint of notifications. */
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
  'PUT /push-subscriptions': renewal,
  'DELETE /push-subscriptions': () => ({}),
};

/** Another member's notification. */
async function anothers({ test, other }: Scene): Promise<CallRequest> {
  const { id } = await test.db
    .insertInto('notification')
    .values({ account_id: other.id, kind: 'like', subject_id: other.id, at: test.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { body: { ids: [id] } };
}

/** Who may call which endpoints of notifications. */
export const notificationsRows: Record<string, Row> = {
  'GET /notifications': { cells: signedIn(200) },
  'POST /notifications/read': row(signedIn(200), 200, anothers),
  'GET /notifications/settings': { cells: signedIn(200) },
  'PUT /notifications/settings': { cells: signedIn(200) },
  'POST /notifications/unsubscribe': row(everyone(200), 404, ({ other }) => ({
    query: { token: `2.${other.id}.${randomUUID().slice(0, 22)}` },
  })),
  'POST /push-subscriptions': { cells: signedIn(201) },
  'PUT /push-subscriptions': row(everyone(200), 404, async (scene) => {
    const { body } = await renewal(scene);
    return { body: { ...body, former: { ...body.former, auth: browserSubscription().keys.auth } } };
  }),
  'DELETE /push-subscriptions': { cells: signedIn(200) },
};
