import { answerSandboxIntent, moveSandboxClock, type SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import type { Plan } from '#contract/subscriptions/plan.ts';
import {
  confirmSubscription,
  createSetupIntent,
  createSubscription,
  currentSubscription,
  listInvoices,
  listPaymentMethods,
  reactivateSubscription,
  type StartedPayment,
  type SubscriptionView,
} from '#contract/subscriptions/subscriptions.ts';
import { makeAdministrator, type TestMember } from './factories.ts';
import type { TestApp } from './harness.ts';

type Payer = Pick<TestMember, 'token'>;

/** Starts a subscription; nothing is paid yet. */
export async function beginPremium(
  test: TestApp,
  payer: Payer,
  plan: Plan = 'monthly',
  startNow = false,
): Promise<StartedPayment> {
  return (await test.call(createSubscription, { token: payer.token, body: { plan, startNow } })).body.data;
}

/** The intent that the payer has to complete. */
export const namesIntent = ({ paymentIntentId, setupIntentId }: Unpaid): string =>
  paymentIntentId ?? setupIntentId ?? '';

/** Enters a card for a started payment; returns the answer with the intent's status. */
export async function payWith(test: TestApp, started: Unpaid, token: SandboxToken | (string & {})) {
  return await test.call(answerSandboxIntent, {
    params: { id: namesIntent(started) },
    body: { clientSecret: started.clientSecret ?? '', token },
  });
}

type Unpaid = Pick<StartedPayment, 'clientSecret' | 'paymentIntentId' | 'setupIntentId'>;

/** The payment that a confirmation refers to. */
export function namedPayment({
  subscriptionId,
  paymentIntentId,
  setupIntentId,
}: Pick<StartedPayment, 'subscriptionId' | 'paymentIntentId' | 'setupIntentId'>) {
  return {
    subscriptionId,
    ...(paymentIntentId === null ? {} : { paymentIntentId }),
    ...(setupIntentId === null ? {} : { setupIntentId }),
  };
}

/** Confirms the payment. */
export async function confirmPremium(test: TestApp, payer: Payer, started: StartedPayment) {
  return await test.call(confirmSubscription, { token: payer.token, body: namedPayment(started) });
}

/** An account's first stored card. */
export async function cardOf(test: TestApp, payer: Payer): Promise<string> {
  const { paymentMethods } = (await test.call(listPaymentMethods, { token: payer.token })).body.data;
  return paymentMethods[0]?._id ?? '';
}

/** An account's newest invoice. */
export async function newestInvoiceId(test: TestApp, payer: Payer): Promise<string> {
  return (await test.call(listInvoices, { token: payer.token })).body.data.invoices[0]?._id ?? '';
}

/** Buys premium with a card. */
export async function buyPremium(
  test: TestApp,
  payer: Payer,
  {
    plan = 'monthly',
    card = 'tok_visa',
    startNow = false,
  }: { plan?: Plan; card?: SandboxToken; startNow?: boolean } = {},
): Promise<SubscriptionView> {
  const started = await beginPremium(test, payer, plan, startNow);
  await payWith(test, started, card);
  return (await confirmPremium(test, payer, started)).body.data.subscription;
}

/** Everyone may begin so, even if they withdrew from a purchase within the year. */
const atOnce = { plan: 'monthly', startNow: true } as const;

/** Ensures premium that renews, even when called in parallel. */
export async function ensurePremium(test: TestApp, payer: Payer): Promise<SubscriptionView> {
  const { token } = payer;
  const started = await test.call(createSubscription, { token, body: atOnce });
  if (started.status === 201) {
    await payWith(test, started.body.data, 'tok_visa');
    return (await confirmPremium(test, payer, started.body.data)).body.data.subscription;
  }
  const again = await test.call(reactivateSubscription, { token, body: {} });
  if (again.status === 200) return again.body.data.subscription;
  // Without a card, premium can't renew and lasts until the end of the paid period.
  return (await test.call(currentSubscription, { token })).body.subscription;
}

/** A payment that waits for a card; if the account has premium, a card to store. */
export async function somethingToPay(test: TestApp, payer: Payer): Promise<Unpaid & { subscriptionId: string }> {
  const { token } = payer;
  const started = await test.call(createSubscription, { token, body: atOnce });
  if (started.status === 201) return started.body.data;
  const held = await test.call(currentSubscription, { token });
  const { data } = (await test.call(createSetupIntent, { token })).body;
  return { ...data, paymentIntentId: null, subscriptionId: held.body.subscription._id };
}

/** Advances the payment clock to `to` and processes everything due. */
export async function passUntil(test: TestApp, to: string): Promise<void> {
  const { token } = await makeAdministrator(test);
  const moved = await test.call(moveSandboxClock, { token, body: { to: new Date(to).toISOString() } });
  if (moved.status !== 200) throw new Error(moved.raw);
  await settle(test);
}

/** Delivers the provider's events and ends expired premium. */
export async function settle(test: TestApp): Promise<void> {
  await test.drain();
  await test.app.background.tasks['subscriptions.keepTime']?.({}, undefined as never);
  await test.drain();
}

/** Whether an account has premium in the database. */
export async function isVip(test: TestApp, { id }: Pick<TestMember, 'id'>): Promise<boolean> {
  const row = await test.db.selectFrom('account').select('is_vip').where('id', '=', id).executeTakeFirst();
  return row?.is_vip === true;
}
