import { afterEach, describe, expect, it, vi } from 'vitest';
import { changePassword, register } from '#contract/auth/auth.ts';
import { login, refreshToken } from '#contract/auth/session.ts';
import { showLastActive, changeAdminUser, exportUsers, getUser, listUsers } from '#contract/profiles/profiles.ts';
import { getStatistics } from '#contract/statistics.ts';
import { CutOff, RawAnswer, received, Refusal, serve } from '../../test/fake-server.ts';
import { ownUser } from '../../test/fixtures/people.ts';
import { call, callForFile } from './call.ts';
import { keepSession, onSessionChange, readSession } from './session/stored-session.ts';

const noUsers = { data: { users: [], pagination: { page: 1, limit: 20, total: 0, pages: 0 } } };
const joined = {
  token: 'token-9',
  refreshToken: 'refresh-9',
  user: ownUser(),
  requiresVerification: true,
  requiresProfileCompletion: true,
  onboardingComplete: false,
  verificationToken: 'handle',
};
const registration = { email: 'x@y.test', password: 'long enough it is', firstName: 'X', acceptTerms: true };
const credentials = { email: 'x@y.test', password: 'secret' };

/** A server that never answers. */
function silence(_url: string, { signal }: RequestInit) {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new Error('aborted')));
  });
}

function signedIn() {
  keepSession({ token: 'old', refreshToken: 'refresh-old', user: ownUser() });
}

/** The old token has expired; the new one that the server issues is valid. */
function serveRenewal() {
  serve(listUsers, ({ token }) => {
    if (token === 'old') throw new Refusal('UNAUTHENTICATED', 'Sign in again');
    return noUsers;
  });
  serve(refreshToken, () => ({ data: { token: 'new', refreshToken: 'refresh-new' } }));
}

describe('call', () => {
  it('sends the stored token and leaves out empty query values', async () => {
    signedIn();
    serve(listUsers, () => noUsers);
    await call(listUsers, { query: { page: 1, limit: 1000, search: '', type: null } });
    const [request] = received(listUsers);
    expect(request?.token).toBe('old');
    expect(request?.query).toEqual({ page: 1, limit: 1000 });
  });

  it('encodes parameters in the path', async () => {
    serve(getUser, () => {
      throw new Refusal('NOT_FOUND', 'Not found');
    });
    await expect(call(getUser, { params: { id: 'a/../b' } })).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(decodeURIComponent(received(getUser)[0]?.params.id ?? '')).toBe('a/../b');
  });

  it('uses the API address from the page', async () => {
    const asked: string[] = [];
    vi.stubGlobal('fetch', async (url: string) => {
      asked.push(url);
      return Response.json({});
    });
    const meta = document.createElement('meta');
    meta.name = 'api-base';
    meta.content = 'https://api.example.org/v1/';
    document.head.append(meta);
    await call(getStatistics);
    meta.remove();
    expect(asked).toEqual(['https://api.example.org/v1/admin/statistics']);
  });

  it('returns a downloaded file with its name', async () => {
    serve(exportUsers, () => 'id,name\n');
    const { blob, name } = await callForFile(exportUsers, { query: { status: 'active' } });
    expect(await blob.text()).toBe('id,name\n');
    expect(name).toBeNull();
  });
});

describe('call after a failure', () => {
  it('sends a GET three times if the server keeps failing', async () => {
    serve(listUsers, () => {
      throw new RawAnswer(500, '');
    });
    await expect(call(listUsers)).rejects.toMatchObject({
      message: 'Server error: Please try again later.',
      status: 500,
    });
    expect(received(listUsers)).toHaveLength(3);
  });

  it('repeats a creating POST with the same key and body', async () => {
    let tries = 0;
    serve(register, () => {
      tries += 1;
      if (tries < 3) throw new CutOff();
      return joined;
    });
    await call(register, { body: registration });
    const keys = received(register).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(3);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys).size).toBe(1);
  });

  it('reuses the key if an unanswered request is repeated right away', async () => {
    serve(register, () => {
      throw new CutOff();
    });
    await expect(call(register, { body: registration })).rejects.toThrow();
    serve(register, () => joined);
    await call(register, { body: registration });
    const keys = received(register).map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(1);
  });

  it('uses a new key if another command came after the unanswered one', async () => {
    serve(register, () => {
      throw new CutOff();
    });
    await expect(call(register, { body: registration })).rejects.toThrow();
    serve(changePassword, () => {
      throw new CutOff();
    });
    await call(changePassword, { body: { currentPassword: 'a', password: 'long enough it is' } }).catch(
      () => undefined,
    );
    serve(register, () => joined);
    await call(register, { body: registration });
    const keys = received(register).map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(2);
  });

  it('uses a new key for each press', async () => {
    serve(register, () => joined);
    await call(register, { body: registration });
    await call(register, { body: registration });
    const keys = received(register).map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(2);
  });

  it.each([
    ['login', login, { body: credentials }],
    ['a POST without a key', changePassword, { body: { currentPassword: 'a', password: 'long enough it is' } }],
    ['a PUT', showLastActive, { body: { showLastActive: false } }],
    ['a PATCH', changeAdminUser, { params: { id: '1' }, body: { reason: 'r' } }],
  ])('sends %s only once', async (_name, endpoint, options) => {
    serve(endpoint, () => {
      throw new CutOff();
    });
    await expect(call(endpoint, options as never)).rejects.toMatchObject({
      message: 'Network error: Unable to connect to server. Please check your internet connection.',
      code: 'NETWORK_ERROR',
      status: null,
    });
    expect(received(endpoint)).toHaveLength(1);
  });
});

