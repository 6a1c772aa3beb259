import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  facebookSignIn,
  googleNonce,
  googleSignIn,
  joinWithIdentity,
  linkByPassword,
} from '#contract/auth/identities.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp, serveBasics, serviceConfig } from '../../../test/render-app.tsx';

const steps = { requiresVerification: false, requiresProfileCompletion: false, onboardingComplete: true };
const signedIn = { data: { token: 'token-2', refreshToken: 'refresh-2', user: ownUser(), ...steps } };
const place = (url: string) => ({ url, clientId: 'heartwood' });
const withOthers = (usesCode = false) =>
  serviceConfig({
    signInWith: { google: { ...place('https://google.test/auth'), usesCode }, facebook: place('/dev/idp/authorize') },
  });

const open = (at = '/app/sign-in', config = () => withOthers()) => renderApp(at, undefined, undefined, config);

/** Returns from a provider that this tab had redirected to. */
function comeBack(shown: string, provider = 'google', from: string | null = null) {
  const trip = { provider, purpose: 'signIn', state: 'mine', from };
  sessionStorage.setItem('identity-trip', JSON.stringify(trip));
  const app = open(`/app/sign-in#${shown}&state=mine`);
  serveBasics(ownUser(), () => withOthers());
  return app;
}

describe('the buttons of the providers', () => {
  it('are hidden if no provider is configured', async () => {
    open('/app/sign-in', serviceConfig);
    await screen.findByRole('button', { name: 'Sign in' });
    await waitFor(() => expect(screen.queryByText('or')).toBeNull());
    expect(screen.queryByRole('button', { name: /Continue with/ })).toBeNull();
  });

  it.each(['/app/sign-in', '/app/join'])('redirect to Google with a nonce and the return address on %s', async (at) => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    serve(googleNonce, () => ({ data: { nonce: 'the-nonce' } }));
    const { person } = open(at);
    await person.click(await screen.findByRole('button', { name: 'Continue with Google' }));
    await waitFor(() => expect(assign).toHaveBeenCalled());
    const { origin, pathname, searchParams } = new URL(String(assign.mock.calls[0]?.[0]));
    expect(`${origin}${pathname}`).toBe('https://google.test/auth');
    const trip = JSON.parse(sessionStorage.getItem('identity-trip') ?? '{}') as { state: string };
    expect(Object.fromEntries(searchParams)).toMatchObject({
      client_id: 'heartwood',
      redirect_uri: `${window.location.origin}/app/sign-in`,
      response_type: 'id_token',
      scope: 'openid email profile',
      nonce: 'the-nonce',
      state: trip.state,
    });
    expect(trip.state).toMatch(/^[0-9a-f]{32}$/);
  });

  it('redirect to Google with a challenge if codes are used, and send the code with its verifier', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    serve(googleNonce, () => ({ data: { nonce: 'the-nonce' } }));
    const { person, unmount } = open('/app/sign-in', () => withOthers(true));
    await person.click(await screen.findByRole('button', { name: 'Continue with Google' }));
    await waitFor(() => expect(assign).toHaveBeenCalled());
    const { searchParams } = new URL(String(assign.mock.calls[0]?.[0]));
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/) as string,
      code_challenge_method: 'S256',
      nonce: 'the-nonce',
    });
    unmount();

    serve(googleSignIn, () => signedIn);
    serveBasics(ownUser(), () => withOthers(true));
    open(`/app/sign-in?code=from-google&state=${searchParams.get('state')}`, () => withOthers(true));
    await waitFor(() => expect(received(googleSignIn)).toHaveLength(1));
    expect(received(googleSignIn)[0]?.body).toEqual({
      authorizationCode: 'from-google',
      codeVerifier: expect.stringMatching(/^[\w-]{43}$/) as string,
      redirectUri: `${window.location.origin}/app/sign-in`,
    });
    expect(currentAddress()).not.toContain('code');
  });

  it('show an error when the redirect cannot be prepared', async () => {
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'Continue with Google' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Network error/);
  });
});

describe('returning from a provider', () => {
  it('signs in with Google and removes the token from the address bar', async () => {
    serve(googleSignIn, () => signedIn);
    comeBack('id_token=a.b.c');
    await waitFor(() => expect(currentAddress()).toBe('/app/discover'));
    expect(received(googleSignIn)[0]?.body).toEqual({ tokenId: 'a.b.c' });
    expect(sessionStorage.getItem('identity-trip')).toBeNull();
    expect(localStorage.getItem('token')).toBe('token-2');
  });

  it('signs in with Facebook, and opens the requested page', async () => {
    serve(facebookSignIn, () => signedIn);
    comeBack('access_token=EAA&expires_in=5', 'facebook', '/app/support');
    await waitFor(() => expect(currentAddress()).toBe('/app/support'));
    expect(received(facebookSignIn)[0]?.body).toEqual({ accessToken: 'EAA' });
  });

  it.each([
    ['returns to another tab', 'id_token=a.b.c', 'This sign-in was started in another tab. Please try again.', 'other'],
    ['returns without a token', 'error=access_denied', 'You came back from Google without signing in.', 'mine'],
    [
      'returns with the token of another provider',
      'access_token=x',
      'You came back from Google without signing in.',
      'mine',
    ],
  ])('shows the reason and sends nothing if someone %s', async (_, shown, words, state) => {
    sessionStorage.setItem(
      'identity-trip',
      JSON.stringify({ provider: 'google', purpose: 'signIn', state, from: null }),
    );
    open(`/app/sign-in#${shown}&state=mine`);
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    expect(screen.getByLabelText(/^Email/)).toBeVisible();
    expect(currentAddress()).toBe('/app/sign-in');
    expect(received(googleSignIn)).toEqual([]);
  });

  it('shows an error that Facebook returned in the query', async () => {
    const trip = { provider: 'facebook', purpose: 'signIn', state: 'mine', from: null };
    sessionStorage.setItem('identity-trip', JSON.stringify(trip));
    open('/app/sign-in?error=access_denied&state=mine#_=_');
    expect(await screen.findByRole('alert')).toHaveTextContent('You came back from Facebook without signing in.');
    expect(currentAddress()).toBe('/app/sign-in');
  });

  it('shows an error when Google cannot be reached', async () => {
    const words = 'Google cannot be reached right now. Please try again in a moment, or sign in another way.';
    failWith(googleSignIn, new Refusal('UNAVAILABLE', words));
    comeBack('id_token=a.b.c');
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    expect(screen.getByRole('button', { name: 'Sign in' })).toBeVisible();
  });

  it('offers to restore an account about to be deleted', async () => {
    failWith(googleSignIn, new Refusal('ACCOUNT_LEAVING', 'You asked to leave.', { data: { restoreToken: 'back' } }));
    comeBack('id_token=a.b.c');
    expect(await screen.findByRole('button', { name: 'Restore account' })).toBeVisible();
  });
});

