import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { currentSubscription, listInvoices } from '#contract/subscriptions/subscriptions.ts';
import { makeMember, signIn, type TestMember } from '../../../test/factories.ts';
import { isVip } from '../../../test/premium.ts';
import { startStripeApp, type Message, type StripeApp } from '../../../test/payments/stripe-app.ts';
import { closeDispute, dispute, escalate, refund } from '../../../test/doubles/stripe/payments.ts';
import type { World } from '../../../test/doubles/stripe/world.ts';

let shop: StripeApp;
let world: World;
beforeAll(async () => {
  shop = await startStripeApp();
  ({ world } = shop.double);
});
afterAll(() => shop.close());

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(world.clock.now().getTime() + days * dayMs);
const pass = (days: number) => shop.moveTo(inDays(days));

const entitledUntil = async ({ id }: TestMember) => {
  const row = shop.app.db.selectFrom('entitlement').select('until').where('account_id', '=', id);
  return (await row.executeTakeFirst())?.until ?? null;
};
const invoicesOf = async (member: TestMember) => {
  const { token } = await signIn(shop.app, member.id);
  return (await shop.app.call(listInvoices, { token })).body.data.invoices.map(({ status }) => status);
};

/** A member who paid, and the payment. */
async function paid() {
  const member = await makeMember(shop.app);
  const { paymentIntentId } = await shop.buy(member);
  const until = await entitledUntil(member);
  if (until === null) throw new Error('nothing was paid');
  return { member, intentId: paymentIntentId, until };
}

describe('a dispute that the shop wins', () => {
  it('returns the paid time, and the time that was lost in the meantime', async () => {
    const { member, intentId, until } = await paid();
    await pass(10);
    dispute(world, intentId);
    await shop.deliver();
    expect(await isVip(shop.app, member)).toBe(false);
    expect(await invoicesOf(member)).toEqual(['refunded']);
    await pass(5);
    closeDispute(world, intentId, 'won');
    await shop.deliver();
    expect(await isVip(shop.app, member)).toBe(true);
    expect(await entitledUntil(member)).toEqual(new Date(until.getTime() + 5 * dayMs));
    expect(await invoicesOf(member)).toEqual(['paid']);
    const { token } = await signIn(shop.app, member.id);
    const current = await shop.app.call(currentSubscription, { token });
    expect(current.body.subscription).toMatchObject({ currentPeriodEnd: until.toISOString() });
  });

  it('returns the rest of a period that is over by then', async () => {
    const { member, intentId, until } = await paid();
    await pass(10);
    const left = until.getTime() - world.clock.now().getTime();
    dispute(world, intentId);
    await shop.deliver();
    await pass(70);
    closeDispute(world, intentId, 'won');
    await shop.deliver();
    expect(await isVip(shop.app, member)).toBe(true);
    expect(await entitledUntil(member)).toEqual(new Date(world.clock.now().getTime() + left));
    await pass(left / dayMs + 1);
    expect(await isVip(shop.app, member)).toBe(false);
  });

  it.each<[string, (sent: Message[]) => Message[]]>([
    ['every message three times', (sent) => [...sent, ...sent, ...sent]],
    ['the messages in the opposite order', (sent) => sent.toReversed()],
    ['only charge.dispute.closed', (sent) => sent.filter(({ type }) => type === 'charge.dispute.closed')],
    [
      'only charge.dispute.funds_reinstated',
      (sent) => sent.filter(({ type }) => type === 'charge.dispute.funds_reinstated'),
    ],
    ['no message, but the nightly check of Stripe', () => []],
  ])('returns the time once after %s', async (_what, arrange) => {
    const { member, intentId, until } = await paid();
    dispute(world, intentId);
    await shop.deliver();
    await pass(3);
    closeDispute(world, intentId, 'won');
    await shop.deliver(arrange);
    if (arrange.length === 0) await shop.run('subscriptions.reconcile');
    expect(await isVip(shop.app, member)).toBe(true);
    await shop.run('subscriptions.reconcile');
    expect(await entitledUntil(member)).toEqual(new Date(until.getTime() + 3 * dayMs));
  });

  it('takes nothing if the message about its start arrives last', async () => {
    const { member, intentId, until } = await paid();
    dispute(world, intentId);
    closeDispute(world, intentId, 'won');
    await shop.deliver((sent) => sent.toReversed());
    expect(await entitledUntil(member)).toEqual(until);
  });

  it('returns no time that another payment already covers', async () => {
    const { member, intentId, until } = await paid();
    await pass((until.getTime() - world.clock.now().getTime()) / dayMs + 1);
    const renewed = await entitledUntil(member);
    dispute(world, intentId);
    await shop.deliver();
    expect(await invoicesOf(member)).toEqual(['paid', 'refunded']);
    await pass(2);
    closeDispute(world, intentId, 'won');
    await shop.deliver();
    expect(await invoicesOf(member)).toEqual(['paid', 'paid']);
    expect(await entitledUntil(member)).toEqual(renewed);
  });

  it('returns nothing for a payment that is refunded later', async () => {
    const { member, intentId } = await paid();
    dispute(world, intentId);
    await shop.deliver();
    closeDispute(world, intentId, 'won');
    await shop.deliver();
    refund(world, intentId);
    await shop.deliver();
    expect(await isVip(shop.app, member)).toBe(false);
    expect(await invoicesOf(member)).toEqual(['refunded']);
  });

  it('allows its member to buy premium again in the meantime', async () => {
    const { member, intentId } = await paid();
    dispute(world, intentId);
    await shop.deliver();
    await shop.buy(member, 'annual');
    const until = await entitledUntil(member);
    await pass(4);
    closeDispute(world, intentId, 'won');
    await shop.deliver();
    // The monthly period was paid as well, and four days of it were lost.
    expect(await entitledUntil(member)).toEqual(new Date((until?.getTime() ?? 0) + 4 * dayMs));
  });
});

describe('a dispute that the shop loses', () => {
  it('returns nothing', async () => {
    const { member, intentId } = await paid();
    dispute(world, intentId);
    await shop.deliver();
    closeDispute(world, intentId, 'lost');
    await shop.deliver();
    await shop.run('subscriptions.reconcile');
    expect(await isVip(shop.app, member)).toBe(false);
  });
});

describe('an inquiry of the bank that withdraws no money', () => {
  it('leaves premium unchanged', async () => {
    const { member, intentId, until } = await paid();
    dispute(world, intentId, 'inquiry');
    await shop.deliver();
    expect(await entitledUntil(member)).toEqual(until);
    closeDispute(world, intentId, 'warning_closed');
    await shop.deliver();
    expect(await entitledUntil(member)).toEqual(until);
    expect(await invoicesOf(member)).toEqual(['paid']);
  });

  it('ends premium once the bank withdraws the money', async () => {
    const { member, intentId } = await paid();
    dispute(world, intentId, 'inquiry');
    await shop.deliver();
    escalate(world, intentId);
    await shop.deliver();
    expect(await isVip(shop.app, member)).toBe(false);
  });
});
