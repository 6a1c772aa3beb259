import type { FastifyInstance } from 'fastify';
import * as calls from '#contract/notifications.ts';
import { notFound } from '../../platform/http/app-error.ts';
import { readCursor } from '../../platform/db/page-cursor.ts';
import { inTransaction } from '../../platform/db/db.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '../../platform/http/mount.ts';
import { endSubscription, subscribe } from './push.ts';
import { newsEvent, notificationsPage, unreadNotifications } from './reads.ts';
import { changeSettings, endMails, markRead, readUnsubscribeToken, settingsOf } from './notifications.ts';

const usualLimit = 20;

/** Notifications, their settings, and push devices. */
export async function mountNotifications(app: FastifyInstance, deps: Deps): Promise<void> {
  const { db, pictures, unsubscribeKey, realtime, clock } = deps;

  mount(app, deps, calls.listNotifications).to(async ({ caller, query: { cursor, limit = usualLimit }, now }) => {
    return { data: await notificationsPage(db, caller, readCursor(cursor), limit, now, pictures) };
  });
  mount(app, deps, calls.readNotifications).to(async ({ caller, body, now }) => {
    await markRead(db, caller.accountId, body, now);
    return { data: { unread: await unreadNotifications(db, caller.accountId) } };
  });
  mount(app, deps, calls.getNotificationSettings).to(async ({ caller }) => ({
    data: { settings: await settingsOf(db, caller.accountId) },
  }));
  mount(app, deps, calls.putNotificationSettings).to(async ({ tx, caller, body }) => ({
    data: { settings: await changeSettings(tx, caller.accountId, body.settings) },
  }));
  mount(app, deps, calls.subscribePush).to(async ({ tx, caller, body, now }) => {
    await subscribe(tx, deps, caller, body, now);
    return { data: { subscribed: true } };
  });
  mount(app, deps, calls.unsubscribePush).to(async ({ caller }) => {
    await endSubscription(db, caller);
    return { data: { subscribed: false } };
  });

  realtime.readFor({
    news: (reads, accountId, changed) => newsEvent(reads, accountId, changed, { now: clock.now(), pictures }),
  });

  // Mail programs send a form (RFC 8058); the URL contains everything needed.
  await app.register(async (part) => {
    part.addContentTypeParser('application/x-www-form-urlencoded', { bodyLimit: 1000 }, (_request, payload, done) => {
      payload.resume();
      done(null, null);
    });
    mount(part, deps, calls.unsubscribe).to(async ({ query }) => {
      const named = readUnsubscribeToken(unsubscribeKey, query.token);
      if (named === null) throw notFound();
      const { accountId, kinds } = named;
      await inTransaction(db, async (tx) => {
        const account = await tx.selectFrom('account').select('id').where('id', '=', accountId).executeTakeFirst();
        if (account !== undefined) await endMails(tx, accountId, kinds);
      });
      return { data: { kinds } };
    });
  });
}
