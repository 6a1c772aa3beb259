import type { FieldError } from '#contract/errors.ts';
import type { ErrorBody } from '#contract/error-body.ts';

interface ApiErrorParts {
  message: string;
  code: string;
  status: number | null;
  errors?: readonly FieldError[] | undefined;
  data?: ErrorBody['data'];
  stated?: string | null;
}

/** What `call` throws. `status` is null if no answer came; `message` is ready to be shown. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number | null;
  readonly errors: readonly FieldError[];
  readonly data: NonNullable<ErrorBody['data']>;
  /** The answer's own text, not a replacement of ours; null if it had none. */
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

/** The texts of the API layer, exactly as specified. Screens translate them when they show them. */
export const errorTexts = {
  unreachable: 'Network error: Unable to connect to server. Please check your internet connection.',
  server: 'Server error: Please try again later.',
  network: 'Network error. Please check your internet connection.',
  unknown: 'An unknown error occurred',
  validation: 'Validation error',
  signInUnreachable: 'Network error - unable to reach server',
  loginFailed: 'Login failed',
  verificationFailed: 'verification failed',
  emailTaken: 'User already exists',
} as const;

/**
 * The facts about a failure: an answer (`status`, `body`), a thrown error's own message, or that the network failed.
 */
interface Failure {
  status?: number;
  body?: unknown;
  message?: string;
  isNetworkFailure?: boolean;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** A proxy's HTML page is text, but not for people. */
function isPlain(text: string): boolean {
  return !text.trimStart().startsWith('<');
}

function firstOfList(errors: unknown): string | null {
  if (!Array.isArray(errors) || errors.length === 0) return null;
  const [first] = errors as unknown[];
  if (isRecord(first)) {
    if (isText(first['msg'])) return first['msg'];
    if (isText(first['message'])) return first['message'];
  }
  return errorTexts.validation;
}

/**
 * The text in an answer, the first of: message, plain string body, error field, first of the errors list; else null.
 */
export function answeredText(body: unknown): string | null {
  if (isRecord(body) && isText(body['message'])) return body['message'];
  if (isText(body)) return isPlain(body) ? body : null;
  if (!isRecord(body)) return null;
  if (isText(body['error'])) return body['error'];
  return firstOfList(body['errors']);
}

/** The text to show for a failure; never empty. */
export function errorText({ status, body, message, isNetworkFailure }: Failure): string {
  const answered = answeredText(body);
  if (answered !== null) return answered;
  if (status !== undefined && status >= 500) return errorTexts.server;
  if (isText(message)) return message;
  return isNetworkFailure ? errorTexts.network : errorTexts.unknown;
}
