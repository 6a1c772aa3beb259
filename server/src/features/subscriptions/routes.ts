import { msg } from '@lingui/core/runtime-macro';
import type { FastifyInstance } from 'fastify';
import { defaultPageLimit } from '#contract/constants.ts';
import { directionOf } from '#contract/languages.ts';
import * as calls from '#contract/subscriptions/subscriptions.ts';
import type { PaymentMethodView } from '#contract/subscriptions/subscriptions.ts';
import { type Caller, requireMember, requirePermission } from '#platform/session/caller.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { notFound } from '#platform/http/app-error.ts';
import { plainName } from '#contract/service/file-name.ts';
import { asFile, brandPicture, presentBrand, presentSeller } from '#platform/service/brand.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { audit } from '#platform/db/audit.ts';
import type { Deps } from '../../deps.ts';
import { type CommandContext, mount } from '#platform/http/mount.ts';
import { inLanguage, presentLanguage } from '#platform/process/log.ts';
import { begin, beginCard, cardsOf, chooseCard, confirm, type Flights, removeCard } from './buying/buy.ts';
import { cancel, onLiving, pause, preview, reactivate, resume, update } from './buying/change.ts';
import { paying, presentOf } from './providers/payments.ts';
import {
  anySubscription,
  currentSubscription,
  invoicesPage,
  ownInvoice,
  readRevenue,
  subscriptionsFor,
} from './reads.ts';
import * as grants from '#contract/subscriptions/grants.ts';
import { grant } from './grants/grant.ts';
import { grantsOf } from './grants/reads.ts';
import { revokeGrant } from './grants/revoke.ts';
import { titleOf } from './receipt/receipt.ts';
import { withdrawContract } from './refunds/withdraw.ts';
import { toSubscription, type SubscriptionRow, unfinishedGifts } from './subscriptions.ts';

const membersOnly = msg`Premium is for members. Staff accounts can't have it.`;

/** Mounts premium: starting, changing and ending it, cards, invoices, and the administrators' view of it. */
export function mountSubscriptions(app: FastifyInstance, deps: Deps): void {
  const flights: Flights = new Map();

  /** Runs calls to the provider, for members only. The provider's refusals become HTTP errors. */
  const forPayer = async <T>(caller: Caller, work: () => Promise<T>): Promise<T> => {
    requireMember(caller, membersOnly);
    return await paying(() => onLiving(deps, caller.accountId, work));
  };
  const changed = async (message: string, caller: Caller, work: () => Promise<SubscriptionRow>) => ({
    message,
    data: { subscription: toSubscription(await forPayer(caller, work)) },
  });

  // The call happens before the transaction, which only stores the answer, because the provider may not be called inside a transaction.
  mount(app, deps, calls.createSubscription)
    .before((context) => forPayer(context.caller, () => begin(context, flights, context.body)))
    .to(async (_, started) => ({ message: 'Finish the payment to start', data: started }));
  mount(app, deps, calls.currentSubscription).to(async ({ caller }) => {
    const subscription = await currentSubscription(deps, caller.accountId, await presentOf(deps));
    if (subscription === null) throw notFound();
    return { subscription };
  });
  mount(app, deps, calls.previewChange).to(async ({ caller, query }) => ({
    data: await forPayer(caller, () => preview(deps, caller.accountId, query.plan)),
  }));
  mount(app, deps, calls.updateSubscription).to(async ({ caller, body }) => {
    const data = await forPayer(caller, () => update(deps, caller.accountId, body));
    const message = data.requiresAction ? 'Your bank wants you to confirm this' : 'Plan changed';
    return { message, data };
  });
  mount(app, deps, calls.cancelSubscription).to(({ caller }) =>
    changed('Your premium is canceled', caller, () => cancel(deps, caller.accountId)),
  );
  mount(app, deps, calls.withdrawSubscription)
    .before(({ caller }) => {
      requireMember(caller, membersOnly);
      return presentOf(deps);
    })
    .to(async (context, present) => ({
      message: 'You have withdrawn from the contract',
      data: await withdrawContract(context, context.caller.accountId, present),
    }));
  mount(app, deps, calls.reactivateSubscription).to(({ caller }) =>
    changed('Your premium continues', caller, () => reactivate(deps, caller.accountId)),
  );
  mount(app, deps, calls.pauseSubscription).to(({ caller, body }) =>
    changed('Your premium is paused', caller, () => pause(deps, caller.accountId, body.months)),
  );
  mount(app, deps, calls.resumeSubscription).to(async ({ caller }) => {
    const data = await forPayer(caller, () => resume(deps, caller.accountId));
    const message = data.requiresAction ? 'Your bank wants you to confirm this' : 'Your premium continues';
    return { message, data };
  });
  mount(app, deps, calls.confirmSubscription).to(({ caller, body }) =>
    changed('Payment confirmed', caller, () => confirm(deps, caller, body)),
  );

  mount(app, deps, calls.createSetupIntent).to(async ({ caller }) => ({
    data: await forPayer(caller, () => beginCard(deps, caller)),
  }));
  const cards = async (caller: Caller, work: () => Promise<PaymentMethodView[]>) => ({
    data: { paymentMethods: await forPayer(caller, work) },
  });
  mount(app, deps, calls.listPaymentMethods).to(({ caller }) => cards(caller, () => cardsOf(deps, caller.accountId)));
  mount(app, deps, calls.setDefaultPaymentMethod).to(({ caller, params }) =>
    cards(caller, () => chooseCard(deps, caller, params.id)),
  );
  mount(app, deps, calls.removePaymentMethod).to(({ caller, params }) =>
    cards(caller, () => removeCard(deps, caller, params.id)),
  );

  mountInvoices(app, deps);
  mountGrants(app, deps);
  mountReads(app, deps);
}

