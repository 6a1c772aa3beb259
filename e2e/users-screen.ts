import type { Locator, Page } from 'playwright-core';
import { eventually } from './support/harness.ts';

/** The users screen, read through its visible texts. */
export interface UsersScreen {
  table: Locator;
  search: Locator;
  status: Locator;
  type: Locator;
  /** Rows in the document; in a long list, only the visible ones. */
  rows: Locator;
  row(text: string): Locator;
  /** Waits for the caption to say that `shown` of `total` users are shown. */
  shows(shown: number, total: number): Promise<void>;
  /** The cells of one column, top to bottom, once there is a row. */
  column(index: number): Promise<string[]>;
}

export const columns = { user: 0, contact: 1, joined: 2, lastActive: 3, status: 4, subscription: 5, actions: 6 };

/** The users screen in `page`, in any state. */
export function usersScreen(page: Page): UsersScreen {
  const table = page.getByRole('table', { name: 'Users', exact: true });
  const rows = table.locator('tbody tr:not([aria-hidden])');
  const caption = page.getByRole('status').filter({ hasText: 'Showing' });
  const filters = page.getByRole('search');
  const number = (value: number) => value.toLocaleString('en-US');
  return {
    table,
    rows,
    search: filters.getByLabel('Search'),
    status: filters.getByLabel('Status'),
    type: filters.getByLabel('Type'),
    row: (text) => rows.filter({ hasText: text }),
    shows: (shown, total) =>
      eventually(() => caption.textContent()).toBe(`Showing ${number(shown)} of ${number(total)} users`),
    column: async (index) => {
      await rows.first().waitFor();
      return await rows.locator(`td:nth-child(${index + 1})`).allInnerTexts();
    },
  };
}
