import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { register } from '#contract/auth/auth.ts';
import { blockUser } from '#contract/connections/blocks.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { CutOff, RawAnswer, received, Refusal, serve } from '../../test/fake-server.ts';
import { ownReport } from '../../test/fixtures/own-reports.ts';
import { ownUser } from '../../test/fixtures/people.ts';
import { keepSession } from './session/stored-session.ts';

const words = { problem_type: 'Harassment' as const, description: 'He writes to me again and again.' };
const registration = { email: 'x@y.test', password: 'long enough it is', firstName: 'X', acceptTerms: true };
const stored = () => JSON.stringify({ ...sessionStorage });
const keysOf = (endpoint: Parameters<typeof received>[0]) =>
  received(endpoint).map(({ headers }) => headers.get('idempotency-key'));

/** The app as it is after a reload: nothing is left in memory. */
async function reload() {
  vi.resetModules();
  return await import('./call.ts');
}

/** Sends a report; answers the key of its last try. */
async function send(description = words.description) {
  const { call } = await reload();
  await call(createReport, { body: { ...words, description } }).catch(() => undefined);
  return keysOf(createReport).at(-1);
}

async function signOut() {
  const { clearSession } = await import('./session/stored-session.ts');
  clearSession('signedOut');
}

function cutOff() {
  serve(createReport, () => {
    throw new CutOff();
  });
}

beforeEach(() => {
  keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: ownUser() });
  cutOff();
});
afterEach(() => {
  vi.resetModules();
});

describe('a creating request without an answer', () => {
  it('goes under the same key when its words are sent again after a reload', async () => {
    expect(await send()).toBe(await send());
  });

  it('leaves other words their own key', async () => {
    expect(await send('Something else')).not.toBe(await send());
  });

  it('goes under the same key after a reload in the middle of it', async () => {
    const { call } = await reload();
    serve(createReport, () => new Promise(() => undefined));
    void call(createReport, { body: words });
    await vi.waitFor(() => expect(received(createReport)).toHaveLength(1));
    cutOff();
    expect(await send()).toBe(keysOf(createReport)[0]);
  });

  it('stays unanswered when only a proxy says something', async () => {
    const first = await send();
    serve(createReport, () => {
      throw new RawAnswer(502, '');
    });
    expect(await send()).toBe(first);
    expect(await send()).toBe(first);
  });

  it.each([
    ['an answer', () => ({ data: { report: ownReport() } })],
    [
      'a refusal',
      () => {
        throw new Refusal('TOO_MANY_REQUESTS', 'Too many');
      },
    ],
  ])('is forgotten with %s', async (_what, answer) => {
    const first = await send();
    serve(createReport, answer);
    expect(await send()).toBe(first);
    expect(stored()).not.toContain(first);
    expect(await send()).not.toBe(first);
  });

  it('leaves nothing readable behind, and no more than twenty', async () => {
    const first = await send();
    for (let n = 1; n <= 20; n += 1) await send(`Words ${n}`);
    const last = keysOf(createReport).at(-1);
    expect(stored()).not.toMatch(/Words|writes|Harassment|reports/);
    expect(stored().match(/[0-9a-f]{32}/g)).toHaveLength(20);
    expect(await send('Words 20')).toBe(last);
    expect(await send()).not.toBe(first);
  });

  it('is forgotten with the session', async () => {
    const first = await send();
    await signOut();
    expect(stored()).not.toContain(first);
    keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: ownUser() });
    expect(await send()).not.toBe(first);
  });

  it.each([
    ['a visitor', () => signOut()],
    ['somebody signed in who joins again', async () => undefined],
  ])('of %s leaves nothing in storage when there is a password in it', async (_who, begin) => {
    await begin();
    const { call } = await reload();
    serve(register, () => {
      throw new CutOff();
    });
    await call(register, { body: registration }).catch(() => undefined);
    expect(sessionStorage).toHaveLength(0);
    await call(register, { body: registration }).catch(() => undefined);
    expect(new Set(keysOf(register)).size).toBe(1);
  });

  it('that says nothing has its full effect each time', async () => {
    const { call } = await reload();
    serve(blockUser, () => {
      throw new CutOff();
    });
    const block = () => call(blockUser, { params: { userId: 'bo' } }).catch(() => undefined);
    await block();
    await block();
    expect(new Set(keysOf(blockUser)).size).toBe(2);
  });
});
