import type { Db } from '../../platform/db/db.ts';
import { queueMail } from '../../platform/notify/mail.ts';
import type { SubscriptionRow } from './queries.ts';

const periods = { monthly: 'a month', quarterly: 'for three months', annual: 'a year' };

function priceInWords({ plan, price_minor, currency }: SubscriptionRow): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return `${format.format(price_minor / 10 ** digits)} ${periods[plan]}`;
}

/** Emails the payer when premium has started and when a renewal failed, once each. */
export async function tellPayer(tx: Db, before: SubscriptionRow, after: SubscriptionRow, now: Date): Promise<void> {
  const begins = before.status === 'incomplete' && (after.status === 'active' || after.status === 'trialing');
  const fails = before.status !== 'past_due' && after.status === 'past_due';
  if (!begins && !fails) return;
  const { email } = await tx
    .selectFrom('account')
    .select('email')
    .where('id', '=', after.account_id)
    .executeTakeFirstOrThrow();
  const data = {
    plan: after.plan,
    price: priceInWords(after),
    until: after.paid_through?.toISOString().slice(0, 10) ?? '',
  };
  const template = begins ? 'premiumBegun' : 'paymentFailed';
  await queueMail(tx, { to: email, accountId: after.account_id, template, data }, now);
}