describe('joining with a provider', () => {
  const asked = (email: string | null, isEmailProven: boolean) => () => {
    const joining = { token: 'joining', firstName: 'Nora', email, isEmailProven };
    throw new Refusal('JOIN_UNFINISHED', "You're new here.", { data: { joining } });
  };

  it('asks for consent and continues to the profile', async () => {
    serve(googleSignIn, asked('nora@heartwood.test', true));
    serve(joinWithIdentity, () => ({ data: { ...signedIn.data, requiresProfileCompletion: true } }));
    const { person } = comeBack('id_token=a.b.c');
    expect(await screen.findByRole('heading', { level: 1, name: 'Welcome, Nora' })).toBeVisible();
    expect(screen.getByText(/You'll join with nora@heartwood\.test/)).toBeVisible();
    expect(screen.queryByLabelText(/^Email/)).toBeNull();
    expect(received(joinWithIdentity)).toEqual([]);
    await person.click(screen.getByRole('button', { name: 'Agree and join' }));
    await waitFor(() => expect(currentAddress()).toMatch(/^\/app\/(welcome|profile)/));
    expect(received(joinWithIdentity)[0]?.body).toEqual({ joinToken: 'joining', acceptTerms: true });
  });

  it('asks for an email address when Facebook has none, and for its code', async () => {
    serve(facebookSignIn, asked(null, false));
    serve(joinWithIdentity, () => ({ data: { ...signedIn.data, requiresVerification: true } }));
    const { person } = comeBack('access_token=EAA', 'facebook');
    await screen.findByRole('heading', { level: 1, name: 'Welcome, Nora' });
    await person.click(screen.getByRole('button', { name: 'Agree and join' }));
    expect(screen.getByLabelText(/^Email/)).toHaveAccessibleDescription(/This is required/);
    await person.type(screen.getByLabelText(/^Email/), ' Nora@Heartwood.test');
    await person.click(screen.getByRole('button', { name: 'Agree and join' }));
    await waitFor(() => expect(currentAddress()).toBe('/app/verify-email'));
    expect(received(joinWithIdentity)[0]?.body).toMatchObject({ email: 'nora@heartwood.test' });
  });

  it('still offers the other sign-in methods', async () => {
    serve(googleSignIn, asked('nora@heartwood.test', true));
    const { person } = comeBack('id_token=a.b.c');
    await person.click(await screen.findByRole('link', { name: 'Sign in another way' }));
    expect(await screen.findByLabelText(/^Password/)).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('starts over when it took too long', async () => {
    serve(googleSignIn, asked('nora@heartwood.test', true));
    failWith(joinWithIdentity, new Refusal('INVALID_CODE', 'This took too long. Please begin again.'));
    const { person } = comeBack('id_token=a.b.c');
    await person.click(await screen.findByRole('button', { name: 'Agree and join' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This took too long. Please begin again.');
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeVisible();
  });
});

describe('an email address that has an account', () => {
  it('is linked after the password', async () => {
    failWith(
      facebookSignIn,
      new Refusal('LINK_NEEDS_PASSWORD', 'There is an account.', { data: { linkToken: 'linking' } }),
    );
    let isRight = false;
    serve(linkByPassword, () => {
      if (!isRight) throw new Refusal('WRONG_PASSWORD', 'This is not the password of that account.');
      return signedIn;
    });
    const { person } = comeBack('access_token=EAA', 'facebook');
    const field = await screen.findByLabelText(/^Password/);
    await person.type(field, 'not this one');
    await person.click(screen.getByRole('button', { name: 'Sign in and link Facebook' }));
    await waitFor(() => expect(field).toHaveAccessibleDescription('This is not the password of that account.'));
    expect(field).toHaveFocus();
    expect(screen.queryByRole('alert')).toBeNull();
    isRight = true;
    await person.clear(field);
    await person.type(field, 'ring by ring{Enter}');
    await waitFor(() => expect(currentAddress()).toBe('/app/discover'));
    expect(received(linkByPassword).at(-1)?.body).toEqual({ linkToken: 'linking', password: 'ring by ring' });
  });
});
