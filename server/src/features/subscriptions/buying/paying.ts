import { paymentErrorTexts } from '#contract/subscriptions/plan.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import type { Deps } from '../../../deps.ts';
import { PaymentError, type PaymentProvider } from '../providers/provider.ts';

const retryAfterSeconds = 5;

/** The provider; 422 where premium cannot be bought. */
export function providerOf(deps: Pick<Deps, 'payments'>): PaymentProvider {
  if (deps.payments === null) throw new AppError('PAYMENTS_OFF', 'Premium cannot be bought here at the moment');
  return deps.payments;
}

/** The present by which subscriptions end: the provider's, or ours where there is none. */
export async function presentOf({ payments, clock }: Pick<Deps, 'payments' | 'clock'>): Promise<Date> {
  return payments === null ? clock.now() : await payments.now();
}

/** What a payer is told of a provider's refusal: 422 for a card, 503 for a provider that is not there, 409 for the rest. */
export function refusalOf({ code }: PaymentError): AppError {
  const words = paymentErrorTexts[code];
  switch (code) {
    case 'unavailable':
    case 'rate_limited':
      return new AppError('UNAVAILABLE', words, { retryAfterSeconds });
    case 'invalid':
      return new AppError('CONFLICT', words);
    case 'card_declined':
    case 'insufficient_funds':
    case 'expired_card':
    case 'authentication_failed':
      return new AppError('PAYMENT_DECLINED', words);
  }
}

/** Runs what talks to the provider; its refusals become answers. */
export async function paying<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PaymentError) throw refusalOf(error);
    throw error;
  }
}

/** 403 for staff: premium is for members. */
export function demandPayer(caller: Caller): void {
  if (caller.staffRole !== null) throw new AppError('FORBIDDEN', 'Premium is for members; staff accounts have none');
}
