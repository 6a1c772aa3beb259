import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { requestApproval } from '#contract/profiles/approvals.ts';
import { listUsers, showAddresses } from '#contract/profiles/staff.ts';
import { getStatistics } from '#contract/statistics.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { currentAddress } from '../../../test/render-app.tsx';
import { approval } from '../../../test/fixtures/staff/user-files.ts';
import { listedUser, statistics } from '../../../test/fixtures/staff/users.ts';
import { expectCaption, openUsers, shownRows } from '../../../test/fixtures/staff/users-page.tsx';

const everybody = Array.from({ length: 120 }, (_, index) =>
  listedUser({
    _id: `user-${String(index).padStart(3, '0')}`,
    firstName: `Person${index}`,
    lastName: null,
    name: `Person${index}`,
    email: `person${index}@post.test`,
    isVIP: index === 119,
    createdAt: new Date(Date.UTC(2025, 9, 1) - index * 3_600_000).toISOString(),
  }),
);

/** A service with more users than one answer contains: here a hundred. */
beforeEach(() => {
  serve(getStatistics, () => ({ data: statistics() }));
  serve(listUsers, ({ query: { search = '', type = 'all', cursor } }) => {
    const fitting = everybody.filter((user) => user.name?.includes(search) && (type === 'all' || user.isVIP));
    const from = Number(cursor ?? 0);
    const isCounted = search !== 'Person';
    return {
      data: {
        users: fitting.slice(from, from + 100),
        pagination: {
          page: 1,
          limit: 1000,
          total: fitting.length,
          pages: 2,
          nextCursor: from + 100 < fitting.length ? String(from + 100) : null,
          ...(isCounted ? {} : { totalIsExact: false }),
        },
      },
    };
  });
});

const queries = () => received(listUsers).map(({ query }) => query);

describe('the users screen with more users than are loaded', () => {
  it('shows the total', async () => {
    await openUsers();
    await expectCaption('Showing 120 of 120 users');
    expect(screen.getByRole('table', { name: 'Users' })).toHaveAttribute('aria-rowcount', '121');
  });

  it('applies filters on Enter or Search and explains that', async () => {
    const { person } = await openUsers();
    await person.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'vip');
    expect(screen.getByText('Press Enter or Search to apply the filters')).toBeVisible();
    expect(queries()).toHaveLength(1);
    expect(currentAddress()).toBe('/users');
    await person.click(screen.getByRole('button', { name: 'Search' }));
    await expectCaption('Showing 1 of 120 users');
    expect(queries().at(-1)).toMatchObject({ page: 1, limit: 1000, type: 'vip' });
    expect(shownRows()[0]?.[0]).toContain('Person119');
    expect(currentAddress()).toBe('/users?type=vip');
  });

  it('marks a total that is not exact', async () => {
    const { person } = await openUsers();
    await person.type(screen.getByRole('textbox', { name: 'Search' }), 'Person{Enter}');
    await expectCaption('Showing 120+ of 120 users');
  });

  it('requests the list again in the chosen order', async () => {
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'Last Active' }));
    await waitFor(() => expect(queries().at(-1)).toMatchObject({ sortBy: 'lastActive', sortOrder: 'desc' }));
  });

  it('applies filters from the address to the first request', async () => {
    await openUsers('/users?search=Person119');
    await expectCaption('Showing 1 of 120 users');
    expect(queries().at(-1)).toMatchObject({ search: 'Person119' });
  });

  it('keeps the filters usable after a refused search', async () => {
    const { person } = await openUsers();
    serve(listUsers, () => {
      throw new Refusal('TOO_MANY_REQUESTS', 'Slow down');
    });
    await person.type(screen.getByRole('textbox', { name: 'Search' }), 'x{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Error loading users: Slow down');
    expect(screen.getByRole('textbox', { name: 'Search' })).toHaveValue('x');
  });

  it('loads more near the end, and applies filters at once when all are loaded', async () => {
    const { person } = await openUsers();
    const region = screen.getByRole('region', { name: 'Users table' });
    region.scrollTop = 5000;
    fireEvent.scroll(region);
    await waitFor(() => expect(queries().at(-1)).toMatchObject({ cursor: '100' }));
    await person.type(screen.getByRole('textbox', { name: 'Search' }), 'person119');
    await expectCaption('Showing 1 of 120 users');
    expect(queries()).toHaveLength(2);
  });
});

describe('the users screen with masked addresses', () => {
  const idOf = (at: number) => `018f3a52-0000-7000-8000-00000000000${at}`;
  const masked = everybody.slice(0, 3).map((user, at) => ({
    ...user,
    _id: idOf(at),
    ...(at > 0 && { email: `p${at}•••@p•••.test` }),
  }));
  beforeEach(() => {
    serve(listUsers, () => ({ data: { users: masked, pagination: { page: 1, limit: 1000, total: 3, pages: 1 } } }));
  });

  async function openDialog(name: string) {
    const { person } = await openUsers();
    await person.click(await screen.findByRole('button', { name: 'Show addresses...' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Show the addresses?' }));
    await person.click(dialog.getByRole('radio', { name: 'Telling members about an incident' }));
    await person.click(dialog.getByRole('button', { name }));
    return { person, dialog };
  }

  it('asks the server for every search', async () => {
    const { person } = await openUsers();
    await person.type(screen.getByRole('textbox', { name: 'Search' }), 'person1{Enter}');
    await waitFor(() => expect(queries().at(-1)).toMatchObject({ search: 'person1' }));
  });

  it('shows the addresses of the loaded users for a reason, and then searches at once', async () => {
    serve(showAddresses, ({ body }) => ({
      data: { addresses: 'ids' in body ? body.ids.map((_id) => ({ _id, email: `${_id}@whole.test` })) : [] },
    }));
    const { person } = await openDialog('Show addresses');
    expect(await screen.findAllByText(`${idOf(2)}@whole.test`)).not.toEqual([]);
    expect(received(showAddresses)[0]?.body).toEqual({
      ids: [idOf(1), idOf(2)],
      reason: 'Telling members about an incident',
    });
    expect(screen.queryByRole('button', { name: 'Show addresses...' })).toBeNull();
    await person.type(screen.getByRole('textbox', { name: 'Search' }), '0002@whole');
    await expectCaption('Showing 1 of 3 users');
  });

  it('asks for an approval if one person may not show so many', async () => {
    serve(showAddresses, () => {
      throw new Refusal('APPROVAL_REQUIRED', 'A second administrator approves this');
    });
    serve(requestApproval, () => ({ data: { approval: approval() } }));
    const { person, dialog } = await openDialog('Show addresses');
    await person.click(await dialog.findByRole('button', { name: 'Ask for approval' }));
    expect(await screen.findByText(/^Asked for approval/)).toBeVisible();
    expect(received(requestApproval)[0]?.body).toMatchObject({
      ids: [idOf(1), idOf(2)],
      columns: ['id', 'email'],
    });
  });
});
