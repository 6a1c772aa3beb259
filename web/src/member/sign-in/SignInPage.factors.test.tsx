import { screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { askForRemoval, loginWithCode } from '#contract/auth/factors.ts';
import { passkeyLogin, passkeyLoginOptions } from '#contract/auth/passkeys.ts';
import { login } from '#contract/auth/session.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { giveDevice, passkeyRequest, sentPasskey } from '../../../test/fixtures/passkey-device.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp, serveBasics } from '../../../test/render-app.tsx';

const session = {
  token: 'token-2',
  refreshToken: 'refresh-2',
  user: ownUser(),
  requiresVerification: false,
  requiresProfileCompletion: false,
  onboardingComplete: true,
};

beforeEach(() => {
  serveBasics(ownUser());
  serve(login, () => ({ data: { totpRequired: true as const, challenge: 'challenge-1' } }));
  serve(loginWithCode, () => ({ data: session }));
  serve(passkeyLoginOptions, () => ({ data: { options: passkeyRequest } }));
  serve(passkeyLogin, () => ({ data: session }));
});

async function openAndSignIn() {
  const { person } = renderApp('/app/sign-in');
  await person.type(await screen.findByLabelText(/^Email/), 'ada@heartwood.test');
  await person.type(screen.getByLabelText(/^Password/), 'heartwood-member-demo');
  await person.click(screen.getByRole('button', { name: 'Sign in' }));
  return person;
}

describe('signing in with two-step verification', () => {
  it('accepts a code and opens the home page', async () => {
    const person = await openAndSignIn();
    await person.type(await screen.findByLabelText(/^Code from your app/), '123456{Enter}');
    await waitFor(() => expect(currentAddress()).toBe('/app/discover'));
    expect(received(loginWithCode)).toHaveLength(1);
  });

  it('does not submit a recovery code after its first six digits', async () => {
    const person = await openAndSignIn();
    await person.click(await screen.findByRole('button', { name: 'Use a recovery code instead' }));
    await person.type(screen.getByLabelText(/^Recovery code/), '123456');
    expect(received(loginWithCode)).toEqual([]);
  });

  it('offers an emailed link to people without app and codes', async () => {
    serve(askForRemoval, () => ({ data: {} }));
    const person = await openAndSignIn();
    await person.click(await screen.findByRole('button', { name: 'Use a recovery code instead' }));
    await person.click(screen.getByRole('button', { name: "I don't have either" }));
    expect(screen.getByText(/Three days after you use it/)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Email me the link' }));
    expect(await screen.findByText(/Check your email for a link/)).toBeVisible();
    expect(received(askForRemoval)[0]?.body).toEqual({ challenge: 'challenge-1' });
    await person.click(screen.getByRole('button', { name: 'Back to the code' }));
    expect(screen.getByLabelText(/^Recovery code/)).toHaveFocus();
  });

  it('starts over with an explanation when it took too long', async () => {
    failWith(
      askForRemoval,
      new Refusal('CHALLENGE_EXPIRED', 'This took too long. Please sign in again from the beginning.'),
    );
    const person = await openAndSignIn();
    await person.click(await screen.findByRole('button', { name: 'Use a recovery code instead' }));
    await person.click(screen.getByRole('button', { name: "I don't have either" }));
    await person.click(screen.getByRole('button', { name: 'Email me the link' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('sign in again from the beginning');
    expect(screen.getByLabelText(/^Email/)).toBeVisible();
  });
});

describe('signing in with a passkey', () => {
  it('is not offered by a browser without passkeys', async () => {
    renderApp('/app/sign-in');
    await screen.findByRole('button', { name: 'Sign in' });
    await import('../../features/auth/sign-in/SignInSteps.tsx');
    expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
  });

  it('takes one click', async () => {
    giveDevice();
    const { person } = renderApp('/app/sign-in');
    await person.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
    await waitFor(() => expect(currentAddress()).toBe('/app/discover'));
    expect(received(passkeyLogin)[0]?.body).toEqual({ credential: sentPasskey });
  });

  it('asks for a code if the server requires one, and opens the home page', async () => {
    serve(passkeyLogin, () => ({ data: { totpRequired: true as const, challenge: 'challenge-2' } }));
    giveDevice();
    const { person } = renderApp('/app/sign-in');
    await person.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
    await person.type(await screen.findByLabelText(/^Code from your app/), '123456{Enter}');
    await waitFor(() => expect(currentAddress()).toBe('/app/discover'));
    expect(received(loginWithCode)[0]?.body).toEqual({ challenge: 'challenge-2', code: '123456' });
  });

  it('works from the autofill list of the email field', async () => {
    giveDevice({ offersThem: true });
    renderApp('/app/sign-in');
    expect(await screen.findByLabelText(/^Email/)).toHaveAttribute('autocomplete', 'username webauthn');
    await waitFor(() => expect(currentAddress()).toBe('/app/discover'));
  });

  it.each([
    ['was not chosen', 'NotAllowedError', 'No passkey was used. You can try again.'],
    ['cannot be used here', 'SecurityError', "Passkeys don't work at this address."],
  ])('explains that a passkey %s', async (_, name, text) => {
    giveDevice({ refuses: name });
    const { person } = renderApp('/app/sign-in');
    await person.click(await screen.findByRole('button', { name: 'Sign in with a passkey' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(text);
    await person.type(screen.getByLabelText(/^Email/), 'a');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
