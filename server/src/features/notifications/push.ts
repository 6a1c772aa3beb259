import { sql } from 'kysely';
import { invalid } from '../../platform/http/app-error.ts';
import type { Caller } from '../../platform/session/caller.ts';
import { requireSession } from '../../platform/session/sessions.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Deps } from '../../deps.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { NotificationKind, subscribePush } from '#contract/notifications.ts';
import { stillVisible } from './reads.ts';
import { settingsOf } from './notifications.ts';

/** Undelivered pushes are sent again after this long, with a topic that replaces the earlier one. */
const pausesSeconds = [60, 600, 3600];
/** The maximum number of devices per account. */
const mostDevices = 10;

/**
 * Subscribes the caller's device for as long as its session lives; it replaces another account's subscription on the same device.
 * 400 for an endpoint that isn't a browser vendor's, 401 when the session has just ended.
 */
export async function subscribe(
  tx: Db,
  { push }: Pick<Deps, 'push'>,
  caller: Caller,
  { endpoint, keys }: BodyOf<typeof subscribePush>,
  now: Date,
): Promise<void> {
  if (!push.isAllowed(endpoint)) throw invalid('endpoint', "We can't send notifications to this address");
  await requireSession(tx, caller.sessionId);
  // Serialises concurrent subscriptions of the same device.
  await sql`select pg_advisory_xact_lock(hashtextextended(${endpoint}, 11))`.execute(tx);
  await tx.deleteFrom('push_subscription').where('endpoint', '=', endpoint).execute();
  const content = { endpoint, p256dh: keys.p256dh, auth: keys.auth, created_at: now };
  await tx
    .insertInto('push_subscription')
    .values({ session_id: caller.sessionId, account_id: caller.accountId, ...content })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(content))
    .execute();
}

/** Unsubscribes the caller's device. */
export async function endSubscription(db: Db, caller: Caller): Promise<void> {
  await db.deleteFrom('push_subscription').where('session_id', '=', caller.sessionId).execute();
}

const pages: Record<Exclude<NotificationKind, 'message' | 'report'>, string> = {
  match: '/app/matches',
  like: '/app/likes',
};

const pageOf = (kind: NotificationKind, subjectId: string) => {
  if (kind === 'message') return `/app/messages/${subjectId}`;
  return kind === 'report' ? `/app/support/${subjectId}` : pages[kind];
};

/**
 * Pushes one notification to all devices of its account unless it was read or is no longer visible. The payload is its kind and a path,
 * nothing else. Devices unknown to their vendor are deleted; unreachable ones are retried three times.
 */
export async function pushOne({ db, push }: Deps, notificationId: string, tries: number): Promise<void> {
  const row = await db
    .selectFrom('notification')
    .select(['account_id', 'kind'])
    .where('id', '=', notificationId)
    .executeTakeFirst();
  if (row === undefined || row.kind === 'export' || !(await settingsOf(db, row.account_id))[row.kind].push) return;
  const [shown] = await stillVisible(db, row.account_id, [notificationId]);
  if (shown === undefined) return;
  const devices = await db
    .selectFrom('push_subscription')
    .selectAll()
    .where('account_id', '=', row.account_id)
    .orderBy('created_at', 'desc')
    .limit(mostDevices)
    .execute();
  const payload = JSON.stringify({ kind: shown.kind, url: pageOf(shown.kind, shown.subject_id) });
  const outcomes = await Promise.all(devices.map((device) => push.send(device, payload, shown.kind)));
  const gone = devices.filter((_, index) => outcomes[index] === 'gone').map(({ endpoint }) => endpoint);
  if (gone.length > 0) await db.deleteFrom('push_subscription').where('endpoint', 'in', gone).execute();
  if (outcomes.includes('failed') && tries < pausesSeconds.length)
    await addJob(
      db,
      'notifications.push',
      { id: notificationId, tries: tries + 1 },
      { jobKey: `notifications.push ${notificationId}`, delaySeconds: pausesSeconds[tries] ?? 0 },
    );
}
