import { apiBasePath } from '#contract/constants.ts';
import type { BodyInput, EndpointSpec, ParamsInput, QueryOf } from '#contract/endpoint.ts';

type QueryValues<E extends EndpointSpec> = { [K in keyof QueryOf<E>]?: QueryOf<E>[K] | null | '' };

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

/** What a call of this endpoint needs: the parts of its declaration. Empty query values are left out. */
export type CallOptions<E extends EndpointSpec> = ParamsPart<E> &
  QueryPart<E> &
  BodyPart<E> & {
    /** Additional request headers. */
    headers?: Record<string, string>;
    signal?: AbortSignal;
    /** Completes even if the page is closed meanwhile. */
    keepalive?: boolean;
  };

export interface PreparedRequest {
  method: EndpointSpec['method'];
  url: string;
  headers: Record<string, string>;
  body: string | FormData | null;
}

/** The options of any endpoint, after type checking. */
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
    (query ?? {}) as Record<string, string | number | boolean | null | undefined>,
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

/** The parts of a request that stay the same over its tries. */
export function prepare(endpoint: EndpointSpec, options: LooseOptions): PreparedRequest {
  const headers: Record<string, string> = { ...options.headers, accept: endpoint.streams ?? 'application/json' };
  if (options.body !== undefined) headers['content-type'] = 'application/json';
  return {
    method: endpoint.method,
    url: `${apiBase()}${fillPath(endpoint.path, options.params)}${queryString(options.query)}`,
    headers,
    body: bodyOf(options),
  };
}
