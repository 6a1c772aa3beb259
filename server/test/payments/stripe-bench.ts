import type { FastifyBaseLogger } from 'fastify';
import { readConfig } from '#platform/config/config.ts';
import { createLog } from '#platform/process/log.ts';
import { PaymentError, type PaymentProvider } from '../../src/features/subscriptions/providers/provider.ts';
import { createStripePayments } from '../../src/features/subscriptions/providers/stripe/stripe.ts';
import type { PaymentBench } from './payment-bench.ts';
import { startStripeDouble, type StripeDouble } from '../doubles/stripe-double.ts';
import { answerBank, confirm, enterCard, refund } from '../doubles/stripe/payments.ts';
import { passTime } from '../doubles/stripe/time.ts';
import { StripeFault, type Card, type Intent, type World } from '../doubles/stripe/world.ts';

/** A payment bench with Stripe's double. */
export interface StripeBench extends PaymentBench {
  double: StripeDouble;
}

/** The adapter, configured for this double. */
export function stripePaymentsAt(
  double: Pick<StripeDouble, 'environment' | 'world'>,
  { log = createLog('silent'), timeoutMs }: { log?: FastifyBaseLogger; timeoutMs?: number } = {},
): PaymentProvider {
  const { payments } = readConfig(double.environment);
  if (payments.provider !== 'stripe') throw new Error('the double’s environment does not select Stripe');
  return createStripePayments({
    config: payments,
    prices: payments.prices,
    clock: double.world.clock,
    log,
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
}

/** The adapter and the double, with the payer’s browser, Stripe’s dashboard and its clock. */
export async function startStripeBench(): Promise<StripeBench> {
  const double = await startStripeDouble();
  const { world } = double;
  const provider = stripePaymentsAt(double);

  // A browser knows an intent only by its secret, and learns about a refusal from the intent.
  async function inBrowser(secret: string | null, act: (intent: Intent) => void): Promise<void> {
    const intent = [...world.intents.values()].find((each) => each.secret === secret);
    if (intent === undefined) throw new PaymentError('invalid');
    try {
      act(intent);
    } catch (error) {
      throw error instanceof StripeFault ? new PaymentError('invalid', { cause: error }) : error;
    }
    const { declined } = await provider.getIntent(intent.id);
    if (declined !== null) throw new PaymentError(declined);
  }

  return {
    double,
    provider,
    pay: (start, card) =>
      inBrowser(start.clientSecret, (intent) => confirm(world, intent, cardIn(world, intent, card), 'entered')),
    answerBank: (start, answer) =>
      inBrowser(start.clientSecret, (intent) => answerBank(world, intent, answer === 'approve')),
    moveTo: async (at) => passTime(world, at),
    refund: async (invoiceId) => refund(world, world.invoices.get(invoiceId)?.intentId ?? null),
    deliveries: async () => world.deliveries,
    setDown: async (isDown) => {
      double.isDown = isDown;
    },
    close: () => double.close(),
  };
}

/** An entered card, or one of the stored cards of the intent's customer. */
function cardIn(world: World, { customerId }: Intent, card: Parameters<PaymentBench['pay']>[1]): Card {
  if (typeof card === 'string') return enterCard(world, card);
  const kept = world.cards.get(card.kept);
  if (kept?.customerId !== customerId) throw new PaymentError('invalid');
  return kept;
}
