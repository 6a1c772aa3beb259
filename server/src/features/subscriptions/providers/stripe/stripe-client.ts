import type { FastifyBaseLogger } from 'fastify';
import Stripe from 'stripe';
import type { StripeConfig } from '../../../../platform/config/payments.ts';
import { PaymentError } from '../provider.ts';
import { factsOf, toPaymentError } from './stripe-errors.ts';

const patienceMs = 6000;
const secondTries = 1;

/** The SDK, asking at `apiBase` if that is set; what does not answer within `timeoutMs` is asked once more. */
export function createStripeClient(
  { secretKey, apiBase }: Pick<StripeConfig, 'secretKey' | 'apiBase'>,
  timeoutMs = patienceMs,
): Stripe {
  const base = apiBase === null ? null : new URL(apiBase);
  const isPlain = base?.protocol === 'http:';
  return new Stripe(secretKey, {
    ...(base && {
      host: base.hostname,
      port: base.port === '' ? (isPlain ? 80 : 443) : base.port,
      protocol: isPlain ? 'http' : 'https',
    }),
    timeout: timeoutMs,
    maxNetworkRetries: secondTries,
    telemetry: false,
  });
}

/** Runs what talks to Stripe; whatever goes wrong becomes a `PaymentError`, and what is nobody's card is told to the log. */
export type Ask = <T>(call: string, work: () => Promise<T>) => Promise<T>;

/** An `Ask` that tells this log. */
export function createAsk(log: FastifyBaseLogger): Ask {
  return async (call, work) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PaymentError) throw error;
      const refusal = toPaymentError(error);
      const facts = { call, outcome: refusal.code, ...factsOf(error) };
      if (refusal.code === 'unavailable') log.error(facts, 'Stripe did not do as asked');
      else if (refusal.code === 'invalid' || refusal.code === 'rate_limited') log.warn(facts, 'Stripe refused');
      throw refusal;
    }
  };
}
