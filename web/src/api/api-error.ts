import { t } from '@lingui/core/macro';
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

/** The error that `call` throws. `status` is null if there was no answer; `message` can be shown to people. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number | null;
  readonly errors: readonly FieldError[];
  readonly data: NonNullable<ErrorBody['data']>;
  /** The text that the server sent, as opposed to one of our default texts; null if it sent none. */
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

  /** True when the request got no answer: the device is offline, the connection was lost, or the request timed out. */
  get isUnanswered(): boolean {
    return this.status === null;
  }
}

/** The text to show for a failed query or mutation; null if it did not fail. */
export function errorMessage(error: Error): string;
export function errorMessage(error: unknown): string | null;
export function errorMessage(error: unknown): string | null {
  if (error === null || error === undefined) return null;
  return error instanceof ApiError ? error.message : errorTexts.unknown();
}

/** The server's error code for a failed query or mutation; null if there is none. */
export function errorCode(error: unknown): string | null {
  return error instanceof ApiError ? error.code : null;
}

/** Whether a request ended because its screen was left or the user changed; then there is nothing to report. */
export function isAborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}

/** The texts of the API layer, exactly as specified in English, in the reader's language. */
export const errorTexts = {
  unreachable: () => t`Network error: Unable to connect to server. Please check your internet connection.`,
  server: () => t`Server error: Please try again later.`,
  network: () => t`Network error. Please check your internet connection.`,
  unknown: () => t`An unknown error occurred`,
  validation: () => t`Validation error`,
  signInUnreachable: () => t`Network error - unable to reach server`,
  loginFailed: () => t`Login failed`,
  verificationFailed: () => t`verification failed`,
  emailTaken: () => t`User already exists`,
};

/**
 * What is known about a failure: the server's answer (`status`, `body`), the message of a thrown error, or that the
 * network failed.
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

/** Rejects HTML pages, which proxies send as their error text. */
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
  return errorTexts.validation();
}

/**
 * The text in an answer: its message, its plain string body, its error field, or the first entry of its errors list;
 * null without any.
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
  if (status !== undefined && status >= 500) return errorTexts.server();
  if (isText(message)) return message;
  return isNetworkFailure ? errorTexts.network() : errorTexts.unknown();
}
