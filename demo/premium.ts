import type pg from 'pg';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import { monthsAfter, planMonths, type Plan } from '#contract/subscriptions/plan.ts';
import { copyRows } from '#platform/db/copy-rows.ts';
import { dayMs } from './calendar.ts';
import type { DemoMember } from './members/demo-member.ts';
import { unreportedNumbers } from './members/member.ts';
import { randomOf } from './random.ts';

const stream = 17;
/** Shares of the verified members without premium: those who had it before, and those whose last payment failed. */
const formerShare = 0.035;
const owingShare = 0.006;
const cancelledShare = 0.06;
/** Only the newest invoices are written. */
const mostInvoices = 3;

/** A demo member's subscription, as the payment sandbox stores it. */
interface DemoPremium {
  member: DemoMember;
  plan: Plan;
  status: 'active' | 'past_due' | 'canceled';
  token: SandboxToken;
  anchorAt: Date;
  periodStart: Date;
  periodEnd: Date;
  cancelAtPeriodEnd: boolean;
}

/** The subscription of member `number`, or null. VIP members have paid for the current period. */
function demoPremium(number: number, member: DemoMember, now: Date): DemoPremium | null {
  const random = randomOf(number, stream);
  const [fate, position, cancels] = [random.next(), random.next(), random.chance(cancelledShare)];
  const plan = random.pick(['monthly', 'monthly', 'monthly', 'quarterly', 'annual'] as const);
  const token = random.pick(['tok_visa', 'tok_visa', 'tok_mastercard'] as const);
  const isInOrder = member.staffRole === null && member.emailVerifiedAt !== null && member.deactivatedAt === null;
  // The first profile that staff found shows what a file can have.
  const isFormer = !member.isVip && (fate < formerShare || number === unreportedNumbers[0]);
  const isOwing = !member.isVip && !isFormer && fate < formerShare + owingShare;
  if (!isInOrder || !(member.isVip || isFormer || isOwing)) return null;
  const joinedAt = member.createdAt.getTime();
  const anchorAt = new Date(joinedAt + (now.getTime() - joinedAt) * position);
  let periods = 0;
  while (monthsAfter(anchorAt, (periods + 1) * planMonths[plan]) <= now) periods += 1;
  const period = (nth: number) => ({
    periodStart: monthsAfter(anchorAt, nth * planMonths[plan]),
    periodEnd: monthsAfter(anchorAt, (nth + 1) * planMonths[plan]),
  });
  const common = { member, plan, token, anchorAt, cancelAtPeriodEnd: false };
  if (member.isVip) return { ...common, ...period(periods), status: 'active', cancelAtPeriodEnd: cancels };
  if (periods === 0) return null;
  const isRecent = now.getTime() - period(periods).periodStart.getTime() < 2 * dayMs;
  if (isFormer || !isRecent) return { ...common, ...period(periods - 1), status: 'canceled' };
  return { ...common, ...period(periods), status: 'past_due', token: 'tok_renewal_fails' };
}

function premiumsOf(from: number, members: readonly DemoMember[], now: Date): DemoPremium[] {
  return members.flatMap((member, index) => demoPremium(from + index, member, now) ?? []);
}

/**
 * Grants premium to those of `members` (from number `from` on) whose paid period includes now, and returns their ids.
 */
