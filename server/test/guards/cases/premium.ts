import type { Plan } from '#contract/subscriptions/plan.ts';
import { createSetupIntent, listPaymentMethods, type SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { makeMember, type TestMember } from '../../factories.ts';
import {
  beginPremium,
  cardOf,
  ensurePremium,
  namedPayment,
  namesIntent,
  newestInvoiceId,
  payWith,
  somethingToPay,
} from '../../premium.ts';
import type { TestApp } from '../../harness.ts';
import type { CallRequest, Scene } from '../requests.ts';
import { allStaff, everyone, memberOnly, permitted, row, type Row, signedIn, staffWith } from '../people.ts';

/** An account that can subscribe: the caller, otherwise the other person, otherwise a new account. */
async function payerOf({ test, actor, other }: Scene): Promise<TestMember> {
  const people = actor === null ? [other] : [actor, other];
  for (const person of people) if (await canPay(test, person)) return person;
  return await makeMember(test);
}

async function canPay(test: TestApp, { sessionId }: TestMember): Promise<boolean> {
  const live = await test.db
    .selectFrom('account as a')
    .innerJoin('session as s', 's.account_id', 'a.id')
    .select('a.id')
    .where('s.id', '=', sessionId)
    .where('a.staff_role', 'is', null)
    .where('a.is_active', '=', true)
    .where('a.leaving_since', 'is', null)
    .executeTakeFirst();
  return live !== undefined;
}

/** A request by a member with premium. */
function subscribed(
  request: (scene: Scene, payer: TestMember, held: SubscriptionView) => CallRequest | Promise<CallRequest>,
) {
  return async (scene: Scene): Promise<CallRequest> => {
    const payer = await payerOf(scene);
    const subscription = await ensurePremium(scene.test, payer);
    return await request(scene, payer, subscription);
  };
}

/** A member who bought premium just now. */
async function justBought({ test, actor, other }: Scene): Promise<TestMember> {
  const payer = await payerOf({ test, actor, other });
  const ended = { status: 'canceled' as const, paid_through: null };
  await test.db.updateTable('subscription').set(ended).where('account_id', '=', payer.id).execute();
  await ensurePremium(test, payer);
  return payer;
}

const otherThan = (plan: Plan): Plan => (plan === 'annual' ? 'monthly' : 'annual');

/** A stored card that isn't used for payments. */
async function spareCard(scene: Scene): Promise<string> {
  const { test } = scene;
  const payer = await payerOf(scene);
  await ensurePremium(test, payer);
  const { data } = (await test.call(createSetupIntent, { token: payer.token })).body;
  await payWith(test, { ...data, paymentIntentId: null }, 'tok_mastercard');
  const { paymentMethods } = (await test.call(listPaymentMethods, { token: payer.token })).body.data;
  return paymentMethods.find(({ isDefault }) => !isDefault)?._id ?? '';
}

/** A valid request for every endpoint of premium. */
export const premiumRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'POST /subscription/create': () => ({ body: { plan: 'monthly' } }),
  'GET /subscription/current': subscribed(() => ({})),
  'GET /subscription/change-preview': subscribed((_scene, _payer, { plan }) => ({ query: { plan: otherThan(plan) } })),
  'PUT /subscription/update': subscribed((_scene, _payer, { plan }) => ({ body: { plan: otherThan(plan) } })),
  'POST /subscription/cancel': subscribed(() => ({ body: {} })),
  'POST /subscription/withdraw': async (scene) => {
    await justBought(scene);
    return { body: {} };
  },
  'POST /subscription/reactivate': subscribed(() => ({ body: {} })),
  'POST /subscription/pause': subscribed(() => ({ body: { months: 1 } })),
  'POST /subscription/resume': subscribed(() => ({ body: {} })),
  'POST /subscription/confirm': async ({ test, actor, other }) => {
    const started = await somethingToPay(test, await payerOf({ test, actor, other }));
    await payWith(test, started, 'tok_visa');
    return { body: namedPayment(started) };
  },
  'GET /subscription/payment-methods': () => ({}),
  'POST /subscription/setup-intent': () => ({}),
  'PUT /subscription/payment-methods/{id}/default': subscribed(async ({ test }, payer) => ({
    params: { id: await cardOf(test, payer) },
  })),
  'DELETE /subscription/payment-methods/{id}': async (scene) => ({ params: { id: await spareCard(scene) } }),
  'GET /subscription/invoices': () => ({}),
  'GET /subscription/invoices/{id}': subscribed(async ({ test }, payer) => ({
    params: { id: await newestInvoiceId(test, payer) },
  })),
  'GET /subscription/invoices/{id}/pdf': subscribed(async ({ test }, payer) => ({
    params: { id: await newestInvoiceId(test, payer) },
  })),
  'GET /subscription/id/{id}': async ({ test, actor, other }) => ({
    params: { id: (await ensurePremium(test, await payerOf({ test, actor, other })))._id },
  }),
  'GET /get_user_subscriptions': () => ({}),
  'POST /webhooks/payments': () => ({ headers: { 'content-type': 'application/json' } }),
  'GET /admin/revenue': () => ({}),
  'POST /dev/payments/intents/{id}': async ({ test }) => {
    const started = await beginPremium(test, await makeMember(test));
    return {
      params: { id: namesIntent(started) },
      body: { clientSecret: started.clientSecret, token: 'tok_visa' },
    };
  },
  'POST /dev/payments/clock': () => ({ body: { to: '2026-06-16T12:00:00.000Z' } }),
  'POST /dev/payments/invoices/{id}/refund': async ({ test }) => {
    const payer = await makeMember(test);
    await ensurePremium(test, payer);
    return { params: { id: await newestInvoiceId(test, payer) } };
  },
};

