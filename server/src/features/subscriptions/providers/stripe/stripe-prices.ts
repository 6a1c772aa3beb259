import type Stripe from 'stripe';
import { planMonths, plans, type Money, type Plan } from '#contract/subscriptions/plan.ts';
import { isMissing } from './stripe-errors.ts';
import { flagIn, textIn, UnreadableAnswer, wholeIn } from './stripe-fields.ts';

/** An amount as Stripe has it, with the currency in capitals. */
export function moneyIn(amount: unknown, currency: unknown, field: string): Money {
  return { amountMinor: wholeIn(amount, field), currency: textIn(currency, `${field} currency`).toUpperCase() };
}

/** What a price takes at a time. */
export function moneyOfPrice({ unit_amount, currency }: Stripe.Price): Money {
  return moneyIn(unit_amount, currency, 'price');
}

/** How many months a payment of this price lasts; null for one that is not taken by the month or year. */
function monthsOf({ recurring }: Stripe.Price): number | null {
  if (recurring?.interval === 'month') return recurring.interval_count;
  return recurring?.interval === 'year' ? recurring.interval_count * 12 : null;
}

/** The plan behind a price, by its id or, for one that was replaced since, by how long a payment lasts. */
export function planOfPrice(priceIds: Record<Plan, string>, price: Stripe.Price): Plan {
  const months = monthsOf(price);
  const plan = planOfPriceId(priceIds, price.id) ?? plans.find((each) => planMonths[each] === months);
  if (plan === undefined) throw new UnreadableAnswer('price of a plan');
  return plan;
}

/** The plan of a price's id, or null for an unknown one. */
export function planOfPriceId(priceIds: Record<Plan, string>, id: string | undefined): Plan | null {
  return plans.find((plan) => priceIds[plan] === id) ?? null;
}

/** Why a price at Stripe is not what a plan costs here, in words; null where it is. */
export async function faultOfPrice(stripe: Stripe, id: string, plan: Plan, expected: Money): Promise<string | null> {
  try {
    return faultIn(await stripe.prices.retrieve(id), plan, expected);
  } catch (error) {
    if (isMissing(error)) return 'does not exist';
    throw error;
  }
}

function faultIn(price: Stripe.Price, plan: Plan, expected: Money): string | null {
  if (!flagIn(price.active, 'active')) return 'is not active';
  if (price.unit_amount === null) return 'has no fixed amount';
  const months = monthsOf(price);
  if (months !== planMonths[plan])
    return months === null ? 'is not taken by the month or year' : `is taken every ${months} months`;
  const { amountMinor, currency } = moneyOfPrice(price);
  if (amountMinor !== expected.amountMinor || currency !== expected.currency)
    return `takes ${amountMinor} ${currency}, but here it is ${expected.amountMinor} ${expected.currency} (in cents)`;
  return null;
}
