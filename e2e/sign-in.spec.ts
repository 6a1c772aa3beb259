import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { endSession, listSessions } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { createAccessTokens } from '#platform/session/access-tokens.ts';
import { createDb } from '#platform/db/db.ts';
import { installationSecret } from '#platform/config/secrets.ts';
import { eventually, serviceForTests } from './support/harness.ts';
import { addressOf, people, see, sessionKeys, signInAt, storedSession } from './support/visitor.ts';
import { sessionIn } from '../server/test/session-in.ts';

const service = serviceForTests();

const { administrator, ada } = people;

describe('the staff sign-in page', () => {
  it('refuses accounts without the admin flag with a warning and leaves no session in the browser or on the server', async () => {
    const { page } = await service.visitor();
    await page.goto('/login');
    const answered = page.waitForResponse('**/auth/login');
    await signInAt(page, ada);
    await see(page.getByRole('alert'), "You don't have admin privileges to access this panel.");
    expect(addressOf(page)).toBe('/login');
    expect(await storedSession(page)).toEqual({});
    const { data } = (await (await answered).json()) as { data: { token: string } };
    await eventually(async () => (await service.call(getProfile, { token: data.token })).status).toBe(401);
    await page.getByRole('link', { name: 'Sign in as a member' }).click();
    await eventually(() => addressOf(page)).toBe('/app/sign-in');
  });

  it('redirects an administrator to the requested page, replacing the history entry', async () => {
    const { page } = await service.visitor();
    await page.goto('/users?status=inactive');
    await eventually(() => addressOf(page)).toBe('/login');
    const steps = await page.evaluate<number>('history.length');
    await signInAt(page, administrator);
    await eventually(() => addressOf(page)).toBe('/users?status=inactive');
    expect(await page.evaluate('history.length')).toBe(steps);
    expect(await page.getByRole('combobox', { name: 'Status' }).inputValue()).toBe('inactive');
    expect(Object.keys(await storedSession(page)).sort()).toEqual(sessionKeys);
  });
});

/** Waits for the code of the staff sign-in page, which is fetched once the dashboard is idle, so that it can be shown without a network. */
async function signInPageFetched(page: Page): Promise<void> {
  const code = await page.waitForFunction(() => {
    const files = performance.getEntriesByType('resource').map(({ name }) => name);
    const [script, style] = ['js', 'css'].map((end) =>
      files.find((name) => new RegExp(`/LoginPage-.*\\.${end}$`).test(name)),
    );
    return style === undefined ? undefined : script;
  });
  // Resolves once all its imports are loaded.
  await page.evaluate(`import(${JSON.stringify(await code.jsonValue())}).then(() => undefined)`);
}