export async function copyEntitlements(
  client: pg.ClientBase,
  from: number,
  members: readonly DemoMember[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const active = premiumsOf(from, members, now).filter(({ status }) => status === 'active');
  await copyRows(
    client,
    'entitlement',
    active.map(({ member, periodEnd }) => ({ account_id: member.id, until: periodEnd })),
  );
  return new Set(active.map(({ member }) => member.id));
}

const cards = {
  tok_visa: { brand: 'visa', last4: '4242' },
  tok_mastercard: { brand: 'mastercard', last4: '4444' },
  tok_renewal_fails: { brand: 'visa', last4: '0341' },
} as const;

/** Writes the subscriptions and payments of `members` (from number `from` on) into the payment sandbox. */
export async function copyPremium(
  client: pg.ClientBase,
  [from, members]: readonly [number, readonly DemoMember[]],
  prices: Record<Plan, { amountMinor: number; currency: string }>,
  now: Date,
): Promise<void> {
  const premiums = premiumsOf(from, members, now).map((one) => {
    const id = (prefix: string) => `${prefix}_demo${one.member.id.replaceAll('-', '').slice(0, 20)}`;
    const { amountMinor, currency } = prices[one.plan];
    return { ...one, id, customer_id: id('cus'), amountMinor, currency, isEnded: one.status === 'canceled' };
  });
  const card = (one: (typeof premiums)[number]) => cards[one.token as keyof typeof cards];
  const tables = {
    'sandbox.customer': premiums.map((one) => ({
      id: one.customer_id,
      account_id: one.member.id,
      email: one.member.email,
      name: one.member.firstName,
      created_at: one.anchorAt,
    })),
    'sandbox.payment_method': premiums.map((one) => ({
      id: one.id('pm'),
      customer_id: one.customer_id,
      token: one.token,
      ...card(one),
      exp_month: 1 + (one.anchorAt.getUTCDate() % 12),
      exp_year: one.periodEnd.getUTCFullYear() + 2,
      fingerprint: one.id('card'),
      is_default: true,
      created_at: one.anchorAt,
    })),
    'sandbox.subscription': premiums.map((one) => ({
      id: one.id('sub'),
      customer_id: one.customer_id,
      status: one.status,
      plan: one.plan,
      price_minor: one.amountMinor,
      currency: one.currency,
      created_at: one.anchorAt,
      anchor_at: one.anchorAt,
      period_start: one.periodStart,
      period_end: one.periodEnd,
      cancel_at_period_end: one.cancelAtPeriodEnd,
      canceled_at: one.isEnded || one.cancelAtPeriodEnd ? one.periodStart : null,
      payment_method_id: one.id('pm'),
      failed_tries: one.status === 'past_due' ? 1 : 0,
      due_at: one.isEnded
        ? null
        : one.status === 'past_due'
          ? new Date(one.periodStart.getTime() + 3 * dayMs)
          : one.periodEnd,
    })),
    'sandbox.invoice': premiums.flatMap((one) =>
      invoicePeriods(one).map(({ nth, periodStart, periodEnd, isPaid }) => ({
        id: `${one.id('in')}_${nth}`,
        customer_id: one.customer_id,
        subscription_id: one.id('sub'),
        purpose: periodStart.getTime() === one.anchorAt.getTime() ? 'start' : 'period',
        status: isPaid ? 'paid' : 'open',
        plan: one.plan,
        total_minor: one.amountMinor,
        currency: one.currency,
        created_at: periodStart,
        period_start: periodStart,
        period_end: periodEnd,
        paid_at: isPaid ? periodStart : null,
        card_brand: isPaid ? card(one).brand : null,
        card_last4: isPaid ? card(one).last4 : null,
      })),
    ),
  };
  for (const [table, rows] of Object.entries(tables)) await copyRows(client, table, rows);
}

/** The newest billing periods, oldest first. */
function invoicePeriods({ plan, status, anchorAt, periodStart }: DemoPremium) {
  const months = planMonths[plan];
  return Array.from({ length: mostInvoices }, (_, back) => ({
    nth: back,
    periodStart: monthsAfter(periodStart, -back * months),
    periodEnd: monthsAfter(periodStart, (1 - back) * months),
    isPaid: status !== 'past_due' || back > 0,
  }))
    .filter((period) => period.periodStart.getTime() >= anchorAt.getTime() - dayMs)
    .toReversed();
}

/** Copies the sandbox's customers, subscriptions and invoices into the product's tables, as the product itself does. */
export async function mirrorPremium(client: pg.ClientBase): Promise<void> {
  await client.query(`
    insert into payment_customer (account_id, provider, customer_id, created_at)
    select account_id::uuid, 'sandbox', id, created_at from sandbox.customer;
    insert into subscription (account_id, provider, provider_id, plan, status, price_minor, currency, period_start, anchor_day, paid_through,
      cancel_at_period_end, canceled_at, ended_at, ever_paid, created_at, updated_at)
    select c.account_id::uuid, 'sandbox', s.id, s.plan, s.status, s.price_minor, s.currency, s.period_start, extract(day from s.anchor_at at time zone 'UTC'),
      case s.status when 'past_due' then s.period_start else s.period_end end, s.cancel_at_period_end, s.canceled_at,
      case s.status when 'canceled' then s.period_end end, true, s.created_at, s.period_start
    from sandbox.subscription s join sandbox.customer c on c.id = s.customer_id;
    insert into invoice (id, account_id, subscription_id, provider, number, status, plan, total_minor, currency, created_at,
      period_start, period_end, paid_at)
    select i.id, own.account_id, own.id, 'sandbox', 'HW-' || to_char(i.created_at at time zone 'UTC', 'YYYY') || '-' || lpad(i.seq::text, 6, '0'),
      i.status, i.plan, i.total_minor, i.currency, i.created_at, i.period_start, i.period_end, i.paid_at
    from sandbox.invoice i join subscription own on own.provider_id = i.subscription_id`);
}
