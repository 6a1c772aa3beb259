import { errorStatus, type ErrorBody, type ErrorCode, type FieldError } from '#contract/errors.ts';

interface Details {
  errors?: FieldError[];
  /** Sent as `Retry-After`, whole seconds. */
  retryAfterSeconds?: number;
  data?: NonNullable<ErrorBody['data']>;
  /** What staff were denied: recorded as an audit event. */
  denied?: { type: 'user' | 'report' | 'case'; id: string };
  /** See `committed`. */
  isCommitted?: boolean;
}

/** An error the caller receives: the code decides the status, the message is a sentence for people. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Details;

  constructor(code: ErrorCode, message: string, details: Details = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/**
 * The refusal with which a command's transaction commits all the same: what was written stays, such as a counted try or a mail. Any other
 * error undoes the transaction.
 */
export const committed = ({ code, message, details }: AppError): AppError =>
  new AppError(code, message, { ...details, isCommitted: true });

/** A `committed` refusal as a result, so that the transaction it ends commits; throws any other error, which undoes it. */
export function refusalToCommit(error: unknown): AppError {
  if (error instanceof AppError && error.details.isCommitted === true) return error;
  throw error;
}

/** The same 404 for everything that does not exist, belongs to someone else, is blocked or hidden. */
export function notFound(): AppError {
  return new AppError('NOT_FOUND', 'Not found');
}

/** The 401 for a missing, invalid or ended session. */
export function unauthenticated(): AppError {
  return new AppError('UNAUTHENTICATED', 'Please sign in');
}

/** The 403 for staff who would open or handle something they are a part of; the attempt is audited. */
export function involved(denied: NonNullable<Details['denied']>): AppError {
  return new AppError('FORBIDDEN', 'You are involved in this, so a colleague has to handle it.', { denied });
}

/** An error about one field's value; a 400 unless `code` says otherwise. */
export function invalid(field: string, msg: string, code: ErrorCode = 'INVALID_INPUT'): AppError {
  return new AppError(code, msg, { errors: [{ field, msg }] });
}

/** Too many requests; `retryAfterSeconds` is rounded up and at least 1. */
export function tooMany(message: string, retryAfterSeconds: number): AppError {
  return new AppError('TOO_MANY_REQUESTS', message, { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) });
}
