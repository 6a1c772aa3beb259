import { randomUUID } from 'node:crypto';
import { everyone, signedIn, type Row } from '../access-cells.ts';
import type { CallRequest, Scene } from '../requests.ts';

/** Another member's notification. */
async function anothers({ test, other }: Scene): Promise<CallRequest> {
  const { id } = await test.db
    .insertInto('notification')
    .values({ account_id: other.id, kind: 'like', subject_id: other.id, at: test.clock.now() })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { body: { ids: [id] } };
}

/** Who may call what about notifications. */
export const notificationsRows: Record<string, Row> = {
  'GET /notifications': { cells: signedIn(200) },
  'POST /notifications/read': { cells: signedIn(200), others: { status: 200, request: anothers } },
  'GET /notifications/settings': { cells: signedIn(200) },
  'PUT /notifications/settings': { cells: signedIn(200) },
  'POST /notifications/unsubscribe': {
    cells: everyone(200),
    others: {
      status: 404,
      request: ({ other }) => ({ query: { token: `2.${other.id}.${randomUUID().slice(0, 22)}` } }),
    },
  },
  'POST /push-subscriptions': { cells: signedIn(201) },
  'DELETE /push-subscriptions': { cells: signedIn(200) },
};
