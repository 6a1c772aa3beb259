import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plans } from '#contract/subscriptions/plan.ts';
import * as calls from '#contract/subscriptions/subscriptions.ts';
import { getConfig } from '#contract/system.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { isVip } from '../../../test/premium.ts';
import { startStripeApp, type StripeApp } from '../../../test/payments/stripe-app.ts';
import { refund } from '../../../test/doubles/stripe/payments.ts';

/** The prices as the operator writes them, as Stripe counts them, and as they are shown. */
const shops: [currency: string, texts: string[], minor: number[], shown: string, perMonth: number, net: number][] = [
  ['JPY', ['1499', '3597', '11988'], [1499, 3597, 11_988], '¥1,499', 1199, 1249],
  ['ISK', ['1999', '4999', '15999'], [199_900, 499_900, 1_599_900], 'ISK 1,999', 166_600, 166_600],
  ['KWD', ['4.51', '10.99', '35.99'], [4510, 10_990, 35_990], 'KWD 4.510', 3663, 3758],
  ['HUF', ['4999', '11999', '39999'], [499_900, 1_199_900, 3_999_900], 'HUF 4,999', 399_967, 416_583],
];

describe.each(shops)('premium in %s', (currency, texts, minor, shown, perMonth, net) => {
  let shop: StripeApp;
  beforeAll(async () => {
    shop = await startStripeApp(({ world, priceIds }) => {
      plans.forEach((plan, index) => {
        const price = world.prices.get(priceIds[plan]);
        if (price) Object.assign(price, { currency: currency.toLowerCase(), unitAmount: minor[index] });
      });
      return {
        PREMIUM_CURRENCY: currency,
        PREMIUM_PRICE_MONTHLY: texts[0] ?? '',
        PREMIUM_PRICE_QUARTERLY: texts[1] ?? '',
        PREMIUM_PRICE_ANNUAL: texts[2] ?? '',
      };
    });
  });
  afterAll(() => shop.close());

  const receiptOf = async ({ token }: TestMember) => {
    const [newest] = (await shop.app.call(calls.listInvoices, { token })).body.data.invoices;
    return (await shop.app.call(calls.getInvoice, { token, params: { id: newest?._id ?? '' } })).body.data.receipt;
  };

  it('is offered, charged and announced at its price', async () => {
    const offers = (await shop.app.call(getConfig)).body.data.premium.plans;
    expect(offers.map(({ price }) => price)).toEqual(minor.map((amountMinor) => ({ amountMinor, currency })));
    expect(offers[1]?.pricePerMonth).toEqual({ amountMinor: perMonth, currency });
    const member = await makeMember(shop.app);
    const { subscription } = await shop.buy(member);
    expect(subscription.price).toEqual({ amountMinor: minor[0], currency });
    expect(await isVip(shop.app, member)).toBe(true);
    const [mail] = await shop.app.outbox(member.email);
    expect(mail?.text.replaceAll('\u00a0', ' ')).toContain(`${shown} a month`);
    expect([...shop.double.world.charges.values()].at(-1)).toMatchObject({ amount: minor[0] });
  });

  it('has receipts whose columns add up, even after a refund', async () => {
    const member = await makeMember(shop.app);
    const { paymentIntentId } = await shop.buy(member);
    const gross = minor[0] ?? 0;
    expect((await receiptOf(member))?.total).toEqual({ netMinor: net, taxMinor: gross - net, grossMinor: gross });
    refund(shop.double.world, paymentIntentId);
    await shop.deliver();
    expect((await receiptOf(member))?.refund?.remaining).toEqual({ netMinor: 0, taxMinor: 0, grossMinor: 0 });
  });

  it('can change plans for a valid amount, even after a pause that was undone', async () => {
    const member = await makeMember(shop.app);
    const { token } = member;
    await shop.buy(member);
    await shop.moveTo(new Date(shop.double.world.clock.now().getTime() + 432_100));
    for (const call of [calls.pauseSubscription, calls.resumeSubscription])
      await shop.app.call(call, { token, body: { months: 1 } });
    const preview = await shop.app.call(calls.previewChange, { token, query: { plan: 'annual' } });
    const changed = await shop.app.call(calls.updateSubscription, { token, body: { plan: 'annual' } });
    expect(changed.body.data.subscription.plan).toBe('annual');
    await shop.deliver();
    const charged = [...shop.double.world.charges.values()].at(-1);
    expect(charged?.amount).toBe(preview.body.data.amountDueNow.amountMinor);
    const step = { JPY: 1, ISK: 100, KWD: 10, HUF: 1 }[currency] ?? 0;
    expect((charged?.amount ?? 1) % step).toBe(0);
    expect(await isVip(shop.app, member)).toBe(true);
  });
});
