import { createHash } from 'node:crypto';
import { msg } from '@lingui/core/runtime-macro';
import { type Selectable, sql } from 'kysely';
import * as z from 'zod/mini';
import type { BodyOf } from '#contract/endpoint.ts';
import type { renewPushSubscription, subscribePush } from '#contract/notifications.ts';
import type { Db } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import type { PushOutcome } from '#platform/notify/push.ts';
import { shownBrand } from '#platform/service/brand.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Deps } from '../../deps.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { invalid, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireSession } from '#platform/session/sessions.ts';
import { unreadConversations } from '../messages/public.ts';
import { isQuiet, kinds } from './kinds.ts';
import { quietUntil } from './quiet-hours.ts';
import { stillVisible } from './reads.ts';
import { settingsOf } from './notifications.ts';

/** Undelivered pushes are sent again after this long, with a topic that replaces the earlier one. */
const pausesSeconds = [60, 600, 3600];
/** The maximum number of devices per account. */
const mostDevices = 10;
/** How long a vendor may refuse a device before the device is deleted. */
const refusedDays = 7;

/** A push that is due. Without the optional fields it goes to all devices; with them it is a retry for the devices that it didn't reach. */
export const pushSchema = z.object({
  id: z.string(),
  tries: z.optional(z.number()),
  devices: z.optional(z.array(z.string())),
  /** The time of the failed notification. A newer notification gets its own push to all devices. */
  at: z.optional(z.string()),
});
type PushJob = z.infer<typeof pushSchema>;

/**
 * Pushes one notification to the devices of its account unless it was read or is no longer visible. The payload contains only its kind, a
 * path, the account's language, the number of unread conversations, and how many new people fit. Devices that it didn't reach are retried three times, without those that it has reached.
 */
export async function pushOne(
  { config, db, push, clock }: Deps,
  { id, tries = 0, devices: failed, at }: PushJob,
): Promise<void> {
  const row = await db
    .selectFrom('notification as n')
    .innerJoin('account as a', 'a.id', 'n.account_id')
    .select(['n.account_id', 'n.kind', 'n.at', 'a.language', isQuiet.as('waits')])
    .where('n.id', '=', id)
    .executeTakeFirst();
  if (
    row === undefined ||
    row.kind === 'export' ||
    row.kind === 'verification' ||
    row.kind === 'warning' ||
    (at !== undefined && at !== row.at.toISOString())
  )
    return;
  if (!(await settingsOf(db, row.account_id))[row.kind].push) return;
  const [shown] = await stillVisible(db, row.account_id, [id]);
  if (shown === undefined) return;
  const quietEnd = row.waits ? await quietUntil(db, row.account_id, clock.now()) : null;
  if (quietEnd !== null) return await pushLater(db, id, (quietEnd.getTime() - clock.now().getTime()) / 1000);
  const devices = await db
    .selectFrom('push_subscription')
    .selectAll()
    .where('account_id', '=', row.account_id)
    .$if(failed !== undefined, (query) => query.where('session_id', 'in', failed ?? []))
    .orderBy('created_at', 'desc')
    .limit(mostDevices)
    .execute();
  const url = kinds[shown.kind].path(shown.subject_id);
  const unread = await unreadConversations(db, { accountId: row.account_id }, clock.now());
  const { name, icon } = shownBrand(config);
  const { kind, people } = shown;
  const count = people === null ? {} : { people };
  const payload = JSON.stringify({ kind, url, language: row.language, unread, name, icon, ...count });
  const topic = topicOf(kind, url);
  const results = await Promise.all(
    devices.map(async (device) => ({ device, outcome: await push.send(device, payload, topic) })),
  );
  const again = results.filter(({ outcome }) => outcome === 'failed' || outcome === 'refused');
  if (again.length > 0 && tries < pausesSeconds.length)
    await addJob(
      db,
      'notifications.push',
      {
        id,
        tries: tries + 1,
        devices: again.map(({ device }) => device.session_id),
        at: row.at.toISOString(),
      } satisfies PushJob,
      { delaySeconds: pausesSeconds[tries] ?? 0 },
    );
  await noteOutcomes(db, results, clock.now());
}

/** Vendors keep one undelivered push for each topic: the newest of a conversation, or of a list. */
const topicOf = (kind: string, url: string) =>
  createHash('sha256').update(`${kind} ${url}`).digest('base64url').slice(0, 32);

