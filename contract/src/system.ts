import * as z from 'zod/mini';
import { answer, endpoint } from './endpoint.ts';
import { languageSchema } from './languages.ts';
import { partsSchema } from './service/parts.ts';
import { textKindSchema } from './service/text-kinds.ts';
import { moneySchema, planSchema } from './subscriptions/plan.ts';
import { timeSchema } from './text.ts';

/** The brand as the app shows it: the addresses of its pictures, and null for the product's own. */
export const shownBrandSchema = z.object({
  name: z.string(),
  colours: z.nullable(z.object({ light: z.string(), dark: z.string() })),
  logo: z.nullable(z.string()),
  icon: z.nullable(z.string()),
  legalEntity: z.nullable(z.string()),
  /** The service's first language; absent means English. */
  language: z.optional(languageSchema),
  /** The age that new members must have; absent means 18. */
  minimumAge: z.optional(z.int()),
  /** The texts that the owner published in place of the product’s own; absent means none. */
  texts: z.optional(z.array(textKindSchema)),
});
export type ShownBrand = z.output<typeof shownBrandSchema>;

export const getConfig = endpoint({
  method: 'GET',
  path: '/config',
  summary: 'Configuration the web app needs before sign-in; never a secret.',
  access: 'everyone',
  response: answer({
    data: z.object({
      supportEmail: z.string(),
      brand: shownBrandSchema,
      /** What visitors see at `/`. */
      frontDoor: z.enum(['signIn', 'landing']),
      registration: z.object({
        mode: z.enum(['open', 'invitation', 'closed']),
        /** Why no one can join, by language. */
        sentence: z.partialRecord(languageSchema, z.string()),
      }),
      /** Which parts the owner has switched on. */
      parts: partsSchema,
      /** Whether the owner has lists of interests or prompts; see `/lists`. Absent means no. */
      ownLists: z.optional(z.boolean()),
      providers: z.object({
        google: z.boolean(),
        facebook: z.boolean(),
        /** Null if premium isn't sold here. */
        payments: z.nullable(z.enum(['sandbox', 'stripe'])),
        mail: z.enum(['outbox', 'smtp']),
      }),
      /** The authorization URL and our client id of each provider; null if it isn't offered. */
      signInWith: z.object({
        /** `usesCode`: the browser uses the authorization code flow, because the server can exchange codes. */
        google: z.nullable(z.object({ url: z.string(), clientId: z.string(), usesCode: z.boolean() })),
        facebook: z.nullable(z.object({ url: z.string(), clientId: z.string() })),
      }),
      /** The name of the house's account that staff sign in with; null or absent if they have only passwords. */
      house: z.optional(z.nullable(z.object({ name: z.string() }))),
      /** The public key for push subscriptions. */
      pushPublicKey: z.string(),
      /** Stripe's publishable key; null for other providers. */
      stripePublishableKey: z.nullable(z.string()),
      premium: z.object({
        plans: z.array(z.object({ plan: planSchema, months: z.int(), price: moneySchema, pricePerMonth: moneySchema })),
        trialDays: z.int(),
        /** The countries whose buyers can withdraw from a purchase; absent or null for all. */
        withdrawalCountries: z.optional(z.nullable(z.array(z.string()))),
      }),
      /** Whether others see pictures before they are reviewed. */
      showsPendingPictures: z.boolean(),
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
  summary: 'The newest 100 mails, newest first. Exists only if mail stays on this machine.',
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
  /** Returned to requests with a foreign host name or through a proxy. */
  errors: ['FORBIDDEN', 'NOT_FOUND'],
});
