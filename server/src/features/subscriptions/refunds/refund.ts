import { msg } from '@lingui/core/runtime-macro';
import type { Language } from '#contract/languages.ts';
import type { LinkedRefund } from '#contract/moderation/appeals.ts';
import { moneyIn } from '#contract/subscriptions/currency.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/db.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import type { CommandContext } from '../../../platform/http/mount.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { queueMail } from '../../../platform/notify/mail.ts';
import { entitledUntil } from '../policy.ts';
import { isLost, type PaymentProvider } from '../providers/provider.ts';
import { entitle, lockPayer, stateOf, type SubscriptionRow, subscriptionsOf } from '../subscriptions.ts';
import { syncSubscription } from '../sync.ts';
import { type PaidInvoice, type Refund, refundOf } from './policy.ts';

type Paid = SubscriptionRow & { provider_id: string };

interface Found {
  account: { email: string; language: Language };
  /** A refund that was already started. */
  started: LinkedRefund | null;
  /** What could be paid back of a subscription: its days after `from`. */
  offer: { subscription: Paid; refund: Refund; from: Date } | null;
}

/** What is paid back to a member who has been locked out; null for others. `present` is the provider's time. */
async function findRefund(
  db: Db,
  deps: Deps,
  accountId: string,
  times: { now: Date; present: Date },
): Promise<Found | null> {
  const account = await db
    .selectFrom('account')
    .select(['email', 'language', 'deactivated_at'])
    .where('id', '=', accountId)
    .where('is_active', '=', false)
    .where('leaving_since', 'is', null)
    .where('staff_role', 'is', null)
    .executeTakeFirst();
  if (account === undefined || account.deactivated_at === null) return null;
  const { now, present } = times;
  // By the provider's clock, which may differ from ours.
  const from = new Date(present.getTime() - (now.getTime() - account.deactivated_at.getTime()));
  const subscriptions = await subscriptionsOf(db, accountId);
  const subscription = subscriptions.find(
    (row): row is Paid =>
      row.provider === deps.payments?.name &&
      row.provider_id !== null &&
      row.ever_paid &&
      (entitledUntil(stateOf(row)) ?? from) > from,
  );
  const refund = subscription === undefined ? null : refundOf(await paidInvoices(db, subscription.id), from);
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

/** The paid invoices of a subscription, the one that ends last first. */
async function paidInvoices(db: Db, subscriptionId: string): Promise<PaidInvoice[]> {
  return await db
    .selectFrom('invoice')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'paid')
    .where('total_minor', '>', 0)
    .orderBy('period_end', 'desc')
    .orderBy('created_at', 'desc')
    .execute();
}

/** The refund that a locked-out member was given or can have, or null. */
export async function refundOffer(
  db: Db,
  deps: Deps,
  accountId: string,
  times: { now: Date; present: Date },
): Promise<LinkedRefund | null> {
  const found = await findRefund(db, deps, accountId, times);
  if (found === null || found.started !== null || found.offer === null) return found?.started ?? null;
  const { days, amount } = found.offer.refund;
  return { days, amount, state: 'offered' };
}

/**
 * Ends the premium of a locked-out member and pays back its unused days, by a job that asks the provider. Repeating it returns the refund
 * that was started. 409 if nothing can be paid back.
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
  const { subscription, refund, from } = found.offer;
  const { days, amount, parts } = refund;
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
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx.updateTable('subscription').set({ refunded_from: from }).where('id', '=', subscription.id).execute();
  await entitle(tx, accountId, present);
  await addJob(tx, 'subscriptions.payRefund', { refundId }, { jobKey: `subscriptions.payRefund ${refundId}` });
  const data = { amount: moneyIn(found.account.language, amount), days: String(days) };
  await queueMail(tx, { to: found.account.email, accountId, template: 'premiumRefunded', data }, now);
  return { days, amount, state: 'started' };
}

/**
 * The job that ends a subscription at the provider and pays its refund, also if the account was deleted meanwhile. Each part has a key, so
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
  for (const part of parts) await provider.refundPart(part, `refund:${refundId}:${part.invoiceId}`);
  await unlessLost(syncSubscription(deps, subscriptionId));
  await deps.db.updateTable('premium_refund').set({ paid_at: deps.clock.now() }).where('id', '=', refundId).execute();
}
