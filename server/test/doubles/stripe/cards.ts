import { createHash } from 'node:crypto';
import { sandboxCards, type SandboxToken } from '#contract/subscriptions/payments-sandbox.ts';
import type { Card, Refusal } from './world.ts';

/** Who is present at a charge: the owner with the card, the owner without it, or no one. */
export type Occasion = 'entered' | 'on_session' | 'off_session';

const declined = { code: 'card_declined', decline_code: 'generic_decline' };

const refusals: Partial<Record<SandboxToken, Refusal>> = {
  tok_declined: declined,
  tok_insufficient: { code: 'card_declined', decline_code: 'insufficient_funds' },
  tok_expired: { code: 'expired_card', decline_code: 'expired_card' },
};

/** How a test card's bank decides: it pays, asks the owner first, or refuses. */
export function bankSays(token: SandboxToken, occasion: Occasion): 'pays' | 'asks' | Refusal {
  if (token === 'tok_renewal_fails') return occasion === 'entered' ? 'pays' : declined;
  if (token === 'tok_challenge') return occasion === 'off_session' ? 'pays' : 'asks';
  return refusals[token] ?? 'pays';
}

/** What Stripe returns about a card; its fingerprint is the same wherever the card is used. */
export function factsOfCard({ token, created }: Card) {
  const number = sandboxCards.find((card) => card.token === token)?.number ?? '';
  return {
    brand: number.startsWith('5') ? 'mastercard' : 'visa',
    last4: number.slice(-4),
    exp_month: 11,
    exp_year: new Date(created * 1000).getUTCFullYear() + 3,
    fingerprint: createHash('sha256').update(`double ${number}`).digest('base64url').slice(0, 16),
  };
}
