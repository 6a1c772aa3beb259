import { createHash } from 'node:crypto';
import { sandboxCards, type SandboxToken, sandboxTokens } from '#contract/subscriptions/payments-sandbox.ts';
import type { PaymentErrorCode } from '#contract/subscriptions/plan.ts';

const yearsValid = 4;

const refusals: Partial<Record<SandboxToken, PaymentErrorCode>> = {
  tok_declined: 'card_declined',
  tok_insufficient: 'insufficient_funds',
  tok_expired: 'expired_card',
};

/** The bank's answer while the payer is present: it pays, asks for a confirmation, or refuses with a code. */
export function bankAnswer(token: SandboxToken, card: 'entered' | 'kept'): 'pays' | 'asks' | PaymentErrorCode {
  if (token === 'tok_challenge') return 'asks';
  return (card === 'entered' ? refusals[token] : laterRefusal(token)) ?? 'pays';
}

/** The code with which a stored card is refused when the payer is absent, or null. */
export const laterRefusal = (token: SandboxToken): PaymentErrorCode | null =>
  token === 'tok_renewal_fails' ? 'card_declined' : (refusals[token] ?? null);

export const isSandboxToken = (word: string): word is SandboxToken => sandboxTokens.some((token) => token === word);

/** The stored data of a test card at `now`; a card number always has the same fingerprint. */
export function cardFacts(token: SandboxToken, now: Date) {
  const { number } = sandboxCards.find((one) => one.token === token) ?? { number: '' };
  const fingerprint = createHash('sha256').update(number).digest('hex').slice(0, 16);
  const valid = { exp_month: 12, exp_year: now.getUTCFullYear() + yearsValid };
  return { brand: number.startsWith('5') ? 'mastercard' : 'visa', last4: number.slice(-4), fingerprint, ...valid };
}
