import { login, logout, refreshToken } from '#contract/auth/session.ts';
import { requestTimeoutMs } from '#contract/constants.ts';
import type { AnswerOf, EndpointSpec } from '#contract/endpoint.ts';
import type { ErrorBody } from '#contract/error-body.ts';
import { alone } from './alone.ts';
import { answeredText, ApiError, errorText, errorTexts } from './api-error.ts';
import {
  type CallOptions,
  isWorthRepeating,
  type LooseOptions,
  prepare,
  type PreparedRequest,
  randomKey,
  retry,
  useConnection,
} from './request.ts';
import { clearSession, keepSession, readSession, renewalKey } from './session/stored-session.ts';

interface Exchange {
  token?: string | null;
  signal?: AbortSignal | undefined;
  timeoutMs?: number;
  /** The timeout covers only the start of the answer: downloading a file takes as long as the connection needs. */
  isFile?: boolean;
  keepalive?: boolean;
}

/** Keeps all tries of one renewal within the 30 seconds in which the server treats them as one request. */
const renewalTimeoutMs = 8000;
/** Uploads from a phone are slow. */
const uploadTimeoutMs = 120_000;

const noAnswer = () => new ApiError({ message: errorTexts.unreachable(), code: 'NETWORK_ERROR', status: null });

/**
 * Sends the request once and passes the answer to `read`. Every failure becomes an unanswered `ApiError`, except an
 * abort by the caller.
 */
async function exchange<T>(
  request: PreparedRequest,
  { token, signal, timeoutMs = requestTimeoutMs, keepalive = false, isFile = false }: Exchange,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  // `AbortSignal.any` is missing in the oldest browsers.
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeoutMs);
  signal?.addEventListener('abort', abort);
  try {
    signal?.throwIfAborted();
    const response = await fetch(request.url, {
      method: request.method,
      headers: token ? { ...request.headers, authorization: `Bearer ${token}` } : request.headers,
      body: request.body,
      credentials: 'include',
      keepalive,
      signal: controller.signal,
    });
    useConnection.setState({ isCut: false });
    if (isFile) clearTimeout(timer);
    if (response.ok) return await read(response);
    throw refusal(response.status, await readText(response));
  } catch (error) {
    if (error instanceof ApiError) throw error;
    signal?.throwIfAborted();
    useConnection.setState({ isCut: true });
    throw noAnswer();
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
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

type TokenPair = AnswerOf<typeof refreshToken>['data'];

/**
 * A gateway's error page may also have status 200, so an answer without a token does not count as the server's answer.
 */
async function readPair(response: Response): Promise<TokenPair> {
  const answer = (await readText(response)) as { data?: Partial<TokenPair> } | null;
  if (!answer?.data?.token) throw noAnswer();
  return answer.data as TokenPair;
}

function exchangeRefreshToken(refresh: string, key: string): Promise<TokenPair> {
  const request = prepare(refreshToken, { body: { refreshToken: refresh } });
  request.headers['idempotency-key'] = key;
  return retry(() => exchange(request, { timeoutMs: renewalTimeoutMs }, readPair));
}

/**
 * Returns a token newer than the refused one, for the socket; null if the session is over, which also ends it on this
 * device.
 */
export async function renewSession(refusedToken: string): Promise<string | null> {
  const fresh = await renewToken(refusedToken);
  if (fresh === null && readSession().token === refusedToken) clearSession('expired');
  return fresh;
}

/**
 * Sends with the stored token. After a 401 the session is renewed and the request repeated, both once; if that fails,
 * the session ends.
 */
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
    const fresh = await renewToken(token);
    if (fresh !== null) {
      try {
        return await exchange(request, { ...how, token: fresh }, read);
      } catch (repeated) {
        if (!isUnauthenticated(repeated)) throw repeated;
      }
    }
    if (readSession().token === (fresh ?? token)) clearSession('expired');
    throw error;
  }
}

/** Drops an answer that was requested by one user and arrives after they signed out or another user signed in. */
async function forSameUser<T>(answer: () => Promise<T>): Promise<T> {
  const owner = readSession().user?._id;
  const given = await answer();
  if (owner === undefined || owner === readSession().user?._id) return given;
  throw new DOMException('The session has ended', 'AbortError');
}

const fileKeys = new WeakMap<File, string>();
/** The last creating request whose outcome is unknown. Any other command clears it. */
let unanswered: { sent: string; key: string } | null = null;

