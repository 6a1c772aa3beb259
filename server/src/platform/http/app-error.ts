import { errorStatus, type ErrorBody, type ErrorCode, type FieldError } from '#contract/errors.ts';

interface Details {
  errors?: FieldError[];
  /** Sent as `Retry-After`, whole seconds. */
  retryAfterSeconds?: number;
  data?: NonNullable<ErrorBody['data']>;
}

/** A refusal the caller is told about: its code decides the status, its message is a sentence for people. */
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

/** The one answer for what is not there, foreign, blocked or hidden. */
export function notFound(): AppError {
  return new AppError('NOT_FOUND', 'Not found');
}

/** The one answer for a missing, bad or ended sign-in. */
export function unauthenticated(): AppError {
  return new AppError('UNAUTHENTICATED', 'Please sign in');
}

/** A refusal of one field's value. */
export function invalid(field: string, msg: string): AppError {
  return new AppError('INVALID_INPUT', msg, { errors: [{ field, msg }] });
}

/** Too many requests; `retryAfterSeconds` is rounded up and at least 1. */
export function tooMany(message: string, retryAfterSeconds: number): AppError {
  return new AppError('TOO_MANY_REQUESTS', message, { retryAfterSeconds: Math.max(1, Math.ceil(retryAfterSeconds)) });
}
