import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { apiBasePath } from '#contract/constants.ts';
import {
  confirmSubscription,
  createSetupIntent,
  createSubscription,
  currentSubscription,
  pauseSubscription,
} from '#contract/subscriptions/subscriptions.ts';
import { getConfig } from '#contract/system.ts';
import { premiumData } from '../public.ts';
import { makeMember, type TestMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { isVip } from '../../../../test/premium.ts';
import { startStripeDouble, type StripeDouble } from '../../../../test/doubles/stripe-double.ts';
import { confirm, dispute, enterCard } from '../../../../test/doubles/stripe/payments.ts';
import { passTime } from '../../../../test/doubles/stripe/time.ts';

let double: StripeDouble;
let app: TestApp;
beforeEach(async () => {
  delivered = 0;
  double = await startStripeDouble();
  app = await startApp(double.environment);
  app.clock.set(double.world.clock.now());
});
afterEach(async () => {
  await app.close();
  await double.close();
});

let delivered: number;
/** Delivers the provider's events since the last call. */
async function deliver(): Promise<void> {
  const { deliveries } = double.world;
  for (const { raw, signature } of deliveries.slice(delivered)) {
    const answer = await app.app.inject({
      method: 'POST',
      url: `${apiBasePath}/webhooks/payments`,
      headers: { 'content-type': 'application/json', 'stripe-signature': signature },
      payload: raw,
    });
    expect(answer.statusCode).toBe(200);
  }
  delivered = deliveries.length;
  await app.drain();
}

async function begin(member: TestMember) {
  const started = await app.call(createSubscription, { token: member.token, body: { plan: 'monthly' } });
  return started.body.data;
}

/** The payer's browser submits a card. */
function payInBrowser(secret: string | null): void {
  const intent = [...double.world.intents.values()].find((each) => each.secret === secret);
  if (intent === undefined) throw new Error('no such payment');
  confirm(double.world, intent, enterCard(double.world, 'tok_visa'), 'entered');
}

const run = (task: string) => app.app.background.tasks[task]?.({}, undefined as never);

describe('premium through Stripe', () => {
  test('is configured in the web app without a secret', async () => {
    const { data } = (await app.call(getConfig)).body;
    expect([data.providers.payments, data.stripePublishableKey]).toEqual(['stripe', 'pk_test_the_double']);
    expect(JSON.stringify(data)).not.toMatch(/sk_test|whsec/);
  });

  test('starts with a payment, stays while Stripe is down, and renews without a gap', async () => {
    const member = await makeMember(app);
    const started = await begin(member);
    expect([started.secretKind, started.subscription.status]).toEqual(['payment', 'incomplete']);
    payInBrowser(started.clientSecret);
    const body = { subscriptionId: started.subscriptionId, paymentIntentId: started.paymentIntentId ?? '' };
    const confirmed = await app.call(confirmSubscription, { token: member.token, body });
    expect(confirmed.body.data.subscription.status).toBe('active');
    await deliver();
    expect(await isVip(app, member)).toBe(true);

    double.isDown = true;
    const other = await makeMember(app);
    const refused = await app.call(createSubscription, { token: other.token, body: { plan: 'monthly' } });
    expect([refused.status, refused.error.code]).toEqual([503, 'UNAVAILABLE']);
    expect(refused.headers['retry-after']).toBeDefined();
    await expect(run('subscriptions.reconcile')).rejects.toThrow('unavailable');
    await run('subscriptions.keepTime');
    expect(await isVip(app, member)).toBe(true);
    expect((await app.call(currentSubscription, { token: member.token })).status).toBe(200);

    double.isDown = false;
    const { currentPeriodEnd } = confirmed.body.data.subscription;
    for (const minutes of [1, 30, 61, 120]) {
      passTime(double.world, new Date(Date.parse(currentPeriodEnd ?? '') + minutes * 60_000));
      app.clock.set(double.world.clock.now());
      await deliver();
      await run('subscriptions.keepTime');
      expect(await isVip(app, member), `${minutes} minutes later`).toBe(true);
    }
  });

  test('pauses as a trial at Stripe, which is neither premium nor an invoice here', async () => {
    const member = await makeMember(app);
    payInBrowser((await begin(member)).clientSecret);
    await deliver();
    const paused = await app.call(pauseSubscription, { token: member.token, body: { months: 1 } });
    const { currentPeriodEnd, pausedUntil } = paused.body.data.subscription;
    const states: unknown[] = [];
    for (const at of [currentPeriodEnd, pausedUntil]) {
      for (const minutes of [-1, 1, 30, 90]) {
        passTime(double.world, new Date(Date.parse(at ?? '') + minutes * 60_000));
        app.clock.set(double.world.clock.now());
        // No webhook message arrives.
        delivered = double.world.deliveries.length;
        await run('subscriptions.reconcile');
        await run('subscriptions.keepTime');
        const [subscription] = (await premiumData(app.db, member.id)).subscriptions;
        states.push([subscription?.status, subscription?.trialStart, await isVip(app, member)]);
      }
    }
    const [on, off] = [
      ['active', null, true],
      ['paused', null, false],
    ];
    // Stripe prepares the renewal for an hour; it counts once it is paid.
    expect(states).toEqual([on, off, off, off, off, ['active', null, false], ['active', null, false], on]);
    const { invoices } = await premiumData(app.db, member.id);
    expect(invoices.map(({ total, status }) => [total.amountMinor, status])).toEqual([
      [1499, 'paid'],
      [1499, 'paid'],
    ]);
    expect(invoices[1]?.period_start).toEqual(new Date(pausedUntil ?? ''));
    expect(app.logLines()).not.toContain('a payment differs from the request');
  });

  test.each([20, 100])(
    'is granted for a payment with a coupon of %i percent from Stripe’s dashboard',
    async (percentOff) => {
      const member = await makeMember(app);
      const card = await app.call(createSetupIntent, { token: member.token });
      const { customer_id: customerId } = await app.db
        .selectFrom('payment_customer')
        .select('customer_id')
        .where('account_id', '=', member.id)
        .executeTakeFirstOrThrow();
      expect(card.status).toBe(200);
      const customer = double.world.customers.get(customerId);
      if (customer !== undefined) customer.percentOff = percentOff;
      const started = await begin(member);
      if (percentOff < 100) payInBrowser(started.clientSecret);
      await deliver();
      expect(await isVip(app, member)).toBe(true);
    },
  );

  test('is not granted for a payment that was partly or not collected, without a coupon', async () => {
    const member = await makeMember(app);
    const started = await begin(member);
    for (const invoice of double.world.invoices.values())
      if (invoice.status === 'open') for (const line of invoice.lines) line.amount = 1;
    payInBrowser(started.clientSecret);
    await deliver();
    expect(await isVip(app, member)).toBe(false);
  });

  test('ends when the bank reclaims the payment, although the webhook message names only a charge', async () => {
    const member = await makeMember(app);
    const started = await begin(member);
    payInBrowser(started.clientSecret);
    await deliver();
    expect(await isVip(app, member)).toBe(true);
    dispute(double.world, started.paymentIntentId);
    await deliver();
    expect(await isVip(app, member)).toBe(false);
  });

  test('is not granted for an abandoned payment form', async () => {
    const member = await makeMember(app);
    const { subscriptionId } = await begin(member);
    await deliver();
    await run('subscriptions.reconcile');
    expect(await isVip(app, member)).toBe(false);
    const row = await app.db
      .selectFrom('subscription')
      .select('status')
      .where('id', '=', subscriptionId)
      .executeTakeFirst();
    expect(row?.status).toBe('incomplete');
  });
});