describe('call without an answer', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('gives up after 20 seconds', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', silence);
    let outcome: unknown;
    void call(login, { body: credentials }).catch((error: unknown) => (outcome = error));
    await vi.advanceTimersByTimeAsync(19_900);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(200);
    expect(outcome).toMatchObject({ code: 'NETWORK_ERROR', status: null });
  });

  it('reports an abort instead of an error if the caller cancels', async () => {
    const leaving = new AbortController();
    vi.stubGlobal('fetch', silence);
    const result = call(listUsers, { signal: leaving.signal });
    leaving.abort();
    await expect(result).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('an expired session', () => {
  it('is renewed once, and the request is repeated with the new token', async () => {
    signedIn();
    serveRenewal();
    await call(listUsers);
    expect(received(listUsers).map(({ token }) => token)).toEqual(['old', 'new']);
    expect(received(refreshToken)[0]?.body).toEqual({ refreshToken: 'refresh-old' });
    expect(received(refreshToken)[0]?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    expect(readSession()).toMatchObject({ token: 'new', refreshToken: 'refresh-new', user: { firstName: 'Ada' } });
  });

  it('is renewed once for several calls at the same time', async () => {
    signedIn();
    serveRenewal();
    await Promise.all([call(listUsers), call(listUsers), call(listUsers)]);
    expect(received(refreshToken)).toHaveLength(1);
  });

  it('is not renewed if another tab has already renewed it', async () => {
    signedIn();
    serveRenewal();
    const pending = call(listUsers);
    localStorage.setItem('token', 'new');
    await pending;
    expect(received(refreshToken)).toHaveLength(0);
    expect(received(listUsers).at(-1)?.token).toBe('new');
  });

  it('repeats an interrupted renewal with the same key', async () => {
    signedIn();
    serveRenewal();
    let tries = 0;
    serve(refreshToken, () => {
      tries += 1;
      if (tries === 1) throw new CutOff();
      return { data: { token: 'new', refreshToken: 'refresh-new' } };
    });
    await call(listUsers);
    const keys = received(refreshToken).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  it('repeats a renewal with the same key after a reload interrupted it, and then removes the key', async () => {
    signedIn();
    serveRenewal();
    let answerLate = (_answer: { data: { token: string; refreshToken: string } }) => {};
    serve(refreshToken, () => new Promise((resolve) => (answerLate = resolve)));
    const cutOff = call(listUsers);
    await vi.waitFor(() => expect(received(refreshToken)).toHaveLength(1));
    serveRenewal();
    vi.resetModules();
    const reloaded = await import('./call.ts');
    await reloaded.call(listUsers);
    const [first, second] = received(refreshToken).map(({ headers }) => headers.get('idempotency-key'));
    expect(second).toBe(first);
    expect(Object.keys(localStorage).sort()).toEqual(['refreshToken', 'token', 'user']);
    // The abandoned request releases the lock, so that the next renewal can start.
    answerLate({ data: { token: 'new', refreshToken: 'refresh-new' } });
    await cutOff;
    localStorage.setItem('token', 'old');
    await reloaded.call(listUsers);
    expect(received(refreshToken)[2]?.headers.get('idempotency-key')).not.toBe(first);
  });

  it("ends if it can't be renewed, and removes its three entries once", async () => {
    signedIn();
    serveRenewal();
    serve(refreshToken, () => {
      throw new Refusal('UNAUTHENTICATED', 'Used before');
    });
    const ends: unknown[] = [];
    const stop = onSessionChange((_session, ended) => ends.push(ended));
    await expect(call(listUsers)).rejects.toMatchObject({ status: 401, message: 'Sign in again' });
    stop();
    expect(localStorage).toHaveLength(0);
    expect(ends).toEqual(['expired']);
  });

  it('ends if the repeated request is refused too', async () => {
    signedIn();
    serveRenewal();
    serve(listUsers, () => {
      throw new Refusal('UNAUTHENTICATED', 'Sign in again');
    });
    await expect(call(listUsers)).rejects.toMatchObject({ status: 401 });
    expect(received(listUsers)).toHaveLength(2);
    expect(readSession().token).toBeNull();
  });

  it('is kept if the renewal gets no answer', async () => {
    signedIn();
    serveRenewal();
    serve(refreshToken, () => {
      throw new CutOff();
    });
    await expect(call(showLastActiveAsExpired(), { body: { showLastActive: true } })).rejects.toMatchObject({
      status: null,
    });
    expect(readSession().token).toBe('old');
  });

  it.each<[string, Error]>([
    ['404', new RawAnswer(404, '')],
    ['413', new RawAnswer(413, 'Payload too large')],
    ['429', new RawAnswer(429, JSON.stringify({ success: false, message: 'Too many requests', code: 'RATE_LIMITED' }))],
    ['500', new RawAnswer(500, '')],
    ['502', new RawAnswer(502, '<html>Bad gateway</html>')],
    ['503', new RawAnswer(503, '<html>Maintenance</html>')],
    ['200 with the page of a gateway', new RawAnswer(200, '<html>Sign in to the network</html>')],
    ['200 with another JSON', new RawAnswer(200, 'null')],
  ])('is kept if the renewal is answered with %s, and is renewed with the same key later', async (_status, answer) => {
    signedIn();
    serveRenewal();
    serve(refreshToken, () => {
      throw answer;
    });
    vi.resetModules();
    const otherTab = await import('./call.ts');
    const ends: unknown[] = [];
    const stop = onSessionChange((_session, ended) => ends.push(ended));
    const body = { showLastActive: true };
    const calls = [call(showLastActiveAsExpired(), { body }), otherTab.call(showLastActive, { body })];
    for (const one of await Promise.allSettled(calls))
      expect(one).toMatchObject({ status: 'rejected', reason: { status: null, code: 'NETWORK_ERROR' } });
    stop();
    expect(ends).toEqual([]);
    expect(readSession()).toMatchObject({ token: 'old', refreshToken: 'refresh-old', user: { firstName: 'Ada' } });
    serveRenewal();
    await Promise.all([call(listUsers), otherTab.call(listUsers)]);
    expect(received(listUsers).map(({ token }) => token)).toContain('new');
    expect(new Set(received(refreshToken).map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1);
    expect(readSession()).toMatchObject({ token: 'new', refreshToken: 'refresh-new' });
  });

  it('is kept if its renewal is refused after another tab has renewed it', async () => {
    signedIn();
    serveRenewal();
    serve(refreshToken, () => {
      keepSession({ token: 'new', refreshToken: 'refresh-new' });
      throw new Refusal('UNAUTHENTICATED', 'Used before');
    });
    await call(listUsers);
    expect(received(listUsers).at(-1)?.token).toBe('new');
    expect(readSession().refreshToken).toBe('refresh-new');
  });

  it('is not affected by a refused sign-in', async () => {
    signedIn();
    serve(login, () => {
      throw new Refusal('INVALID_CREDENTIALS', 'Wrong');
    });
    await expect(call(login, { body: credentials })).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
    expect(readSession().token).toBe('old');
  });

  it('does not let its answers reach a user who signs in later', async () => {
    signedIn();
    serve(listUsers, () => {
      keepSession({ token: 'other', refreshToken: 'refresh-other', user: ownUser({ _id: 'user-2' }) });
      return noUsers;
    });
    await expect(call(listUsers)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('is not renewed for visitors, who have none', async () => {
    serve(listUsers, () => {
      throw new Refusal('UNAUTHENTICATED', 'Sign in');
    });
    await expect(call(listUsers)).rejects.toMatchObject({ status: 401 });
    expect(received(listUsers)).toHaveLength(1);
  });
});

function showLastActiveAsExpired() {
  serve(showLastActive, () => {
    throw new Refusal('UNAUTHENTICATED', 'Sign in again');
  });
  return showLastActive;
}
