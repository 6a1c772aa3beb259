import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import * as help from '#contract/auth/help.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { getAdminUser } from '#contract/profiles/staff.ts';
import type { AdminUser } from '#contract/profiles/user.ts';
import { grantPremium, type PremiumGrant, revokePremiumGrant } from '#contract/subscriptions/grants.ts';
import { listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { getUserFile } from '#contract/moderation/user-file.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { serveFile } from '../../../test/fixtures/staff/user-files.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { adminUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { renderApp } from '../../../test/render-app.tsx';

const gift: PremiumGrant = {
  _id: 'gift-1',
  days: 7,
  startsAt: '2025-10-20T12:00:00.000Z',
  endsAt: '2099-10-27T12:00:00.000Z',
  revokedAt: null,
  by: 'Sol Berg',
  reason: 'The service was down',
};

beforeEach(() => serve(listSubscriptions, () => ({ data: { subscriptions: [], grants: [] } })));

/** The page of a user, as a colleague with this role sees it. */
function open(changes: Partial<AdminUser> = {}, staffRole: StaffRole = 'support') {
  const user = adminUser(listedUser({ _id: 'ada', isEmailVerified: false }), changes);
  serve(getAdminUser, () => ({ data: { user } }));
  return renderApp('/users/ada', administrator({ staffRole }));
}

const helpPart = async () => within(await screen.findByRole('region', { name: 'Help' }));
const buttonsOf = async () => (await helpPart()).getAllByRole('button').map(({ textContent }) => textContent);

describe('help for people who can’t sign in', () => {
  it.each([
    ['Send the confirmation again...', 'Send confirmation', help.helpConfirmation, 'The confirmation was sent.'],
    ['Send a reset link...', 'Send link', help.helpResetLink, 'The link was sent to their address.'],
  ])('%s sends the reason and shows what was done', async (button, confirm, endpoint, done) => {
    serve(endpoint, () => ({ data: {} }));
    serveFile();
    const { person } = open();
    await screen.findByText('Nothing happened yet.');
    await person.click((await helpPart()).getByRole('button', { name: button }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Called');
    await person.click(dialog.getByRole('button', { name: confirm }));
    expect(await screen.findByText(done)).toBeVisible();
    expect(received(endpoint)).toMatchObject([{ params: { id: 'ada' }, body: { reason: 'Called' } }]);
    await waitFor(() => expect(received(getUserFile)).toHaveLength(2));
  });

  it.each([
    [true, 'They can try to sign in again.'],
    [false, 'Nothing was locked. They can try to sign in as before.'],
  ])('unlocks sign-in, and shows whether it was locked: %s', async (wasPaused, done) => {
    serve(help.helpUnlock, () => ({ data: { wasPaused } }));
    const { person } = open();
    await person.click((await helpPart()).getByRole('button', { name: 'Unlock sign-in...' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Called');
    await person.click(dialog.getByRole('button', { name: 'Unlock sign-in' }));
    expect(await screen.findByText(done)).toBeVisible();
  });

  it('corrects an address, and keeps what was typed when the server refuses', async () => {
    failWith(help.helpAddress, new Refusal('EMAIL_TAKEN', 'User already exists'));
    const { person } = open();
    await person.click((await helpPart()).getByRole('button', { name: 'Correct the address...' }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByRole('button', { name: 'Correct address' })).toBeDisabled();
    await person.type(dialog.getByRole('textbox', { name: /^Correct address/ }), 'ada@new.test');
    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Mistyped');
    await person.click(dialog.getByRole('button', { name: 'Correct address' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('User already exists');
    expect(dialog.getByRole('textbox', { name: /^Correct address/ })).toHaveValue('ada@new.test');
    expect(received(help.helpAddress).map(({ body }) => body)).toEqual([{ email: 'ada@new.test', reason: 'Mistyped' }]);
  });

  it.each<[string, Partial<AdminUser>, string]>([
    ['a data export to members in use', {}, 'Start a data export...'],
    ['a way back to leaving ones', { leavingSince: '2025-10-20T12:00:00.000Z' }, 'Send a link to restore...'],
  ])('offers %s', async (_, changes, last) => {
    open({ isEmailVerified: true, ...changes });
    expect(await buttonsOf()).toEqual(['Send a reset link...', 'Unlock sign-in...', last]);
  });

  it.each<[string, Partial<AdminUser>, StaffRole]>([
    ['by roles without the right', {}, 'billing'],
    ['for colleagues of the same rank', { staffRole: 'moderator' }, 'support'],
    [
      'by people who may not act',
      { can: { act: false, edit: false, activate: false, deactivate: false, changeRole: false } },
      'owner',
    ],
  ])('is not offered %s', async (_, changes, role) => {
    open(changes, role);
    expect(await screen.findByRole('heading', { level: 1 })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Help' })).toBeNull();
  });
});

describe('gifts of premium', () => {
  const part = async () => within(await screen.findByRole('region', { name: 'Subscription' }));

  it('are given for some days with a reason, within the limit of the role', async () => {
    serve(grantPremium, () => ({ data: { grant: gift } }));
    serveFile();
    const { person } = open();
    await screen.findByText('Nothing happened yet.');
    await person.click(await (await part()).findByRole('button', { name: 'Give premium...' }));
    const dialog = within(await screen.findByRole('dialog'));
    const days = dialog.getByRole('textbox', { name: /^Days/ });
    await person.clear(days);
    await person.type(days, '8');
    expect(dialog.getByText('Enter a number from 1 to 7')).toBeVisible();
    expect(dialog.getByRole('button', { name: 'Give premium' })).toBeDisabled();
    await person.clear(days);
    await person.type(days, '5');
    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'An outage');
    serve(listSubscriptions, () => ({ data: { subscriptions: [], grants: [gift] } }));
    await person.click(dialog.getByRole('button', { name: 'Give premium' }));
    expect(await (await part()).findByText(/^7 days, Oct 20, 2025 – Oct 27, 2099, from Sol Berg/)).toBeVisible();
    expect(received(grantPremium)).toMatchObject([{ params: { id: 'ada' }, body: { days: 5, reason: 'An outage' } }]);
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(() => expect(received(getUserFile)).toHaveLength(2));
  });

  it('are ended with a reason', async () => {
    serve(listSubscriptions, () => ({ data: { subscriptions: [], grants: [gift] } }));
    serve(revokePremiumGrant, () => ({ data: { grant: gift } }));
    const { person } = open();
    await person.click(await (await part()).findByRole('button', { name: 'End this gift...' }));
    const dialog = within(await screen.findByRole('dialog'));
    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Given to the wrong person');
    await person.click(dialog.getByRole('button', { name: 'End gift' }));
    await screen.findByRole('button', { name: 'End this gift...' });
    await waitFor(() =>
      expect(received(revokePremiumGrant)).toMatchObject([
        { params: { id: 'gift-1' }, body: { reason: 'Given to the wrong person' } },
      ]),
    );
  });

  it('are only listed for roles that may not give them', async () => {
    serve(listSubscriptions, () => ({ data: { subscriptions: [], grants: [gift] } }));
    open({}, 'auditor');
    expect(await (await part()).findByText('The service was down')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Give premium...' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'End this gift...' })).toBeNull();
  });
});
