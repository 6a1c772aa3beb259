import { screen, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { getAdminUser } from '#contract/profiles/staff.ts';
import { listSubscriptions, type SubscriptionView } from '#contract/subscriptions/subscriptions.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { ownSubscription } from '../../../test/fixtures/premium.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { adminUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { serveFile } from '../../../test/fixtures/staff/user-files.ts';
import { fourUsers, openUsers, serveUsers } from '../../../test/fixtures/staff/users-page.tsx';

const ada = listedUser({ _id: 'ada' });
const earlier = ownSubscription({
  _id: 'old',
  plan: 'annual',
  status: 'canceled',
  createdAt: '2024-01-05T10:00:00.000Z',
  currentPeriodEnd: '2025-01-05T10:00:00.000Z',
});
const neverPaid = ownSubscription({ _id: 'never', status: 'incomplete_expired', currentPeriodEnd: null });

const serveSubscriptions = (subscriptions: SubscriptionView[]) =>
  serve(listSubscriptions, () => ({ data: { subscriptions } }));

const part = async () => within(await screen.findByRole('region', { name: 'Subscription' }));
const facts = (scope: Awaited<ReturnType<typeof part>>) =>
  Object.fromEntries(
    scope.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]),
  );

beforeEach(() => serveFile());
beforeEach(() => serve(getAdminUser, () => ({ data: { user: adminUser(ada) } })));

describe("a user's subscription", () => {
  it('is shown to administrators, with earlier subscriptions', async () => {
    serveSubscriptions([ownSubscription({ plan: 'quarterly', cancelAtPeriodEnd: true }), neverPaid, earlier]);
    renderApp('/users/ada', administrator());
    const shown = await part();
    expect(await shown.findByText('Quarterly')).toBeVisible();
    expect(shown.getByText('$35.97 every 3 months')).toBeVisible();
    expect(shown.getByText('Active')).toBeVisible();
    expect(facts(shown)).toEqual({
      Plan: 'Quarterly',
      Price: '$35.97 every 3 months',
      Status: 'Active',
      'Paid through': 'Nov 20, 2025',
      Since: 'Oct 20, 2025',
      'Canceled at period end': 'Yes',
    });
    expect(shown.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Monthly: Never finished, started Oct 20, 2025',
      'Annual: Ended, Jan 5, 2024 – Jan 5, 2025',
    ]);
    expect(received(listSubscriptions).map(({ query }) => query)).toEqual([{ userId: 'ada' }]);
  });

  it.each([
    ['trialing', 'Free trial'],
    ['past_due', 'Payment failed'],
    ['unpaid', 'Unpaid'],
    ['paused', 'Paused'],
    ['incomplete', 'Not finished'],
  ] as const)('describes the status %s as: %s', async (status, words) => {
    const pausedUntil = '2025-12-20T12:00:00.000Z';
    serveSubscriptions([ownSubscription({ status, currentPeriodEnd: null, pendingPlan: 'monthly', pausedUntil })]);
    renderApp('/users/ada', administrator());
    const shown = await part();
    expect(await shown.findByText(words)).toBeVisible();
    expect(facts(shown)).toMatchObject({
      'Paid through': '—',
      'Paused until': 'Dec 20, 2025',
      'Changes to': 'Monthly',
    });
  });

  it('shows when there is none', async () => {
    serveSubscriptions([]);
    renderApp('/users/ada', administrator());
    expect(await (await part()).findByText('No subscription')).toBeVisible();
  });

  it('is also shown in the dialog', async () => {
    const [first] = fourUsers;
    serveUsers();
    serveSubscriptions([ownSubscription()]);
    serve(getAdminUser, () => ({ data: { user: adminUser(first!) } }));
    await openUsers(`/users?user=${first!._id}`);
    const dialog = within(await screen.findByRole('dialog', { name: 'User Details' }));
    expect(await dialog.findByRole('heading', { name: 'Subscription' })).toBeVisible();
    expect(await dialog.findByText('$14.99 a month')).toBeVisible();
    expect(received(listSubscriptions).map(({ query }) => query)).toEqual([{ userId: first!._id }]);
  });
});

describe('moderators', () => {
  it('neither see nor request payments', async () => {
    const [first] = fourUsers;
    serveUsers();
    serve(getAdminUser, () => ({ data: { user: adminUser(first!) } }));
    const { unmount } = await openUsers(`/users?user=${first!._id}`, moderator());
    await within(await screen.findByRole('dialog', { name: 'User Details' })).findByRole('heading', {
      name: 'Pictures',
    });
    expect(within(screen.getByRole('dialog')).queryByRole('heading', { name: 'Subscription' })).toBeNull();
    unmount();
    renderApp('/users/ada', moderator());
    expect(await screen.findByRole('heading', { level: 2, name: 'Pictures' })).toBeVisible();
    expect(screen.queryByRole('region', { name: 'Subscription' })).toBeNull();
    expect(received(listSubscriptions)).toEqual([]);
    expect(document.body.textContent).not.toContain('$');
  });
});
