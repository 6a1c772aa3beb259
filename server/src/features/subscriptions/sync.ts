import { msg, plural } from '@lingui/core/runtime-macro';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { type MailTemplates, queueMail } from '#platform/notify/mail.ts';
import {
  accountOfCustomer,
  addCredit,
  entitle,
  liveSubscription,
  lockPayer,
  nextTicket,
  type SubscriptionRow,
} from './subscriptions.ts';
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import { eachInTurn } from '#platform/jobs/turns.ts';
import { isLost, type PaymentProvider, type ProviderInvoice, type ProviderSubscription } from './providers/provider.ts';
import { moneyIn } from '#contract/subscriptions/currency.ts';
import type { Language } from '#contract/languages.ts';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { keyedHash } from '#platform/config/secrets.ts';
import { noteTrace } from '../auth/public.ts';
import { providerOf } from './providers/payments.ts';
import { isLive } from './policy.ts';
import { isPaidOrRefunded, keepInvoices } from './invoices.ts';
import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import { textOf } from '#platform/texts.ts';

const planWords = { monthly: msg`monthly`, quarterly: msg`quarterly`, annual: msg`annual` };
const priceWords = {
  monthly: msg({ message: '{price} a month' }),
  quarterly: msg({ message: '{price} for three months' }),
  annual: msg({ message: '{price} a year' }),
};

/** Emails the payer when premium has started and when a renewal failed, once each. */
async function emailPayer(tx: Db, before: SubscriptionRow, after: SubscriptionRow, now: Date): Promise<void> {
  const isGranted = after.paid_through !== null && (after.status === 'active' || after.status === 'trialing');
  const begins = before.status === 'incomplete' && isGranted;
  const fails = before.status !== 'past_due' && after.status === 'past_due';
  if (!begins && !fails) return;
  const { account_id: accountId, plan, price_minor: amountMinor, currency, paid_through: until, withdrawable } = after;
  const template = begins ? 'premiumBegun' : 'paymentFailed';
  await emailAccount(tx, { accountId, template, plan, price: { amountMinor, currency }, until, withdrawable }, now);
}

interface PayerMail {
  accountId: string;
  template: keyof typeof subscriptionMails;
  plan: Plan;
  price: Money;
  until: Date | null;
  withdrawable?: boolean;
}

/** A plan and its price, for mails. */
export function planInWords(
  language: Language,
  { plan, price_minor: amountMinor, currency }: Pick<SubscriptionRow, 'plan' | 'price_minor' | 'currency'>,
): { plan: string; price: string } {
  const price = moneyIn(language, { amountMinor, currency });
  return { plan: textOf(planWords[plan], {}, language), price: textOf(priceWords[plan], { price }, language) };
}

