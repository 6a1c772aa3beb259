import { screen, waitFor, within } from '@testing-library/react';
import { vi } from 'vitest';
import { decidePicture } from '#contract/media.ts';
import { received } from './fake-server.ts';
import { openUsers } from './users-page.tsx';

/** Makes the page idle as soon as it is there. */
export function beIdle(): void {
  vi.stubGlobal('requestIdleCallback', (run: () => void) => setTimeout(run));
  vi.stubGlobal('cancelIdleCallback', clearTimeout);
}

/** The users screen with the queue of pictures over it. */
export async function openQueue(at = '/users?pictures=pending') {
  const app = await openUsers(at);
  await screen.findByRole('dialog', { name: 'Pending pictures' });
  await within(queue()).findByText(/waiting$/);
  await waitFor(() => within(queue()).getByRole('list'));
  return app;
}

/** The dialog that the queue is in. */
export function queue(): HTMLElement {
  return screen.getByRole('dialog', { name: 'Pending pictures' });
}

/** The cards of the pictures that wait. */
export function cards(): HTMLElement[] {
  return within(within(queue()).getByRole('list', { name: 'Pending pictures' })).getAllByRole('listitem');
}

/** The names on the cards. */
export function owners(): string[] {
  return cards().map((card) =>
    within(card)
      .getByRole('link')
      .textContent.replace(/, \d+$/, ''),
  );
}

/** The cards that the keys act on: one at most. */
export function currentCards(): HTMLElement[] {
  return cards().filter((card) => card.getAttribute('aria-current') === 'true');
}

/** What was sent: which picture, and the verdict. */
export function sentDecisions(): [string, string][] {
  return received(decidePicture).map(({ params, body }) => [params.publicId, body.verdict]);
}
