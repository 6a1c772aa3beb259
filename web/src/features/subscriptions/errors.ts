import { ApiError } from '../../api/api-error.ts';

/**
 * The text for each failed premium request if the server sends no message. Texts from the specification are used word
 * for word.
 */
export const fallbackTexts = {
  create: 'Failed to create subscription',
  current: 'Failed to get current subscription',
  update: 'Failed to update subscription',
  cancel: 'Failed to cancel subscription',
  reactivate: 'Failed to reactivate subscription',
  pause: 'Failed to pause subscription',
  resume: 'Failed to resume subscription',
  paymentMethods: 'Failed to get payment methods',
  setupIntent: 'Failed to create setup intent',
  invoices: 'Failed to get invoices',
  confirm: 'Failed to confirm subscription',
  one: 'Failed to get subscription',
  all: 'Failed to get subscriptions',
  preview: 'Failed to get the price of the change',
  defaultMethod: 'Failed to change the default card',
  removeMethod: 'Failed to remove the card',
  invoice: 'Failed to get the invoice',
  pdf: 'Failed to download the PDF',
  revenue: 'Failed to get premium figures',
  payment: 'The payment failed',
} as const;

const unansweredText = 'No response from server. Please check your internet connection.';
const unknownText = 'An unexpected error occurred';

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
export function subscriptionError(failure: unknown, fallback: string): SubscriptionError {
  if (failure instanceof SubscriptionError) return failure;
  if (!(failure instanceof ApiError)) {
    return new SubscriptionError({ message: unknownText, code: 'UNKNOWN_ERROR', status: null });
  }
  const { status, code, stated, errors, data } = failure;
  if (status === null) return new SubscriptionError({ message: unansweredText, code: 'NETWORK_ERROR', status });
  if (stated !== null) return new SubscriptionError({ message: stated, code, status, errors, data, stated });
  if (status < 500) return new SubscriptionError({ message: fallback, code, status, errors, data });
  return new SubscriptionError({ message: `Server error: ${status}`, code: 'SERVER_ERROR', status, errors, data });
}

/** Sends a request and converts its failure to a `SubscriptionError`. */
export async function answered<T>(ask: () => Promise<T>, fallback: string): Promise<T> {
  try {
    return await ask();
  } catch (failure) {
    throw subscriptionError(failure, fallback);
  }
}
