import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type * as z from 'zod/mini';
import { errorStatus, type ErrorCode } from '#contract/errors.ts';
import type { errorBodySchema } from '#contract/error-body.ts';
import { textOf } from '../texts.ts';

export type ErrorBody = z.input<typeof errorBodySchema>;

/** A `FieldError` whose sentence is not yet in the caller's language. */
export interface InvalidField {
  field: string;
  msg: MessageDescriptor;
}

interface Details {
  errors?: InvalidField[];
  /** Sent as `Retry-After`, in whole seconds. */
  retryAfterSeconds?: number;
  data?: NonNullable<ErrorBody['data']>;
  /** The object that staff were denied access to, for the audit trail. */
  denied?: { type: 'user' | 'report' | 'case'; id: string };
  /** How many requests this one counts as, towards the limit of its endpoint. */
  costs?: number;
  /** See `committed`. */
  isCommitted?: boolean;
}

/** An error for the caller: the code decides the status, and the message is a readable sentence. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly text: MessageDescriptor;
  readonly details: Details;

  constructor(code: ErrorCode, text: MessageDescriptor, details: Details = {}) {
    super(textOf(text, text.values, 'en'));
    this.code = code;
    this.text = text;
    this.details = details;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/**
 * Marks a refusal whose transaction is committed nevertheless, so that what was written is kept, such as a counted
 * attempt or an email. Any other error rolls the transaction back.
 */
export const committed = ({ code, text, details }: AppError): AppError =>
  new AppError(code, text, { ...details, isCommitted: true });

/** A `committed` refusal as a result, so that its transaction commits; throws any other error, which rolls it back. */
export function refusalToCommit(error: unknown): AppError {
  if (error instanceof AppError && error.details.isCommitted === true) return error;
  throw error;
}

/** The same 404 for everything that does not exist, belongs to someone else, is blocked or hidden. */
export function notFound(): AppError {
  return new AppError('NOT_FOUND', msg`Not found`);
}

/** The 401 for a missing, invalid or ended session. */
export function unauthenticated(): AppError {
  return new AppError('UNAUTHENTICATED', msg`Please sign in`);
}

/** The 403 for staff who try to open or handle a case in which they are involved; the attempt is audited. */
export function involved(denied: NonNullable<Details['denied']>): AppError {
  return new AppError('FORBIDDEN', msg`You are involved in this, so a colleague has to handle it.`, { denied });
}

/** An error about one field's value; a 400 unless `code` says otherwise. */
export function invalid(field: string, text: MessageDescriptor, code: ErrorCode = 'INVALID_INPUT'): AppError {
  return new AppError(code, text, { errors: [{ field, msg: text }] });
}

/** The first time zones start a day 14 hours before UTC. */
const aheadMs = 14 * 3_600_000;

/** Throws 400 for a day or month that has not started anywhere at `now`, because people choose days by their own calendar. */
export function refuseFuture(field: string, start: string, now: Date): void {
  if (Date.parse(start) > now.getTime() + aheadMs) throw invalid(field, msg`This is in the future`);
}

/** A 429 error; `retryAfterSeconds` is rounded up and at least 1. */
export function tooMany(text: MessageDescriptor, retryAfterSeconds: number): AppError {
  return new AppError('TOO_MANY_REQUESTS', text, { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) });
}
