import type Stripe from 'stripe';
import { entriesIn, flagIn, textIn } from './api.ts';

/**
 * The ids of those charges that a bank has reclaimed. A charge stays `disputed` forever, so its disputes decide: one that was won or whose
 * money was returned is over, and an inquiry (`warning_…`) withdraws no money.
 */
export async function reclaimedAmong(stripe: Stripe, charges: readonly Stripe.Charge[]): Promise<Set<string>> {
  const reclaimed = new Set<string>();
  for (const { id, disputed } of charges) {
    if (!flagIn(disputed, 'disputed')) continue;
    const disputes = entriesIn(await stripe.disputes.list({ charge: id, limit: 100 }), 'disputes');
    if (disputes.some(isHeld)) reclaimed.add(id);
  }
  return reclaimed;
}

const heldStatuses = new Set(['needs_response', 'under_review', 'lost']);

/** Whether the bank has the money of a dispute. */
function isHeld({ status, balance_transactions: moved }: Stripe.Dispute): boolean {
  if (!heldStatuses.has(textIn(status, 'status of a dispute'))) return false;
  return !entriesIn({ data: moved }, 'balance_transactions of a dispute').some(({ amount }) => amount > 0);
}
