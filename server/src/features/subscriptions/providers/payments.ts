import { msg } from '@lingui/core/runtime-macro';
import { PaymentError, type PaymentProvider } from './provider.ts';
import { paymentErrorTexts } from '#contract/subscriptions/plan.ts';
import { AppError } from '#platform/http/app-error.ts';
import type { Deps } from '../../../deps.ts';

const retryAfterSeconds = 5;

/** The provider. Throws 422 if premium can't be bought. */
export function providerOf(deps: Pick<Deps, 'payments'>): PaymentProvider {
  if (deps.payments === null) throw new AppError('PAYMENTS_OFF', msg`Premium isn't available at the moment`);
  return deps.payments;
}

/** The current time for subscriptions: the provider's, or ours if there is no provider. */
export async function presentOf({ payments, clock }: Pick<Deps, 'payments' | 'clock'>): Promise<Date> {
  return payments === null ? clock.now() : await payments.now();
}

/** The error for a provider's refusal: 422 for a card, 503 for an unavailable provider, 409 for the rest. */
function refusalOf({ code }: PaymentError): AppError {
  const text = paymentErrorTexts[code];
  switch (code) {
    case 'unavailable':
    case 'rate_limited':
      return new AppError('UNAVAILABLE', text, { retryAfterSeconds });
    case 'invalid':
      return new AppError('CONFLICT', text);
    case 'card_declined':
    case 'insufficient_funds':
    case 'expired_card':
    case 'authentication_failed':
      return new AppError('PAYMENT_DECLINED', text);
  }
}

/** Runs calls to the provider and turns its refusals into HTTP errors. */
export async function paying<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PaymentError) throw refusalOf(error);
    throw error;
  }
}
