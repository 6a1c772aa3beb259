import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { changeEmail, changePassword, leaveService } from '#contract/auth/auth.ts';
import {
  addIdentity,
  confirmIdentity,
  googleNonce,
  type IdentityView,
  removeIdentity,
  type WaysIn,
} from '#contract/auth/identities.ts';
import { askForExport } from '#contract/takeout.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { noExport, serveNoFactors, serveSettings, serveWaysIn } from '../../../test/fixtures/own-settings.ts';
import { ownUser } from '../../../test/fixtures/people.ts';
import { beWide } from '../../../test/fixtures/staff/users.ts';
import { currentAddress, renderApp, serviceConfig } from '../../../test/render-app.tsx';

const google: IdentityView = { provider: 'google', linkedAt: '2025-10-01T10:00:00.000Z' };
const place = { url: '/dev/idp/authorize', clientId: 'heartwood', usesCode: false };
const part = (name: string) => within(screen.getByRole('region', { name }));
const ways = () => part('Sign-in methods');

let known: WaysIn;
beforeEach(() => {
  known = { identities: [], hasPassword: true, freshUntil: null };
  serveSettings();
  serveWaysIn(() => known);
});

function openPage(page: string, at = `/app/settings/${page}`) {
  serveNoFactors(known.hasPassword);
  return renderApp(at, ownUser(), ownUser(), () => serviceConfig({ signInWith: { google: place, facebook: place } }));
}

async function open(at = '/app/settings/security') {
  const app = openPage('security', at);
  await screen.findByRole('list', { name: 'Sign-in methods' });
  return app;
}

/** Returns from Google with a token. */
function comeBack(purpose: 'link' | 'confirm') {
  sessionStorage.setItem('identity-trip', JSON.stringify({ provider: 'google', purpose, state: 'mine', from: null }));
  return open('/app/settings#id_token=a.b.c&state=mine');
}

