import { msg } from '@lingui/core/runtime-macro';
import type { Language } from '#contract/languages.ts';
import type { LinkedRefund } from '#contract/moderation/appeals.ts';
import { moneyIn } from '#contract/subscriptions/currency.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { entitledUntil } from '../policy.ts';
import { isLost, type PaymentProvider } from '../providers/provider.ts';
import { entitle, lockPayer, stateOf, type SubscriptionRow, subscriptionsOf } from '../subscriptions.ts';
import { syncSubscription } from '../sync.ts';
import { type PaidInvoice, type Refund, refundOf, withdrawalOf } from './policy.ts';

type Paid = SubscriptionRow & { provider_id: string };

/** Our time and the provider's. */
export interface Times {
  now: Date;
  present: Date;
}

/** What could be refunded for a subscription: its days after `from`. */
export interface Offer {
  subscription: Paid;
  refund: Refund;
  from: Date;
}

interface Found {
  account: { email: string; language: Language };
  /** A refund that was already started. */
  started: LinkedRefund | null;
  offer: Offer | null;
}

/** When an account was locked, by the provider's clock, which may differ from ours. */
export const lockedSince = (lockedAt: Date, { now, present }: Times): Date =>
  new Date(present.getTime() - (now.getTime() - lockedAt.getTime()));

/** Whether a subscription can be ended at the payment provider in use. */
export const isProvided = (row: SubscriptionRow, { payments }: Deps): row is Paid =>
  row.provider === payments?.name && row.provider_id !== null;

/** The refund of a member who has been locked out; null for others. */
async function findRefund(db: Db, deps: Deps, accountId: string, times: Times): Promise<Found | null> {
  const account = await db
    .selectFrom('account')
    .select(['email', 'language', 'deactivated_at'])
    .where('id', '=', accountId)
    .where('is_active', '=', false)
    .where('leaving_since', 'is', null)
    .where('staff_role', 'is', null)
    .executeTakeFirst();
  if (account === undefined || account.deactivated_at === null) return null;
  const from = lockedSince(account.deactivated_at, times);
  const subscriptions = await subscriptionsOf(db, accountId);
  const subscription = subscriptions.find(
    (row): row is Paid => isProvided(row, deps) && row.ever_paid && (entitledUntil(stateOf(row)) ?? from) > from,
  );
  const refund =
    subscription === undefined ? null : refundOf((await paidInvoices(db, subscription, times.present)).invoices, from);
  const offer = subscription === undefined || refund === null ? null : { subscription, refund, from };
  return { account, started: await startedRefund(db, accountId, account.deactivated_at), offer };
}

/** The newest refund of an account since `since`, or null. */
async function startedRefund(db: Db, accountId: string, since: Date): Promise<LinkedRefund | null> {
  const row = await db
    .selectFrom('premium_refund')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('started_at', '>=', since)
    .orderBy('started_at', 'desc')
    .executeTakeFirst();
  if (row === undefined) return null;
  const amount = { amountMinor: row.amount_minor, currency: row.currency };
  return { days: row.days, amount, state: row.paid_at === null ? 'started' : 'paid' };
}

/** The paid invoices of a subscription, the one that ends last first, and until when it can be withdrawn from, or null. */
export async function paidInvoices(
  db: Db,
  row: SubscriptionRow,
  at: Date,
): Promise<{ invoices: PaidInvoice[]; until: Date | null }> {
  const charged = await db
    .selectFrom('invoice')
    .selectAll()
    .where('subscription_id', '=', row.id)
    .where('status', 'in', ['paid', 'refunded'])
    .orderBy('period_end')
    .orderBy('created_at')
    .execute();
  const { charges, until } = withdrawalOf(charged, row, at);
  const invoices = charges.filter(({ status, total_minor }) => status === 'paid' && total_minor > 0).toReversed();
  return { invoices, until };
}

