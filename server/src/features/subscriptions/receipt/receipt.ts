import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { Selectable } from 'kysely';
import { showable } from '#contract/subscriptions/currency.ts';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import type { Seller } from '#platform/config/payments.ts';
import { textOf } from '#platform/texts.ts';
import type { Database } from '#platform/db/schema.ts';
import type { ReceiptFacts } from '#platform/db/json.ts';

/** An amount with the tax it includes, in minor units; the tax is null if the rate isn't known. */
export interface Amount {
  netMinor: number;
  taxMinor: number | null;
  grossMinor: number;
}

export interface ReceiptLine extends Amount {
  text: string;
}

/** The content of a receipt. */
export interface Receipt extends Pick<ReceiptFacts, 'seller' | 'card'> {
  /** An unpaid invoice is not a receipt. */
  title: 'Receipt' | 'Invoice';
  number: string;
  currency: string;
  createdAt: Date;
  paidAt: Date | null;
  periodStart: Date;
  periodEnd: Date;
  /** The note below the total, on everything except a paid invoice. */
  note: string | null;
  customer: { name: string | null; email: string };
  lines: ReceiptLine[];
  total: Amount;
  /** The amounts returned and remaining; null without a refund. */
  refund: { line: ReceiptLine; remaining: Amount; at: Date | null } | null;
}

const planTexts: Record<Plan, MessageDescriptor> = {
  monthly: msg`{brand} Premium, monthly`,
  quarterly: msg`{brand} Premium, quarterly`,
  annual: msg`{brand} Premium, annual`,
};

/** The title of a receipt in the reader's language. */
export const titleOf = ({ title }: Pick<Receipt, 'title'>): string =>
  textOf(title === 'Receipt' ? msg`Receipt` : msg`Invoice`);

/** The net amount and the tax of an amount that includes `percent` tax, rounded to what can be shown. Null states no tax. */
export function splitTax({ amountMinor: grossMinor, currency }: Money, percent: number | null): Amount {
  if (percent === null) return { netMinor: grossMinor, taxMinor: null, grossMinor };
  // The absolute value is rounded, so that a refund is split exactly like its payment.
  const net = showable(grossMinor / (1 + percent / 100), currency);
  return { netMinor: net, taxMinor: grossMinor - net, grossMinor };
}

const sum = (amounts: readonly Amount[]): Amount => ({
  netMinor: amounts.reduce((total, { netMinor }) => total + netMinor, 0),
  taxMinor: amounts.some(({ taxMinor }) => taxMinor === null)
    ? null
    : amounts.reduce((total, { taxMinor }) => total + (taxMinor ?? 0), 0),
  grossMinor: amounts.reduce((total, { grossMinor }) => total + grossMinor, 0),
});

const notes: Partial<Record<Database['invoice']['status'], MessageDescriptor>> = {
  open: msg`This invoice is not paid yet.`,
  void: msg`This invoice is void. Nothing is owed.`,
  uncollectible: msg`This invoice was never paid.`,
};

/**
 * The receipt of an invoice, in the reader's language. Each line is rounded on its own, so that the columns add up. A refund of everything returns exactly what was
 * paid.
 */
export function receiptOf(
  row: Selectable<Database['invoice']>,
  customer: Receipt['customer'],
  /** For invoices from before receipts existed. */
  currentSeller: Seller,
): Receipt {
  const facts = row.receipt ?? { seller: currentSeller, card: null, creditMinor: 0, discountMinor: 0 };
  const { seller, card, creditMinor, discountMinor } = facts;
  const line = (text: string, grossMinor: number): ReceiptLine => ({
    text,
    ...splitTax({ amountMinor: grossMinor, currency: row.currency }, seller.taxPercent),
  });
  const plan = row.plan === null ? textOf(msg`{brand} Premium`) : textOf(planTexts[row.plan]);
  const lines = [line(plan, row.total_minor + creditMinor + discountMinor)];
  if (creditMinor !== 0) lines.push(line(textOf(msg`Credit for the unused part of your earlier plan`), -creditMinor));
  if (discountMinor !== 0) lines.push(line(textOf(msg`Discount`), -discountMinor));
  const total = sum(lines);
  const isWhole = row.refunded_minor === row.total_minor;
  const returned: Amount = isWhole
    ? {
        netMinor: -total.netMinor,
        taxMinor: total.taxMinor === null ? null : -total.taxMinor,
        grossMinor: -total.grossMinor,
      }
    : splitTax({ amountMinor: -row.refunded_minor, currency: row.currency }, seller.taxPercent);
  const note = notes[row.status];
  return {
    title: row.paid_at === null ? 'Invoice' : 'Receipt',
    number: row.number ?? row.id,
    currency: row.currency,
    createdAt: row.created_at,
    paidAt: row.paid_at,
    periodStart: row.period_start,
    periodEnd: row.period_end,
    note: note ? textOf(note) : null,
    customer,
    seller,
    card,
    lines,
    total,
    refund:
      row.refunded_minor === 0
        ? null
        : {
            line: { text: textOf(isWhole ? msg`Refund` : msg`Partial refund`), ...returned },
            remaining: sum([total, returned]),
            at: row.refunded_at,
          },
  };
}
