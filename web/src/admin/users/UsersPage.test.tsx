import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { listUsers } from '#contract/profiles/staff.ts';
import { getStatistics } from '#contract/statistics.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { beNarrow, statistics } from '../../../test/fixtures/staff/users.ts';
import {
  expectCaption,
  fourUsers,
  openUsers,
  serveUsers,
  shownNames,
  shownRows,
} from '../../../test/fixtures/staff/users-page.tsx';

const empty = 'No users found matching your criteria';

describe('the users screen', () => {
  it('requests page 1 with limit 1000 first, whatever the role', async () => {
    serveUsers();
    const { unmount } = await openUsers();
    expect(received(listUsers)[0]?.query).toMatchObject({ page: 1, limit: 1000 });
    unmount();
    await openUsers('/users', moderator());
    expect(received(listUsers).at(-1)?.query).toMatchObject({ page: 1, limit: 1000 });
  });

  it('announces loading as a status', async () => {
    serveUsers();
    serve(listUsers, () => new Promise(() => undefined));
    renderApp('/users', administrator());
    expect(await screen.findByRole('heading', { level: 1, name: 'Users Management' })).toBeVisible();
    const loading = await screen.findByText('Loading users data...');
    expect(loading.closest('[role=status]')).not.toBeNull();
  });

  it('shows an error next to usable cards, and retries', async () => {
    serveUsers();
    serve(listUsers, () => {
      throw new Refusal('FORBIDDEN', 'Not for you');
    });
    const { person } = renderApp('/users', administrator());
    expect(await screen.findByRole('alert')).toHaveTextContent('Error loading users: Not for you');
    expect(await screen.findByText('Engagement Rate')).toBeVisible();
    serveUsers();
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    await expectCaption('Showing 4 of 4 users');
  });

  it('keeps the list when only the cards fail', async () => {
    serveUsers();
    serve(getStatistics, () => {
      throw new Refusal('FORBIDDEN', 'No figures');
    });
    await openUsers();
    expect(await screen.findByText('Error loading figures: No figures')).toBeVisible();
    expect(shownRows()).toHaveLength(4);
  });

  it('shows the six cards', async () => {
    serveUsers();
    await openUsers();
    await screen.findByText('Engagement Rate');
    const cards = screen.getAllByRole('term').map((term) => term.parentElement?.textContent);
    expect(cards).toEqual([
      'Total Users1,234',
      'VIP Users185',
      'Active Users1,100',
      'Online Now42',
      'Verified Users1,001',
      'Engagement Rate89%',
    ]);
  });

  it('shows the columns and a row for each user, even with missing data', async () => {
    serveUsers();
    await openUsers();
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'User',
      'Contact',
      'Join Date',
      'Last Active',
      'Status',
      'Subscription',
      'Actions',
    ]);
    const [ada, bo, cleo, nobody] = shownRows().map((cells) => cells.slice(0, 6));
    expect(ada?.[0]).toBe('AAda Byronada-0001Verified');
    expect(ada?.slice(1, 3)).toEqual(['ada@heartwood.testLisbon', 'Oct 4, 2025']);
    expect(ada?.slice(4)).toEqual(['Offline', 'Free']);
    expect(bo?.slice(4)).toEqual(['Inactive', 'Premium']);
    expect(cleo?.slice(4)).toEqual(['Online', 'Free']);
    expect(nobody).toEqual([
      '?Unknownnone-004Unverified',
      'nobody@post.test—',
      'Oct 1, 2025',
      'Never',
      'Offline',
      'Free',
    ]);
  });

  it('exposes the number of rows and their positions to assistive technology', async () => {
    serveUsers();
    await openUsers();
    const table = screen.getByRole('table', { name: 'Users' });
    expect(table).toHaveAttribute('aria-rowcount', '5');
    const rows = within(table).getAllByRole('row');
    expect(rows.map((row) => row.getAttribute('aria-rowindex'))).toEqual(['1', '2', '3', '4', '5']);
    expect(screen.getByRole('columnheader', { name: 'Join Date' })).toHaveAttribute('aria-sort', 'descending');
    expect(screen.getByRole('region', { name: 'Users table' })).toHaveAttribute('tabindex', '0');
    expect(screen.getByText('Showing 4 of 4 users')).toHaveAttribute('role', 'status');
  });

  it('shows cards on a narrow screen', async () => {
    beNarrow();
    serveUsers();
    await openUsers();
    expect(screen.queryByRole('table')).toBeNull();
    const cards = within(screen.getByRole('list', { name: 'Users' })).getAllByRole('listitem');
    expect(cards[1]).toHaveAttribute('aria-posinset', '2');
    expect(cards[1]).toHaveTextContent('Bo Ekbo@post.testInactivePremiumVerified');
  });

  it('selects single users on a narrow screen', async () => {
    beNarrow();
    serveUsers();
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'Select users' }));
    const cards = within(screen.getByRole('list', { name: 'Users' })).getAllByRole('listitem');
    await person.click(within(cards[1]!).getByRole('checkbox', { name: 'Select Bo Ek' }));
    expect(within(await screen.findByRole('group', { name: 'Selected users' })).getByText('1 selected')).toBeVisible();
  });

  it('shows what to do when there are no users', async () => {
    serveUsers([]);
    await openUsers();
    expect(screen.getByText(empty)).toBeVisible();
    expect(screen.getByText('New members appear here.')).toBeVisible();
  });

  it('shows the age of figures that could not be reloaded', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval'] });
    serveUsers();
    await openUsers();
    vi.setSystemTime(Date.now() + 61_000);
    act(() => void vi.advanceTimersByTime(10_000));
    expect((await screen.findAllByText('Updated 1 minute ago')).length).toBeGreaterThan(0);
    vi.useRealTimers();
  });
});