/** The refund that a locked-out member was given or can have, or null. */
export async function refundOffer(db: Db, deps: Deps, accountId: string, times: Times): Promise<LinkedRefund | null> {
  const found = await findRefund(db, deps, accountId, times);
  if (found === null || found.started !== null || found.offer === null) return found?.started ?? null;
  const { days, amount } = found.offer.refund;
  return { days, amount, state: 'offered' };
}

/**
 * Ends the premium of a locked-out member and refunds its unused days, with a job that calls the provider. Repeating it returns the refund
 * that was started. 409 if nothing can be refunded.
 */
export async function startRefund(
  { tx, deps, now }: Pick<CommandContext, 'tx' | 'deps' | 'now'>,
  accountId: string,
  present: Date,
): Promise<LinkedRefund> {
  await lockPayer(tx, accountId);
  const found = await findRefund(tx, deps, accountId, { now, present });
  if (found?.started) return found.started;
  if (!found?.offer) throw new AppError('CONFLICT', msg`There is nothing to pay back.`);
  await promiseRefund({ tx, now }, found.offer, { present, isWithdrawal: false });
  const { days, amount } = found.offer.refund;
  const data = { amount: moneyIn(found.account.language, amount), days: String(days) };
  await queueMail(tx, { to: found.account.email, accountId, template: 'premiumRefunded', data }, now);
  return { days, amount, state: 'started' };
}

/** Ends a subscription now and schedules its refund, which a job pays. Returns its row. */
export async function promiseRefund(
  { tx, now }: Pick<CommandContext, 'tx' | 'now'>,
  { subscription, refund: { days, amount, parts }, from }: Offer,
  { present, isWithdrawal }: { present: Date; isWithdrawal: boolean },
): Promise<SubscriptionRow> {
  const { account_id: accountId } = subscription;
  const { id: refundId } = await tx
    .insertInto('premium_refund')
    .values({
      subscription_id: subscription.id,
      account_id: accountId,
      days,
      amount_minor: amount.amountMinor,
      currency: amount.currency,
      started_at: now,
      provider_subscription: subscription.provider_id,
      parts: JSON.stringify(parts),
      is_withdrawal: isWithdrawal,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = await tx
    .updateTable('subscription')
    .set({ refunded_from: from, status: 'canceled', canceled_at: present, ended_at: present, updated_at: present })
    .where('id', '=', subscription.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await entitle(tx, accountId, present);
  await addJob(tx, 'subscriptions.payRefund', { refundId }, { jobKey: `subscriptions.payRefund ${refundId}` });
  return row;
}

/**
 * The job that ends a subscription at the provider and pays its refund, even if the account was deleted meanwhile. Each part has a key, so
 * that a repetition pays nothing twice.
 */
export async function payRefund(deps: Deps, provider: PaymentProvider, refundId: string): Promise<void> {
  const refund = await deps.db
    .selectFrom('premium_refund')
    .select(['provider_subscription', 'parts'])
    .where('id', '=', refundId)
    .where('paid_at', 'is', null)
    .executeTakeFirst();
  if (refund?.provider_subscription == null) return;
  const { provider_subscription: subscriptionId, parts } = refund;
  const unlessLost = async (work: Promise<unknown>) => {
    await work.catch((error: unknown) => {
      if (!isLost(error, 'subscription')) throw error;
    });
  };
  await unlessLost(provider.cancelNow(subscriptionId));
  for (const part of parts)
    await provider.refundPart(part, `refund:${refundId}:${part.invoiceId}`).catch(async (error: unknown) => {
      await unlessLost(syncSubscription(deps, subscriptionId));
      if (!(await isReturned(deps.db, part.invoiceId))) throw error;
    });
  await unlessLost(syncSubscription(deps, subscriptionId));
  await deps.db.updateTable('premium_refund').set({ paid_at: deps.clock.now() }).where('id', '=', refundId).execute();
}

/** Whether all that was paid for an invoice has been returned, such as by a dispute in the meantime. */
async function isReturned(db: Db, invoiceId: string): Promise<boolean> {
  const row = await db.selectFrom('invoice').select('status').where('id', '=', invoiceId).executeTakeFirst();
  return row?.status === 'refunded';
}
