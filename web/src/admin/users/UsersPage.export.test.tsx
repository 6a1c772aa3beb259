import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { requestApproval } from '#contract/profiles/approvals.ts';
import { exportSelected, exportUsers, listUsers } from '#contract/profiles/staff.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { approval } from '../../../test/fixtures/staff/user-files.ts';
import { fourUsers, openUsers, serveUsers } from '../../../test/fixtures/staff/users-page.tsx';

const saved: string[] = [];
beforeEach(() => {
  saved.length = 0;
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:heartwood');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue(undefined);
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  serveUsers();
});

async function openExport(at = '/users') {
  const { person } = await openUsers(at);
  await person.click(screen.getByRole('button', { name: 'Export' }));
  const dialog = within(await screen.findByRole('dialog', { name: /^Export/ }));
  return { person, dialog };
}

describe('the export', () => {
  it('downloads the chosen columns of all users that match the filters, with a reason', async () => {
    let release = () => {};
    serve(exportUsers, () => new Promise((resolve) => (release = () => resolve('id,name'))));
    const { person, dialog } = await openExport('/users?status=active&sortBy=name');
    await person.click(dialog.getByRole('checkbox', { name: 'Staff role' }));
    await person.click(dialog.getByRole('button', { name: 'Export' }));
    expect(await dialog.findByText('This is required')).toBeVisible();
    expect(received(exportUsers)).toEqual([]);
    await person.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Figures');
    await person.click(dialog.getByRole('button', { name: 'Export' }));
    expect(await dialog.findByRole('button', { name: 'Exporting...' })).toBeVisible();
    await waitFor(() => expect(received(exportUsers)).toHaveLength(1));
    release();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(saved).toEqual(['users.csv']);
    const query = received(exportUsers)[0]?.query;
    expect(query).toMatchObject({ status: 'active', sortBy: 'name', sortOrder: 'asc', reason: 'Figures' });
    expect(query?.columns).toContain('firstName');
    expect(query?.columns).not.toContain('email');
  });

  it('offers all columns but the email address at first, and all or none with one click', async () => {
    const { person, dialog } = await openExport();
    const unticked = () =>
      dialog.getAllByRole<HTMLInputElement>('checkbox').flatMap(({ checked, value }) => (checked ? [] : [value]));
    expect(unticked()).toEqual(['email']);
    await person.click(dialog.getByRole('button', { name: 'None' }));
    expect(dialog.queryByRole('checkbox', { checked: true })).toBeNull();
    expect(dialog.getByText('Choose at least one column')).toBeVisible();
    await person.click(dialog.getByRole('button', { name: 'All' }));
    expect(unticked()).toEqual([]);
  });

  it('stays open and shows why it failed', async () => {
    serve(exportUsers, () => {
      throw new Refusal('TOO_MANY_REQUESTS', 'Too many exports. Try again later.');
    });
    const { person, dialog } = await openExport();
    await person.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Figures');
    await person.click(dialog.getByRole('button', { name: 'Export' }));
    expect(await dialog.findByText('Too many exports. Try again later.')).toBeVisible();
    expect(saved).toEqual([]);
  });

  it('asks a second administrator for more than 1,000 users', async () => {
    serve(listUsers, ({ query }) => ({
      data: {
        users: [...fourUsers],
        pagination: { page: 1, limit: query.limit ?? 20, total: 1200, pages: 1, nextCursor: 'more' },
      },
    }));
    serve(requestApproval, () => ({ data: { approval: approval() } }));
    const { person, dialog } = await openExport('/users?country=Norway');
    expect(dialog.getByText(/A second administrator approves exports of more than 1,000 users/)).toBeVisible();
    await person.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Figures');
    await person.click(dialog.getByRole('button', { name: 'Ask for approval' }));
    expect(await screen.findByText(/^Asked for approval/)).toBeVisible();
    expect(received(requestApproval)[0]?.body).toMatchObject({
      kind: 'users.export',
      filters: { country: 'Norway' },
      reason: 'Figures',
    });
    expect(saved).toEqual([]);
  });

  it('of selected users sends their ids', async () => {
    const id = '0b0f3c1e-0000-4000-8000-000000000002';
    serveUsers(fourUsers.map((user) => (user.firstName === 'Bo' ? { ...user, _id: id } : user)));
    serve(exportSelected, () => 'id,name');
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'Select users' }));
    await person.click(screen.getByRole('checkbox', { name: /Bo Ek/ }));
    await person.click(await screen.findByRole('button', { name: 'Export 1' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Export 1 user' }));
    await person.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Asked for');
    await person.click(dialog.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(saved).toEqual(['users.csv']));
    expect(received(exportSelected)[0]?.body).toMatchObject({ ids: [id], reason: 'Asked for' });
  });

  it('of selected users asks for approval of exactly these, beyond the daily limit of one person', async () => {
    const ids = ['0b0f3c1e-0000-4000-8000-000000000001', '0b0f3c1e-0000-4000-8000-000000000002'];
    serveUsers(fourUsers.slice(0, 2).map((user, at) => ({ ...user, _id: ids[at] ?? '' })));
    const text = 'A second administrator approves exports of more than 1,000 users within 24 hours';
    serve(exportSelected, () => {
      throw new Refusal('APPROVAL_REQUIRED', text);
    });
    serve(requestApproval, () => ({ data: { approval: approval({ isChosen: true }) } }));
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'Select users' }));
    await person.click(screen.getByRole('button', { name: 'Select the 2 loaded' }));
    await person.click(await screen.findByRole('button', { name: 'Export 2' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Export 2 users' }));
    await person.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Asked for');
    await person.click(dialog.getByRole('button', { name: 'Export' }));
    await person.click(await dialog.findByRole('button', { name: 'Ask for approval' }));
    expect(await screen.findByText(/^Asked for approval/)).toBeVisible();
    expect(received(requestApproval)[0]?.body).toMatchObject({ ids, filters: {}, reason: 'Asked for' });
    expect(saved).toEqual([]);
  });
});