describe('sign-in methods', () => {
  it('are listed with their state', async () => {
    known.identities = [google];
    await open();
    const rows = ways()
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent);
    expect(rows).toEqual(['PasswordSet', 'GoogleLinked Oct 1, 2025Unlink...', 'FacebookNot linkedLink...']);
  });

  it('are linked with the current password after returning from the provider', async () => {
    const assign = vi.spyOn(window.location, 'assign').mockImplementation(() => undefined);
    serve(googleNonce, () => ({ data: { nonce: 'the-nonce' } }));
    const { person, unmount } = await open();
    await person.click(ways().getByRole('button', { name: 'Link Google' }));
    await waitFor(() => expect(assign).toHaveBeenCalled());
    const { searchParams } = new URL(String(assign.mock.calls[0]?.[0]));
    expect(searchParams.get('redirect_uri')).toBe(`${window.location.origin}/app/settings`);
    unmount();

    serve(addIdentity, () => ({ data: { ...known, identities: [google] } }));
    const back = await comeBack('link');
    const dialog = within(await screen.findByRole('dialog', { name: 'Link Google?' }));
    expect(currentAddress()).toBe('/app/settings');
    await back.person.type(dialog.getByLabelText(/^Current password/), 'ring by ring');
    await back.person.click(dialog.getByRole('button', { name: 'Link account' }));
    expect(await ways().findByText('Linked Oct 1, 2025')).toBeVisible();
    expect(received(addIdentity)[0]?.body).toEqual({ tokenId: 'a.b.c', password: 'ring by ring' });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('show a wrong password at its field and allow another try with the same token', async () => {
    let isRight = false;
    serve(addIdentity, () => {
      if (!isRight) throw new Refusal('WRONG_PASSWORD', 'This is not your current password');
      return { data: { ...known, identities: [google] } };
    });
    const { person } = await comeBack('link');
    const dialog = within(await screen.findByRole('dialog', { name: 'Link Google?' }));
    const field = dialog.getByLabelText(/^Current password/);
    await person.type(field, 'x{Enter}');
    await waitFor(() => expect(field).toHaveAccessibleDescription('This is not your current password'));
    isRight = true;
    await person.type(field, 'y{Enter}');
    expect(await ways().findByText('Linked Oct 1, 2025')).toBeVisible();
  });

  it('can be unlinked with the current password, except for the last one', async () => {
    known.identities = [google];
    failWith(
      removeIdentity,
      new Refusal('LAST_WAY_IN', 'You would have no way to sign in any more. Choose a password first.'),
    );
    const { person } = await open();
    await person.click(ways().getByRole('button', { name: 'Unlink Google' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Unlink Google?' }));
    await person.type(dialog.getByLabelText(/^Current password/), 'ring by ring{Enter}');
    expect(await dialog.findByRole('alert')).toHaveTextContent(/no way to sign in any more/);
    serve(removeIdentity, () => ({ data: { ...known, identities: [] } }));
    await person.type(dialog.getByLabelText(/^Current password/), 'ring by ring{Enter}');
    await waitFor(() => expect(ways().getAllByText('Not linked')).toHaveLength(2));
    expect(received(removeIdentity).at(-1)?.params).toEqual({ provider: 'google' });
  });

  it('show an error when the user returns without signing in', async () => {
    sessionStorage.setItem(
      'identity-trip',
      JSON.stringify({ provider: 'google', purpose: 'link', state: 'mine', from: null }),
    );
    await open('/app/settings#error=access_denied&state=mine');
    expect(await ways().findByRole('alert')).toHaveTextContent('You came back from Google without signing in.');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('members without a password', () => {
  beforeEach(() => {
    known = { identities: [google], hasPassword: false, freshUntil: null };
  });
  const inTenMinutes = () => new Date(Date.now() + 600_000).toISOString();

  it('confirm sensitive changes with Google', async () => {
    await open();
    expect(ways().getByText('Not set; you can choose one above')).toBeVisible();
    const pages = [
      ['Email address', 'security', 'Change email address...'],
      ['Password', 'security', 'Set a password...'],
      ['Your data', 'data', null],
      ['Delete account', 'account', null],
    ] as const;
    for (const [name, page, opener] of pages) {
      cleanup();
      const { person } = openPage(page);
      await screen.findByRole('region', { name });
      if (opener !== null) await person.click(await part(name).findByRole('button', { name: opener }));
      expect(await part(name).findByRole('button', { name: 'Confirm with Google' }), name).toBeVisible();
      expect(part(name).queryByLabelText(/^Current password/), name).toBeNull();
    }
  });

  it('need no password once confirmed', async () => {
    beWide();
    serve(confirmIdentity, () => {
      known = { ...known, freshUntil: inTenMinutes() };
      return { data: known };
    });
    const { person } = await comeBack('confirm');
    expect(await ways().findByText(/^Thanks, that's confirmed/)).toBeVisible();
    expect(received(confirmIdentity)[0]?.body).toEqual({ tokenId: 'a.b.c' });

    serve(changeEmail, () => ({ data: { verificationToken: 'handle' } }));
    await person.click(part('Email address').getByRole('button', { name: 'Change email address...' }));
    await person.type(await part('Email address').findByLabelText(/^New address/), 'new@heartwood.test{Enter}');
    await screen.findByLabelText(/^Six-digit code/);
    expect(received(changeEmail)[0]?.body).toEqual({ email: 'new@heartwood.test' });

    await person.click(screen.getByRole('link', { name: /^Data/ }));
    serve(askForExport, () => ({ data: { export: { ...noExport, state: 'preparing' as const } } }));
    await person.click(await screen.findByRole('button', { name: 'Prepare my data' }));
    await screen.findByText("We're preparing your archive");
    expect(received(askForExport)[0]?.body).toEqual({});

    serve(leaveService, () => ({ data: { restoreUntil: '2025-11-03T10:00:00.000Z' } }));
    await person.click(screen.getByRole('link', { name: /^Account/ }));
    await person.click(await screen.findByRole('button', { name: 'Delete my account...' }));
    await person.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Delete my account' }));
    await waitFor(() => expect(currentAddress()).toBe('/app/sign-in'));
    expect(received(leaveService)[0]?.body).toEqual({});
  });

  it('can set a first password right after signing in', async () => {
    known.freshUntil = inTenMinutes();
    serve(changePassword, () => {
      known = { ...known, hasPassword: true };
      serveNoFactors(true);
      return { data: {} };
    });
    const { person } = await open();
    await person.click(await part('Password').findByRole('button', { name: 'Set a password...' }));
    await person.type(await part('Password').findByLabelText(/^New password/), 'four quiet walnut trees');
    await person.click(part('Password').getByRole('button', { name: 'Set password' }));
    expect(await ways().findByText('Set')).toBeVisible();
    expect(received(changePassword)[0]?.body).toEqual({ password: 'four quiet walnut trees' });
    expect(await part('Password').findByLabelText(/^Current password/)).toBeVisible();
  });

  it('confirm with Google before linking another provider', async () => {
    const { person } = await open();
    await person.click(ways().getByRole('button', { name: 'Link Facebook' }));
    const dialog = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
    expect(await dialog.findByRole('button', { name: 'Confirm with Google' })).toBeVisible();
  });
});
