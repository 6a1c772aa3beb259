import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { getQueue, type QueueKind } from '#contract/moderation/queue.ts';
import { failWith, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { serveSelfies } from '../../../test/fixtures/photo-verification.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';

const serveCounts = (counts: Partial<Record<QueueKind, number>>) => serve(getQueue, () => ({ data: { counts } }));

describe('the queue', () => {
  it.each([
    [{ cases: 2, pictures: 3 }, '/cases'],
    [{ cases: 0, appeals: 0, pictures: 0, verification: 1 }, '/queue/verification'],
    [{ cases: 0, secondLooks: 1 }, '/second-looks'],
    [{ cases: 0 }, '/cases'],
  ])('opens the first kind with waiting items: %j', async (counts, to) => {
    serveCounts(counts);
    renderApp('/queue', administrator());
    await waitFor(() => expect(currentAddress()).toBe(to));
  });

  it('opens cases if nothing can be counted', async () => {
    failWith(getQueue, new Refusal('UNAVAILABLE', 'Please try again in a moment'));
    renderApp('/queue', administrator());
    await waitFor(() => expect(currentAddress()).toBe('/cases'));
  });

  it('shows its kinds with their counts next to each other, and the total in the menu', async () => {
    serveCounts({ cases: 100, appeals: 0, pictures: 12, verification: 3, notices: 1, secondLooks: 1 });
    serveSelfies([]);
    renderApp('/queue/verification', administrator());
    const kinds = within(await screen.findByRole('navigation', { name: 'Queue' }));
    await waitFor(() =>
      expect(kinds.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
        ['Cases100+', '/cases'],
        ['Appeals0', '/appeals'],
        ['Pictures12', '/queue/pictures'],
        ['Verification3', '/queue/verification'],
        ['Notices1', '/cases/notices'],
        ['Second looks•', '/second-looks'],
      ]),
    );
    expect(kinds.getByRole('link', { current: 'page' })).toHaveTextContent('Verification');
    const menu = within(screen.getByRole('banner'));
    expect(menu.getByRole('link', { name: 'Queue 117+ waiting' })).toHaveAttribute('aria-current', 'page');
  });

  it('counts in the menu only what the viewer may decide', async () => {
    serveCounts({ cases: 2, appeals: 1, pictures: 3 });
    renderApp('/cases', moderator());
    expect(await screen.findByRole('link', { name: 'Queue 5 waiting' })).toBeVisible();
    expect(await screen.findByRole('link', { name: /^Appeals/ })).toHaveTextContent('Appeals1');
  });

  it('shows only the kinds that the role handles', async () => {
    serveCounts({ cases: 1, appeals: 0, notices: 0 });
    renderApp('/cases', administrator({ staffRole: 'auditor' }));
    const kinds = within(await screen.findByRole('navigation', { name: 'Queue' }));
    expect(kinds.getAllByRole('link').map((link) => link.getAttribute('href'))).toEqual([
      '/cases',
      '/appeals',
      '/cases/notices',
    ]);
  });
});
