import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { enableTotp, resetFactors, setUpTotp } from '#contract/auth/factors.ts';
import { logout } from '#contract/auth/session.ts';
import { getAdminUser, getProfile } from '#contract/profiles/profiles.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { noFactor, recoveryCodes, serveProtection, setUp, someFactor } from '../../../test/fixtures/protection.ts';
import { adminUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { keepSession } from '../../api/session/stored-session.ts';

let of: { factor: typeof noFactor; passkeys: [] };
let mustSetUp: boolean;
beforeEach(() => {
  of = { factor: { ...noFactor, isRequired: true }, passkeys: [] };
  mustSetUp = true;
  serveProtection(of);
});

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

  it('is signed out if two-step verification is already set up', async () => {
    of.factor = { ...someFactor, isRequired: true };
    serve(logout, () => ({ data: {} }));
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'Sign in again' }));
    await waitFor(() => expect(currentAddress()).toBe('/login'));
    expect(localStorage.getItem('token')).toBeNull();
  });
});

describe('a colleague’s two-step verification', () => {
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
    const dialog = within(screen.getByRole('dialog', { name: /^Reset two-step verification for Jonas Weir/ }));
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