/** Pushes a notification at the end of the quiet hours, only once even if it is repeated until then. */
const pushLater = (db: Db, id: string, delaySeconds: number) =>
  addJob(db, 'notifications.push', { id } satisfies PushJob, {
    jobKey: `notifications.push later ${id}`,
    delaySeconds,
  });

interface PushResult {
  device: Pick<Selectable<Database['push_subscription']>, 'endpoint' | 'refused_since'>;
  outcome: PushOutcome;
}

/** Deletes devices that their vendors no longer know or have refused for seven days; a success ends a series of refusals. */
async function noteOutcomes(db: Db, results: readonly PushResult[], now: Date): Promise<void> {
  const since = secondsAfter(now, -refusedDays * 86_400);
  const isOver = ({ device: { refused_since: first }, outcome }: PushResult) =>
    outcome === 'gone' || (outcome === 'refused' && first !== null && first <= since);
  const endpointsOf = (which: (result: PushResult) => boolean) =>
    results.filter(which).map(({ device }) => device.endpoint);
  const over = endpointsOf(isOver);
  const refused = endpointsOf(({ device, outcome }) => outcome === 'refused' && device.refused_since === null);
  const reached = endpointsOf(({ device, outcome }) => outcome === 'sent' && device.refused_since !== null);
  if (over.length > 0) await db.deleteFrom('push_subscription').where('endpoint', 'in', over).execute();
  for (const [endpoints, refusedSince] of [
    [refused, now],
    [reached, null],
  ] as const)
    if (endpoints.length > 0)
      await db
        .updateTable('push_subscription')
        .set({ refused_since: refusedSince })
        .where('endpoint', 'in', endpoints)
        .execute();
}

/**
 * Subscribes the caller's device until its session ends. It replaces another account's subscription on the same device. Throws 400 for an
 * endpoint that isn't a browser vendor's, and 401 if the session has just ended.
 */
export async function subscribe(
  { tx, deps, caller, now }: CommandContext,
  { endpoint, keys }: BodyOf<typeof subscribePush>,
): Promise<void> {
  await requireSession(tx, caller.sessionId);
  await lockDevice(tx, deps, endpoint);
  const former = await tx
    .deleteFrom('push_subscription')
    .where('endpoint', '=', endpoint)
    .returning(['p256dh', 'auth', 'refused_since'])
    .executeTakeFirst();
  // A page sends the same subscription at each visit.
  const isSame = former?.p256dh === keys.p256dh && former.auth === keys.auth;
  const content = {
    endpoint,
    p256dh: keys.p256dh,
    auth: keys.auth,
    created_at: now,
    refused_since: isSame ? former.refused_since : null,
  };
  await tx
    .insertInto('push_subscription')
    .values({ session_id: caller.sessionId, account_id: caller.accountId, ...content })
    .onConflict((conflict) => conflict.column('session_id').doUpdateSet(content))
    .execute();
}

/** Serialises concurrent subscriptions of the same device. Throws 400 for an endpoint that isn't a browser vendor's. */
async function lockDevice(tx: Db, { push }: Deps, endpoint: string): Promise<void> {
  if (!push.isAllowed(endpoint)) throw invalid('endpoint', msg`We can't send notifications to this address`);
  await sql`select pg_advisory_xact_lock(hashtextextended(${endpoint}, 11))`.execute(tx);
}

/** Replaces the subscription of a device that knows its former secret. Throws 404 if there is none. */
export async function renewSubscription(
  { tx, deps, now }: Pick<CommandContext, 'tx' | 'deps' | 'now'>,
  { former, endpoint, keys }: BodyOf<typeof renewPushSubscription>,
): Promise<void> {
  await lockDevice(tx, deps, endpoint);
  await tx
    .deleteFrom('push_subscription')
    .where('endpoint', '=', endpoint)
    .where('endpoint', '<>', former.endpoint)
    .execute();
  const renewed = await tx
    .updateTable('push_subscription')
    .set({ endpoint, ...keys, created_at: now, refused_since: null })
    .where('endpoint', '=', former.endpoint)
    .where('auth', '=', former.auth)
    .returning('session_id')
    .executeTakeFirst();
  if (renewed === undefined) throw notFound();
}

/** Unsubscribes the caller's device. */
export async function endSubscription({ tx, caller }: CommandContext): Promise<void> {
  await tx.deleteFrom('push_subscription').where('session_id', '=', caller.sessionId).execute();
}
