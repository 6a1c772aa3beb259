import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { Agent as SecureAgent, request as requestSecurely } from 'node:https';
import { apiBasePath, requestTimeoutMs } from '#contract/constants.ts';
import type { AnswerOf, BodyInput, EndpointSpec, ParamsInput, QueryInput } from '#contract/endpoint.ts';
import { register } from '#contract/auth/auth.ts';

/** How a request ended, and after how many milliseconds. */
export type Outcome =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; text: string; ms: number }
  /** No connection could be made, so the request certainly had no effect. */
  | { kind: 'refused'; ms: number }
  /** The request was sent without a complete answer, so it may or may not have had an effect. */
  | { kind: 'broken'; code: string; ms: number };

export interface Sending {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  timeoutMs?: number;
  /** Keeps connections open between requests; without it, each request opens a new one. */
  agent?: Agent;
}

const isSecure = (origin: string) => origin.startsWith('https:');

/** Connections to an origin that stay open between requests, so many at most. */
export const keepConnections = (origin: string, maxSockets: number): Agent =>
  new (isSecure(origin) ? SecureAgent : Agent)({ keepAlive: true, maxSockets });

/** Starts to measure; the result returns the milliseconds since then. */
export function stopwatch(): () => number {
  const started = performance.now();
  return () => performance.now() - started;
}

/** Sends one request and never throws; the timeout is the same as the product's client. */
export async function send(origin: string, sending: Sending): Promise<Outcome> {
  const ms = stopwatch();
  return await new Promise((resolve) => {
    const broken = (code: string) => {
      resolve({ kind: 'broken', code, ms: ms() });
    };
    const sent = (isSecure(origin) ? requestSecurely : request)(origin + sending.path, {
      method: sending.method,
      headers: { ...(sending.body === undefined ? {} : { 'content-type': 'application/json' }), ...sending.headers },
      agent: sending.agent ?? new (isSecure(origin) ? SecureAgent : Agent)({ keepAlive: false }),
      signal: AbortSignal.timeout(sending.timeoutMs ?? requestTimeoutMs),
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') resolve({ kind: 'refused', ms: ms() });
      else broken(error.code ?? error.name);
    });
    sent.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', (error: NodeJS.ErrnoException) => {
        broken(error.code ?? error.name);
      });
      response.on('end', () => {
        resolve({ kind: 'answered', status: response.statusCode ?? 0, headers: response.headers, text, ms: ms() });
      });
    });
    sent.end(sending.body);
  });
}

export interface CallOptions<E extends EndpointSpec> {
  token?: string | undefined;
  params?: ParamsInput<E>;
  query?: QueryInput<E>;
  body?: BodyInput<E>;
  /** A form, in place of the body. */
  form?: { payload: Buffer; headers: Record<string, string> };
  headers?: Record<string, string>;
  timeoutMs?: number;
  agent?: Agent;
}

const entriesOf = (given: unknown) => Object.entries((given ?? {}) as Record<string, string>);

/** Calls one API endpoint. */
export async function call<E extends EndpointSpec>(
  origin: string,
  endpoint: E,
  { token, params, query, body, form, headers, timeoutMs, agent }: CallOptions<E> = {},
): Promise<Outcome> {
  let path: string = endpoint.path;
  for (const [name, value] of entriesOf(params)) path = path.replace(`{${name}}`, encodeURIComponent(value));
  const search = new URLSearchParams(entriesOf(query)).toString();
  return await send(origin, {
    method: endpoint.method,
    path: `${apiBasePath}${path}${search === '' ? '' : `?${search}`}`,
    headers: { ...(token === undefined ? {} : { authorization: `Bearer ${token}` }), ...form?.headers, ...headers },
    ...(form === undefined ? {} : { body: form.payload }),
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(agent === undefined ? {} : { agent }),
  });
}

/** The success body of `outcome`, or null for any other outcome. */
export function bodyOf<E extends EndpointSpec>(_endpoint: E, outcome: Outcome): AnswerOf<E> | null {
  return outcome.kind === 'answered' && outcome.status < 300 ? (JSON.parse(outcome.text) as AnswerOf<E>) : null;
}

/** Like `call`, for steps that must succeed: returns the success body or throws a readable error. */
export async function mustCall<E extends EndpointSpec>(
  origin: string,
  endpoint: E,
  options: CallOptions<E> = {},
): Promise<AnswerOf<E>> {
  const outcome = await call(origin, endpoint, options);
  const body = bodyOf(endpoint, outcome);
  if (body === null) throw new Error(`${endpoint.method} ${endpoint.path} ended with ${inWords(outcome)}`);
  return body;
}

/** The status, or the reason there is none. */
export function inWords(outcome: Outcome): string {
  if (outcome.kind === 'answered') return String(outcome.status);
  return outcome.kind === 'refused' ? 'no connection' : `a broken connection (${outcome.code})`;
}

export const password = 'a phrase nobody would guess';

/** Registers a new member. */
export async function joinAs(origin: string, email: string) {
  const body = { email, password, firstName: 'Ida', lastName: 'Holm', acceptTerms: true };
  return await mustCall(origin, register, { body });
}
