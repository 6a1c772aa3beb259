import { afterEach, describe, expect, it, vi } from 'vitest';
import { changePassword, register } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { uploadPicture } from '#contract/media.ts';
import { changeAdminUser, exportUsers, listUsers } from '#contract/profiles/staff.ts';
import { getUser, showLastActive } from '#contract/profiles/profiles.ts';
import { getStatistics } from '#contract/statistics.ts';
import { CutOff, failWith, RawAnswer, received, Refusal, serve } from '../../test/fake-server.ts';
import { ownUser } from '../../test/fixtures/people.ts';
import { picture } from '../../test/fixtures/pictures.ts';
import { call, callForFile } from './call.ts';
import { keepSession } from './session/stored-session.ts';

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
    failWith(getUser, new Refusal('NOT_FOUND', 'Not found'));
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
    failWith(listUsers, new RawAnswer(500, ''));
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
    failWith(register, new CutOff());
    await expect(call(register, { body: registration })).rejects.toThrow();
    serve(register, () => joined);
    await call(register, { body: registration });
    const keys = received(register).map(({ headers }) => headers.get('idempotency-key'));
    expect(new Set(keys).size).toBe(1);
  });

  it('uses a new key if another command came after the unanswered one', async () => {
    failWith(register, new CutOff());
    await expect(call(register, { body: registration })).rejects.toThrow();
    failWith(changePassword, new CutOff());
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
    failWith(endpoint, new CutOff());
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

describe('upload', () => {
  const file = () => new File(['bytes'], 'me.jpg', { type: 'image/jpeg' });

  it('sends the file in a form, with an idempotency key', async () => {
    signedIn();
    serve(uploadPicture, () => ({ data: picture('me') }));
    await call(uploadPicture, { file: file() });
    const [request] = received(uploadPicture);
    expect(request?.file?.name).toBe('me.jpg');
    expect(await request?.file?.text()).toBe('bytes');
    expect(request?.headers.get('content-type')).toBeNull();
    expect(request?.headers.get('idempotency-key')).toMatch(/^[0-9a-f]{32}$/);
    expect(request?.token).toBe('old');
  });

  it('keeps the key for the same unanswered file, and uses a new key for another file', async () => {
    signedIn();
    failWith(uploadPicture, new CutOff());
    const same = file();
    for (const sent of [same, same, file()]) {
      await expect(call(uploadPicture, { file: sent })).rejects.toMatchObject({ status: null });
    }
    const keys = received(uploadPicture).map(({ headers }) => headers.get('idempotency-key'));
    expect(keys).toHaveLength(9);
    expect(new Set(keys.slice(0, 6)).size).toBe(1);
    expect(keys[6]).not.toBe(keys[0]);
    expect(sessionStorage).toHaveLength(0);
  });

  it('may take longer than other requests', async () => {
    vi.useFakeTimers();
    vi.stubGlobal('fetch', silence);
    signedIn();
    let isOver = false;
    void call(uploadPicture, { file: file() }).catch(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(100_000);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(isOver).toBe(true);
    vi.useRealTimers();
  });
});
