import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { login, logout, refreshToken } from '#contract/auth/session.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { showLastActive } from '#contract/profiles/profiles.ts';
import { CutOff, failWith, RawAnswer, received, Refusal, serve } from '../../test/fake-server.ts';
import { ownUser } from '../../test/fixtures/people.ts';
import { call, endSessionOnServer } from './call.ts';
import { keepSession, onSessionChange, readSession } from './session/stored-session.ts';

const noUsers = { data: { users: [], pagination: { page: 1, limit: 20, total: 0, pages: 0 } } };
const credentials = { email: 'x@y.test', password: 'secret' };

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
    await waitFor(() => expect(received(refreshToken)).toHaveLength(1));
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
    failWith(refreshToken, new Refusal('UNAUTHENTICATED', 'Used before'));
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
    failWith(listUsers, new Refusal('UNAUTHENTICATED', 'Sign in again'));
    await expect(call(listUsers)).rejects.toMatchObject({ status: 401 });
    expect(received(listUsers)).toHaveLength(2);
    expect(readSession().token).toBeNull();
  });

  it('is kept if the renewal gets no answer', async () => {
    signedIn();
    serveRenewal();
    failWith(refreshToken, new CutOff());
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
    failWith(refreshToken, answer);
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
    failWith(login, new Refusal('INVALID_CREDENTIALS', 'Wrong'));
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
    failWith(listUsers, new Refusal('UNAUTHENTICATED', 'Sign in'));
    await expect(call(listUsers)).rejects.toMatchObject({ status: 401 });
    expect(received(listUsers)).toHaveLength(1);
  });
});

function showLastActiveAsExpired() {
  failWith(showLastActive, new Refusal('UNAUTHENTICATED', 'Sign in again'));
  return showLastActive;
}

describe('endSessionOnServer', () => {
  it('renews an expired access token once, so that the session really ends', async () => {
    serve(refreshToken, () => ({ data: { token: 'new', refreshToken: 'refresh-new' } }));
    serve(logout, ({ token }) => {
      if (token === 'old') throw new Refusal('UNAUTHENTICATED', 'Ran out');
      return { data: {} };
    });
    await endSessionOnServer({ token: 'old', refreshToken: 'refresh-old' });
    expect(received(logout).map(({ token }) => token)).toEqual(['old', 'new']);
    expect(localStorage).toHaveLength(0);
  });

  it('ignores a missing answer', async () => {
    failWith(logout, new CutOff());
    await expect(endSessionOnServer({ token: 'old', refreshToken: null })).resolves.toBeNull();
  });
});
