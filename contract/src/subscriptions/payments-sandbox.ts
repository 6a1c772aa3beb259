import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema, providerIdSchema, text, timeSchema } from '../text.ts';

/** The sandbox's test cards and their behavior. */
export const sandboxTokens = [
  'tok_visa',
  'tok_mastercard',
  'tok_declined',
  'tok_insufficient',
  'tok_expired',
  'tok_challenge',
  'tok_renewal_fails',
] as const;
export type SandboxToken = (typeof sandboxTokens)[number];

/** The numbers of the test cards, which are the only ones that the sandbox accepts. */
export const sandboxCards: readonly { number: string; token: SandboxToken; what: MessageDescriptor }[] = [
  { number: '4242424242424242', token: 'tok_visa', what: msg`Pays (Visa)` },
  { number: '5555555555554444', token: 'tok_mastercard', what: msg`Pays (Mastercard)` },
  { number: '4000002500003155', token: 'tok_challenge', what: msg`The bank asks for confirmation` },
  { number: '4000000000000002', token: 'tok_declined', what: msg`Is declined` },
  { number: '4000000000009995', token: 'tok_insufficient', what: msg`Has insufficient funds` },
  { number: '4000000000000069', token: 'tok_expired', what: msg`Has expired` },
  { number: '4000000000000341', token: 'tok_renewal_fails', what: msg`Pays once, then fails to renew` },
];

const intentStates = ['open', 'requires_action', 'processing', 'succeeded', 'canceled'] as const;

export const answerSandboxIntent = endpoint({
  method: 'POST',
  path: '/dev/payments/intents/{id}',
  summary:
    'Sandbox only: pay an intent with a test card or a saved one, or answer the bank’s challenge. Needs the secret; no money moves.',
  access: 'everyone',
  params: z.object({ id: providerIdSchema }),
  body: z
    .object({
      clientSecret: text(1, 200),
      /** One of the test tokens, or the id of a stored card. */
      token: z.optional(idSchema),
      challenge: z.optional(z.enum(['approve', 'refuse'])),
    })
    .check(
      z.refine(
        ({ token, challenge }) => (token === undefined) !== (challenge === undefined),
        'Name either token or challenge',
      ),
    ),
  response: answer({ data: z.object({ status: z.enum(intentStates) }) }),
  /**
   * `FORBIDDEN` for a foreign host name; `NOT_FOUND` also for requests through a proxy, as for the other sandbox
   * endpoints.
   */
  errors: ['FORBIDDEN', 'NOT_FOUND', 'PAYMENT_DECLINED', 'CONFLICT'],
});

export const moveSandboxClock = endpoint({
  method: 'POST',
  path: '/dev/payments/clock',
  summary: 'Advance the sandbox clock: periods end and renewals are paid or fail, as they would by then.',
  access: 'payments.change',
  body: z.object({ to: z.iso.datetime() }),
  response: answer({ data: z.object({ now: timeSchema }) }),
  errors: ['CONFLICT', 'NOT_FOUND'],
});

export const refundSandboxInvoice = endpoint({
  method: 'POST',
  path: '/dev/payments/invoices/{id}/refund',
  summary: 'Refund a paid invoice, as in the provider’s dashboard.',
  access: 'payments.change',
  params: z.object({ id: providerIdSchema }),
  response: answer({ data: z.object({ refunded: z.boolean() }) }),
  errors: ['NOT_FOUND'],
});
