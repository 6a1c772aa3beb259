import * as z from 'zod/mini';
import { holderSchema, staffReportSchema } from './moderation/reports.ts';
import { locationSchema } from './profiles/user.ts';

/** Every error code with its HTTP status. */
export const errorStatus = {
  INVALID_INPUT: 400,
  INVALID_JSON: 400,
  INVALID_CODE: 400,
  CHALLENGE_EXPIRED: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  FORBIDDEN: 403,
  EMAIL_NOT_VERIFIED: 403,
  PROFILE_INCOMPLETE: 403,
  ACCOUNT_DEACTIVATED: 403,
  ACCOUNT_LEAVING: 403,
  WRONG_PASSWORD: 403,
  PROOF_REQUIRED: 403,
  SECOND_FACTOR_REQUIRED: 403,
  PREMIUM_REQUIRED: 403,
  NOT_FOUND: 404,
  REQUEST_TIMEOUT: 408,
  CONFLICT: 409,
  EMAIL_TAKEN: 409,
  LAST_ADMINISTRATOR: 409,
  LINK_NEEDS_PASSWORD: 409,
  IDENTITY_TAKEN: 409,
  LAST_WAY_IN: 409,
  ILLEGAL_STEP: 409,
  CASE_CLAIMED: 409,
  DECISION_REQUIRED: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNDER_AGE: 422,
  PASSWORD_REFUSED: 422,
  BIRTH_DATE_SET: 422,
  PROFILE_FIELDS_MISSING: 422,
  PICTURE_UNREADABLE: 422,
  PICTURE_TOO_SMALL: 422,
  PICTURE_TOO_LARGE: 422,
  PICTURE_REFUSED: 422,
  TOO_MANY_PICTURES: 422,
  PASSKEY_REFUSED: 422,
  TOO_MANY_PASSKEYS: 422,
  JOIN_UNFINISHED: 422,
  IDENTITY_REFUSED: 422,
  STAFF_UNVERIFIED: 422,
  PAYMENT_DECLINED: 422,
  PAYMENT_UNFINISHED: 422,
  PAYMENTS_OFF: 422,
  LIKES_USED_UP: 422,
  FIRST_MESSAGES_USED_UP: 422,
  TOO_LATE: 422,
  IDEMPOTENCY_MISMATCH: 422,
  TOO_MANY_REQUESTS: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

const fieldErrorSchema = z.object({ field: z.string(), msg: z.string() });

/** One invalid field of a request: its path (`location.city`) and a sentence a person can act on. */
export type FieldError = z.output<typeof fieldErrorSchema>;

const fieldValueSchema = z.nullable(z.union([z.string(), locationSchema]));

/** A field that someone else changed since the caller read it: its value now, and the one the caller would store. */
const fieldConflictSchema = z.object({ field: z.string(), current: fieldValueSchema, given: fieldValueSchema });
export type FieldConflict = z.output<typeof fieldConflictSchema>;

/** The body of every failure. `data` is present only where the contract defines it. */
export const errorBodySchema = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.string(),
  errors: z.optional(z.array(fieldErrorSchema)),
  requestId: z.string(),
  data: z.optional(
    z.object({
      restoreToken: z.optional(z.string()),
      /** The handle of an identity waiting for the password of the account to link. */
      linkToken: z.optional(z.string()),
      /** A new person, and what is still needed to join. */
      joining: z.optional(
        z.object({
          token: z.string(),
          firstName: z.nullable(z.string()),
          /** The address to join with; it can be changed if `isEmailProven` is false. */
          email: z.nullable(z.string()),
          isEmailProven: z.boolean(),
        }),
      ),
      /** What an account can confirm with if a link alone is not enough. */
      proof: z.optional(
        z.object({
          /** What the link is for: the first proof of an address, a changed address, or something else. */
          purpose: z.enum(['join', 'change', 'restore']),
          hasPassword: z.boolean(),
          hasFactor: z.boolean(),
          hasPasskey: z.boolean(),
        }),
      ),
      /** The current report, if a change to it is refused. */
      report: z.optional(staffReportSchema),
      /** Who has a case in hand, if a step on it is refused for that. */
      holder: z.optional(holderSchema),
      /** The fields that someone else changed since the caller read them, if a change is refused for that. */
      conflicts: z.optional(z.array(fieldConflictSchema)),
    }),
  ),
});

export type ErrorBody = z.output<typeof errorBodySchema>;
