import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { endUserSessions } from '#contract/auth/auth.ts';
import { resetFactors } from '#contract/auth/factors.ts';
import { getAdminUser } from '#contract/profiles/profiles.ts';
import { listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { ownPicture } from '../../../test/fixtures/pictures.ts';
import { adminUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { serveFile } from '../../../test/fixtures/staff/user-files.ts';
import { renderApp } from '../../../test/render-app.tsx';

beforeEach(() => {
  serveFile();
  serve(listSubscriptions, () => ({ data: { subscriptions: [] } }));
  serve(getAdminUser, () => ({ data: { user: adminUser(listedUser({ _id: 'ada', staffRole: 'moderator' })) } }));
  serve(endUserSessions, () => ({ data: { ended: 2 } }));
  serve(resetFactors, () => ({ data: {} }));
});

async function open(button: string) {
  const { person } = renderApp('/users/ada', administrator());
  await person.click(await screen.findByRole('button', { name: button }));
  const dialog = within(await screen.findByRole('dialog'));
  return { person, dialog };
}

describe('account actions that need a reason', () => {
  it.each([
    ['Sign out everywhere...', 'Sign out everywhere', endUserSessions, 'All their devices were signed out.'],
    ['Reset two-step verification...', 'Reset', resetFactors, /^Two-step verification was reset/],
  ])('%s sends the reason and says what was done', async (button, confirm, endpoint, done) => {
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

  it('keeps the dialog and the reason when the server refuses', async () => {
    serve(endUserSessions, () => {
      throw new Refusal('FORBIDDEN', 'Not allowed');
    });
    const { person, dialog } = await open('Sign out everywhere...');
    await person.type(dialog.getByRole('textbox', { name: /^Reason/ }), 'Stolen phone');
    await person.click(dialog.getByRole('button', { name: 'Sign out everywhere' }));
    await waitFor(() => expect(dialog.getByRole('alert')).toBeVisible());
    expect(dialog.getByRole('textbox', { name: /^Reason/ })).toHaveValue('Stolen phone');
  });
});

describe('a user on whom the viewer may not act', () => {
  it('is shown without anything to do', async () => {
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
