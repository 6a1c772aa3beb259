import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { agreeToTerms } from '#contract/auth/auth.ts';
import { login, logout } from '#contract/auth/session.ts';
import { termsVersion } from '#contract/constants.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveLikes } from '../../../test/fixtures/likes.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp, serveBasics, serviceConfig } from '../../../test/render-app.tsx';
import { keepSession } from '../../api/session/stored-session.ts';
import { useSession } from '../../features/auth/session/session.ts';

const question = "We've updated our terms";
const steps = { requiresVerification: false, requiresProfileCompletion: false, onboardingComplete: true };
const titleOf = (name: string) => screen.findByRole('heading', { level: 1, name });

/** Opens the app as a member who agreed to older terms. */
function openAt(path: string) {
  const user = ownUser();
  keepSession({ token: 'token-1', refreshToken: 'refresh-1', user });
  serve(getProfile, () => ({ userData: { user, privacySettings: user.settings, ...steps, requiresTerms: true } }));
  return renderApp(path);
}

beforeEach(() => serveLikes());

describe('changed terms', () => {
  it('are shown in place of the page, which appears once the member agrees', async () => {
    serve(agreeToTerms, () => ({ data: {} }));
    const { person } = openAt('/app/likes?tab=sent');
    await titleOf(question);
    expect(screen.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', '/app/terms');
    expect(screen.getAllByRole('link', { name: 'Privacy Policy' })[0]).toHaveAttribute('href', '/privacy');
    for (const [name, path] of [
      ['download your data', '/app/settings/data'],
      ['delete your account', '/app/settings/account'],
      ['ask our support team', '/app/support'],
    ] as const)
      expect(screen.getByRole('link', { name })).toHaveAttribute('href', path);
    await person.click(screen.getByRole('button', { name: 'Agree and continue' }));
    expect(await titleOf('Likes')).toHaveFocus();
    expect(currentAddress()).toBe('/app/likes?tab=sent');
    expect(received(agreeToTerms).map(({ body }) => body)).toEqual([{ version: termsVersion }]);
  });

  it('are shown right after signing in', async () => {
    const user = ownUser();
    serveBasics();
    serve(login, () => ({ data: { token: 't', refreshToken: 'r', user, ...steps, requiresTerms: true } }));
    const { person } = renderApp('/app/sign-in');
    await person.type(await screen.findByLabelText(/^Email/), 'ada@heartwood.test');
    await person.type(screen.getByLabelText(/^Password/), 'ring by ring by ring');
    await person.click(screen.getByRole('button', { name: 'Sign in' }));
    await titleOf(question);
    expect(currentAddress()).toBe('/app/discover');
  });

  it.each([
    '/app/settings/data',
    '/app/settings/account',
    '/app/support',
    '/app/support/new',
    '/privacy',
    '/app/terms',
  ])('do not block %s', async (path) => {
    openAt(path);
    await waitFor(() => expect(received(getProfile).length).toBeGreaterThan(0));
    expect(await screen.findByRole('heading', { level: 1 })).not.toHaveTextContent(question);
  });

  it.each(['/home', '/app/discover', '/app/matches', '/app/messages/42', '/app/profile', '/app/premium'])(
    'are asked about at %s',
    async (path) => {
      openAt(path);
      await titleOf(question);
    },
  );

  it('can be declined by signing out', async () => {
    serve(logout, () => ({ data: {} }));
    const { person } = openAt('/app/likes');
    await titleOf(question);
    await person.click(screen.getByRole('button', { name: 'Sign out' }));
    await titleOf('Sign in');
    expect(currentAddress()).toBe('/app/sign-in');
    expect(localStorage).toHaveLength(0);
  });

  it('are the newest, even on a page that was opened before they changed', async () => {
    let version: string = termsVersion;
    serve(agreeToTerms, ({ body }) => {
      if (body.version !== version) throw new Refusal('CONFLICT', 'These terms have changed again.');
      return { data: {} };
    });
    const { person } = renderApp('/app/likes', ownUser(), ownUser(), () => serviceConfig({ termsVersion: version }));
    await titleOf('Likes');
    version = '2031-05-17';
    act(() => useSession.setState({ requiresTerms: true }));
    expect(await screen.findByText(/apply from May 17, 2031/)).toBeVisible();
    version = '2031-05-18';
    await person.click(screen.getByRole('button', { name: 'Agree and continue' }));
    expect(await screen.findByText('These terms have changed again.')).toBeVisible();
    expect(await screen.findByText(/apply from May 18, 2031/)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Agree and continue' }));
    await titleOf('Likes');
    expect(received(agreeToTerms).at(-1)?.body).toEqual({ version });
  });

  it('stay open with the reason when the answer is refused', async () => {
    const reason = 'These terms have changed again. Please reload the page to read them.';
    failWith(agreeToTerms, new Refusal('CONFLICT', reason));
    const { person } = openAt('/app/likes');
    await titleOf(question);
    await person.click(screen.getByRole('button', { name: 'Agree and continue' }));
    expect(await screen.findByText(reason)).toBeVisible();
    await titleOf(question);
  });
});
