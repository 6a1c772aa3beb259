import type { ErrorBody, FieldError } from '#contract/errors.ts';
import { errorTexts } from './error-texts.ts';

interface ApiErrorParts {
  message: string;
  code: string;
  status: number | null;
  errors?: readonly FieldError[] | undefined;
  data?: ErrorBody['data'];
  stated?: string | null;
}

/** What `call` throws. `status` is null when no answer came; `message` is ready to be shown. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number | null;
  readonly errors: readonly FieldError[];
  readonly data: NonNullable<ErrorBody['data']>;
  /** What the answer itself said, without a text of ours in its place; null when it said nothing. */
  readonly stated: string | null;

  constructor({ message, code, status, errors, data, stated }: ApiErrorParts) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.status = status;
    this.errors = errors ?? [];
    this.data = data ?? {};
    this.stated = stated ?? null;
  }

  /** True when the request failed without any answer: offline, cut off, or out of time. */
  get isUnanswered(): boolean {
    return this.status === null;
  }
}

/** The text to show for a failed query or mutation; null without a failure. */
export function errorMessage(error: Error): string;
export function errorMessage(error: unknown): string | null;
export function errorMessage(error: unknown): string | null {
  if (error === null || error === undefined) return null;
  return error instanceof ApiError ? error.message : errorTexts.unknown;
}

/** The server's code for a failed query or mutation; null without one. */
export function errorCode(error: unknown): string | null {
  return error instanceof ApiError ? error.code : null;
}

/** Whether a request ended because its screen was left or the user changed: there is nothing to report. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
