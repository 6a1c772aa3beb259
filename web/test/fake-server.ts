import { setImmediate as nextTurn } from 'node:timers/promises';
import { vi } from 'vitest';
import type * as z from 'zod/mini';
import { apiBasePath } from '#contract/constants.ts';
import {
  type BodyOf,
  type EndpointSpec,
  type ParamsOf,
  type QueryOf,
  undeclaredParameters,
} from '#contract/endpoint.ts';
import { type ErrorCode, errorStatus } from '#contract/errors.ts';
import { type ErrorBody, errorBodySchema } from '#contract/error-body.ts';

/** One request as an endpoint's handler sees it: parsed by the contract. */
export interface FakeRequest<E extends EndpointSpec> {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** The uploaded file, or null. */
  file: File | null;
  headers: Headers;
  /** The Bearer token, or null. */
  token: string | null;
}

type SuccessBody<E extends EndpointSpec> = E extends { response: infer R extends z.ZodMiniType }
  ? Omit<z.input<R>, 'success' | 'message'>
  : string;

type Handler<E extends EndpointSpec> = (request: FakeRequest<E>) => SuccessBody<E> | Promise<SuccessBody<E>>;

interface Mounted {
  endpoint: EndpointSpec;
  pattern: RegExp;
  handle: (request: FakeRequest<EndpointSpec>) => unknown;
}

/** Passed to `failWith`, or thrown by a handler: the server refuses with this code and text. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: string;

  constructor(code: ErrorCode, message: string, rest: Pick<ErrorBody, 'errors' | 'data'> = {}) {
    super(message);
    const body = { success: false, message, code, requestId: 'request-1', ...rest };
    errorBodySchema.parse(body);
    this.status = errorStatus[code];
    this.body = JSON.stringify(body);
  }
}

/** Thrown by a handler: the server answers with this status and this raw text, as a proxy would. */
export class RawAnswer extends Error {
  readonly status: number;
  readonly body: string;

  constructor(status: number, body: string) {
    super(body);
    this.status = status;
    this.body = body;
  }
}

/** Thrown by a handler: no answer at all. */
export class CutOff extends TypeError {}

let mounted: Mounted[] = [];
let calls: { name: string; request: FakeRequest<EndpointSpec> }[] = [];
let test = 0;

/** Forgets every answer and every call. Pending requests of the previous test never get an answer, because its page is gone. */
export async function resetFakeServer(): Promise<void> {
  test += 1;
  mounted = [];
  calls = [];
  // Answers that have arrived are read first.
  for (let turn = 0; turn < 2; turn += 1) await nextTurn();
}

function nameOf(endpoint: EndpointSpec): string {
  return `${endpoint.method} ${endpoint.path}`;
}

/**
 * Answers this endpoint from now on; what `handle` returns is checked against the contract, and `success` and
 * `message` are added.
 */
export function serve<E extends EndpointSpec>(endpoint: E, handle: Handler<E>): void {
  vi.stubGlobal('fetch', answer);
  const pattern = new RegExp(`^${apiBasePath}${endpoint.path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
  mounted = [{ endpoint, pattern, handle: handle }, ...mounted.filter((other) => other.endpoint !== endpoint)];
}

/** Refuses every request to this endpoint from now on, or leaves it without an answer. */
export function failWith(endpoint: EndpointSpec, failure: Refusal | RawAnswer | CutOff): void {
  serve(endpoint, () => {
    throw failure;
  });
}

/** The requests this endpoint has received, oldest first. */
export function received<E extends EndpointSpec>(endpoint: E): FakeRequest<E>[] {
  return calls
    .filter(({ name }) => name === nameOf(endpoint))
    .map(({ request }) => request as unknown as FakeRequest<E>);
}

function part(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({ field: path.join('.'), msg: message }));
  throw new Refusal('INVALID_INPUT', 'Check the fields', { errors });
}

/** Stricter than the server, which lets members send more than it knows: our own client never does. */
function queryOf(endpoint: EndpointSpec, given: object): FakeRequest<EndpointSpec>['query'] {
  const [unknown] = undeclaredParameters(endpoint, given);
  if (unknown !== undefined) throw new Refusal('INVALID_INPUT', `Unknown parameter: ${unknown}`);
  return part(endpoint.query, given) as FakeRequest<EndpointSpec>['query'];
}

function uploadOf({ body }: RequestInit): File | null {
  const file = body instanceof FormData ? body.get('file') : null;
  return file instanceof File ? file : null;
}

/** The body as the endpoint gets it: for a file its known facts, as on a server that has read it. */
function bodyOf(init: RequestInit, file: File | null): unknown {
  if (file !== null) return { name: file.name, sha256: `of ${file.size} bytes` };
  return typeof init.body === 'string' ? (JSON.parse(init.body) as unknown) : undefined;
}

function parse({ endpoint, pattern }: Mounted, url: URL, init: RequestInit): FakeRequest<EndpointSpec> {
  const headers = new Headers(init.headers);
  const file = uploadOf(init);
  return {
    params: part(endpoint.params, { ...pattern.exec(url.pathname)?.groups }),
    query: queryOf(endpoint, Object.fromEntries(url.searchParams)),
    body: part(endpoint.body, bodyOf(init, file)),
    file,
    headers,
    token: headers.get('authorization')?.replace(/^Bearer /, '') ?? null,
  };
}

function success({ endpoint }: Mounted, body: unknown): Response {
  if (endpoint.streams) return new Response(body as string, { headers: { 'content-type': endpoint.streams } });
  const whole = endpoint.response?.parse({ success: true, message: 'Done', ...(body as object) });
  return Response.json(whole, { status: endpoint.status ?? 200 });
}

/** The answer to a request, unless the test that sent it has ended. */
async function answer(target: string, init: RequestInit): Promise<Response> {
  const own = test;
  try {
    return await answerNow(target, init);
  } finally {
    if (own !== test) await new Promise(() => undefined);
  }
}

async function answerNow(target: string, init: RequestInit): Promise<Response> {
  const url = new URL(target, 'http://heartwood.test');
  const hit = mounted.find(({ endpoint, pattern }) => endpoint.method === init.method && pattern.test(url.pathname));
  if (!hit) throw new CutOff(`The fake server has no answer for ${String(init.method)} ${url.pathname}`);
  try {
    const request = parse(hit, url, init);
    calls.push({ name: nameOf(hit.endpoint), request });
    return success(hit, await hit.handle(request));
  } catch (error) {
    if (error instanceof Refusal || error instanceof RawAnswer)
      return new Response(error.body, { status: error.status });
    throw error;
  }
}
