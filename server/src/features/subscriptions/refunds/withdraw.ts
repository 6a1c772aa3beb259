import { msg } from '@lingui/core/runtime-macro';
import type { Language } from '#contract/languages.ts';
import { moneyIn } from '#contract/subscriptions/currency.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import { fullName } from '#platform/session/own-user.ts';
import { isCurrent } from '../policy.ts';
import { lockPayer, stateOf, type SubscriptionRow, subscriptionsOf, toSubscription } from '../subscriptions.ts';
import { planInWords } from '../sync.ts';
import { refundOf } from './policy.ts';
import { isProvided, lockedSince, type Offer, paidInvoices, promiseRefund, type Times } from './refund.ts';

/** How long the money may take to arrive (directive 2011/83, article 13). */
const refundDays = 14;

/** A subscription that can be withdrawn from, and its refund from `from` on; null if it can't. */
async function findWithdrawal(
  db: Db,
  deps: Deps,
  row: SubscriptionRow,
  { present, from }: { present: Date; from: Date },
): Promise<(Offer & { until: Date }) | null> {
  if (!isProvided(row, deps) || row.refunded_from !== null || !isCurrent(stateOf(row), from)) return null;
  const { invoices, until } = await paidInvoices(db, row, present);
  const nothing = { days: 0, amount: { amountMinor: 0, currency: row.currency }, parts: [] };
  return until && { subscription: row, refund: refundOf(invoices, from) ?? nothing, from, until };
}

const shown = ({ subscription, refund, until }: Offer & { until: Date }) => ({
  ...toSubscription(subscription),
  withdrawableUntil: until,
  withdrawalRefund: refund.amount,
});

/** A subscription as its owner sees it, with the right to withdraw from it. */
export async function withWithdrawal(db: Db, deps: Deps, row: SubscriptionRow, present: Date) {
  const found = await findWithdrawal(db, deps, row, { present, from: present });
  return found === null ? toSubscription(row) : shown(found);
}

interface Contract {
  buyer: { name: string; email: string; language: Language };
  found: (Offer & { until: Date }) | null;
}

/** The owner of an account and the contract that they can withdraw from; used days end when the account was locked. */
async function contractOf(db: Db, deps: Deps, accountId: string, times: Times): Promise<Contract> {
  const account = await db
    .selectFrom('account as a')
    .innerJoin('profile as p', 'p.account_id', 'a.id')
    .select(['a.email', 'a.language', 'a.is_active', 'a.deactivated_at', 'p.first_name', 'p.last_name'])
    .where('a.id', '=', accountId)
    .executeTakeFirstOrThrow();
  const { email, language, is_active, deactivated_at } = account;
  const from = is_active || deactivated_at === null ? times.present : lockedSince(deactivated_at, times);
  const name = fullName(account.first_name, account.last_name) ?? email;
  for (const row of await subscriptionsOf(db, accountId)) {
    const found = await findWithdrawal(db, deps, row, { present: times.present, from });
    if (found !== null) return { buyer: { name, email, language }, found };
  }
  return { buyer: { name, email, language }, found: null };
}

/** The contract that a locked-out member can withdraw from, and their details for the statement; null without one. */
export async function linkedWithdrawal(db: Db, deps: Deps, accountId: string, times: Times) {
  const { buyer, found } = await contractOf(db, deps, accountId, times);
  return found && { name: buyer.name, email: buyer.email, subscription: shown(found) };
}

/**
 * Withdraws from an account's contract: premium ends, the refund is scheduled, and a receipt with the time and the content is mailed. 409
 * after the deadline, and for a repetition.
 */
export async function withdrawContract(
  { tx, deps, now }: Pick<CommandContext, 'tx' | 'deps' | 'now'>,
  accountId: string,
  present: Date,
) {
  await lockPayer(tx, accountId);
  const { buyer, found } = await contractOf(tx, deps, accountId, { now, present });
  if (found === null)
    throw new AppError(
      'CONFLICT',
      msg`You can't withdraw from this contract: the time for it is over, or you already have.`,
    );
  const row = await promiseRefund({ tx, now }, found, { present, isWithdrawal: true });
  const { amount } = found.refund;
  const until = secondsAfter(now, refundDays * 86_400);
  const time = now.toISOString();
  const data = {
    ...planInWords(buyer.language, row),
    name: buyer.name,
    email: buyer.email,
    bought: dayOf(row.created_at),
    time: `${time.slice(0, 10)}, ${time.slice(11, 16)} UTC`,
    until: dayOf(until),
    ...(amount.amountMinor > 0 && { amount: moneyIn(buyer.language, amount) }),
  };
  await queueMail(tx, { to: buyer.email, accountId, template: 'premiumWithdrawn', data }, now);
  const refund = { amount: amount.amountMinor, currency: amount.currency, until };
  return { subscription: toSubscription(row), refund };
}