/** Another account's stored card. */
const anothersCard = async ({ test, other }: Scene) => {
  await ensurePremium(test, other);
  return await cardOf(test, other);
};

const anothersInvoice = async ({ test, other }: Scene) => {
  await ensurePremium(test, other);
  return { params: { id: await newestInvoiceId(test, other) } };
};

/** Who may call which endpoints of premium. */
export const premiumRows: Record<string, Row> = {
  'POST /subscription/create': row(memberOnly(201), 404, async (scene) => ({
    body: { plan: 'monthly', paymentMethodId: await anothersCard(scene) },
  })),
  'GET /subscription/current': { cells: { ...memberOnly(200), ...allStaff(404) } },
  'GET /subscription/change-preview': { cells: memberOnly(200) },
  'PUT /subscription/update': { cells: memberOnly(200) },
  'POST /subscription/cancel': { cells: memberOnly(200) },
  'POST /subscription/withdraw': { cells: memberOnly(200) },
  'POST /subscription/reactivate': { cells: memberOnly(200) },
  'POST /subscription/pause': { cells: memberOnly(200) },
  'POST /subscription/resume': { cells: memberOnly(200) },
  'POST /subscription/confirm': row(memberOnly(200), 404, async ({ test, other }) => ({
    body: namedPayment(await somethingToPay(test, other)),
  })),
  'GET /subscription/payment-methods': { cells: memberOnly(200) },
  'POST /subscription/setup-intent': { cells: memberOnly(200) },
  'PUT /subscription/payment-methods/{id}/default': row(memberOnly(200), 404, async (scene) => ({
    params: { id: await anothersCard(scene) },
  })),
  'DELETE /subscription/payment-methods/{id}': row(memberOnly(200), 404, async (scene) => ({
    params: { id: await anothersCard(scene) },
  })),
  'GET /subscription/invoices': { cells: memberOnly(200) },
  'GET /subscription/invoices/{id}': row(memberOnly(200), 404, anothersInvoice),
  'GET /subscription/invoices/{id}/pdf': row(memberOnly(200), 404, anothersInvoice),
  'GET /subscription/id/{id}': row(
    { ...signedIn(200), ...staffWith('subscriptions.view', 200, 403) },
    404,
    async ({ test, other }) => ({ params: { id: (await ensurePremium(test, other))._id } }),
  ),
  'GET /get_user_subscriptions': { cells: { ...signedIn(200), ...staffWith('subscriptions.view', 200, 403) } },
  'POST /webhooks/payments': { cells: everyone(400) },
  'GET /admin/revenue': { cells: permitted('revenue.view', 200) },
  'POST /dev/payments/intents/{id}': row(everyone(200), 404, async ({ test, other }) => ({
    params: { id: namesIntent(await somethingToPay(test, other)) },
    body: { clientSecret: 'not the right one', token: 'tok_visa' },
  })),
  'POST /dev/payments/clock': { cells: permitted('payments.change', 200) },
  'POST /dev/payments/invoices/{id}/refund': { cells: permitted('payments.change', 200) },
};
