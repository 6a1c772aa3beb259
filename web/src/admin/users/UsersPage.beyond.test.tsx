import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { listUsers } from '#contract/profiles/staff.ts';
import { getStatistics } from '#contract/statistics.ts';
import { received, Refusal, serve } from '../../../test/fake-server.ts';
import { currentAddress } from '../../../test/render-app.tsx';
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

  it('requests a new order for sorting', async () => {
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