describe('a staff session', () => {
  it.each([['online', false] as const, ['offline', true] as const])('ends on Logout, %s', async (_, isOffline) => {
    const { page, context, token, problems } = await service.visitor({ as: administrator });
    await page.goto('/dashboard');
    await page.getByRole('table', { name: 'Recent Users' }).waitFor();
    await signInPageFetched(page);
    await context.setOffline(isOffline);
    await page.getByRole('button', { name: 'Logout' }).click();
    await eventually(() => addressOf(page)).toBe('/login');
    await see(page, 'Welcome Back');
    expect(await storedSession(page)).toEqual({});
    if (!isOffline)
      await eventually(async () => (await service.call(getProfile, { token: token ?? '' })).status).toBe(401);
    await page.goBack().catch(() => null);
    await eventually(() => addressOf(page)).not.toBe('/dashboard');
    // Without a network, sockets and what was still being fetched log expected errors.
    const expected = isOffline ? /WebSocket|dynamically imported module|preload CSS/ : /WebSocket/;
    problems.splice(0, problems.length, ...problems.filter((problem) => !expected.test(problem)));
  });

  it('clears the three keys when the server ends it, asks once to sign in, and returns to the same page', async () => {
    const { page, token = '' } = await service.visitor({ as: administrator });
    await page.goto('/users?type=vip');
    await page.getByRole('table', { name: 'Users' }).waitFor();
    const doors: string[] = [];
    page.on('framenavigated', () => doors.push(addressOf(page)));

    const own = (await service.call(listSessions, { token })).body.data.sessions.find(({ current }) => current);
    const elsewhere = sessionIn((await service.call(login, { body: administrator })).body).token;
    expect((await service.call(endSession, { token: elsewhere, params: { id: own?._id ?? '' } })).status).toBe(200);

    // The socket notifies the page; without one, the next request does.
    const refresh = page.getByRole('button', { name: 'Refresh' });
    await Promise.race([see(page, 'Welcome Back'), refresh.click().catch(() => undefined)]);
    await see(page, 'Welcome Back');
    expect(addressOf(page)).toBe('/login');
    expect(await storedSession(page)).toEqual({});
    expect(doors.filter((address) => address === '/login')).toHaveLength(1);
    await signInAt(page, administrator);
    await eventually(() => addressOf(page)).toBe('/users?type=vip');
    await page.getByRole('table', { name: 'Users' }).waitFor();
  });

  it('survives an expired access token in two tabs at once', async () => {
    const visitor = await service.visitor({ as: administrator });
    const tabs = [visitor.page, await visitor.openTab()];
    await Promise.all(tabs.map((tab) => tab.goto('/dashboard')));
    await Promise.all(tabs.map((tab) => tab.getByRole('table', { name: 'Recent Users' }).waitFor()));

    const expired = await expiredToken(visitor.token ?? '');
    await visitor.page.evaluate(`localStorage.setItem('token', ${JSON.stringify(expired)})`);
    const before = await storedSession(visitor.page);
    const renewals: number[] = [];
    visitor.context.on('response', (response) => {
      if (response.url().endsWith('/auth/refresh-token')) renewals.push(response.status());
    });
    await Promise.all(tabs.map((tab) => tab.reload()));
    await Promise.all(tabs.map((tab) => tab.getByRole('table', { name: 'Recent Users' }).waitFor()));

    expect(tabs.map(addressOf)).toEqual(['/dashboard', '/dashboard']);
    expect(renewals).toEqual([200]);
    const after = await storedSession(visitor.page);
    expect(after['refreshToken']).not.toBe(before['refreshToken']);
    expect((await service.call(getProfile, { token: after['token'] ?? '' })).status).toBe(200);
  });

  it('survives a reload while it is renewed', async () => {
    const { page, token = '' } = await service.visitor({ as: administrator });
    await page.goto('/dashboard');
    await page.getByRole('table', { name: 'Recent Users' }).waitFor();
    // The server answers the first renewal, but the page is reloaded before the answer arrives.
    const renewals: (string | undefined)[] = [];
    let answered = () => {};
    const isAnswered = new Promise<void>((resolve) => (answered = resolve));
    await page.route('**/auth/refresh-token', async (route) => {
      renewals.push(route.request().headers()['idempotency-key']);
      if (renewals.length > 1) return await route.continue();
      // The current page may send the first renewal, which the reload then aborts.
      await route.fetch().catch(() => undefined);
      answered();
    });
    await page.evaluate(`localStorage.setItem('token', ${JSON.stringify(await expiredToken(token))})`);
    await page.reload();
    await isAnswered;
    await page.reload();
    await page.getByRole('table', { name: 'Recent Users' }).waitFor();
    expect(addressOf(page)).toBe('/dashboard');
    // On a busy machine the renewal is repeated, always with the first idempotency key.
    expect(renewals.length).toBeGreaterThan(1);
    expect(new Set(renewals).size).toBe(1);
    const after = await storedSession(page);
    expect((await service.call(getProfile, { token: after['token'] ?? '' })).status).toBe(200);
  });
});

/** A token of the same session, issued a day ago. */
async function expiredToken(token: string): Promise<string> {
  const tokens = createAccessTokens(await installationSecret(createDb(service.pool), 'jwt', null));
  const { accountId = '', sessionId = '' } = (await tokens.read(token, new Date())) ?? {};
  return await tokens.sign(accountId, sessionId, new Date(Date.now() - 86_400_000));
}
