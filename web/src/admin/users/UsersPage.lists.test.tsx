import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { changeUserView, deleteUserView, listUserViews, saveUserView } from '#contract/moderation/user-views.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { currentAddress } from '../../../test/render-app.tsx';
import {
  expectCaption,
  openUsers,
  savedUserList,
  serveUsers,
  shownNames,
} from '../../../test/fixtures/staff/users-page.tsx';

const list = savedUserList();
const savedLists = () => screen.queryByRole('navigation', { name: 'Saved lists' });
const linkOf = (name: RegExp) => screen.findByRole('link', { name });

describe('saved lists of users', () => {
  beforeEach(() => serveUsers());

  it('are not shown or offered until something is saved or filtered', async () => {
    await openUsers();
    await waitFor(() => expect(received(listUserViews)).toHaveLength(1));
    expect(savedLists()).toBeNull();
    expect(screen.queryByRole('button', { name: /list$/ })).toBeNull();
  });

  it('are saved with the filters and the order, and shared by those who may', async () => {
    const { person } = await openUsers('/users?status=inactive&sortBy=name');
    const shared = savedUserList({ isShared: true, sharedBy: 'Ada Quinn' });
    serve(saveUserView, () => {
      serveUsers(undefined, [shared]);
      return { data: { view: shared } };
    });
    await person.click(screen.getByRole('button', { name: 'Save list' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Save list' }));
    expect(dialog.getByText('Inactive')).toBeVisible();
    await person.type(dialog.getByLabelText(/^Name/), 'Gone quiet');
    await person.click(dialog.getByLabelText('Share with the team'));
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    const link = await linkOf(/^Gone quiet \(Shared by Ada Quinn\)/);
    await waitFor(() => expect(link).toHaveAttribute('aria-current', 'page'));
    expect(received(saveUserView).map(({ body }) => body)).toEqual([
      { name: 'Gone quiet', isShared: true, filters: { status: 'inactive', sortBy: 'name', sortOrder: 'asc' } },
    ]);
    expect(currentAddress()).toBe(`/users?status=inactive&sortBy=name&from=${list._id}`);
  });

  it('show when a name is in use', async () => {
    serve(saveUserView, () => {
      const errors = [{ field: 'name', msg: 'You have a list with this name' }];
      throw new Refusal('CONFLICT', 'Check the fields', { errors });
    });
    const { person } = await openUsers('/users?type=vip', moderator());
    await person.click(screen.getByRole('button', { name: 'Save list' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Save list' }));
    expect(dialog.queryByLabelText('Share with the team')).toBeNull();
    await person.type(dialog.getByLabelText(/^Name/), 'Gone quiet{Enter}');
    expect(await dialog.findByText('You have a list with this name')).toBeVisible();
  });

  it('open as filters, which can be changed, saved and deleted', async () => {
    serveUsers(undefined, [list]);
    serve(changeUserView, () => ({ data: { view: list } }));
    serve(deleteUserView, () => ({}));
    const { person } = await openUsers();
    await person.click(await linkOf(/^Gone quiet/));
    await expectCaption('Showing 1 of 4 users');
    expect(shownNames()).toEqual(['Bo']);
    expect(await linkOf(/^Gone quiet/)).toHaveAttribute('aria-current', 'page');
    expect(screen.getByRole('button', { name: 'Edit list' })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Save/ })).toBeNull();

    await person.selectOptions(screen.getByLabelText('Type'), 'VIP');
    expect(await linkOf(/^Gone quiet/)).not.toHaveAttribute('aria-current');
    expect(screen.getByRole('button', { name: 'Save as new' })).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Save changes' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit list' }));
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(changeUserView)[0]).toMatchObject({
      params: { id: list._id },
      body: { name: 'Gone quiet', version: 1, filters: { status: 'inactive', type: 'vip', sortBy: 'name' } },
    });

    await person.click(screen.getByRole('button', { name: 'Save changes' }));
    await person.click(await screen.findByRole('button', { name: 'Delete list' }));
    const question = within(await screen.findByRole('dialog', { name: 'Delete the list “Gone quiet”?' }));
    await person.click(question.getByRole('button', { name: 'Delete list' }));
    await waitFor(() => expect(currentAddress()).toBe('/users'));
    expect(received(deleteUserView)).toMatchObject([{ params: { id: list._id } }]);
  });

  it('of the team can only be changed by its leads', async () => {
    serveUsers(undefined, [savedUserList({ isShared: true, canChange: false })]);
    const { person } = await openUsers(`/users?status=inactive&sortBy=name&from=${list._id}`, moderator());
    expect(await linkOf(/^Gone quiet \(Shared with the team\)/)).toHaveAttribute('aria-current', 'page');
    expect(screen.queryByRole('button', { name: 'Edit list' })).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(currentAddress()).toBe('/users?sortBy=name');
  });
});

describe('the columns of the list of users', () => {
  const heads = () => screen.getAllByRole('columnheader').map((head) => head.textContent);
  const specified = ['User', 'Contact', 'Join Date', 'Last Active', 'Status', 'Subscription', 'Actions'];
  const menu = () => screen.getByRole('button', { name: 'Columns' });
  const box = (name: string) => screen.findByRole('checkbox', { name });
  beforeEach(() => serveUsers());

  it('can be added and hidden, and are kept for the person on this device', async () => {
    const { person, unmount } = await openUsers();
    await person.click(menu());
    for (const name of ['Contact', 'Country', 'Complete']) await person.click(await box(name));
    expect(heads()).toEqual([
      'User',
      'Country',
      'Join Date',
      'Last Active',
      'Status',
      'Subscription',
      'Complete',
      'Actions',
    ]);
    expect(screen.getByRole('cell', { name: 'Sweden' })).toBeVisible();
    unmount();
    const again = await openUsers();
    expect(heads()).toContain('Country');
    again.unmount();
    const other = await openUsers('/users', administrator({ _id: 'someone-else' }));
    expect(heads()).toEqual(specified);
    other.unmount();
    await openUsers();
    expect(heads()).toContain('Country');
  });

  it('are reset to those of the specification', async () => {
    const { person } = await openUsers();
    await person.click(menu());
    for (const name of ['Status', 'Role']) await person.click(await box(name));
    await person.click(screen.getByRole('button', { name: 'Reset' }));
    expect(heads()).toEqual(specified);
    expect(menu()).toHaveAttribute('aria-expanded', 'false');
  });

  it('are those that an export starts with', async () => {
    const { person } = await openUsers();
    await person.click(menu());
    for (const name of ['Contact', 'Country']) await person.click(await box(name));
    await person.keyboard('{Escape}');
    await person.click(screen.getByRole('button', { name: 'Export' }));
    const dialog = within(await screen.findByRole('dialog', { name: /^Export/ }));
    const isChosen = (name: string) => dialog.getByRole<HTMLInputElement>('checkbox', { name }).checked;
    expect(['Email', 'Age', 'City'].map(isChosen)).toEqual([false, false, false]);
    expect(['User ID', 'First name', 'Country', 'Status'].map(isChosen)).toEqual([true, true, true, true]);
  });
});
