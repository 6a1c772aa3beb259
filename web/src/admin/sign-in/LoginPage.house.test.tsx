import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { houseSignIn, linkHouse, startHouse } from '#contract/auth/house.ts';
import { passkeyLogin, passkeyLoginOptions } from '#contract/auth/passkeys.ts';
import { login, logout } from '#contract/auth/session.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { giveDevice, passkeyRequest, sentPasskey } from '../../../test/fixtures/passkey-device.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp, serviceConfig } from '../../../test/render-app.tsx';

const user = administrator();
const signedIn = {
  data: {
    ...{ token: 'token-2', refreshToken: 'refresh-2', user, requiresVerification: false },
    ...{ requiresProfileCompletion: false, onboardingComplete: true },
  },
};
const button = () => screen.findByRole('button', { name: 'Sign in with Acme' });
const open = (at: string) => renderApp(at, undefined, user, () => serviceConfig({ house: { name: 'Acme' } }));

describe('signing in with the house’s account', () => {
  beforeEach(() => {
    // This tab went to the provider.
    sessionStorage.setItem('house-page', 'null');
    serve(houseSignIn, () => signedIn);
    serve(login, () => signedIn);
    serve(logout, () => ({ data: {} }));
  });

  it('isn’t offered when it is off', async () => {
    renderApp('/login');
    await screen.findByRole('button', { name: 'Sign In' });
    expect(screen.queryByRole('button', { name: /^Sign in with (?!a passkey)/ })).toBeNull();
  });

  it('sends the browser to the provider', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    serve(startHouse, () => ({ data: { url: 'https://id.acme.test/authorize?x=1' } }));
    const { person } = open('/login');
    await person.click(await button());
    await waitFor(() => expect(assign).toHaveBeenCalledWith('https://id.acme.test/authorize?x=1'));
    expect(await screen.findByRole('button', { name: 'One moment...' })).toBeVisible();
  });

  it('explains that the provider can’t be reached', async () => {
    failWith(startHouse, new Refusal('UNAVAILABLE', 'Acme can’t be reached'));
    const { person } = open('/login');
    await person.click(await button());
    expect(await screen.findByRole('alert')).toHaveTextContent('Acme can’t be reached');
    expect(await button()).toBeEnabled();
  });

  it('finishes when the browser comes back, and opens the page that was requested', async () => {
    const from = { pathname: '/users', search: '?status=online', hash: '' };
    sessionStorage.setItem('house-page', JSON.stringify({ from }));
    open('/login?state=the-state&session_state=s&iss=https%3A%2F%2Fid.acme.test&code=the-code');
    await waitFor(() => expect(currentAddress()).toBe('/users?status=online'));
    expect(received(houseSignIn).map(({ body }) => body)).toEqual([
      { code: 'the-code', state: 'the-state', iss: 'https://id.acme.test' },
    ]);
  });

  it('shows that the user came back without signing in, and removes the parameters from the address', async () => {
    open('/login?error=access_denied&state=the-state');
    expect(await screen.findByRole('alert')).toHaveTextContent('You came back from Acme without signing in.');
    expect(currentAddress()).toBe('/login');
    expect(received(houseSignIn)).toEqual([]);
  });

  it('ignores what another tab or site sends', async () => {
    sessionStorage.clear();
    open('/login?code=c&state=s');
    expect(await button()).toBeEnabled();
    expect(received(houseSignIn)).toEqual([]);
  });

  it('shows a refusal and allows another try', async () => {
    failWith(houseSignIn, new Refusal('FORBIDDEN', 'None of your groups has a role here.'));
    open('/login?code=c&state=s');
    expect(await screen.findByRole('alert')).toHaveTextContent('None of your groups has a role here.');
    expect(await button()).toBeVisible();
  });

  it('asks for the passkey if the provider checked no second factor', async () => {
    giveDevice();
    serve(houseSignIn, () => ({ data: { passkeyRequired: true as const, challenge: 'challenge-1' } }));
    serve(passkeyLoginOptions, () => ({ data: { options: passkeyRequest } }));
    failWith(passkeyLogin, new Refusal('INVALID_CREDENTIALS', 'This passkey did not work here.'));
    const { person } = open('/login?code=c&state=s');
    const confirm = await screen.findByRole('button', { name: 'Use a passkey' });
    await waitFor(() => expect(confirm).toHaveFocus());
    await person.click(confirm);
    expect(await screen.findByRole('alert')).toHaveTextContent('This passkey did not work here.');
    serve(passkeyLogin, () => signedIn);
    await person.click(confirm);
    await waitFor(() => expect(currentAddress()).toBe('/dashboard'));
    expect(received(passkeyLogin).at(-1)?.body).toEqual({ credential: sentPasskey, challenge: 'challenge-1' });
  });

  it('starts over once it has taken too long', async () => {
    giveDevice();
    serve(houseSignIn, () => ({ data: { passkeyRequired: true as const, challenge: 'challenge-1' } }));
    serve(passkeyLoginOptions, () => ({ data: { options: passkeyRequest } }));
    failWith(passkeyLogin, new Refusal('CHALLENGE_EXPIRED', 'That took too long.'));
    const { person } = open('/login?code=c&state=s');
    await person.click(await screen.findByRole('button', { name: 'Use a passkey' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('That took too long.');
    expect(await button()).toBeVisible();
  });

  it('links a colleague’s account once they have signed in to it, and asks for a sign-in with the new one', async () => {
    failWith(houseSignIn, new Refusal('LINK_NEEDS_PASSWORD', 'Taken', { data: { linkToken: 'link-1' } }));
    serve(linkHouse, () => ({ data: {} }));
    const { person } = open('/login?code=c&state=s');
    expect(await screen.findByText(/Sign in to it once to link Acme to it/)).toBeVisible();
    await person.type(screen.getByLabelText(/^Email/), 'admin@heartwood.test');
    await person.type(screen.getByLabelText(/^Password/), 'heartwood-admin-demo{Enter}');
    expect(await screen.findByText(/From now on, sign in with Acme/)).toBeVisible();
    expect(received(linkHouse)).toMatchObject([{ body: { linkToken: 'link-1' }, token: 'token-2' }]);
    expect(currentAddress()).toBe('/login');
    expect(localStorage).toHaveLength(0);
  });
});