/** Mounts subscriptions in any status, for their owner and administrators, and the revenue. */
function mountReads(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const noteReading = async (context: CommandContext, id: string) => {
    await requireMayAct(context.tx, context.caller, 'user', id);
    await audit(context, { type: 'user', id }, 'subscription.read');
  };
  mount(app, deps, calls.getSubscription).to(async (context) => {
    const { tx, caller, params } = context;
    if (caller.staffRole !== null) requirePermission(caller, 'subscriptions.view');
    const found = await anySubscription(tx, params.id);
    const isStaff = caller.staffRole !== null;
    if (found === undefined || (!isStaff && found.accountId !== caller.accountId)) throw notFound();
    if (isStaff) await noteReading(context, found.accountId);
    return { data: { subscription: found.subscription } };
  });
  mount(app, deps, calls.listSubscriptions).to(async (context) => {
    const { tx, caller, query } = context;
    if (caller.staffRole !== null) requirePermission(caller, 'subscriptions.view');
    const isOther = caller.staffRole !== null && query.userId !== undefined;
    const accountId = isOther ? (query.userId ?? '') : caller.accountId;
    const subscriptions = isUuid(accountId) ? await subscriptionsFor(tx, accountId) : null;
    if (subscriptions === null) throw notFound();
    if (isOther) await noteReading(context, accountId);
    return { data: { subscriptions, ...(isOther && { grants: await grantsOf(tx, accountId) }) } };
  });
  mount(app, deps, calls.getRevenue).to(async () => {
    const { currency } = deps.config.payments.prices.monthly;
    return { data: await readRevenue(db, currency, await presentOf(deps)) };
  });
}

/** Premium that staff give to members. */
function mountGrants(app: FastifyInstance, deps: Deps): void {
  mount(app, deps, grants.grantPremium)
    .before(() => presentOf(deps))
    .to(async (context, present) => ({
      message: 'Premium was given',
      data: { grant: await grant(context, { ...context.params, ...context.body, present }) },
    }));
  mount(app, deps, grants.revokePremiumGrant)
    .before(() => presentOf(deps))
    .to(async (context, present) => ({
      message: 'The gift has ended',
      data: { grant: await revokeGrant(context, { ...context.params, ...context.body, present }) },
    }));
  mount(app, deps, grants.getPremiumGift).to(async ({ caller }) => {
    const present = await presentOf(deps);
    const gifts = await unfinishedGifts(deps.db, caller.accountId, present);
    const [first, last] = [gifts[0], gifts.at(-1)];
    if (first === undefined || last === undefined) return { data: { gift: null } };
    const from = first.starts_at > present ? { from: first.starts_at } : {};
    return { data: { gift: { ...from, until: last.ends_at } } };
  });
}

/** Mounts a member's invoices, as a list, one by one and as PDFs. */
function mountInvoices(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  mount(app, deps, calls.listInvoices).to(async ({ caller, query }) => {
    requireMember(caller, membersOnly);
    const limit = query.limit ?? defaultPageLimit;
    return { data: await invoicesPage(db, caller.accountId, query.page ?? 1, limit) };
  });
  mount(app, deps, calls.getInvoice).to(async ({ caller, params }) => {
    requireMember(caller, membersOnly);
    const found = await ownInvoice(db, caller, params.id, presentSeller(deps.config.payments.seller));
    if (found === null) throw notFound();
    const { invoice, receipt } = found;
    return { data: { invoice, billedTo: receipt.customer, receipt } };
  });

  mount(app, deps, calls.getInvoicePdf).to(async ({ caller, params, reply }) => {
    requireMember(caller, membersOnly);
    // The PDF library has no bidirectional text.
    const language = directionOf(presentLanguage()) === 'rtl' ? 'en' : presentLanguage();
    return await inLanguage(language, async () => {
      const found = await ownInvoice(db, caller, params.id, presentSeller(deps.config.payments.seller));
      if (found === null) throw notFound();
      const { receipt } = found;
      // The PDF library and typeface take a tenth of a second to load.
      const { receiptAsPdf } = await import('./receipt/pdf.ts');
      const { icon: id } = presentBrand();
      const icon = id === null ? undefined : await brandPicture(db, id);
      const pdf = await receiptAsPdf(receipt, { isTest: deps.payments?.isTest === true, icon });
      return reply
        .type(calls.getInvoicePdf.streams)
        .header('content-disposition', asFile(`${plainName(`${titleOf(receipt)} ${receipt.number}`)}.pdf`))
        .send(pdf);
    });
  });
}
