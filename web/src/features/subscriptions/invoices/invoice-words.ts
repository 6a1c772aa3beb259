import type { InvoiceStatus, InvoiceView } from '#contract/subscriptions/subscriptions.ts';
import type { TagTone } from '../../../ui/data/Tag.tsx';
import type { Translate } from '../../../ui/text/text.ts';
import { planNames } from '../plan-words.ts';

export const invoiceStatusWords: Record<InvoiceStatus, string> = {
  draft: 'Being prepared',
  open: 'Not paid yet',
  paid: 'Paid',
  uncollectible: 'Never paid',
  void: 'Withdrawn',
  refunded: 'Refunded',
};

export const invoiceStatusTones: Record<InvoiceStatus, TagTone> = {
  draft: 'quiet',
  open: 'attention',
  paid: 'positive',
  uncollectible: 'quiet',
  void: 'quiet',
  refunded: 'info',
};

/** An invoice by its number, as far as it has one. */
export function invoiceName({ number }: Pick<InvoiceView, 'number'>, t: Translate): string {
  return number === null ? t('Invoice') : t('Invoice {number}', { number });
}

/** What an invoice is for. */
export function invoicedPlan({ plan }: Pick<InvoiceView, 'plan'>, t: Translate): string {
  return plan === null ? '—' : t('Premium, {plan}', { plan: t(planNames[plan]) });
}