async function emailAccount(
  tx: Db,
  { accountId, template, withdrawable, until, ...held }: PayerMail,
  now: Date,
): Promise<void> {
  const { email, language } = await tx
    .selectFrom('account')
    .select(['email', 'language'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const data = {
    ...planInWords(language, { plan: held.plan, price_minor: held.price.amountMinor, currency: held.price.currency }),
    until: until === null ? '' : dayOf(until),
    ...(withdrawable === true && { withdrawable: 'yes' }),
  };
  await queueMail(tx, { to: email, accountId, template, data }, now);
}

const reminderDays = 3;

/** Emails members three days before their pause ends what will be charged, once for each pause; `now` is the provider's time. */
export async function remindOfResumption({ db, clock, config }: Deps, now: Date): Promise<void> {
  const isDue = sql<boolean>`paused_until > ${now} and paused_until <= ${secondsAfter(now, reminderDays * 86_400)}
    and status in ('active', 'paused') and reminded_of is distinct from paused_until`;
  const due = await db.selectFrom('subscription').select('id').where(isDue).execute();
  const remind = ({ id }: { id: string }) =>
    inTransaction(db, async (tx) => {
      const row = await tx
        .updateTable('subscription')
        .set((eb) => ({ reminded_of: eb.ref('paused_until') }))
        .where('id', '=', id)
        .where(isDue)
        .returningAll()
        .executeTakeFirst();
      if (row === undefined) return;
      const { account_id: accountId, plan, pending_plan, price_minor, currency, paused_until: until } = row;
      const price =
        pending_plan === null ? { amountMinor: price_minor, currency } : config.payments.prices[pending_plan];
      const mail = { accountId, template: 'premiumResumes', plan: pending_plan ?? plan, price, until } as const;
      await emailAccount(tx, mail, clock.now());
    });
  await eachInTurn(due, remind, { round: 'subscriptions.resumption', keyOf: ({ id }) => id });
}

const settings = (publicUrl: string) => ({
  text: msg`See my plan`,
  url: new URL('/app/settings', publicUrl).href,
});

/** The mails to payers. */
export const subscriptionMails = {
  premiumBegun: (data, publicUrl) => ({
    subject: msg`Your premium has started`,
    heading: msg`Welcome to premium`,
    paragraphs: [
      msg`Your plan is ${{ plan: data['plan'] }}: ${{ price: data['price'] }}. It renews automatically on ${{ until: data['until'] }} until you cancel.`,
      msg`You can cancel at any time in your settings. You keep what you paid for until it ends. Your invoices are there too.`,
      ...(data['withdrawable'] === undefined
        ? []
        : [
            msg`For 14 days you can also withdraw from this contract there and get your money back. If you asked us to start at once, you pay for the days until you withdraw.`,
          ]),
    ],
    button: settings(publicUrl),
  }),
  premiumResumes: (data, publicUrl) => ({
    subject: msg`Your premium starts again on ${{ until: data['until'] }}`,
    heading: msg`Your pause is almost over`,
    paragraphs: [
      msg`On ${{ until: data['until'] }} your ${{ plan: data['plan'] }} plan starts again, and your card is charged ${{ price: data['price'] }}.`,
      msg`If you no longer want it, cancel in your settings before then, and nothing is charged.`,
    ],
    button: settings(publicUrl),
  }),
  premiumGranted: (data, publicUrl) => ({
    subject: msg`You have premium`,
    heading: msg`A gift from our team`,
    paragraphs: [
      data['from'] === undefined
        ? msg`You have premium until ${{ until: data['until'] }}, a gift from our team. It ends by itself: nothing is charged and nothing renews.`
        : msg`Our team gives you more premium: ${plural({ days: Number(data['days']) }, { one: 'one day', other: '# days' })}. It begins when what you pay for ends, on ${{ from: data['from'] }}, and waits if your plan renews until then. Nothing is charged for it.`,
    ],
    button: { text: msg`See what premium adds`, url: new URL('/app/premium', publicUrl).href },
  }),
  premiumGrantRevoked: (data) => ({
    subject: msg`Your premium`,
    heading: msg`Your gift of premium has ended`,
    paragraphs: [
      msg`Our team ended the gift that would have lasted until ${{ until: data['until'] }}. What you paid for yourself stays as it is. Our support can tell you more.`,
    ],
  }),
  premiumRefunded: (data) => ({
    subject: msg`Your premium`,
    heading: msg`We are paying back your premium`,
    paragraphs: [
      msg`You get back ${{ amount: data['amount'] }} for the ${plural({ days: Number(data['days']) }, { one: '# day', other: '# days' })} that you can't use. Your premium has ended and will not renew.`,
      msg`The money goes to the card that you paid with. It takes up to ten days, depending on your bank.`,
    ],
  }),
  premiumWithdrawn: (data) => ({
    subject: msg`We received your withdrawal`,
    heading: msg`You have withdrawn from your contract`,
    paragraphs: [
      msg`We received your withdrawal on ${{ time: data['time'] }}. Please keep this email as your receipt.`,
      msg`Name: ${{ name: data['name'] }}. Contract: Premium, ${{ plan: data['plan'] }}, ${{ price: data['price'] }}, bought on ${{ bought: data['bought'] }}. Receipt sent to: ${{ email: data['email'] }}.`,
      data['amount'] === undefined
        ? msg`Your premium has ended and will not renew. There is nothing to pay back.`
        : msg`Your premium has ended and will not renew. You get back ${{ amount: data['amount'] }} by ${{ until: data['until'] }}, to the card that you paid with.`,
    ],
  }),
  paymentFailed: (data, publicUrl) => ({
    subject: msg`Your premium could not be renewed`,
    heading: msg`A payment did not go through`,
    paragraphs: [
      msg`Your card was not charged for your ${{ plan: data['plan'] }} plan, so you don't have premium for now. We'll try again over the next few days.`,
      msg`Add another card and premium continues right away. If you no longer want it, cancel it in your settings, and we won't try again.`,
    ],
    button: settings(publicUrl),
  }),
} satisfies MailTemplates;

const newestInvoices = 20;

/** What a provider returned about a subscription, and when it was read. */
interface Reading {
  ticket: string;
  subscription: ProviderSubscription;
  invoices: ProviderInvoice[];
}

/**
 * Reads a subscription from the provider and stores the result, whichever message announced a change, so that the order and repetition of
 * messages have no effect. Returns the row, or null for a subscription that is not ours.
 */
export async function syncSubscription(deps: Deps, providerId: string): Promise<SubscriptionRow | null> {
  const provider = providerOf(deps);
  const ticket = await nextTicket(deps.db);
  const subscription = await provider.getSubscription(providerId);
  const invoices = await invoicesOf(provider, subscription.customerId);
  const { row, mustEnd } = await keepReading(deps, { ticket, subscription, invoices });
  if (!mustEnd) return row;
  await provider.cancelNow(providerId);
  return await syncSubscription(deps, providerId);
}

/** The newest invoices; none if the provider no longer lists those of a deleted customer. */
async function invoicesOf(provider: PaymentProvider, customerId: string): Promise<ProviderInvoice[]> {
  try {
    return (await provider.listInvoices(customerId, { limit: newestInvoices })).data;
  } catch (error) {
    if (isLost(error, 'customer')) return [];
    throw error;
  }
}

async function keepReading(
  deps: Deps,
  { ticket, subscription, invoices }: Reading,
): Promise<{ row: SubscriptionRow | null; mustEnd: boolean }> {
  const now = await providerOf(deps).now();
  return await inTransaction(deps.db, async (tx) => {
    const accountId = await accountOfCustomer(tx, subscription.customerId);
    if (accountId === null || !(await lockPayer(tx, accountId))) return { row: null, mustEnd: false };
    const before = await rowFor(tx, accountId, subscription);
    if (before === undefined) return { row: null, mustEnd: false };
    if (BigInt(before.sync_ticket) >= BigInt(ticket)) return { row: before, mustEnd: false };
    // This one was given up: its refund was promised, or its owner bought another one in the meantime, and may have only one.
    const isGivenUp = isLive(subscription.status) && !isLive(before.status);
    if (isGivenUp && (before.refunded_from !== null || (await liveSubscription(tx, accountId)) !== undefined))
      return { row: before, mustEnd: true };
    const { prices } = deps.config.payments;
    const { paidAsAsked, settled, regainedFrom } = await keepInvoices(deps, tx, before, {
      invoices,
      plan: subscription.plan,
      now,
    });
    const said = { ...subscription, paidThrough: grantedThrough(before, subscription, paidAsAsked) };
    const { cardFingerprint } = subscription;
    const cardHash = cardFingerprint === null ? before.card_hash : keyedHash(deps.banKey, cardFingerprint);
    const row = await keepRow(tx, before, said, { ticket, now, settled, cardHash, newPrice: prices[said.plan] });
    if (regainedFrom !== null) await addCredit(tx, accountId, lostMs({ before, row, from: regainedFrom, now }), now);
    if (cardHash !== null && before.card_hash?.equals(cardHash) !== true) await noteTrace(tx, accountId, now);
    await emailPayer(tx, before, row, deps.clock.now());
    const beginsTrial = before.status === 'incomplete' && row.status === 'trialing';
    const isTrialRefused = beginsTrial && !(await claimTrial(tx, deps.addressKey, row, subscription));
    if (isTrialRefused) await refuseTrial(tx, row);
    await entitle(tx, accountId, now);
    return { row, mustEnd: isTrialRefused || isGivenBack(row, invoices) };
  });
}

/** How long premium was missing between the return of a payment and its reversal. */
function lostMs({
  before,
  row,
  from,
  now,
}: {
  before: SubscriptionRow;
  row: SubscriptionRow;
  from: Date;
  now: Date;
}): number {
  const coveredUntil = Math.max(from.getTime(), before.paid_through?.getTime() ?? 0);
  return Math.max(0, Math.min(now.getTime(), row.paid_through?.getTime() ?? 0) - coveredUntil);
}

/** Whether the newest payment was refunded, in which case nothing is renewed. */
function isGivenBack({ status, provider_id }: SubscriptionRow, invoices: ProviderInvoice[]): boolean {
  const [newest] = invoices
    .filter(({ subscriptionId, total }) => subscriptionId === provider_id && total.amountMinor > 0)
    .filter(isPaidOrRefunded)
    .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  return isLive(status) && newest?.status === 'refunded';
}

/** The row of a provider's subscription. A subscription that was started here but whose answer never arrived is adopted. */
async function rowFor(tx: Db, accountId: string, { id }: ProviderSubscription): Promise<SubscriptionRow | undefined> {
  const known = await tx.selectFrom('subscription').selectAll().where('provider_id', '=', id).executeTakeFirst();
  if (known !== undefined) return known.account_id === accountId ? known : undefined;
  return await tx
    .updateTable('subscription')
    .set({ provider_id: id })
    .where('account_id', '=', accountId)
    .where('status', '=', 'incomplete')
    .where('provider_id', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

async function keepRow(
  tx: Db,
  before: SubscriptionRow,
  said: ProviderSubscription,
  {
    ticket,
    now,
    settled,
    cardHash,
    newPrice,
  }: { ticket: string; now: Date; settled: Plan[]; cardHash: Buffer | null; newPrice: Money },
): Promise<SubscriptionRow> {
  const isEnded = said.status === 'canceled' || said.status === 'incomplete_expired';
  return await tx
    .updateTable('subscription')
    .set({
      plan: said.plan,
      pending_plan: isEnded || said.plan !== before.plan ? null : before.pending_plan,
      status: isPaused(said, now)
        ? 'paused'
        : isEnded && !before.ever_paid && !isPaid(said) && said.trialStart === null
          ? 'incomplete_expired'
          : said.status,
      ...(said.plan !== before.plan && { price_minor: newPrice.amountMinor, currency: newPrice.currency }),
      asked_changes: sql`asked_changes - ${settled}::text[]`,
      period_start: said.currentPeriodStart,
      anchor_day: said.anchorDay,
      paused_until: said.pausedUntil,
      paid_through: said.paidThrough,
      renewal_open_until: said.renewalOpenUntil,
      cancel_at_period_end: said.cancelAtPeriodEnd,
      canceled_at: said.canceledAt,
      ended_at: isEnded ? (before.ended_at ?? now) : null,
      trial_start: said.trialStart ?? before.trial_start,
      trial_end: said.trialEnd ?? before.trial_end,
      ever_paid: before.ever_paid || isPaid(said),
      card_hash: cardHash,
      sync_ticket: ticket,
      updated_at: now,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether the paid period is over and the pause after it isn't. */
const isPaused = ({ pausedUntil, paidThrough }: ProviderSubscription, now: Date): boolean =>
  pausedUntil !== null && paidThrough !== null && paidThrough <= now;

/** Whether it was paid for, not only started as a trial. */
function isPaid({ paidThrough, trialEnd }: ProviderSubscription): boolean {
  return paidThrough !== null && (trialEnd === null || paidThrough > trialEnd);
}

const dayMs = 86_400_000;

/** Until when premium is granted for what the provider reports as paid or on trial: no longer than requested payments and trials cover. */
function grantedThrough(
  before: SubscriptionRow,
  { paidThrough, trialStart, trialEnd }: ProviderSubscription,
  paidAsAsked: Date[],
): Date | null {
  if (paidThrough === null) return null;
  const granted = [...paidAsAsked, ...(before.paid_through === null ? [] : [before.paid_through])];
  // A day of tolerance, since the provider's clock differs from ours.
  const mostTrialMs = (before.trial_days + 1) * dayMs;
  if (before.trial_days > 0 && trialStart !== null && trialEnd !== null)
    granted.push(new Date(Math.min(trialEnd.getTime(), trialStart.getTime() + mostTrialMs)));
  const until = Math.min(paidThrough.getTime(), Math.max(0, ...granted.map((end) => end.getTime())));
  return until === 0 ? null : new Date(until);
}

/** Records that a card had its trial. Returns false if it already had one on another account. */
async function claimTrial(
  tx: Db,
  key: string,
  row: SubscriptionRow,
  { cardFingerprint }: ProviderSubscription,
): Promise<boolean> {
  if (cardFingerprint === null) return true;
  const cardHash = keyedHash(key, `trial card ${cardFingerprint}`);
  await tx
    .insertInto('trial_card')
    .values({ card_hash: cardHash, account_id: row.account_id, tried_at: row.trial_start ?? row.created_at })
    .onConflict((conflict) => conflict.column('card_hash').doNothing())
    .execute();
  const claimed = await tx
    .selectFrom('trial_card')
    .select('account_id')
    .where('card_hash', '=', cardHash)
    .executeTakeFirst();
  return claimed?.account_id === row.account_id;
}

/** From here on, what the provider still calls a trial grants nothing. */
async function refuseTrial(tx: Db, { id }: SubscriptionRow): Promise<void> {
  await tx.updateTable('subscription').set({ paid_through: null }).where('id', '=', id).execute();
}

/** Whether the trial of this subscription was refused because its card already had one. */
export async function isRefusedTrial(db: Db, row: SubscriptionRow): Promise<boolean> {
  if (row.trial_start === null || row.status !== 'canceled' || row.ever_paid) return false;
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from trial_card where account_id = ${row.account_id}::uuid) as found`.execute(db);
  return rows[0]?.found !== true;
}
