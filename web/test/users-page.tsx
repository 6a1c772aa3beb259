import { screen, within } from '@testing-library/react';
import { expect } from 'vitest';
import { listUsers } from '#contract/profiles.ts';
import { getStatistics } from '#contract/statistics.ts';
import { listSubscriptions } from '#contract/subscriptions.ts';
import type { ListedUser, OwnUser } from '#contract/user.ts';
import { serve } from './fake-server.ts';
import { administrator } from './people.ts';
import { renderApp } from './render-app.tsx';
import { barestUser, giveRoom, listedUser, statistics } from './users.ts';

/** Four users: an active one, an inactive VIP, one online, one of whom next to nothing is known. */
export const fourUsers: ListedUser[] = [
  listedUser({ _id: 'ada-0001-0001', isOnline: false, createdAt: '2025-10-04T10:00:00.000Z' }),
  listedUser({
    _id: 'bo-00002-0002',
    firstName: 'Bo',
    lastName: 'Ek',
    name: 'Bo Ek',
    email: 'bo@post.test',
    isActive: false,
    isOnline: false,
    isVIP: true,
    location: { city: 'Umeå', country: 'Sweden' },
    createdAt: '2025-10-03T10:00:00.000Z',
    can: { edit: true, activate: true, deactivate: false },
  }),
  listedUser({
    _id: 'cleo-003-0003',
    firstName: 'Cleo',
    lastName: null,
    name: 'Cleo',
    email: 'cleo@post.test',
    createdAt: '2025-10-02T10:00:00.000Z',
  }),
  barestUser({ _id: 'none-004-0004', email: 'nobody@post.test', createdAt: '2025-10-01T10:00:00.000Z' }),
];

/** Answers the users list with all of these in one page, and the figures. */
export function serveUsers(users: readonly ListedUser[] = fourUsers): void {
  serve(getStatistics, () => ({ data: statistics() }));
  serve(listSubscriptions, () => ({ data: { subscriptions: [] } }));
  serve(listUsers, ({ query }) => ({
    data: {
      users: [...users],
      pagination: { page: 1, limit: query.limit ?? 20, total: users.length, pages: 1, nextCursor: null },
    },
  }));
}

/** The users screen with its rows there. */
export async function openUsers(at = '/users', person: OwnUser = administrator()) {
  giveRoom();
  const app = renderApp(at, person);
  await screen.findByText(/^Showing /);
  return app;
}

/** The rows of the users table as the texts of their cells. */
export function shownRows(): (string | null)[][] {
  const table = screen.queryByRole('table', { name: 'Users' });
  if (!table) return [];
  return within(table)
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));
}

/** The first names (or 'Unknown') of the rows, in their order. */
export function shownNames(): string[] {
  return shownRows().map(([user]) => /Ada|Bo|Cleo|Unknown/.exec(user ?? '')?.[0] ?? '');
}

/** Waits until the caption says so. */
export async function expectCaption(text: string): Promise<void> {
  expect(await screen.findByText(text)).toBeInTheDocument();
}
