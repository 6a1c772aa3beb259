import type { Selectable } from 'kysely';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { presentSeller } from '#platform/service/brand.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import type { ProviderInvoice } from './providers/provider.ts';
import type { SubscriptionRow } from './subscriptions.ts';
import type { Database } from '#platform/db/schema.ts';
import type { ReceiptFacts } from '#platform/db/json.ts';

/** Whether an invoice was paid, even if its money has been returned since. */
export const isPaidOrRefunded = ({ status }: ProviderInvoice) => status === 'paid' || status === 'refunded';

/**
 * Stores the invoices of a subscription and compares those paid since the last read with what was requested. Returns the periods that were
 * paid as requested, the changes that are settled, and since when a payment was missing that the shop has now recovered, such as after a
 * dispute that it won; null if there is none.
 */
export async function keepInvoices(
  { config, log }: Deps,
  tx: Db,
  before: SubscriptionRow,
  { invoices, plan: planNow, now }: { invoices: ProviderInvoice[]; plan: Plan; now: Date },
): Promise<{ paidAsAsked: Date[]; settled: Plan[]; regainedFrom: Date | null }> {
  const asked = { ...before.asked_changes };
  const settled: Plan[] = [];
  const paidAsAsked: Date[] = [];
  const regained: Date[] = [];
  const own = invoices.filter(({ subscriptionId }) => subscriptionId === before.provider_id);
  const known = await paidBefore(tx, own);
  for (const invoice of own.toReversed()) {
    const plan = invoice.plan ?? planNow;
    const kept = known.get(invoice.id);
    const isNew = kept === undefined;
    const isCharged = isPaidOrRefunded(invoice);
    const isAsAsked =
      !isCharged ||
      (kept?.is_as_asked ??
        isWhatWasAsked(config, before, { plan, difference: asked[plan], paid: beforeDiscount(invoice) }));
    // A trial's invoice charges nothing, and the trial grants premium on its own.
    if (!isAsAsked && isNew && (invoice.total.amountMinor > 0 || before.trial_days === 0))
      log.error({ invoice: invoice.id }, 'a payment differs from the request and grants nothing');
    if (isAsAsked && invoice.status === 'paid') paidAsAsked.push(invoice.periodEnd);
    if (isAsAsked && invoice.status === 'paid' && kept?.status === 'refunded') regained.push(kept.refunded_at ?? now);
    if (isAsAsked && isCharged && isNew && asked[plan] !== undefined) {
      delete asked[plan];
      settled.push(plan);
    }
    const { number, status, total, periodStart, periodEnd, paidAt, hostedUrl } = invoice;
    const content = {
      number,
      status,
      plan: invoice.plan,
      total_minor: total.amountMinor,
      currency: total.currency,
      period_start: periodStart,
      period_end: periodEnd,
      paid_at: paidAt,
      hosted_url: hostedUrl,
      is_as_asked: isAsAsked,
      refunded_minor: invoice.refundedMinor,
      refunded_at: returnedAt(invoice, kept, now),
    };
    const issued = { receipt: isCharged ? receiptFacts(invoice, config) : null };
    await tx
      .insertInto('invoice')
      .values({
        id: invoice.id,
        account_id: before.account_id,
        subscription_id: before.id,
        provider: before.provider,
        created_at: invoice.createdAt,
        ...content,
        ...issued,
      })
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((eb) => ({
          ...content,
          number: eb.fn.coalesce('invoice.number', 'excluded.number'),
          receipt: eb.fn.coalesce('invoice.receipt', 'excluded.receipt'),
        })),
      )
      .execute();
  }
  regained.sort((one, other) => one.getTime() - other.getTime());
  return { paidAsAsked, settled, regainedFrom: regained[0] ?? null };
}

/** When we learned that money of an invoice was returned, or all of it; null if it wasn't. */
function returnedAt({ status, refundedMinor }: ProviderInvoice, kept: KeptPayment | undefined, now: Date): Date | null {
  if (refundedMinor === 0) return null;
  const isNewlyWhole = status === 'refunded' && kept?.status !== 'refunded';
  return isNewlyWhole ? now : (kept?.refunded_at ?? now);
}

function receiptFacts(
  { card, creditMinor, discountMinor }: ProviderInvoice,
  { payments: { seller } }: Deps['config'],
): string {
  return JSON.stringify({ seller: presentSeller(seller), card, creditMinor, discountMinor } satisfies ReceiptFacts);
}

type KeptPayment = Pick<Selectable<Database['invoice']>, 'id' | 'status' | 'is_as_asked' | 'refunded_at'>;

/** Those of these invoices that were already paid at an earlier read. */
async function paidBefore(tx: Db, invoices: ProviderInvoice[]): Promise<Map<string, KeptPayment>> {
  if (invoices.length === 0) return new Map();
  const rows = await tx
    .selectFrom('invoice')
    .select(['id', 'status', 'is_as_asked', 'refunded_at'])
    .where(
      'id',
      'in',
      invoices.map(({ id }) => id),
    )
    .where('status', 'in', ['paid', 'refunded'])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** The total of an invoice without coupons, which the shop's owner issues at the provider. */
const beforeDiscount = ({ total, discountMinor }: ProviderInvoice): Money => ({
  ...total,
  amountMinor: total.amountMinor + discountMinor,
});

/** Whether a payment is at least what was requested: the difference for a change, or the price of the plan, as agreed or as it is now. */
function isWhatWasAsked(
  { payments: { prices } }: Deps['config'],
  before: SubscriptionRow,
  { plan, difference, paid }: { plan: Plan; difference: number | undefined; paid: Money },
): boolean {
  const agreed = { amountMinor: before.price_minor, currency: before.currency };
  const full = plan === before.plan ? [agreed, prices[plan]] : [prices[plan]];
  const asked = difference === undefined ? full : [...full, { ...prices[plan], amountMinor: difference }];
  return asked.some(({ amountMinor, currency }) => paid.currency === currency && paid.amountMinor >= amountMinor);
}
