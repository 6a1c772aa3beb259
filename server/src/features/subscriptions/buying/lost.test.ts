import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as calls from '#contract/subscriptions/subscriptions.ts';
import { makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { isVip } from '../../../../test/premium.ts';
import { startStripeApp, type StripeApp } from '../../../../test/payments/stripe-app.ts';
import { deleteEverything, removeCustomer } from '../../../../test/doubles/stripe/endpoints-customers.ts';
import { inTransaction } from '#platform/db/db.ts';
import { emit } from '../../../features.ts';
import { subscriptionReactions } from '../jobs.ts';

let shop: StripeApp;
beforeAll(async () => {
  shop = await startStripeApp();
});
afterAll(() => shop.close());

const customerOf = async ({ id }: TestMember) => {
  const row = shop.app.db.selectFrom('payment_customer').select('customer_id').where('account_id', '=', id);
  return (await row.executeTakeFirstOrThrow()).customer_id;
};
const askFor = (member: TestMember) =>
  shop.app.call(calls.createSubscription, { token: member.token, body: { plan: 'monthly' } });
const addCard = (member: TestMember) => shop.app.call(calls.createSetupIntent, { token: member.token });
const cards = (member: TestMember) => shop.app.call(calls.listPaymentMethods, { token: member.token });
const current = (member: TestMember) => shop.app.call(calls.currentSubscription, { token: member.token });
const daysLater = (days: number) => new Date(shop.double.world.clock.now().getTime() + days * 86_400_000);

/** Ways in which Stripe comes to answer that there is no such customer. */
const losses = Object.entries<(member: TestMember) => Promise<void>>({
  'deleted in the dashboard': async (member) => {
    removeCustomer(shop.double.world, await customerOf(member));
    await shop.deliver();
  },
  'deleted, without a message about it': async (member) => removeCustomer(shop.double.world, await customerOf(member)),
  'of an account whose keys were replaced': async () => deleteEverything(shop.double.world),
});

describe.each(losses)('POST /subscriptions with a customer %s', (_what, lose) => {
  const histories: [string, (member: TestMember) => Promise<unknown>][] = [
    ['a card form', addCard],
    ['an unfinished payment', (member) => shop.begin(member)],
    ['an unfinished payment for another plan', (member) => shop.begin(member, 'annual')],
  ];

  it.each(histories)('returns 201 with a new customer after %s', async (_before, happen) => {
    const member = await makeMember(shop.app);
    await happen(member);
    const before = await customerOf(member);
    await lose(member);
    const answer = await askFor(member);
    expect(answer.status).toBe(201);
    shop.pay(answer.body.data);
    await shop.deliver();
    expect(await isVip(shop.app, member)).toBe(true);
    expect(await customerOf(member)).not.toBe(before);
  });

  it('returns 201 once the earlier premium has ended', async () => {
    const member = await makeMember(shop.app);
    await shop.buy(member);
    await lose(member);
    expect(await isVip(shop.app, member)).toBe(true);
    await shop.moveTo(daysLater(32));
    expect(await isVip(shop.app, member)).toBe(false);
    const answer = await askFor({ ...member, ...(await signIn(shop.app, member.id)) });
    expect(answer.status).toBe(201);
    shop.pay(answer.body.data);
    await shop.deliver();
    expect(await isVip(shop.app, member)).toBe(true);
  });

  it('creates one customer for simultaneous requests', async () => {
    const member = await makeMember(shop.app);
    await addCard(member);
    await lose(member);
    const all = await Promise.all([askFor(member), addCard(member), askFor(member), addCard(member)]);
    expect(all.map(({ status }) => status)).toEqual([201, 200, 201, 200]);
    const own = [...shop.double.world.customers.values()].filter(
      ({ metadata, isDeleted }) => metadata['account_id'] === member.id && !isDeleted,
    );
    expect(own).toHaveLength(1);
  });

  it('keeps the cards, invoices and subscription of the member usable', async () => {
    const member = await makeMember(shop.app);
    const { subscriptionId } = await shop.buy(member);
    const card = (await cards(member)).body.data.paymentMethods[0]?._id ?? '';
    await lose(member);
    const { token } = member;
    expect((await cards(member)).body.data.paymentMethods).toEqual([]);
    for (const call of [calls.setDefaultPaymentMethod, calls.removePaymentMethod])
      expect((await shop.app.call(call, { token, params: { id: card } })).status).toBe(404);
    expect((await shop.app.call(calls.listInvoices, { token })).body.data.invoices).toHaveLength(1);
    const answers = await Promise.all([
      shop.app.call(calls.previewChange, { token, query: { plan: 'annual' } }),
      shop.app.call(calls.updateSubscription, { token, body: { plan: 'annual' } }),
    ]);
    expect(answers.map(({ status }) => status)).not.toContain(500);
    await shop.app.call(calls.cancelSubscription, { token, body: {} });
    expect((await current(member)).body.subscription).toMatchObject({ _id: subscriptionId, status: 'canceled' });
    expect(await isVip(shop.app, member)).toBe(true);
    expect((await addCard(member)).status).toBe(200);
  });
});

describe('a customer that was replaced', () => {
  it('is still recognized in webhook messages', async () => {
    const member = await makeMember(shop.app);
    const { subscriptionId } = await shop.buy(member);
    removeCustomer(shop.double.world, await customerOf(member));
    expect((await addCard(member)).status).toBe(200);
    await shop.deliver();
    expect((await current(member)).body.subscription).toMatchObject({ _id: subscriptionId, status: 'canceled' });
  });

  it('is deleted at Stripe with the account, like the new one', async () => {
    const member = await makeMember(shop.app);
    await addCard(member);
    const first = await customerOf(member);
    removeCustomer(shop.double.world, first);
    await addCard(member);
    const second = await customerOf(member);
    await inTransaction(shop.app.db, async (tx) => {
      await subscriptionReactions.accountsEnding?.(tx, { accountIds: [member.id] }, emit);
    });
    const waiting = await shop.app.db.selectFrom('customer_cleanup').select('customer_id').execute();
    expect(waiting.map(({ customer_id }) => customer_id).toSorted()).toEqual([first, second].toSorted());
    await shop.run('subscriptions.customerCleanup');
    expect(shop.double.world.customers.get(second)?.isDeleted).toBe(true);
    expect(await shop.app.db.selectFrom('customer_cleanup').selectAll().execute()).toEqual([]);
  });
});

describe('a subscription that reappears at Stripe', () => {
  it('ends there if the member has bought another one in the meantime', async () => {
    const member = await makeMember(shop.app);
    await shop.buy(member);
    const { world } = shop.double;
    const [known] = [...world.subscriptions.values()].slice(-1);
    world.subscriptions.delete(known?.id ?? '');
    await shop.app.call(calls.cancelSubscription, { token: member.token, body: {} });
    await shop.moveTo(daysLater(1 / 86_400));
    const { subscriptionId } = await shop.buy(member);
    if (known) world.subscriptions.set(known.id, known);
    await shop.run('subscriptions.reconcile');
    expect(known?.status).toBe('canceled');
    expect((await current(member)).body.subscription).toMatchObject({ _id: subscriptionId, status: 'active' });
  });
});
