import type pg from 'pg';
import { planMonths, type Plan } from '#contract/subscriptions/plan.ts';
import type { SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import { dayMs } from './calendar.ts';
import { copyRows, type TableRows } from './copy-rows.ts';
import type { DemoMember } from './demo-member.ts';
import { randomOf } from './random.ts';

const stream = 17;
const chunkSize = 5000;
/** Of those who are in order and have no premium: who had it once, and whose card failed last time. */
const formerShare = 0.035;
const owingShare = 0.006;
const cancelledShare = 0.06;
/** The newest are enough to look at. */
const mostInvoices = 3;

/** What a demo member subscribed to, as the sandbox keeps it. */
export interface DemoPremium {
  member: DemoMember;
  plan: Plan;
  status: 'active' | 'past_due' | 'canceled';
  token: SandboxToken;
  anchorAt: Date;
  periodStart: Date;
  periodEnd: Date;
  cancelAtPeriodEnd: boolean;
}

/** The same day `months` later, or that month's last, UTC. */
function monthsAfter(at: Date, months: number): Date {
  const moved = new Date(at);
  moved.setUTCMonth(at.getUTCMonth() + months);
  if (moved.getUTCDate() !== at.getUTCDate()) moved.setUTCDate(0);
  return moved;
}

/** What member `number` subscribed to, null for nothing; who is VIP has paid for the present. */
export function demoPremium(number: number, member: DemoMember, now: Date): DemoPremium | null {
  const random = randomOf(number, stream);
  const [fate, position, cancels] = [random.next(), random.next(), random.chance(cancelledShare)];
  const plan = random.pick(['monthly', 'monthly', 'monthly', 'quarterly', 'annual'] as const);
  const token = random.pick(['tok_visa', 'tok_visa', 'tok_mastercard'] as const);
  const isInOrder = member.staffRole === null && member.emailVerifiedAt !== null && member.deactivatedAt === null;
  const joinedAt = member.createdAt.getTime();
  const isFormer = !member.isVip && fate < formerShare;
  const isOwing = !member.isVip && !isFormer && fate < formerShare + owingShare;
  if (!isInOrder || !(member.isVip || isFormer || isOwing)) return null;
  const months = planMonths[plan];
  const anchorAt = new Date(joinedAt + (now.getTime() - joinedAt) * position);
  let periods = 0;
  while (monthsAfter(anchorAt, (periods + 1) * months) <= now) periods += 1;
  const period = (nth: number) => ({
    periodStart: monthsAfter(anchorAt, nth * months),
    periodEnd: monthsAfter(anchorAt, (nth + 1) * months),
  });
  const common = { member, plan, token, anchorAt };
  if (member.isVip) return { ...common, status: 'active', ...period(periods), cancelAtPeriodEnd: cancels };
  if (periods === 0) return null;
  if (isFormer) return { ...common, status: 'canceled', ...period(periods - 1), cancelAtPeriodEnd: false };
  const isRecent = now.getTime() - period(periods).periodStart.getTime() < 2 * dayMs;
  const ended = { ...common, ...period(periods - 1), cancelAtPeriodEnd: false, status: 'canceled' as const };
  if (!isRecent) return ended;
  return { ...common, status: 'past_due', token: 'tok_renewal_fails', ...period(periods), cancelAtPeriodEnd: false };
}

const idOf = (prefix: string, { member }: DemoPremium) => `${prefix}_demo${member.id.replaceAll('-', '').slice(0, 20)}`;
const isMastercard = ({ token }: DemoPremium) => token === 'tok_mastercard';

const entitlement: TableRows<DemoPremium> = {
  table: 'entitlement',
  columns: ['account_id', 'until'],
  cells: ({ member, periodEnd }) => [member.id, periodEnd],
};

const customer: TableRows<DemoPremium> = {
  table: 'sandbox.customer',
  columns: ['id', 'account_id', 'email', 'name', 'created_at'],
  cells: (one) => [idOf('cus', one), one.member.id, one.member.email, one.member.firstName, one.anchorAt],
};

const paymentCustomer: TableRows<DemoPremium> = {
  table: 'payment_customer',
  columns: ['account_id', 'provider', 'customer_id', 'created_at'],
  cells: (one) => [one.member.id, 'sandbox', idOf('cus', one), one.anchorAt],
};

const card: TableRows<DemoPremium> = {
  table: 'sandbox.payment_method',
  columns: [
    'id',
    'customer_id',
    'token',
    'brand',
    'last4',
    'exp_month',
    'exp_year',
    'fingerprint',
    'is_default',
    'created_at',
  ],
  cells: (one) => [
    idOf('pm', one),
    idOf('cus', one),
    one.token,
    isMastercard(one) ? 'mastercard' : 'visa',
    isMastercard(one) ? '4444' : one.token === 'tok_visa' ? '4242' : '0341',
    1 + (one.anchorAt.getUTCDate() % 12),
    one.periodEnd.getUTCFullYear() + 2,
    idOf('card', one),
    true,
    one.anchorAt,
  ],
};

const subscription = (priceOf: (plan: Plan) => number, currency: string): TableRows<DemoPremium> => ({
  table: 'sandbox.subscription',
  columns: [
    'id',
    'customer_id',
    'status',
    'plan',
    'price_minor',
    'currency',
    'created_at',
    'anchor_at',
    'period_start',
    'period_end',
    'cancel_at_period_end',
    'canceled_at',
    'payment_method_id',
    'failed_tries',
    'due_at',
  ],
  cells: (one) => [
    idOf('sub', one),
    idOf('cus', one),
    one.status,
    one.plan,
    priceOf(one.plan),
    currency,
    one.anchorAt,
    one.anchorAt,
    one.periodStart,
    one.periodEnd,
    one.cancelAtPeriodEnd,
    one.status === 'canceled' || one.cancelAtPeriodEnd ? one.periodStart : null,
    idOf('pm', one),
    one.status === 'past_due' ? 1 : 0,
    one.status === 'canceled'
      ? null
      : one.status === 'past_due'
        ? new Date(one.periodStart.getTime() + 3 * dayMs)
        : one.periodEnd,
  ],
});

interface DemoInvoice extends Pick<DemoPremium, 'periodStart' | 'periodEnd' | 'plan'> {
  premium: DemoPremium;
  nth: number;
  isPaid: boolean;
}

function invoicesOf(premium: DemoPremium): DemoInvoice[] {
  const months = planMonths[premium.plan];
  const invoices: DemoInvoice[] = [];
  for (let back = 0; back < mostInvoices; back += 1) {
    const periodStart = monthsAfter(premium.periodStart, -back * months);
    if (periodStart.getTime() < premium.anchorAt.getTime() - dayMs) break;
    const periodEnd = monthsAfter(premium.periodStart, (1 - back) * months);
    const isPaid = premium.status !== 'past_due' || back > 0;
    invoices.push({ premium, nth: back, plan: premium.plan, periodStart, periodEnd, isPaid });
  }
  return invoices.toReversed();
}

const invoice = (priceOf: (plan: Plan) => number, currency: string): TableRows<DemoInvoice> => ({
  table: 'sandbox.invoice',
  columns: [
    'id',
    'customer_id',
    'subscription_id',
    'purpose',
    'status',
    'plan',
    'total_minor',
    'currency',
    'created_at',
    'period_start',
    'period_end',
    'paid_at',
  ],
  cells: ({ premium, nth, plan, periodStart, periodEnd, isPaid }) => [
    `${idOf('in', premium)}_${nth}`,
    idOf('cus', premium),
    idOf('sub', premium),
    periodStart.getTime() === premium.anchorAt.getTime() ? 'start' : 'period',
    isPaid ? 'paid' : 'open',
    plan,
    priceOf(plan),
    currency,
    periodStart,
    periodStart,
    periodEnd,
    isPaid ? periodStart : null,
  ],
});

/** The product's own copy of what the sandbox holds, as a reading of it would leave it. */
const mirror = `
  insert into subscription (account_id, provider, provider_id, plan, status, price_minor, currency, period_start, paid_through,
    cancel_at_period_end, canceled_at, ended_at, ever_paid, created_at, updated_at)
  select c.account_id::uuid, 'sandbox', s.id, s.plan, s.status, s.price_minor, s.currency, s.period_start,
    case s.status when 'past_due' then s.period_start else s.period_end end, s.cancel_at_period_end, s.canceled_at,
    case s.status when 'canceled' then s.period_end end, true, s.created_at, s.period_start
  from sandbox.subscription s join sandbox.customer c on c.id = s.customer_id;
  insert into invoice (id, account_id, subscription_id, provider, number, status, plan, total_minor, currency, created_at,
    period_start, period_end, paid_at)
  select i.id, own.account_id, own.id, 'sandbox', 'HW-' || to_char(i.created_at at time zone 'UTC', 'YYYY') || '-' || lpad(i.seq::text, 6, '0'),
    i.status, i.plan, i.total_minor, i.currency, i.created_at, i.period_start, i.period_end, i.paid_at
  from sandbox.invoice i join subscription own on own.provider_id = i.subscription_id`;

/** Entitles those of `members` who paid for the present; before their accounts are written, which show it. */
export async function copyEntitlements(
  client: pg.ClientBase,
  members: readonly (readonly [number: number, member: DemoMember])[],
  now: Date,
): Promise<void> {
  const premiums = members.map(([number, member]) => demoPremium(number, member, now));
  await copyRows(
    client,
    entitlement,
    premiums.filter((one) => one?.status === 'active').filter((one) => one !== null),
  );
}

/** Writes what the demo members subscribed to and paid, into the sandbox and as the product knows it. */
export async function copyPremium(
  client: pg.ClientBase,
  members: number,
  make: (number: number) => DemoMember,
  prices: Record<Plan, { amountMinor: number; currency: string }>,
  now: Date,
): Promise<void> {
  const priceOf = (plan: Plan) => prices[plan].amountMinor;
  const { currency } = prices.monthly;
  for (let from = 0; from < members; from += chunkSize) {
    const numbers = Array.from({ length: Math.min(chunkSize, members - from) }, (_, index) => from + index);
    const premiums = numbers
      .map((number) => demoPremium(number, make(number), now))
      .filter((one): one is DemoPremium => one !== null);
    for (const rows of [customer, paymentCustomer, card, subscription(priceOf, currency)])
      await copyRows(client, rows, premiums);
    await copyRows(client, invoice(priceOf, currency), premiums.flatMap(invoicesOf));
  }
  await client.query(mirror);
}
