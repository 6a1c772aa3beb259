import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { enableTotp, loginWithCode, resetFactors, setUpTotp } from '#contract/auth/factors.ts';
import { login, logout } from '#contract/auth/session.ts';
import { getAdminUser } from '#contract/profiles/staff.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, ownUser } from '../../../test/fixtures/people.ts';
import {
  noFactor,
  phonePasskey,
  recoveryCodes,
  serveProtection,
  setUp,
  someFactor,
} from '../../../test/fixtures/protection.ts';
import { currentAddress, renderApp, serveBasics } from '../../../test/render-app.tsx';
import { adminUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { keepSession } from '../../api/session/stored-session.ts';

const steps = { requiresVerification: false, requiresProfileCompletion: false, onboardingComplete: true };
const session = (user = administrator()) => ({ token: 'token-2', refreshToken: 'refresh-2', user, ...steps });

function serveSignIn() {
  serveBasics(administrator());
  serve(login, () => ({ data: { totpRequired: true as const, challenge: 'challenge-1' } }));
  serve(loginWithCode, () => ({ data: session() }));
}

async function openAndSignIn(at = '/login') {
  const { person } = renderApp(at);
  await person.type(await screen.findByLabelText(/^Email/), 'admin@heartwood.test');
  await person.type(screen.getByLabelText(/^Password/), 'heartwood-admin-demo');
  await person.click(screen.getByRole('button', { name: 'Sign In' }));
  return person;
}

describe('two-step verification on the staff sign-in page', () => {
  beforeEach(serveSignIn);

  it('accepts a pasted code and returns to the requested page', async () => {
    const person = await openAndSignIn('/users?status=online');
    const code = await screen.findByLabelText(/^Code from your app/);
    expect(code).toHaveFocus();
    expect(code).toHaveAttribute('autocomplete', 'one-time-code');
    expect(code).toHaveAttribute('inputmode', 'numeric');
    expect(screen.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    expect(screen.getByText('Sign in to your admin account')).toBeVisible();
    expect(screen.getByText('Contact system administrator for access credentials')).toBeVisible();
    expect(localStorage.getItem('token')).toBeNull();
    await person.paste('123 456');
    await waitFor(() => expect(currentAddress()).toBe('/users?status=online'));
    expect(received(loginWithCode).map(({ body }) => body)).toEqual([{ challenge: 'challenge-1', code: '123456' }]);
  });

  it('shows what is wrong with a code and accepts another', async () => {
    failWith(loginWithCode, new Refusal('INVALID_CODE', 'This code is not right, or was used already.'));
    const person = await openAndSignIn();
    await person.type(await screen.findByLabelText(/^Code from your app/), '000000{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('This code is not right, or was used already.');
    const code = screen.getByLabelText(/^Code from your app/);
    expect(code).toHaveValue('');
    expect(code).toHaveFocus();
    await person.type(code, '1');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('returns to the password with a message once the challenge has expired', async () => {
    failWith(
      loginWithCode,
      new Refusal('CHALLENGE_EXPIRED', 'This took too long. Please sign in again from the beginning.'),
    );
    const person = await openAndSignIn();
    await person.type(await screen.findByLabelText(/^Code from your app/), '000000{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('sign in again from the beginning');
    expect(await screen.findByLabelText(/^Email/)).toHaveValue('admin@heartwood.test');
    expect(screen.queryByLabelText(/^Code from your app/)).toBeNull();
  });

  it('accepts a recovery code and shows who can help if both are lost', async () => {
    const person = await openAndSignIn();
    await person.click(await screen.findByRole('button', { name: 'Use a recovery code instead' }));
    expect(screen.getByText(/Another administrator can reset/)).toBeVisible();
    expect(screen.queryByRole('button', { name: "I don't have either" })).toBeNull();
    const code = screen.getByLabelText(/^Recovery code/);
    expect(code).toHaveFocus();
    await person.type(code, '4f7k 9qxm 2abc{Enter}');
    await waitFor(() => expect(currentAddress()).toBe('/dashboard'));
    expect(received(loginWithCode)[0]?.body.code).toBe('4F7K9QXM2ABC');
  });

  it('starts no session for a user without the admin flag', async () => {
    serve(loginWithCode, () => ({ data: session(ownUser()) }));
    const person = await openAndSignIn();
    await person.type(await screen.findByLabelText(/^Code from your app/), '123456{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent("You don't have admin privileges to access this panel.");
    expect(localStorage.getItem('token')).toBeNull();
    expect(await screen.findByLabelText(/^Email/)).toBeVisible();
  });

  it('can be restarted', async () => {
    const person = await openAndSignIn();
    await person.click(await screen.findByRole('button', { name: 'Start over' }));
    expect(await screen.findByLabelText(/^Email/)).toBeVisible();
  });
});

describe('staff who must set up two-step verification', () => {
  beforeEach(serveSignIn);

  it('set it up first without typing the password twice', async () => {
    serve(login, () => ({ data: { ...session(), requiresSecondFactor: true } }));
    serve(setUpTotp, () => ({ data: setUp }));
    serve(enableTotp, () => ({ data: { recoveryCodes } }));
    const person = await openAndSignIn();
    expect(await screen.findByRole('heading', { name: 'Set up two-step verification' })).toBeVisible();
    expect(currentAddress()).toBe('/login');
    expect(screen.getByRole('heading', { name: 'Welcome Back' })).toBeVisible();
    await person.click(await screen.findByRole('button', { name: 'Use an authenticator app' }));
    await person.click(screen.getByRole('button', { name: 'Show the QR code' }));
    expect(await screen.findByRole('img', { name: /QR code/ })).toBeVisible();
    expect(screen.getByText('SGUU B2IT 5COR ZA6C HTZ3 EEPP 7YHA UP2B')).toBeVisible();
    expect(received(setUpTotp)[0]?.body).toEqual({ password: 'heartwood-admin-demo' });
    await person.type(screen.getByLabelText(/^Code from your app/), '123456{Enter}');
    expect(await screen.findByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
    for (const code of recoveryCodes) expect(screen.getByText(code)).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Copy' }));
    expect(await navigator.clipboard.readText()).toBe(recoveryCodes.join('\n'));
    expect(currentAddress()).toBe('/login');
    await person.click(screen.getByRole('button', { name: "I've saved them" }));
    await waitFor(() => expect(currentAddress()).toBe('/dashboard'));
  });
});

let of: Parameters<typeof serveProtection>[0];
let mustSetUp: boolean;
function serveSetUp() {
  of = { factor: { ...noFactor, isRequired: true }, passkeys: [] };
  mustSetUp = true;
  serveProtection(of);
}

function open() {
  keepSession({ token: 'token-1', refreshToken: 'refresh-1', user: administrator() });
  serve(getProfile, () => ({
    userData: {
      user: administrator(),
      privacySettings: { showLastActive: true },
      requiresVerification: false,
      requiresProfileCompletion: false,
      onboardingComplete: true,
      requiresSecondFactor: mustSetUp,
    },
  }));
  return renderApp('/settings');
}

describe('a staff session without two-step verification', () => {
  beforeEach(serveSetUp);

  it('can only open the setup page, and continues from there', async () => {
    serve(setUpTotp, () => ({ data: setUp }));
    serve(enableTotp, () => {
      of.factor = { ...someFactor, isRequired: true };
      mustSetUp = false;
      return { data: { recoveryCodes } };
    });
    const { person } = open();
    expect(await screen.findByRole('heading', { name: 'Set up two-step verification' })).toBeVisible();
    expect(screen.queryByText('Signed-in devices')).toBeNull();
    await person.click(await screen.findByRole('button', { name: 'Use an authenticator app' }));
    await person.type(screen.getByLabelText(/^Current password/), 'my password{Enter}');
    await person.type(await screen.findByLabelText(/^Code from your app/), '123456{Enter}');
    await person.click(await screen.findByRole('button', { name: "I've saved them" }));
    expect(await screen.findByText('Signed-in devices')).toBeVisible();
  });

  it.each([
    ['an app', { factor: { ...someFactor, isRequired: true } }],
    ['a passkey', { passkeys: [phonePasskey] }],
  ])('is signed out if two-step verification is already set up with %s', async (_, protection) => {
    Object.assign(of, protection);
    serve(logout, () => ({ data: {} }));
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'Sign in again' }));
    await waitFor(() => expect(currentAddress()).toBe('/login'));
    expect(localStorage.getItem('token')).toBeNull();
  });
});

describe('a colleague’s two-step verification', () => {
  beforeEach(serveSetUp);

  const colleague = () =>
    adminUser(listedUser({ firstName: 'Jonas', lastName: 'Weir', name: 'Jonas Weir' }), {
      staffRole: 'moderator',
      isAdmin: true,
    });

  it('can be reset with a reason', async () => {
    mustSetUp = false;
    serve(getAdminUser, () => ({ data: { user: colleague() } }));
    serve(resetFactors, ({ body }) => {
      if (body.reason === 'no') throw new Refusal('FORBIDDEN', 'Another administrator has to do this for you.');
      return { data: {} };
    });
    const { person } = renderApp(`/users/${colleague()._id}`, administrator());
    await person.click(await screen.findByRole('button', { name: 'Reset two-step verification...' }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Reset two-step verification for Jonas Weir/ }));
    await person.click(dialog.getByRole('button', { name: 'Reset' }));
    expect(dialog.getByText('Please give a reason')).toBeVisible();
    await person.type(dialog.getByLabelText(/^Reason/), 'no');
    await person.click(dialog.getByRole('button', { name: 'Reset' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('Another administrator');
    await person.type(dialog.getByLabelText(/^Reason/), 'w lost, called back');
    await person.click(dialog.getByRole('button', { name: 'Reset' }));
    expect(
      await screen.findByText('Two-step verification was reset, and all their devices were signed out.'),
    ).toBeVisible();
    expect(received(resetFactors).at(-1)).toMatchObject({
      params: { id: colleague()._id },
      body: { reason: 'now lost, called back' },
    });
  });

  it("is hidden on members, and from people who can't change it", async () => {
    serve(getAdminUser, () => ({ data: { user: adminUser(listedUser()) } }));
    renderApp(`/users/${listedUser()._id}`, administrator());
    await screen.findByRole('heading', { level: 1 });
    await screen.findByText('History');
    expect(screen.queryByRole('button', { name: 'Reset two-step verification...' })).toBeNull();
  });
});
