import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeAdminUser, getAdminUser, revealUser } from '#contract/profiles/staff.ts';
import { listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { endUserSessions } from '#contract/auth/auth.ts';
import { resetFactors } from '#contract/auth/factors.ts';
import { failWith, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { adminUser, barestUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { ownPicture } from '../../../test/fixtures/pictures.ts';
import { serveFile } from '../../../test/fixtures/staff/user-files.ts';

const ada = listedUser({ _id: 'ada' });

beforeEach(() => {
  serveFile();
  serve(getAdminUser, () => ({ data: { user: adminUser(ada) } }));
  serve(listSubscriptions, () => ({ data: { subscriptions: [] } }));
});

describe('the page of one user', () => {
  it('shows when there is no such user', async () => {
    failWith(getAdminUser, new Refusal('NOT_FOUND', 'There is no such user'));
    renderApp('/users/nobody', administrator());
    expect(await screen.findByRole('heading', { level: 1, name: 'User not found' })).toBeVisible();
    expect(screen.getByText('There is no such user. The account may have been deleted.')).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
    expect(screen.getByRole('link', { name: 'All users' })).toHaveAttribute('href', '/users');
  });

  it('shows profile and account, and links to the audit trail', async () => {
    renderApp('/users/ada', administrator());
    expect(await screen.findByRole('heading', { level: 1, name: 'Ada Byron' })).toBeVisible();
    expect(screen.getByText('Lisbon, Portugal')).toBeVisible();
    expect(screen.getByText('Mar 2, 1994')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open in the audit trail' })).toHaveAttribute(
      'href',
      '/audit?targetId=ada',
    );
    expect(received(getAdminUser)[0]?.params).toEqual({ id: 'ada' });
  });

  it('shows why an account is deactivated, and no gaps if there is almost no data', async () => {
    const shut = barestUser({ _id: 'ada', isActive: false });
    serve(getAdminUser, () => ({
      data: {
        user: adminUser(shut, {
          birthDate: null,
          seeking: [],
          deactivatedAt: '2025-10-19T08:00:00.000Z',
          deactivationReason: 'Asked for money',
        }),
      },
    }));
    renderApp('/users/ada', administrator());
    expect(await screen.findByRole('heading', { level: 1, name: 'Unknown' })).toBeVisible();
    expect(screen.getByText('Asked for money')).toBeVisible();
    expect(document.body.textContent).not.toMatch(/undefined|NaN|Invalid Date|null/);
  });

  it.each([
    ['ban', null, 'Banned on Oct 4, 2025'],
    ['suspend', '2026-12-03T10:00:00.000Z', 'Suspended until Dec 3, 2026'],
    ['hide_profile', null, 'Profile hidden on Oct 4, 2025'],
    ['limit_messaging', '2026-12-03T10:00:00.000Z', 'No new conversations until Dec 3, 2026'],
  ] as const)('shows which measure is in force: %s', async (kind, until, text) => {
    const measure = { kind, since: '2025-10-04T10:00:00.000Z', until };
    serve(getAdminUser, () => ({ data: { user: adminUser(ada, { measure }) } }));
    renderApp('/users/ada', administrator());
    expect(await screen.findByText(text)).toBeVisible();
    expect(screen.queryByText('A case about them is open.')).toBeNull();
  });

  it('links to an open case', async () => {
    serve(getAdminUser, () => ({ data: { user: adminUser(ada, { measure: null, openCaseId: 'case-1' }) } }));
    renderApp('/users/ada', administrator());
    expect(await screen.findByText('A case about them is open.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the case' })).toHaveAttribute('href', '/cases/case-1');
  });

  it('has no button to deactivate for people who may not, and shows the acts before the file', async () => {
    const can = { act: true, edit: true, activate: false, deactivate: false, changeRole: false };
    serve(getAdminUser, () => ({ data: { user: adminUser(ada, { can }) } }));
    renderApp('/users/ada', administrator());
    const help = await screen.findByRole('region', { name: 'Help' });
    expect(screen.queryByRole('button', { name: 'Deactivate' })).toBeNull();
    const file = screen.getByRole('region', { name: 'Pictures' });
    expect(help.compareDocumentPosition(file)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('shows a deactivation at once and reverts it on failure', async () => {
    let fail = () => {};
    serve(changeAdminUser, () => new Promise((_, reject) => (fail = () => reject(new RawAnswer(500, '')))));
    const { person } = renderApp('/users/ada', administrator());
    await person.click(await screen.findByRole('button', { name: 'Deactivate' }));
    const dialog = await screen.findByRole('dialog', { name: 'Deactivate Ada Byron?' });
    await person.type(within(dialog).getByRole('textbox'), 'Asked for money');
    await person.click(within(dialog).getByRole('button', { name: 'Deactivate' }));
    expect(await screen.findByText('Inactive')).toBeVisible();
    await waitFor(() => expect(received(changeAdminUser)).toHaveLength(1));
    fail();
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to update status. Please try again.');
    expect(screen.queryByText('Inactive')).toBeNull();
  });

  it('can be edited in place', async () => {
    serve(changeAdminUser, () => ({
      data: { user: adminUser({ ...ada, firstName: 'Augusta', name: 'Augusta Byron' }) },
    }));
    const { person } = renderApp('/users/ada', administrator());
    await person.click(await screen.findByRole('button', { name: 'Edit User' }));
    await person.type(screen.getByLabelText('First name'), '!');
    await person.type(screen.getByLabelText(/^Reason/), 'By their letter');
    await person.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Augusta Byron' })).toBeVisible();
    expect(screen.getByText('The changes are saved.')).toHaveAttribute('role', 'status');
  });

  it('reveals a masked address and the birth date for a reason, up to a limit', async () => {
    serve(getAdminUser, () => ({
      data: { user: adminUser({ ...ada, email: 'a•••@h•••.test' }, { birthDate: null }) },
    }));
    let isUsedUp = true;
    serve(revealUser, () => {
      if (isUsedUp) throw new Refusal('TOO_MANY_REQUESTS', 'Please try again in 12 minutes.');
      return { data: { email: 'ada@heartwood.test', birthDate: '1994-03-02', remaining: 3 } };
    });
    const { person } = renderApp('/users/ada', moderator());
    await person.click(await screen.findByRole('button', { name: 'Reveal...' }));
    const dialog = await screen.findByRole('dialog', { name: 'Reveal private data?' });
    await person.click(within(dialog).getByRole('button', { name: 'Reveal' }));
    expect(within(dialog).getByText('Please give a reason')).toBeVisible();
    await person.click(within(dialog).getByRole('radio', { name: 'Checking a payment' }));
    await person.click(within(dialog).getByRole('button', { name: 'Reveal' }));
    expect(await within(dialog).findByText('Please try again in 12 minutes.')).toBeVisible();
    isUsedUp = false;
    await person.click(within(dialog).getByRole('button', { name: 'Reveal' }));
    expect(await screen.findByText(/^ada@heartwood.test · born Mar 2, 1994/)).toHaveTextContent('3 more this hour');
    expect(received(revealUser).at(-1)).toMatchObject({
      params: { id: 'ada' },
      body: { reason: 'Checking a payment' },
    });
  });

  it('is read-only for moderators', async () => {
    const can = { act: false, edit: false, activate: false, deactivate: false, changeRole: false };
    serve(getAdminUser, () => ({ data: { user: adminUser({ ...ada, email: 'a•••@h•••.test' }, { can }) } }));
    renderApp('/users/ada?edit=true', moderator());
    expect(await screen.findByText('a•••@h•••.test')).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('button', { name: /Edit User|ctivate|Save/ })).toBeNull());
    expect(screen.queryByRole('link', { name: 'Open in the audit trail' })).toBeNull();
  });

  it('offers the birth date only to roles that may read it', async () => {
    serve(getAdminUser, () => ({ data: { user: adminUser(ada, { birthDate: null }) } }));
    const { unmount } = renderApp('/users/ada?edit=true', administrator());
    expect(await screen.findByLabelText('Birth date')).toBeVisible();
    unmount();
    renderApp('/users/ada?edit=true', administrator({ staffRole: 'support' }));
    expect(await screen.findByLabelText('First name')).toBeVisible();
    expect(screen.queryByLabelText('Birth date')).toBeNull();
  });
});

function serveModerator() {
  serve(listSubscriptions, () => ({ data: { subscriptions: [] } }));
  serve(getAdminUser, () => ({ data: { user: adminUser(listedUser({ _id: 'ada', staffRole: 'moderator' })) } }));
  serve(endUserSessions, () => ({ data: { ended: 2 } }));
  serve(resetFactors, () => ({ data: {} }));
}

async function open(button: string) {
  const { person } = renderApp('/users/ada', administrator());
  await person.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog'));
  return { person, dialog };
}

describe('account actions that need a reason', () => {
  beforeEach(serveModerator);

  it.each([
    ['Sign out everywhere...', 'Sign out everywhere', endUserSessions, 'All their devices were signed out.'],
    ['Reset two-step verification...', 'Reset', resetFactors, /^Two-step verification was reset/],
  ])('send the reason and confirm the result: %s', async (button, confirm, endpoint, done) => {
    const { person, dialog } = await open(button);
    await person.click(dialog.getByRole('button', { name: confirm }));
    expect(dialog.getByText('Please give a reason')).toBeVisible();
    expect(received(endpoint)).toHaveLength(0);

    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), ' Stolen phone ');
    await person.click(dialog.getByRole('button', { name: confirm }));
    expect(await screen.findByText(done)).toBeVisible();
    expect(received(endpoint)).toMatchObject([{ params: { id: 'ada' }, body: { reason: 'Stolen phone' } }]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keep the dialog and the reason when the server refuses', async () => {
    failWith(endUserSessions, new Refusal('FORBIDDEN', 'Not allowed'));
    const { person, dialog } = await open('Sign out everywhere...');
    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Stolen phone');
    await person.click(dialog.getByRole('button', { name: 'Sign out everywhere' }));
    await waitFor(() => expect(dialog.getByRole('alert')).toBeVisible());
    expect(dialog.getByRole('textbox', { name: /^Reason/ })).toHaveValue('Stolen phone');
  });
});

describe('a user that the viewer may not act on', () => {
  beforeEach(serveModerator);

  it('is shown without actions', async () => {
    const listed = listedUser({ _id: 'ada', staffRole: 'moderator', email: 'a•••@h•••.test' });
    const can = { act: false, edit: false, activate: false, deactivate: false, changeRole: false };
    const pictures = [ownPicture('ada')];
    serve(getAdminUser, () => ({ data: { user: adminUser(listed, { can, pictures }) } }));
    renderApp('/users/ada', administrator());
    expect(await screen.findByRole('list', { name: 'Pictures' })).toBeVisible();
    const buttons = screen.getAllByRole('button').map((button) => button.textContent);
    expect(buttons.filter((text) => /Reveal|Edit|ctivate|Reject|Approve|Sign out every|Reset/.test(text))).toEqual([]);
    expect(received(listSubscriptions)).toEqual([]);
  });
});
