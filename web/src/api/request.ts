import { create } from 'zustand';
import { apiBasePath, retryAttempts, retryBaseDelayMs } from '#contract/constants.ts';
import type { BodyInput, EndpointSpec, ParamsInput, QueryInput, QueryOf } from '#contract/endpoint.ts';
import { i18n } from '#i18n';
import { ApiError } from './api-error.ts';

/** Each value as the server reads it, or as it is written in the address. */
type QueryValues<E extends EndpointSpec> = {
  [K in keyof QueryOf<E> & keyof QueryInput<E>]?: QueryOf<E>[K] | QueryInput<E>[K] | null | '';
};

type ParamsPart<E extends EndpointSpec> = E extends { params: object }
  ? { params: ParamsInput<E> }
  : { params?: never };
type QueryPart<E extends EndpointSpec> = E extends { query: object } ? { query?: QueryValues<E> } : { query?: never };
type BodyPart<E extends EndpointSpec> = E extends { uploads: true }
  ? { body?: never; file: File }
  : E extends { body: object }
    ? undefined extends BodyInput<E>
      ? { body?: BodyInput<E> }
      : { body: BodyInput<E> }
    : { body?: never };

/** The options for calling an endpoint, derived from its declaration. Empty query values are left out. */
export type CallOptions<E extends EndpointSpec> = ParamsPart<E> &
  QueryPart<E> &
  BodyPart<E> & {
    /** Additional request headers. */
    headers?: Record<string, string>;
    signal?: AbortSignal;
    /** Lets the request complete even if the page is closed in the meantime. */
    keepalive?: boolean;
  };

export interface PreparedRequest {
  method: EndpointSpec['method'];
  url: string;
  headers: Record<string, string>;
  body: string | FormData | null;
}

/** The options of any endpoint, without their specific types. */
export interface LooseOptions {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  file?: File;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  keepalive?: boolean;
}

/** The API's base address: a path on this origin, unless the page's `api-base` names another. */
export function apiBase(): string {
  const stated = document.querySelector<HTMLMetaElement>('meta[name="api-base"]')?.content;
  return (stated || apiBasePath).replace(/\/$/, '');
}

function fillPath(path: string, params: unknown): string {
  const values = (params ?? {}) as Record<string, string>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
}

function queryString(query: unknown): string {
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(
    (query ?? {}) as Record<string, string | number | boolean | readonly string[] | null | undefined>,
  )) {
    if (value !== undefined && value !== null && value !== '') search.set(key, String(value));
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

/** A form with one file; the browser sets the content type with the boundary. */
function formOf(file: File): FormData {
  const form = new FormData();
  form.set('file', file, file.name);
  return form;
}

function bodyOf({ file, body }: LooseOptions): PreparedRequest['body'] {
  if (file !== undefined) return formOf(file);
  return body === undefined ? null : JSON.stringify(body);
}

/** The parts of a request that stay the same for all tries. */
export function prepare(endpoint: EndpointSpec, options: LooseOptions): PreparedRequest {
  const headers: Record<string, string> = {
    ...options.headers,
    accept: endpoint.streams ?? 'application/json',
    'accept-language': i18n.locale,
  };
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  return {
    method: endpoint.method,
    url: `${apiBase()}${fillPath(endpoint.path, options.params)}${queryString(options.query)}`,
    headers,
    body: bodyOf(options),
  };
}

/** Whether trying again may help: there was no answer, or a server error. */
export function isWorthRepeating(error: unknown): boolean {
  return error instanceof ApiError && (error.status === null || error.status >= 500);
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    function stop() {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    signal?.addEventListener('abort', stop, { once: true });
  });
}

/**
 * Runs `attempt` up to three times, waiting one second and then two in between. A 4xx answer or an abort ends it at
 * once.
 */
export async function retry<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (tries >= retryAttempts || !isWorthRepeating(error)) throw error;
      await pause(retryBaseDelayMs * 2 ** (tries - 1), signal);
    }
  }
}

/**
 * 128 random bits as text. `crypto.randomUUID` only exists on secure origins, so not on plain http in a local network.
 */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const keysOfPresses = new Map<string, string>();

/**
 * The idempotency key of something that can be done only once, such as opening a photo: the same until the page is
 * closed, so that pressing again after a lost answer gets that answer.
 */
export function keyOf(act: string): { 'idempotency-key': string } {
  const key = keysOfPresses.get(act) ?? randomKey();
  keysOfPresses.set(act, key);
  return { 'idempotency-key': key };
}

/** Whether the last request got no answer. */
export const useConnection = create<{ isCut: boolean }>()(() => ({ isCut: false }));