/**
 * Sends a creating request with the same `Idempotency-Key` for all its tries, so that it takes effect only once. Each
 * press starts a new request with a new key, unless it repeats an unanswered request right away, or the caller keeps
 * a key of its own. A file keeps its key until its upload has been answered.
 */
async function create<T>(request: PreparedRequest, file: File | undefined, send: () => Promise<T>): Promise<T> {
  const sent = `${request.url} ${typeof request.body === 'string' ? request.body : ''}`;
  const repeated = unanswered?.sent === sent ? unanswered.key : undefined;
  const key = request.headers['idempotency-key'] ?? (file ? fileKeys.get(file) : repeated) ?? randomKey();
  unanswered = null;
  request.headers['idempotency-key'] = key;
  try {
    const answer = await send();
    if (file) fileKeys.delete(file);
    return answer;
  } catch (error) {
    const mayHaveTakenEffect = isWorthRepeating(error);
    if (file === undefined) unanswered = mayHaveTakenEffect ? { sent, key } : null;
    else if (mayHaveTakenEffect) fileKeys.set(file, key);
    else fileKeys.delete(file);
    throw error;
  }
}

function perform<T>(
  endpoint: EndpointSpec,
  options: LooseOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const request = prepare(endpoint, options);
  const once = () => exchangeSignedIn(endpoint, request, options, read);
  const repeated = () => retry(once, options.signal);
  if (endpoint.creates === true) return create(request, options.file, repeated);
  if (endpoint.method !== 'GET') unanswered = null;
  // Exports are not repeated automatically, because each one is recorded.
  return endpoint.method === 'GET' && endpoint.streams === undefined ? repeated() : once();
}

type Arguments<E extends EndpointSpec> =
  Record<never, never> extends CallOptions<E> ? [options?: CallOptions<E>] : [options: CallOptions<E>];

/**
 * Calls an endpoint of the contract. Returns the body of a successful answer or throws an `ApiError` whose message can
 * be shown.
 */
export function call<E extends EndpointSpec>(endpoint: E, ...[options]: Arguments<E>): Promise<AnswerOf<E>> {
  return forSameUser(() => perform(endpoint, options ?? {}, readText)) as Promise<AnswerOf<E>>;
}

/** Calls an endpoint that returns a file. Returns the file's bytes and the name that the server gave it. */
export function callForFile<E extends EndpointSpec>(
  endpoint: E,
  ...[options]: Arguments<E>
): Promise<{ blob: Blob; name: string | null }> {
  return perform(endpoint, options ?? {}, async (response) => ({
    blob: await response.blob(),
    name: /filename="?([^";]+)"?/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? null,
  }));
}

/**
 * Ends a session on the server that is not stored on this device (any more). Returns where the browser also signs out of the
 * house's account, or null. Failures are ignored.
 */
export async function endSessionOnServer(session: {
  token: string;
  refreshToken: string | null;
}): Promise<string | null> {
  const leave = async (token: string) => {
    const answer = await exchange(prepare(logout, {}), { token, keepalive: true }, readText);
    return (answer as Partial<AnswerOf<typeof logout>> | null)?.data?.leaveAt ?? null;
  };
  try {
    return await leave(session.token);
  } catch (error) {
    if (!isUnauthenticated(error) || session.refreshToken === null) return null;
    return await exchangeRefreshToken(session.refreshToken, randomKey())
      .then(({ token }) => leave(token))
      .catch(() => null);
  }
}

const lockName = 'heartwood-session-renewal';

/**
 * Returns a token newer than `staleToken`: one that another tab stored, or one that the server issues for the refresh
 * token. Null if the server refuses to renew the session. If the server neither renews nor refuses, it throws the error
 * for a missing answer, because the state of the session is unknown.
 */
function renewToken(staleToken: string): Promise<string | null> {
  return alone(lockName, async () => {
    const stored = readSession();
    if (stored.token === null) return null;
    if (stored.token !== staleToken) return stored.token;
    if (stored.refreshToken === null) return null;
    const pair = await exchangeRefreshToken(stored.refreshToken, renewalKey(randomKey)).catch((error: unknown) => {
      if (isUnauthenticated(error)) return null;
      // The caller did not request the renewal, so a 404 or 413 here would only mislead it.
      throw noAnswer();
    });
    // Another tab may have stored a newer token in the meantime.
    const { token } = readSession();
    if (token !== staleToken) return token;
    if (pair !== null) keepSession(pair);
    return pair?.token ?? null;
  });
}
