import { sql } from 'kysely';
import { inTransaction, type Db } from '../../platform/db/db.ts';
import type { Deps } from '../../deps.ts';
import type { ProviderInvoice, ProviderSubscription } from './providers/provider.ts';
import { keyedHash } from '../../platform/config/secrets.ts';
import { entitle } from './entitlement.queries.ts';
import { tellPayer } from './notices.ts';
import { providerOf } from './buying/paying.ts';
import { isLive } from './policy.ts';
import { accountOfCustomer, lockPayer, nextTicket, type SubscriptionRow } from './queries.ts';

const newestInvoices = 20;

/** What a provider said of a subscription, and when it was asked. */
interface Reading {
  ticket: string;
  subscription: ProviderSubscription;
  invoices: ProviderInvoice[];
}

/**
 * Asks the provider for a subscription and writes down what it says, whichever message it was that said something changed:
 * order and repetition of messages are without effect. Answers the row, or null for one that is not ours.
 */
export async function syncSubscription(deps: Deps, providerId: string): Promise<SubscriptionRow | null> {
  const provider = providerOf(deps);
  const ticket = await nextTicket(deps.db);
  const subscription = await provider.getSubscription(providerId);
  const invoices = await provider.listInvoices(subscription.customerId, { limit: newestInvoices });
  const { row, mustEnd } = await keepReading(deps, { ticket, subscription, invoices: invoices.data });
  if (!mustEnd) return row;
  await provider.cancelNow(providerId);
  return await syncSubscription(deps, providerId);
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
    await keepInvoices(tx, providerOf(deps).name, before, invoices);
    const row = await keepRow(tx, before, subscription, ticket, now);
    await tellPayer(tx, before, row, deps.clock.now());
    const beginsTrial = before.status === 'incomplete' && row.status === 'trialing';
    const isTrialRefused = beginsTrial && !(await claimTrial(tx, deps.addressKey, row, subscription));
    if (isTrialRefused) await refuseTrial(tx, row);
    await entitle(tx, accountId, now);
    return { row, mustEnd: isTrialRefused || isGivenBack(row, invoices) };
  });
}

/** Whether the money of the newest payment was given back: then nothing is to be renewed. */
function isGivenBack({ status, provider_id }: SubscriptionRow, invoices: ProviderInvoice[]): boolean {
  const [newest] = invoices
    .filter(({ subscriptionId, total }) => subscriptionId === provider_id && total.amountMinor > 0)
    .filter((invoice) => invoice.status === 'paid' || invoice.status === 'refunded')
    .sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime());
  return isLive(status) && newest?.status === 'refunded';
}

/** The row of a provider's subscription; one that was started here and whose answer never arrived is adopted. */
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
  ticket: string,
  now: Date,
): Promise<SubscriptionRow> {
  const isEnded = said.status === 'canceled' || said.status === 'incomplete_expired';
  return await tx
    .updateTable('subscription')
    .set({
      plan: said.plan,
      pending_plan: isEnded || said.plan !== before.plan ? null : before.pending_plan,
      status:
        isEnded && !before.ever_paid && !isPaid(said) && said.trialStart === null ? 'incomplete_expired' : said.status,
      price_minor: said.price.amountMinor,
      currency: said.price.currency,
      period_start: said.currentPeriodStart,
      paid_through: said.paidThrough,
      renewal_open_until: said.renewalOpenUntil,
      cancel_at_period_end: said.cancelAtPeriodEnd,
      canceled_at: said.canceledAt,
      ended_at: isEnded ? (before.ended_at ?? now) : null,
      trial_start: said.trialStart,
      trial_end: said.trialEnd,
      ever_paid: before.ever_paid || isPaid(said),
      sync_ticket: ticket,
      updated_at: now,
    })
    .where('id', '=', before.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Whether money was paid for it, not only a trial started. */
function isPaid({ paidThrough, trialEnd }: ProviderSubscription): boolean {
  return paidThrough !== null && (trialEnd === null || paidThrough > trialEnd);
}

async function keepInvoices(
  tx: Db,
  provider: SubscriptionRow['provider'],
  { id, account_id, provider_id }: SubscriptionRow,
  invoices: ProviderInvoice[],
): Promise<void> {
  for (const invoice of invoices.filter(({ subscriptionId }) => subscriptionId === provider_id)) {
    const { number, status, plan, total, periodStart, periodEnd, paidAt, hostedUrl } = invoice;
    const content = {
      number,
      status,
      plan,
      total_minor: total.amountMinor,
      currency: total.currency,
      period_start: periodStart,
      period_end: periodEnd,
      paid_at: paidAt,
      hosted_url: hostedUrl,
    };
    await tx
      .insertInto('invoice')
      .values({
        id: invoice.id,
        account_id,
        subscription_id: id,
        provider,
        created_at: invoice.createdAt,
        ...content,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(content))
      .execute();
  }
}

/** Writes down that a card had its trial; false where it had one before, on another account. */
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

/** What the provider still calls a trial gives nothing from here on. */
async function refuseTrial(tx: Db, { id }: SubscriptionRow): Promise<void> {
  await tx.updateTable('subscription').set({ paid_through: null }).where('id', '=', id).execute();
}

/** Whether the trial of this subscription was refused since its card had had one. */
export async function isRefusedTrial(db: Db, row: SubscriptionRow): Promise<boolean> {
  if (row.trial_start === null || row.status !== 'canceled' || row.ever_paid) return false;
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from trial_card where account_id = ${row.account_id}::uuid) as found`.execute(db);
  return rows[0]?.found !== true;
}
