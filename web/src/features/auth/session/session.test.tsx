import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { logout, refreshToken } from '#contract/auth/session.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { CutOff, failWith, received, Refusal, serve } from '../../../../test/fake-server.ts';
import { administrator, moderator, ownUser } from '../../../../test/fixtures/people.ts';
import { currentAddress, currentState, renderApp } from '../../../../test/render-app.tsx';
import { call } from '../../../api/call.ts';
import { keys } from '../../../api/keys.ts';
import { queryClient } from '../../../api/query-client.ts';
import { clearSession, keepSession, readSession } from '../../../api/session/stored-session.ts';
import { keepDraft, readDraft } from '../../../ui/form/drafts.ts';
import { readCurrentUser } from './session.ts';

async function pressLogout(person: { click: (element: Element) => Promise<void> }) {
  const header = within(await screen.findByRole('banner'));
  await person.click(header.getByRole('button', { name: 'Logout' }));
}

function refuseEverything() {
  failWith(getProfile, new Refusal('UNAUTHENTICATED', 'Sign in again'));
  failWith(refreshToken, new Refusal('UNAUTHENTICATED', 'Sign in again'));
}

describe('an answer about the user', () => {
  it('is dropped if its session has ended, even when the same person has signed in again', async () => {
    const answers: (() => void)[] = [];
    const old = ownUser({ firstName: 'Old' });
    renderApp('/faqs', old);
    serve(getProfile, async () => {
      await new Promise<void>((resolve) => answers.push(resolve));
      const steps = { requiresVerification: false, requiresProfileCompletion: false, onboardingComplete: true };
      return { userData: { user: old, privacySettings: old.settings, ...steps } };
    });
    const reading = readCurrentUser();
    await waitFor(() => expect(answers).toHaveLength(1));
    act(() => clearSession('expired'));
    act(() => keepSession({ token: 'token-2', user: ownUser({ firstName: 'New' }) }));
    answers[0]?.();
    await act(async () => await reading);
    expect(readSession().user?.firstName).toBe('New');
    expect(queryClient.getQueryData(keys.ownProfile)).toBeUndefined();
  });
});

describe('logout', () => {
  it.each([
    ['/home', ownUser(), '/login'],
    ['/faqs', ownUser(), '/login'],
    ['/app/verify-email', ownUser(), '/app/sign-in'],
    ['/reports', administrator(), '/login'],
  ])('on %s clears the device, notifies the server and opens the sign-in page', async (at, user, signInPage) => {
    serve(logout, () => ({ data: {} }));
    const { person } = renderApp(at, user);
    keepDraft('decision:1', { facts: 'Asked for money twice.' });
    await pressLogout(person);
    await waitFor(() => expect(currentAddress()).toBe(signInPage));
    expect(localStorage).toHaveLength(0);
    expect(sessionStorage).toHaveLength(0);
    await waitFor(() => expect(received(logout)[0]?.token).toBe('token-1'));
  });

  it('works offline', async () => {
    failWith(logout, new CutOff());
    const { person } = renderApp('/home', ownUser());
    await pressLogout(person);
    await waitFor(() => expect(currentAddress()).toBe('/login'));
    expect(localStorage).toHaveLength(0);
  });

  it('signs out this tab too if it happens in another tab', async () => {
    renderApp('/home', ownUser());
    await screen.findByRole('heading', { level: 1 });
    act(() => {
      localStorage.clear();
      window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    });
    await waitFor(() => expect(currentAddress()).toBe('/login'));
  });
});

describe('an expired session', () => {
  it.each([
    ['/home', '/login'],
    ['/privacy', '/login'],
    ['/app/verify-email', '/app/verify-email'],
    ['/app/reset-password', '/app/reset-password'],
    ['/app/forgot-password', '/app/forgot-password'],
  ])('on %s opens %s', async (at, reached) => {
    renderApp(at, ownUser({ _id: `id of ${at}` }));
    await screen.findByRole('heading', { level: 1 });
    refuseEverything();
    await act(async () => {
      await call(getProfile).catch(() => undefined);
    });
    await waitFor(() => expect(currentAddress()).toBe(reached));
    expect(localStorage).toHaveLength(0);
  });

  const typed = { facts: 'Asked for money twice.' };

  async function expireWhileTyping() {
    const view = renderApp('/reports', moderator());
    await screen.findByRole('heading', { level: 1 });
    keepDraft('decision:1', typed);
    sessionStorage.setItem('anything', 'else');
    refuseEverything();
    await act(async () => {
      await call(getProfile).catch(() => undefined);
    });
    await waitFor(() => expect(currentAddress()).toBe('/login'));
    expect(sessionStorage.getItem('anything')).toBeNull();
    return view;
  }

  it('keeps typed text until the same person signs in again', async () => {
    await expireWhileTyping();
    act(() => keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: moderator() }));
    expect(readDraft('decision:1')).toEqual(typed);
  });

  it('removes typed text when another person signs in', async () => {
    await expireWhileTyping();
    act(() => keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: administrator() }));
    expect(readDraft('decision:1')).toBeNull();
  });

  it('keeps the address and the typed text of this tab if it expired in another tab', async () => {
    renderApp('/reports?status=pending', moderator());
    await screen.findByRole('heading', { level: 1 });
    keepDraft('decision:1', typed);
    act(() => {
      localStorage.clear();
      window.dispatchEvent(new StorageEvent('storage', { key: 'sessionEnd', newValue: 'expired' }));
      window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
    });
    await waitFor(() => expect(currentAddress()).toBe('/login'));
    expect(currentState()).toMatchObject({ from: { pathname: '/reports', search: '?status=pending' } });
    act(() => keepSession({ token: 'token-2', refreshToken: 'refresh-2', user: moderator() }));
    expect(readDraft('decision:1')).toEqual(typed);
  });
});

describe('the layout for the signed-in user', () => {
  it('opens the home page after the server has removed the admin flag', async () => {
    renderApp('/reports', administrator(), administrator({ isAdmin: false, staffRole: null }));
    await waitFor(() => expect(currentAddress()).toBe('/home'));
  });

  it('shows administrators all links, their name, the badge and Logout', async () => {
    renderApp('/reports', administrator());
    await screen.findByRole('heading', { level: 1, name: 'Reports Management' });
    const header = within(screen.getByRole('banner'));
    const nav = header.getByRole('navigation', { name: 'Main' });
    const links = within(nav)
      .getAllByRole('link')
      .map((link) => link.textContent);
    expect(links).toEqual([
      'Dashboard',
      'Users',
      'Reports',
      'Start',
      'Queue',
      'Rules',
      'Insights',
      'Team',
      'Audit',
      'Operations',
      'Service',
      'My account',
    ]);
    expect(header.getByText('Olga Ivanova')).toBeVisible();
    expect(header.getByText('Admin')).toBeVisible();
  });

  it.each([
    ['moderator', 'Moderator'],
    ['senior', 'Senior moderator'],
    ['auditor', 'Auditor'],
    ['support', 'Support'],
    ['owner', 'Owner'],
    ['admin', 'Admin'],
  ] as const)('names the role of %s beside the name', async (staffRole, badge) => {
    renderApp('/dashboard', { ...administrator(), staffRole });
    const header = within(await screen.findByRole('banner'));
    expect(header.getByText(badge)).toBeVisible();
  });

  it('hides Audit from moderators', async () => {
    renderApp('/reports', moderator());
    await screen.findByRole('heading', { level: 1 });
    expect(screen.queryByRole('link', { name: 'Audit' })).toBeNull();
  });
});
