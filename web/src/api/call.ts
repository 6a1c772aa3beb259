import { login, logout, refreshToken } from '#contract/auth/session.ts';
import { requestTimeoutMs } from '#contract/constants.ts';
import type { AnswerOf, EndpointSpec } from '#contract/endpoint.ts';
import type { ErrorBody } from '#contract/errors.ts';
import { ApiError } from './api-error.ts';
import { useConnection } from './realtime/connection.ts';
import { answeredText, errorText, errorTexts } from './error-texts.ts';
import { randomKey } from './random-key.ts';
import { type CallOptions, type LooseOptions, prepare, type PreparedRequest } from './request.ts';
import { retry } from './retry.ts';
import { markOf, sendWithKey } from './sending-keys.ts';
import { renewToken } from './session/session-renewal.ts';
import { clearSession, readSession } from './session/stored-session.ts';

interface Exchange {
  token?: string | null;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** The time-out ends with the answer's head: a file takes as long as the line needs. */
  isFile?: boolean;
  keepalive?: boolean;
}

/** All tries of one renewal end within the half minute in which the server takes them for one. */
const renewalTimeoutMs = 8000;
/** A file takes as long as the line needs; a phone's is slow. */
const uploadTimeoutMs = 120_000;

/** Sends once and hands the answer to `read`; anything but an answer becomes an unanswered `ApiError`, the caller's own abort stays one. */
async function exchange<T>(
  request: PreparedRequest,
  { token, signal, timeoutMs = requestTimeoutMs, keepalive = false, isFile = false }: Exchange,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), timeoutMs);
  try {
    const response = await fetch(request.url, {
      method: request.method,
      headers: token ? { ...request.headers, authorization: `Bearer ${token}` } : request.headers,
      body: request.body,
      credentials: 'include',
      keepalive,
      signal: signal ? AbortSignal.any([signal, clock.signal]) : clock.signal,
    });
    useConnection.setState({ isCut: false });
    if (isFile) clearTimeout(timer);
    if (response.ok) return await read(response);
    throw refusal(response.status, await readText(response));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    signal?.throwIfAborted();
    useConnection.setState({ isCut: true });
    throw new ApiError({ message: errorTexts.unreachable, code: 'NETWORK_ERROR', status: null });
  } finally {
    clearTimeout(timer);
  }
}

async function readText(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function refusal(status: number, body: unknown): ApiError {
  const stated = (typeof body === 'object' && body !== null ? body : {}) as Partial<ErrorBody>;
  return new ApiError({
    message: errorText({ status, body }),
    code: stated.code ?? (status >= 500 ? 'SERVER_ERROR' : 'UNKNOWN_ERROR'),
    status,
    errors: Array.isArray(stated.errors) ? stated.errors : undefined,
    data: stated.data,
    stated: answeredText(body),
  });
}

const isUnauthenticated = (error: unknown) => error instanceof ApiError && error.status === 401;

async function exchangeRefreshToken(refresh: string, key: string) {
  const request = prepare(refreshToken, { body: { refreshToken: refresh } });
  request.headers['idempotency-key'] = key;
  const answer = (await retry(() => exchange(request, { timeoutMs: renewalTimeoutMs }, readText))) as AnswerOf<
    typeof refreshToken
  >;
  return answer.data;
}

/** A token newer than this refused one, for what is no call; null when the session is over, which then ends here too. */
export async function renewSession(refusedToken: string): Promise<string | null> {
  const fresh = await renewToken(refusedToken, exchangeRefreshToken);
  if (fresh === null && readSession().token === refusedToken) clearSession('expired');
  return fresh;
}

/** Sends with the stored token; on a 401 renews the session once and repeats once, else the session ends here. */
async function exchangeSignedIn<T>(
  endpoint: EndpointSpec,
  request: PreparedRequest,
  { signal, keepalive = false }: LooseOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { token } = readSession();
  const timeoutMs = endpoint.uploads === true ? uploadTimeoutMs : requestTimeoutMs;
  const how: Exchange = { signal, keepalive, timeoutMs, isFile: endpoint.streams !== undefined };
  try {
    return await exchange(request, { ...how, token }, read);
  } catch (error) {
    if (!isUnauthenticated(error) || token === null || endpoint === (login as EndpointSpec)) throw error;
    const fresh = await renewToken(token, exchangeRefreshToken);
    if (fresh !== null) {
      try {
        return await exchange(request, { ...how, token: fresh }, read);
      } catch (repeated) {
        if (!isUnauthenticated(repeated)) throw repeated;
      }
    }
    clearSession('expired');
    throw error;
  }
}

/** Drops an answer that was asked for by one user and arrives once another one, or none, is signed in. */
async function forSameUser<T>(answer: () => Promise<T>): Promise<T> {
  const owner = readSession().user?._id;
  const given = await answer();
  if (owner === undefined || owner === readSession().user?._id) return given;
  throw new DOMException('The session has ended', 'AbortError');
}

function perform<T>(
  endpoint: EndpointSpec,
  options: LooseOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const request = prepare(endpoint, options);
  const once = () => exchangeSignedIn(endpoint, request, options, read);
  if (endpoint.creates === true) {
    const send = (key: string) => {
      request.headers['idempotency-key'] = key;
      return retry(once, options.signal);
    };
    const { method, url, body } = request;
    if (options.file !== undefined) return sendWithKey(`${method} ${url} ${markOf(options.file)}`, false, send);
    // Without words of its own, a second one by hand is meant: it may take back what came between.
    if (typeof body !== 'string') return send(randomKey());
    const isOfVisitor = endpoint.access === 'everyone' || readSession().token === null;
    return sendWithKey(`${method} ${url} ${body}`, !isOfVisitor, send);
  }
  // A file cut short is asked for again by the person, not by itself: each export is recorded.
  const mayRepeat = endpoint.method === 'GET' && endpoint.streams === undefined;
  return mayRepeat ? retry(once, options.signal) : once();
}

type Arguments<E extends EndpointSpec> =
  Record<never, never> extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>];

/** Calls an endpoint of the contract; answers its success body or throws an `ApiError` whose message can be shown. */
export function call<E extends EndpointSpec>(endpoint: E, ...[options]: Arguments<E>): Promise<AnswerOf<E>> {
  return forSameUser(() => perform(endpoint, options ?? {}, readText)) as Promise<AnswerOf<E>>;
}

/** Calls an endpoint that answers a file; answers its bytes and the name the server gave it. */
export function callForFile<E extends EndpointSpec>(
  endpoint: E,
  ...[options]: Arguments<E>
): Promise<{ blob: Blob; name: string | null }> {
  return perform(endpoint, options ?? {}, async (response) => ({
    blob: await response.blob(),
    name: /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null,
  }));
}

/** Ends a session on the server whose entries are no longer (or never were) on this device. Failure is of no consequence here. */
export async function endSessionOnServer(session: { token: string; refreshToken: string | null }): Promise<void> {
  const leave = (token: string) => exchange(prepare(logout, {}), { token, keepalive: true }, readText);
  try {
    await leave(session.token);
  } catch (error) {
    if (!isUnauthenticated(error) || session.refreshToken === null) return;
    await exchangeRefreshToken(session.refreshToken, randomKey())
      .then(({ token }) => leave(token))
      .catch(() => undefined);
  }
}
