import * as z from 'zod/mini';
import { answer, endpoint } from './endpoint.ts';
import { moneySchema, planSchema } from './subscriptions/plan.ts';
import { timeSchema } from './text.ts';

export const getConfig = endpoint({
  method: 'GET',
  path: '/config',
  summary: 'What the web app must know before sign-in; never a secret.',
  access: 'everyone',
  response: answer({
    data: z.object({
      supportEmail: z.string(),
      providers: z.object({
        google: z.boolean(),
        facebook: z.boolean(),
        /** Null: premium cannot be bought here. */
        payments: z.nullable(z.enum(['sandbox', 'stripe'])),
        mail: z.enum(['outbox', 'smtp']),
      }),
      /** Where the browser goes to sign in with others, and what it names itself with there; null where they are not offered. */
      signInWith: z.object({
        google: z.nullable(z.object({ url: z.string(), clientId: z.string() })),
        facebook: z.nullable(z.object({ url: z.string(), clientId: z.string() })),
      }),
      /** What browsers know this service by when they are told of news. */
      pushPublicKey: z.string(),
      /** What the browser names itself with to Stripe; null elsewhere. */
      stripePublishableKey: z.nullable(z.string()),
      premium: z.object({
        plans: z.array(z.object({ plan: planSchema, months: z.int(), price: moneySchema, pricePerMonth: moneySchema })),
        trialDays: z.int(),
      }),
      demo: z.boolean(),
      termsVersion: z.string(),
      limits: z.object({
        memberPasswordMinLength: z.int(),
        staffPasswordMinLength: z.int(),
        passwordMaxLength: z.int(),
        minimumAgeYears: z.int(),
        bioMaxLength: z.int(),
        nameMaxLength: z.int(),
      }),
    }),
  }),
});

const mailSchema = z.object({
  _id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  links: z.array(z.string()),
  code: z.optional(z.string()),
  createdAt: timeSchema,
});

export type OutboxMail = z.output<typeof mailSchema>;

export const listOutbox = endpoint({
  method: 'GET',
  path: '/dev/outbox',
  summary: 'The newest 100 mails written, newest first; exists only where mail stays on the machine.',
  access: 'everyone',
  query: z.object({
    to: z.optional(
      z.string().check(
        z.maxLength(254),
        z.refine((t) => !t.includes('\0') && t.isWellFormed(), 'Not an address'),
      ),
    ),
  }),
  response: answer({ data: z.object({ mails: z.array(mailSchema) }) }),
});
