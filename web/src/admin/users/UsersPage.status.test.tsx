import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { CutOff, RawAnswer, received, Refusal, serve } from '../../../test/fake-server.ts';
import { adminUser } from '../../../test/fixtures/staff/users.ts';
import {
  expectCaption,
  fourUsers,
  openUsers,
  serveUsers,
  shownRows,
} from '../../../test/fixtures/staff/users-page.tsx';

const [ada] = fourUsers;
const failed = 'Failed to update status. Please try again.';
const statusOf = (name: string) => shownRows().find(([user]) => user?.includes(name))?.[4];

async function askToDeactivate(person: Awaited<ReturnType<typeof openUsers>>['person'], reason = 'Asked for money') {
  await person.click(screen.getByRole('button', { name: 'Deactivate Ada Byron' }));
  const dialog = await screen.findByRole('dialog', { name: 'Deactivate Ada Byron?' });
  await person.type(within(dialog).getByRole('textbox', { name: /Reason/ }), reason);
  await person.click(within(dialog).getByRole('button', { name: 'Deactivate' }));
}

describe('activating and deactivating a user', () => {
  beforeEach(() => serveUsers());

  it('is offered only if it changes something', async () => {
    await openUsers();
    expect(screen.getByRole('button', { name: 'Activate Ada Byron' })).toBeDisabled();
    expect(screen.getByRole('button', { name: 'Deactivate Ada Byron' })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'Activate Bo Ek' })).toBeEnabled();
    expect(screen.getByRole('button', { name: 'Deactivate Bo Ek' })).toBeDisabled();
  });

  it('is hidden for accounts that the server protects', async () => {
    serveUsers([{ ...ada!, can: { act: true, edit: true, activate: false, deactivate: false } }]);
    await openUsers();
    const button = screen.getByRole('button', { name: 'Deactivate Ada Byron' });
    expect(button).toBeDisabled();
    expect(button).toHaveAttribute('title', 'You cannot deactivate this account');
  });

  it('requires a reason for deactivating', async () => {
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'Deactivate Ada Byron' }));
    const dialog = await screen.findByRole('dialog');
    const reason = within(dialog).getByRole('textbox', { name: /Reason/ });
    expect(reason).toHaveFocus();
    await person.click(within(dialog).getByRole('button', { name: 'Deactivate' }));
    expect(reason).toHaveAccessibleDescription(/Please give a reason/);
    expect(reason).toHaveFocus();
    await person.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(changeAdminUser)).toEqual([]);
  });

  it('shows the change at once and a confirmation after the answer', async () => {
    let answer = () => {};
    serve(changeAdminUser, () => {
      const user = adminUser({
        ...ada!,
        isActive: false,
        can: { act: true, edit: true, activate: true, deactivate: false },
      });
      return new Promise((resolve) => (answer = () => resolve({ data: { user } })));
    });
    const { person } = await openUsers();
    await askToDeactivate(person);
    await waitFor(() => expect(statusOf('Ada')).toBe('Inactive'));
    expect(screen.queryByText('Ada Byron is deactivated.')).toBeNull();
    answer();
    expect(await screen.findByText('Ada Byron is deactivated.')).toHaveAttribute('role', 'status');
    expect(statusOf('Ada')).toBe('Inactive');
    expect(screen.getByRole('button', { name: 'Activate Ada Byron' })).toBeEnabled();
    expect(received(changeAdminUser).map(({ params, body }) => [params.id, body])).toEqual([
      [ada!._id, { isActive: false, reason: 'Asked for money' }],
    ]);
  });

  it('removes a deactivated user from the filter "active"', async () => {
    serve(changeAdminUser, () => new Promise(() => undefined));
    const { person } = await openUsers('/users?status=active');
    await askToDeactivate(person);
    await expectCaption('Showing 2 of 4 users');
  });

  it.each([
    ['a broken server', () => new RawAnswer(500, '')],
    ['no answer', () => new CutOff()],
  ])('reverts the change after %s with an alert and keeps the reason for a retry', async (_, failure) => {
    serve(changeAdminUser, () => {
      throw failure();
    });
    const { person } = await openUsers();
    await askToDeactivate(person);
    expect(await screen.findByRole('alert')).toHaveTextContent(failed);
    expect(statusOf('Ada')).toBe('Offline');
    await person.click(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.getByRole('textbox', { name: /Reason/ })).toHaveValue('Asked for money');
  });

  it.each([
    ['LAST_ADMINISTRATOR', 'This is the last administrator'],
    ['FORBIDDEN', "You can't remove your own permissions"],
  ] as const)('shows a refusal (%s) in the server’s words', async (code, words) => {
    serve(changeAdminUser, () => {
      throw new Refusal(code, words);
    });
    const { person } = await openUsers();
    await askToDeactivate(person);
    expect(await screen.findByRole('alert')).toHaveTextContent(words);
    expect(statusOf('Ada')).toBe('Offline');
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  });

  it('works in the same way for activating', async () => {
    const bo = fourUsers[1]!;
    serve(changeAdminUser, () => ({
      data: {
        user: adminUser({ ...bo, isActive: true, can: { act: true, edit: true, activate: false, deactivate: true } }),
      },
    }));
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'Activate Bo Ek' }));
    const dialog = await screen.findByRole('dialog', { name: 'Activate Bo Ek?' });
    await person.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'It was a mistake');
    await person.keyboard('{Control>}{Enter}{/Control}');
    expect(await screen.findByText('Bo Ek is active again.')).toBeVisible();
    expect(statusOf('Bo')).toBe('Offline');
  });
});
