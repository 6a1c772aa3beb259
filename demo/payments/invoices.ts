import type { Money } from '#contract/subscriptions/plan.ts';
import { inTransaction, type Db } from '../../server/src/platform/db/db.ts';
import { PaymentError, type ProviderInvoice } from '../../server/src/features/subscriptions/providers/provider.ts';
import { sandboxNow } from './clock.ts';
import { emit, emitSubscription } from './events.ts';
import { newId, type SandboxParts } from './parts.ts';
import { lockSubscription } from './rows.ts';
import type { InvoiceRow, SubscriptionRow } from './tables.ts';

/** An unpaid invoice over `total` for a period of a subscription. */
export function openInvoice(
  tx: Db,
  { id, customer_id }: Pick<SubscriptionRow, 'id' | 'customer_id'>,
  invoice: Pick<InvoiceRow, 'purpose' | 'plan' | 'period_start' | 'period_end'> & { total: Money },
  at: Date,
): Promise<InvoiceRow> {
  const { total, ...rest } = invoice;
  return tx
    .insertInto('sandbox.invoice')
    .values({
      ...rest,
      id: newId('in'),
      customer_id,
      subscription_id: id,
      status: 'open',
      total_minor: total.amountMinor,
      currency: total.currency,
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The open invoice of a subscription's current period, or undefined. */
export function owedInvoice(tx: Db, subscriptionId: string): Promise<InvoiceRow | undefined> {
  return tx
    .selectFrom('sandbox.invoice')
    .selectAll()
    .where('subscription_id', '=', subscriptionId)
    .where('status', '=', 'open')
    .where('purpose', '=', 'period')
    .executeTakeFirst();
}

/** Invoices of a customer, newest first; `invalid` for an unknown customer or `startingAfter`. */
export async function listInvoices(
  db: Db,
  customerId: string,
  { limit, startingAfter }: { limit: number; startingAfter?: string },
): Promise<{ data: ProviderInvoice[]; hasMore: boolean }> {
  const customer = await db.selectFrom('sandbox.customer').select('id').where('id', '=', customerId).executeTakeFirst();
  if (customer === undefined) throw new PaymentError('invalid');
  const ofCustomer = db.selectFrom('sandbox.invoice').selectAll().where('customer_id', '=', customerId);
  const last = startingAfter === undefined ? null : await ofCustomer.where('id', '=', startingAfter).executeTakeFirst();
  if (last === undefined) throw new PaymentError('invalid');
  const rows = await ofCustomer
    .$if(last !== null, (query) =>
      query.where((eb) =>
        eb(eb.refTuple('created_at', 'seq'), '<', eb.tuple(last?.created_at ?? new Date(), last?.seq ?? 0)),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(limit + 1)
    .execute();
  return { data: rows.slice(0, limit).map(toInvoice), hasMore: rows.length > limit };
}

function toInvoice(row: InvoiceRow): ProviderInvoice {
  return {
    id: row.id,
    subscriptionId: row.subscription_id,
    number: `HW-${row.created_at.getUTCFullYear()}-${String(row.seq).padStart(6, '0')}`,
    status: row.status,
    plan: row.plan,
    total: { amountMinor: row.total_minor, currency: row.currency },
    createdAt: row.created_at,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    paidAt: row.paid_at,
    hostedUrl: null,
  };
}

/** Refunds a paid invoice; false if there is nothing to refund. */
export function refundInvoice({ db, clock }: SandboxParts, id: string): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const invoice = await tx.selectFrom('sandbox.invoice').selectAll().where('id', '=', id).executeTakeFirst();
    if (invoice === undefined) return false;
    const subscription = await lockSubscription(tx, invoice.subscription_id);
    const refunded = await tx
      .updateTable('sandbox.invoice')
      .set({ status: 'refunded' })
      .where('id', '=', id)
      .where('status', '=', 'paid')
      .where('total_minor', '>', 0)
      .executeTakeFirst();
    if (refunded.numUpdatedRows === 0n) return false;
    const now = await sandboxNow(tx, clock);
    const about = { objectId: id, customerId: invoice.customer_id, subscriptionId: subscription.id };
    await emit(tx, 'charge.refunded', about, now);
    await emitSubscription(tx, 'updated', subscription, now);
    return true;
  });
}
