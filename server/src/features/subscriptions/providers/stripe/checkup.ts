import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import Stripe from 'stripe';
import { apiBasePath } from '#contract/constants.ts';
import { moneyInEnglish } from '#contract/subscriptions/currency.ts';
import { type Money, type Plan, plans } from '#contract/subscriptions/plan.ts';
import { receivePaymentEvent } from '#contract/subscriptions/subscriptions.ts';
import type { StripeConfig } from '#platform/config/payments.ts';
import { systemClock } from '#platform/process/clock.ts';
import { readConfig } from '#platform/config/config.ts';
import type { Environment } from '#platform/config/values.ts';
import { createLog } from '#platform/process/log.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { PaymentError, type PaymentProvider } from '../provider.ts';
import { createStripeClient, entriesIn, factsOf } from './api.ts';
import { createStripePayments, stripeEventTypes } from './stripe.ts';
import { faultOfPrice } from './objects.ts';

/** The result of one check, as text. */
interface Finding {
  isGood: boolean;
  words: string;
}

const good = (words: string): Finding => ({ isGood: true, words });
const bad = (words: string): Finding => ({ isGood: false, words });

/** Whether a secret key moves real money, as every key does that isn't marked as a test key. */
function isLiveKey(secretKey: string): boolean {
  return !/^(sk|rk)_test_/.test(secretKey);
}

/** Why a call failed, without Stripe's own message, which may quote what was sent. */
function reasonOf(error: unknown): string {
  const cause = error instanceof PaymentError ? (error.cause ?? error) : error;
  if (cause instanceof PaymentError) return cause.code;
  const facts = Object.entries(factsOf(cause)).filter(([, fact]) => ['string', 'number'].includes(typeof fact));
  if (cause instanceof Stripe.errors.StripeAuthenticationError) return 'Stripe does not know the key';
  return facts.length === 0 ? String((cause as Error).name) : facts.map(([name, fact]) => `${name} ${fact}`).join(', ');
}

/** Checks the setup at Stripe: the key, the prices and the webhook endpoint. Nothing is changed. */
async function* lookAtAccount(
  stripe: Stripe,
  { priceIds, prices, publicUrl }: Pick<StripeConfig, 'priceIds'> & { prices: Record<Plan, Money>; publicUrl: string },
): AsyncGenerator<Finding> {
  yield await found('The key could not be checked', async () => {
    entriesIn(await stripe.customers.list({ limit: 1 }), 'customers');
    return good('The key works.');
  });
  for (const plan of plans) {
    const name = `The ${plan} price ${priceIds[plan]}`;
    yield await found(`${name} could not be read`, async () => {
      const fault = await faultOfPrice(stripe, priceIds[plan], plan, prices[plan]);
      return fault === null ? good(`${name} matches the price of the plan here.`) : bad(`${name} ${fault}.`);
    });
  }
  yield await found('The webhook endpoints could not be read', () => lookAtWebhook(stripe, publicUrl));
}

async function lookAtWebhook(stripe: Stripe, publicUrl: string): Promise<Finding> {
  const url = `${publicUrl}${apiBasePath}${receivePaymentEvent.path}`;
  const endpoints = entriesIn(await stripe.webhookEndpoints.list({ limit: 100 }), 'webhook endpoints');
  const endpoint = endpoints.find((each) => each.url === url);
  if (endpoint === undefined) return bad(`No webhook endpoint is registered for ${url}.`);
  if (endpoint.status !== 'enabled') return bad(`The webhook endpoint for ${url} is switched off.`);
  const enabled = new Set(endpoint.enabled_events);
  const missing = enabled.has('*') ? [] : stripeEventTypes.filter((type) => !enabled.has(type));
  if (missing.length > 0) return bad(`The webhook endpoint for ${url} does not receive: ${missing.join(', ')}.`);
  return good(`The webhook endpoint for ${url} receives every event it needs.`);
}

async function found(failure: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return bad(`${failure}: ${reasonOf(error)}.`);
  }
}

/** Buys a subscription with Stripe's test card, for a customer who is deleted at the end. Stops at the first failure. */
async function* buyOnce(stripe: Stripe, provider: PaymentProvider): AsyncGenerator<Finding> {
  const person = { accountId: `check-${randomUUID()}`, email: 'stripe-check@example.org', name: 'Stripe check' };
  const customerId = await provider.ensureCustomer(person, `check:${person.accountId}`);
  try {
    yield good('A customer was created.');
    const steps = [begin, pay, keepCard, end];
    for (const [index, step] of steps.entries()) {
      const finding = await found(`Step ${index + 1} of buying failed`, () => step({ stripe, provider, customerId }));
      yield finding;
      if (!finding.isGood) return;
    }
  } finally {
    await provider.deleteCustomer(customerId);
  }
  yield good('The customer was deleted.');
}

