import * as z from 'zod/mini';
import { fieldErrorSchema } from './errors.ts';
import { leaseSchema, staffReportSchema } from './moderation/staff-reports.ts';
import { locationSchema } from './profiles/user.ts';

const fieldValueSchema = z.nullable(z.union([z.string(), locationSchema]));

/** A field that someone else changed after the caller read it: its current value, and the value that the caller tried to save. */
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
      /** The handle of an identity that waits for the password of the account it will be linked to. */
      linkToken: z.optional(z.string()),
      /** Returned for a new person, with what is still needed to join. */
      joining: z.optional(
        z.object({
          token: z.string(),
          firstName: z.nullable(z.string()),
          /** The address the person joins with, which can be changed if `isEmailProven` is false. */
          email: z.nullable(z.string()),
          isEmailProven: z.boolean(),
        }),
      ),
      /** What the account can be confirmed with if a link alone is not enough. */
      proof: z.optional(
        z.object({
          /** What the link is for: verifying a new address, a changed address, or something else. */
          purpose: z.enum(['join', 'change', 'restore']),
          hasPassword: z.boolean(),
          hasFactor: z.boolean(),
          hasPasskey: z.boolean(),
        }),
      ),
      /** The current report, if a change to it is refused. */
      report: z.optional(staffReportSchema),
      /** The colleague who is handling a case, if a step is refused for that reason. */
      holder: z.optional(leaseSchema),
      /** The fields that someone else changed since the caller read them, if an edit is refused for that reason. */
      conflicts: z.optional(z.array(fieldConflictSchema)),
    }),
  ),
});

export type ErrorBody = z.output<typeof errorBodySchema>;
