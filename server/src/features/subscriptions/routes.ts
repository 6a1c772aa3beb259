import type { FastifyInstance } from 'fastify';
import { defaultPageLimit, memberLimitMax } from '#contract/constants.ts';
import * as calls from '#contract/subscriptions/subscriptions.ts';
import { isUuid, type Caller } from '../../platform/session/caller.ts';
import { AppError, invalid, notFound } from '../../platform/http/app-error.ts';
import { actorOf, writeAudit } from '../../platform/db/audit.ts';
import { inTransaction } from '../../platform/db/db.ts';
import type { Deps } from '../../deps.ts';
import { mount } from '../../platform/http/mount.ts';
import { fullName } from '../../platform/session/own-user.ts';
import { beginCard, cardsOf, chooseCard, removeCard } from './buying/cards.ts';
import { cancel, preview, reactivate, update } from './buying/change.ts';
import { confirm } from './buying/confirm.ts';
import { begin, type Flights } from './buying/create.ts';
import { demandPayer, paying, presentOf } from './buying/paying.ts';
import { currentSubscription, invoicesPage, ownInvoice, readRevenue } from './reads.ts';
import { anySubscription, subscriptionsFor } from './staff.reads.ts';
import { toSubscription } from './views.ts';

/** Premium: beginning, changing and ending it, cards, invoices, and what administrators see of it. */
export function mountSubscriptions(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const flights: Flights = new Map();

  mount(app, deps, calls.createSubscription).to(async ({ caller, body, once, claim }) => {
    demandPayer(caller);
    const started = await paying(() => begin(deps, flights, caller, body, claim));
    return await once(async () => ({ message: 'Finish the payment to begin', data: started }));
  });
  mount(app, deps, calls.currentSubscription).to(async ({ caller }) => {
    const subscription = await currentSubscription(db, caller.accountId, await presentOf(deps));
    if (subscription === null) throw notFound();
    return { subscription };
  });
  mount(app, deps, calls.previewChange).to(async ({ caller, query }) => {
    demandPayer(caller);
    return { data: await paying(() => preview(deps, caller.accountId, query.plan)) };
  });
  mount(app, deps, calls.updateSubscription).to(async ({ caller, body }) => {
    demandPayer(caller);
    const data = await paying(() => update(deps, caller.accountId, body.plan));
    const message = data.requiresAction ? 'Your bank has a question first' : 'Your change of plan is noted';
    return { message, data };
  });
  mount(app, deps, calls.cancelSubscription).to(async ({ caller }) => {
    demandPayer(caller);
    const row = await paying(() => cancel(deps, caller.accountId));
    return { message: 'Your premium is cancelled', data: { subscription: toSubscription(row) } };
  });
  mount(app, deps, calls.reactivateSubscription).to(async ({ caller }) => {
    demandPayer(caller);
    const row = await paying(() => reactivate(deps, caller.accountId));
    return { message: 'Your premium goes on', data: { subscription: toSubscription(row) } };
  });
  mount(app, deps, calls.confirmSubscription).to(async ({ caller, body }) => {
    demandPayer(caller);
    const row = await paying(() => confirm(deps, caller, body));
    return { message: 'Your payment is known', data: { subscription: toSubscription(row) } };
  });

  mount(app, deps, calls.listPaymentMethods).to(async ({ caller }) => {
    demandPayer(caller);
    return { data: { paymentMethods: await paying(() => cardsOf(deps, caller.accountId)) } };
  });
  mount(app, deps, calls.createSetupIntent).to(async ({ caller }) => {
    demandPayer(caller);
    return { data: await paying(() => beginCard(deps, caller)) };
  });
  mount(app, deps, calls.setDefaultPaymentMethod).to(async ({ caller, params }) => {
    demandPayer(caller);
    return { data: { paymentMethods: await paying(() => chooseCard(deps, caller, params.id)) } };
  });
  mount(app, deps, calls.removePaymentMethod).to(async ({ caller, params }) => {
    demandPayer(caller);
    return { data: { paymentMethods: await paying(() => removeCard(deps, caller, params.id)) } };
  });

  mount(app, deps, calls.listInvoices).to(async ({ caller, query }) => {
    demandPayer(caller);
    const limit = query.limit ?? defaultPageLimit;
    if (limit > memberLimitMax) throw invalid('limit', `Use ${memberLimitMax} or less`);
    return { data: await invoicesPage(db, caller.accountId, query.page ?? 1, limit) };
  });
  mount(app, deps, calls.getInvoice).to(async ({ caller, params }) => {
    demandPayer(caller);
    const invoice = await ownInvoice(db, caller.accountId, params.id);
    if (invoice === null) throw notFound();
    const { firstName, lastName, email } = caller;
    return { data: { invoice, billedTo: { name: fullName(firstName, lastName), email } } };
  });

  const noteReading = async (caller: Caller, id: string, now: Date) => {
    const target = { type: 'user', id } as const;
    await inTransaction(db, (tx) =>
      writeAudit(tx, { actor: actorOf(caller), action: 'subscription.read', target }, now),
    );
  };
  mount(app, deps, calls.getSubscription).to(async ({ caller, params, now }) => {
    if (caller.staffRole === 'moderator') throw new AppError('FORBIDDEN', 'You are not allowed to do this');
    const found = isUuid(params.id) ? await anySubscription(db, params.id) : undefined;
    const isStaff = caller.staffRole !== null;
    if (found === undefined || (!isStaff && found.accountId !== caller.accountId)) throw notFound();
    if (isStaff) await noteReading(caller, found.accountId, now);
    return { data: { subscription: found.subscription } };
  });
  mount(app, deps, calls.listSubscriptions).to(async ({ caller, query, now }) => {
    if (caller.staffRole === 'moderator') throw new AppError('FORBIDDEN', 'You are not allowed to do this');
    const isOther = caller.staffRole !== null && query.userId !== undefined;
    const accountId = isOther ? (query.userId ?? '') : caller.accountId;
    const subscriptions = isUuid(accountId) ? await subscriptionsFor(db, accountId) : null;
    if (subscriptions === null) throw notFound();
    if (isOther) await noteReading(caller, accountId, now);
    return { data: { subscriptions } };
  });
  mount(app, deps, calls.getRevenue).to(async () => {
    const { currency } = deps.config.payments.prices.monthly;
    return { data: await readRevenue(db, currency, await presentOf(deps)) };
  });
}
