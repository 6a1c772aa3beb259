import type { MessageDescriptor } from '@lingui/core';
import { msg, t } from '@lingui/core/macro';
import { ApiError } from '../../api/api-error.ts';

/**
 * The text for each failed premium request if the server sends no message. Texts from the specification are used word
 * for word.
 */
export const fallbackTexts = {
  create: msg`Failed to create subscription`,
  current: msg`Failed to get current subscription`,
  update: msg`Failed to update subscription`,
  cancel: msg`Failed to cancel subscription`,
  reactivate: msg`Failed to reactivate subscription`,
  withdraw: msg`Failed to withdraw from the contract`,
  pause: msg`Failed to pause subscription`,
  resume: msg`Failed to resume subscription`,
  paymentMethods: msg`Failed to get payment methods`,
  setupIntent: msg`Failed to create setup intent`,
  invoices: msg`Failed to get invoices`,
  confirm: msg`Failed to confirm subscription`,
  one: msg`Failed to get subscription`,
  all: msg`Failed to get subscriptions`,
  preview: msg`Failed to get the price of the change`,
  defaultMethod: msg`Failed to change the default card`,
  removeMethod: msg`Failed to remove the card`,
  invoice: msg`Failed to get the invoice`,
  pdf: msg`Failed to download the PDF`,
  revenue: msg`Failed to get premium figures`,
  payment: msg`The payment failed`,
} as const;

/**
 * The error of a failed premium request, ready to be shown: `message`, `code`, `status`, `data`, and whether it is an
 * authentication error.
 */
export class SubscriptionError extends ApiError {
  override name = 'SubscriptionError';

  get isAuthError(): boolean {
    return this.status === 401 || this.status === 403;
  }
}

/** Converts any failure to a `SubscriptionError`; `fallback` is the text for the failed request. */
export function subscriptionError(failure: unknown, fallback: MessageDescriptor): SubscriptionError {
  if (failure instanceof SubscriptionError) return failure;
  if (!(failure instanceof ApiError)) {
    return new SubscriptionError({ message: t`An unexpected error occurred`, code: 'UNKNOWN_ERROR', status: null });
  }
  const { status, code, stated, errors, data } = failure;
  if (status === null) {
    const message = t`No response from server. Please check your internet connection.`;
    return new SubscriptionError({ message, code: 'NETWORK_ERROR', status });
  }
  if (stated !== null) return new SubscriptionError({ message: stated, code, status, errors, data, stated });
  if (status < 500) return new SubscriptionError({ message: t(fallback), code, status, errors, data });
  return new SubscriptionError({ message: t`Server error: ${status}`, code: 'SERVER_ERROR', status, errors, data });
}

/** Sends a request and converts its failure to a `SubscriptionError`. */
export async function answered<T>(ask: () => Promise<T>, fallback: MessageDescriptor): Promise<T> {
  try {
    return await ask();
  } catch (failure) {
    throw subscriptionError(failure, fallback);
  }
}