describe('the filters when all users are loaded', () => {
  it('apply text, status and type at once', async () => {
    serveUsers();
    const { person } = await openUsers();
    await person.type(screen.getByRole('textbox', { name: 'Search' }), 'POST.test');
    await expectCaption('Showing 3 of 4 users');
    await person.selectOptions(screen.getByRole('combobox', { name: 'Status' }), 'verified');
    await expectCaption('Showing 2 of 4 users');
    await person.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'vip');
    await expectCaption('Showing 1 of 4 users');
    expect(shownNames()).toEqual(['Bo']);
    expect(received(listUsers)).toHaveLength(1);
  });

  it('offer the specified choices', async () => {
    serveUsers();
    await openUsers();
    const options = (name: string) =>
      within(screen.getByRole('combobox', { name }))
        .getAllByRole('option')
        .map((option) => (option as HTMLOptionElement).value);
    expect(options('Status')).toEqual(['all', 'active', 'inactive', 'online', 'verified']);
    expect(options('Type')).toEqual(['all', 'vip', 'free']);
  });

  it('show when no user matches, keep the focus in the search field and can be cleared', async () => {
    serveUsers();
    const { person } = await openUsers();
    const search = screen.getByRole('textbox', { name: 'Search' });
    await person.type(search, 'zzz');
    expect(await screen.findByText(empty)).toBeVisible();
    expect(search).toHaveFocus();
    await expectCaption('Showing 0 of 4 users');
    await person.click(screen.getByRole('button', { name: 'Clear search' }));
    await expectCaption('Showing 4 of 4 users');
    expect(search).toHaveFocus();
    await person.type(search, 'zzz');
    await person.click(await screen.findByRole('button', { name: 'Clear filters' }));
    await expectCaption('Showing 4 of 4 users');
    expect(search).toHaveValue('');
  });

  it('are kept in the address', async () => {
    serveUsers();
    const { person, unmount } = await openUsers();
    await person.selectOptions(screen.getByRole('combobox', { name: 'Type' }), 'vip');
    expect(currentAddress()).toBe('/users?type=vip');
    await person.type(screen.getByRole('textbox', { name: 'Search' }), 'bo');
    await waitFor(() => expect(currentAddress()).toBe('/users?type=vip&search=bo'));
    unmount();
    await openUsers('/users?search=cleo&sortBy=name');
    expect(shownNames()).toEqual(['Cleo']);
    expect(screen.getByRole('textbox', { name: 'Search' })).toHaveValue('cleo');
  });

  it('are sent to the server on Enter', async () => {
    serveUsers();
    const { person } = await openUsers();
    serve(listUsers, ({ query }) => ({
      data: {
        users: query.search === 'bo' ? [fourUsers[1]!] : [],
        pagination: { page: 1, limit: 1000, total: 1, pages: 1, nextCursor: null },
      },
    }));
    await person.type(screen.getByRole('textbox', { name: 'Search' }), 'bo{Enter}');
    await waitFor(() => expect(received(listUsers).at(-1)?.query).toMatchObject({ search: 'bo', page: 1 }));
    await expectCaption('Showing 1 of 4 users');
  });

  it('do not affect sorting, which the column headers do', async () => {
    serveUsers();
    const { person } = await openUsers();
    await person.click(screen.getByRole('button', { name: 'User' }));
    expect(shownNames()).toEqual(['Unknown', 'Ada', 'Bo', 'Cleo']);
    expect(screen.getByRole('columnheader', { name: 'User' })).toHaveAttribute('aria-sort', 'ascending');
    await person.click(screen.getByRole('button', { name: 'User' }));
    expect(shownNames()).toEqual(['Cleo', 'Bo', 'Ada', 'Unknown']);
    expect(currentAddress()).toBe('/users?sortBy=name&sortOrder=desc');
    expect(received(listUsers)).toHaveLength(1);
  });
});

describe('the actions on users', () => {
  it('are hidden from moderators', async () => {
    serveUsers(
      fourUsers.map((user) => ({ ...user, can: { act: true, edit: false, activate: false, deactivate: false } })),
    );
    await openUsers('/users', moderator());
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
    expect(screen.queryByRole('button', { name: /ctivate/ })).toBeNull();
    expect(screen.getByRole('button', { name: 'View Bo Ek' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Audit' })).toBeNull();
  });
});

describe('the figures on the users screen', () => {
  it('update on server events', async () => {
    serveUsers();
    serve(getStatistics, () => ({ data: statistics({ engagementRate: 7 }) }));
    await openUsers();
    expect(await screen.findByText('7%')).toBeVisible();
  });
});