interface Purchase {
  stripe: Stripe;
  provider: PaymentProvider;
  customerId: string;
}

// One idempotency key for each customer, so that every step gets the same subscription.
const subscriptionOf = ({ provider, customerId }: Purchase) =>
  provider.createSubscription(
    { customerId, plan: 'monthly', trialDays: 0, paymentMethodId: null },
    `check:${customerId}`,
  );

async function begin(purchase: Purchase): Promise<Finding> {
  const { subscription, clientSecret } = await subscriptionOf(purchase);
  return subscription.status === 'incomplete' && subscription.paidThrough === null && clientSecret !== null
    ? good('A subscription was started, and grants nothing until it is paid.')
    : bad(`An unpaid subscription is ${subscription.status}.`);
}

async function pay(purchase: Purchase): Promise<Finding> {
  const { stripe, provider, customerId } = purchase;
  const { subscription, intentId } = await subscriptionOf(purchase);
  await stripe.paymentIntents.confirm(intentId ?? '', { payment_method: 'pm_card_visa' });
  const { status, paidThrough, currentPeriodEnd } = await provider.getSubscription(subscription.id);
  const { data } = await provider.listInvoices(customerId, { limit: 10 });
  return status === 'active' && paidThrough?.getTime() === currentPeriodEnd.getTime() && data[0]?.status === 'paid'
    ? good('It was paid with a test card, and lasts until the end of its period.')
    : bad(`A subscription that was paid is ${status}, its invoice ${data[0]?.status}.`);
}

async function keepCard(purchase: Purchase): Promise<Finding> {
  const { provider, customerId } = purchase;
  const [card, ...others] = await provider.listPaymentMethods(customerId);
  await provider.createSetupIntent(customerId, `check:${customerId}:card`);
  return card?.isDefault === true && others.length === 0
    ? good('Its card was stored, and another one can be added.')
    : bad('Its card was not stored for payments.');
}

async function end(purchase: Purchase): Promise<Finding> {
  const { provider, customerId } = purchase;
  const { id } = (await subscriptionOf(purchase)).subscription;
  const change = await provider.previewChange({ customerId, subscriptionId: id, plan: 'annual' });
  await provider.cancelNow(id);
  const { status } = await provider.getSubscription(id);
  return status === 'canceled'
    ? good(`The annual plan would have cost ${moneyInEnglish(change)} more. It was canceled.`)
    : bad(`A subscription that was canceled is ${status}.`);
}

const usage = 'Use: npm run stripe:check -- [--buy] [--live], with the variables of Stripe in the environment.';

/** The output of the command. */
interface Output {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

/** Runs the checks. Returns whether all of them passed. */
async function everyCheck(args: string[], { stdout }: Output, environment?: Environment): Promise<boolean> {
  const say = ({ isGood, words }: Finding) => stdout.write(`${isGood ? 'good' : 'BAD '}  ${words}\n`);
  const { values } = parseArgs({ args, options: { buy: { type: 'boolean' }, live: { type: 'boolean' } } });
  const { payments: config, publicUrl } = readConfig(environment);
  if (config.provider !== 'stripe') throw new StartError(`Payments do not go through Stripe here. ${usage}`);
  const isLive = isLiveKey(config.secretKey);
  if (isLive && values.live !== true)
    throw new StartError('STRIPE_SECRET_KEY is not a test key. Add --live to check the real account anyway.');
  if (isLive && values.buy === true)
    throw new StartError('Nothing is bought with a live key. Leave out --buy, or use a test key.');
  say({ isGood: true, words: isLive ? 'The key is a live one: nothing is bought.' : 'The key is a test key.' });
  const stripe = createStripeClient(config);
  const findings: Finding[] = [];
  const take = async (found: AsyncIterable<Finding>) => {
    for await (const finding of found) {
      findings.push(finding);
      say(finding);
    }
  };
  await take(lookAtAccount(stripe, { ...config, publicUrl }));
  if (values.buy === true) {
    const log = createLog('silent');
    const provider = createStripePayments({ config, prices: config.prices, clock: systemClock, log });
    await take(buyOnce(stripe, provider));
  }
  return findings.every(({ isGood }) => isGood);
}

/** The command `npm run stripe:check`, by default with the environment of the process. Returns its exit code. */
export async function checkStripe(args: string[], output: Output, environment?: Environment): Promise<number> {
  if (args.includes('--help')) {
    output.stdout.write(`${usage}\n`);
    return 0;
  }
  try {
    return (await everyCheck(args, output, environment)) ? 0 : 1;
  } catch (error) {
    const isUsage = (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS') === true;
    const words = error instanceof StartError ? error.message : `Stripe could not be checked: ${reasonOf(error)}.`;
    output.stderr.write(`${isUsage ? usage : words}\n`);
    return 1;
  }
}
