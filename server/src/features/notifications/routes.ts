import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/notifications.ts';
import { notFound } from '#platform/http/app-error.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '#platform/http/mount.ts';
import { changeSettings, endMails, markRead, readUnsubscribeToken, settingsOf } from './notifications.ts';
import { putQuietHours, quietHoursOf } from './quiet-hours.ts';
import { newsEvent, notificationsPage, unreadNotifications } from './reads.ts';
import { endSubscription, renewSubscription, subscribe } from './push.ts';

/** Mounts notifications, their settings, and push devices. */
export async function mountNotifications(app: FastifyInstance, deps: Deps): Promise<void> {
  const { db, emit, pictures, unsubscribeKey, realtime, clock } = deps;

  mount(app, deps, calls.listNotifications).to(async ({ caller, query, now }) => ({
    data: await notificationsPage({ db, pictures, caller, now }, query),
  }));
  mount(app, deps, calls.readNotifications).to(async (context) => {
    await markRead(context, context.body);
    return { data: { unread: await unreadNotifications(context.tx, context.caller.accountId) } };
  });
  mount(app, deps, calls.getNotificationSettings).to(async ({ caller }) => ({
    data: { settings: await settingsOf(db, caller.accountId), quiet: await quietHoursOf(db, caller.accountId) },
  }));
  mount(app, deps, calls.putNotificationSettings).to(async ({ tx, caller: { accountId }, body, now }) => {
    if (body.quiet !== undefined) await putQuietHours(tx, accountId, body.quiet);
    const settings = await changeSettings(tx, accountId, body.settings ?? {}, now);
    return { data: { settings, quiet: await quietHoursOf(tx, accountId) } };
  });
  mount(app, deps, calls.subscribePush).to(async (context) => {
    await subscribe(context, context.body);
    return { data: { subscribed: true } };
  });
  mount(app, deps, calls.renewPushSubscription).to(async (context) => {
    await renewSubscription(context, context.body);
    return { data: { subscribed: true } };
  });
  mount(app, deps, calls.unsubscribePush).to(async (context) => {
    await endSubscription(context);
    return { data: { subscribed: false } };
  });

  realtime.readFor({
    news: (reads, accountId, changed) => newsEvent(reads, accountId, changed, { now: clock.now(), pictures }),
  });

  // Mail programs send a form of either kind (RFC 8058), and some none; the URL contains everything needed.
  await app.register(async (part) => {
    part.removeAllContentTypeParsers();
    part.addContentTypeParser('*', { bodyLimit: 1000 }, (_request, payload, done) => {
      payload.resume();
      done(null, null);
    });
    mount(part, deps, calls.unsubscribe).to(async ({ tx, query, now }) => {
      const named = readUnsubscribeToken(unsubscribeKey, query.token);
      if (named === null) throw notFound();
      await endMails(tx, named.accountId, named.kinds, now);
      await emit(tx, 'unsubscribed', named);
      return { data: { kinds: named.kinds } };
    });
  });
}
