import Stripe from 'stripe';
import type { PaymentErrorCode } from '#contract/subscriptions/plan.ts';
import { limitedFetch } from '#platform/http/limited-fetch.ts';
import { Lost, PaymentError } from '../provider.ts';
import type { FastifyBaseLogger } from 'fastify';
import type { StripeConfig } from '#platform/config/payments.ts';

/** An answer from Stripe without a required field. It contains the name of the field, never its value. */
export class UnreadableAnswer extends Error {
  override name = 'UnreadableAnswer';
  readonly field: string;

  constructor(field: string) {
    super(`Stripe’s answer has no ${field}`);
    this.field = field;
  }
}

// The SDK accepts any JSON as the expected type, so data from the network is checked here.

/** A non-empty string. */
export function textIn(value: unknown, field: string): string {
  if (typeof value !== 'string' || value === '') throw new UnreadableAnswer(field);
  return value;
}

/** An integer. */
export function wholeIn(value: unknown, field: string): number {
  if (!Number.isSafeInteger(value)) throw new UnreadableAnswer(field);
  return value as number;
}

/** A boolean. */
export function flagIn(value: unknown, field: string): boolean {
  if (typeof value !== 'boolean') throw new UnreadableAnswer(field);
  return value;
}

/** A timestamp from Unix seconds. */
export function momentIn(value: unknown, field: string): Date {
  return new Date(wholeIn(value, field) * 1000);
}

/** A timestamp from Unix seconds, or null if Stripe sends null. */
export function momentOrNull(value: number | null, field: string): Date | null {
  return value === null ? null : momentIn(value, field);
}

/** The items of a list. */
export function entriesIn<T>(list: { data: T[] } | undefined, field: string): T[] {
  if (!Array.isArray(list?.data)) throw new UnreadableAnswer(field);
  return list.data;
}

/** The id of a reference, expanded or not. */
export function idIn(reference: string | { id: string } | null, field: string): string {
  return textIn(typeof reference === 'string' ? reference : reference?.id, field);
}

/** The id of a returned object, which must be of this kind and, if `id` is given, have this id. */
export function idOf(answer: { id?: unknown; object?: unknown }, kind: string, id?: string): string {
  if (answer.object !== kind || (id !== undefined && answer.id !== id)) throw new UnreadableAnswer(kind);
  return textIn(answer.id, `id of a ${kind}`);
}

/** The expanded object of a reference, or null. */
export function expandedIn<T extends object>(reference: string | T | null, field: string): T | null {
  if (reference !== null && typeof reference !== 'object') throw new UnreadableAnswer(field);
  return reference;
}

const reasons: Record<string, PaymentErrorCode> = {
  insufficient_funds: 'insufficient_funds',
  expired_card: 'expired_card',
  expired_payment_method: 'expired_card',
  authentication_required: 'authentication_failed',
  authentication_not_handled: 'authentication_failed',
  invoice_payment_intent_requires_action: 'authentication_failed',
  payment_intent_action_required: 'authentication_failed',
  payment_intent_authentication_failure: 'authentication_failed',
  setup_intent_authentication_failure: 'authentication_failed',
  card_decline_rate_limit_exceeded: 'rate_limited',
  payment_intent_rate_limit_exceeded: 'rate_limited',
};

interface Refusal {
  code?: string | undefined;
  decline_code?: string | undefined;
}

/** Our code for a declined card: the bank's own reason if there is one. https://docs.stripe.com/declines/codes */
export function declineCode({ code, decline_code: reason }: Refusal): PaymentErrorCode {
  return reasons[reason ?? ''] ?? reasons[code ?? ''] ?? 'card_declined';
}

/** Whether Stripe says that the object does not (or no longer) exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'resource_missing';
}

// Only the message says what is missing: the parameter is `customer`, `id` or none, depending on the call.
const lostKind = /^No such (customer|subscription)\b/;

/** What a failed call means to the caller: anything that isn't caused by the card or the request is `unavailable`. */
function toPaymentError(error: unknown): PaymentError {
  const lost = isMissing(error) ? lostKind.exec((error as Error).message)?.[1] : undefined;
  if (lost === 'customer' || lost === 'subscription') return new Lost(lost, { cause: error });
  return new PaymentError(codeOf(error), { cause: error });
}

function codeOf(error: unknown): PaymentErrorCode {
  const { errors } = Stripe;
  if (error instanceof errors.StripeCardError) return declineCode(error);
  if (error instanceof errors.StripeRateLimitError) return 'rate_limited';
  if (error instanceof errors.StripeInvalidRequestError) return reasons[error.code ?? ''] ?? 'invalid';
  if (error instanceof errors.StripeIdempotencyError) return 'invalid';
  return 'unavailable';
}

/** What may be logged about a failed call. Stripe's own message may quote what was sent, so it is left out. */
export function factsOf(error: unknown): object {
  if (error instanceof UnreadableAnswer) return { type: error.name, missing: error.field };
  if (!(error instanceof Stripe.errors.StripeError)) return { err: error };
  const { type, code, param, statusCode: status, requestId } = error;
  const cause = (error.detail as { code?: string } | undefined)?.code;
  return { type, code: code ?? cause, param, status, requestId };
}

const patienceMs = 6000;
const secondTries = 1;
/** Enough for a hundred invoices with everything that Stripe returns about each. */
const answerBytes = 8_000_000;

const limited = limitedFetch((url, init) => fetch(url, init), answerBytes);
/** Rejects with what the SDK can read: the connection error, which has a code. */
const send = (url: string, init: RequestInit) =>
  limited(url, init).catch((error: unknown) => {
    throw (error as Error).cause ?? error;
  });

/** The SDK, calling `apiBase` if that is set. A request without a complete answer within `timeoutMs` is retried once. */
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
    // Unlike the SDK's other client, this one limits the total time, not only silence.
    httpClient: Stripe.createFetchHttpClient(send as typeof fetch),
    timeout: timeoutMs,
    maxNetworkRetries: secondTries,
    telemetry: false,
  });
}

/** Runs calls to Stripe. All failures become a `PaymentError`, and those that aren't about a card are logged. */
type Ask = <T>(call: string, work: () => Promise<T>) => Promise<T>;

/** An `Ask` that writes to this log. */
export function createAsk(log: FastifyBaseLogger): Ask {
  return async (call, work) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof PaymentError) throw error;
      const refusal = toPaymentError(error);
      const facts = { call, outcome: refusal.code, ...factsOf(error) };
      if (refusal.code === 'unavailable') log.error(facts, 'a Stripe request failed');
      else if (refusal.code === 'invalid' || refusal.code === 'rate_limited') log.warn(facts, 'Stripe refused');
      throw refusal;
    }
  };
}
