import { screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getQueue } from '#contract/moderation/queue.ts';
import { getReportStatistics } from '#contract/moderation/staff-reports.ts';
import { getStatistics } from '#contract/statistics.ts';
import { getRevenue } from '#contract/subscriptions/subscriptions.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { revenue } from '../../../test/fixtures/premium.ts';
import { caseLine, serveCases } from '../../../test/fixtures/staff/cases.ts';
import { renderApp } from '../../../test/render-app.tsx';
import { reportStatistics } from '../../../test/fixtures/staff/staff-reports.ts';
import { giveRoom, statistics } from '../../../test/fixtures/staff/users.ts';

beforeEach(() => {
  serve(getRevenue, () => ({ data: revenue() }));
  serve(getReportStatistics, () => ({ data: reportStatistics() }));
});

afterEach(() => vi.restoreAllMocks());

async function openDashboard(changes?: Parameters<typeof statistics>[0]) {
  serve(getStatistics, () => ({ data: statistics(changes) }));
  const app = renderApp('/dashboard', administrator());
  await screen.findByText('Recent Users');
  return app;
}

/** The text of a figure's card or line. */
const figures = (label: string) =>
  screen.getAllByText(label, { selector: 'dt' }).map((dt) => dt.parentElement?.textContent);

const rowsOf = (name: string) =>
  within(screen.getByRole('table', { name }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));

describe('the dashboard', () => {
  it('shows an error, and retries', async () => {
    let isBroken = true;
    serve(getStatistics, () => {
      if (isBroken) throw new Refusal('FORBIDDEN', 'Not for you');
      return { data: statistics() };
    });
    const { person } = renderApp('/dashboard', administrator());
    expect(await screen.findByRole('alert')).toHaveTextContent('Error loading dashboard data: Not for you');
    isBroken = false;
    await person.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Recent Users')).toBeVisible();
  });

  it('warns of missed deadlines, and of appeals that no one may decide', async () => {
    serveCases({ breached: [caseLine()] }, { hasSecondReviewer: false, lateAppeals: 1000 });
    await openDashboard();
    const cases = await screen.findByRole('link', { name: '1 overdue case' });
    expect(cases).toHaveAttribute('href', '/cases?view=breached');
    expect(await screen.findByRole('link', { name: '1,000+ overdue appeals' })).toHaveAttribute('href', '/appeals');
    expect(screen.getByRole('link', { name: 'No second reviewer for appeals' })).toHaveAttribute('href', '/team');
  });

  it('shows the four cards', async () => {
    await openDashboard();
    expect(figures('Total Users')).toEqual(['Total Users1,23457 new this month']);
    expect(figures('VIP Users')[0]).toBe('VIP Users18515% VIP rate');
    expect(figures('Active Users')[0]).toBe('Active Users1,10042 online now');
    expect(figures('New This Month')[0]).toBe('New This Month57+12% growth');
  });

  it('links to what is waiting for people with work', async () => {
    serve(getQueue, () => ({ data: { counts: { cases: 4, pictures: 3 } } }));
    await openDashboard();
    expect(await screen.findByRole('link', { name: 'What is waiting (7)' })).toHaveAttribute('href', '/start');
  });

  it('shows N/A when no one joined last month', async () => {
    await openDashboard({ growthPercent: 'N/A' });
    expect(figures('New This Month')[0]).toBe('New This Month57N/A growth');
  });

  it('also shows chart values as tables', async () => {
    await openDashboard();
    expect(rowsOf('User Growth').at(-1)).toEqual(['October 2025', '45', '9']);
    expect(rowsOf('Gender Distribution')).toEqual([
      ['Woman', '600', '49%'],
      ['Man', '580', '47%'],
      ['Non-binary', '30', '2%'],
      ['Not-specified', '24', '2%'],
    ]);
    expect(rowsOf('Age Distribution').map(([bucket]) => bucket)).toEqual(['18-25', '26-35', '36-45', '46-55', '56+']);
  });

  it('lists the users by status', async () => {
    await openDashboard();
    expect(screen.getByRole('heading', { name: 'User Status Overview' })).toBeVisible();
    expect(figures('Online Users')).toEqual(['Online Users42']);
    expect(figures('Profile Completion')).toEqual(['Profile Completion900 / 1,234']);
    expect(figures('Email Verified')).toEqual(['Email Verified1,001 / 1,234']);
  });

  it('lists the newest users, even with missing data', async () => {
    await openDashboard();
    expect(rowsOf('Recent Users')).toEqual([
      ['Ada Byron', 'ada@heartwood.test', 'Jan 5, 2025', 'Active', 'Free', 'Online'],
      ['Unknown', 'ada@heartwood.test', 'Jan 5, 2025', 'Inactive', 'Premium', 'Offline'],
    ]);
    expect(document.body.textContent).not.toMatch(/undefined|NaN|Invalid Date/);
  });

  it('shows zeros for an empty service', async () => {
    const totals = { users: 0, vip: 0, active: 0, online: 0, newThisMonth: 0, profileComplete: 0, emailVerified: 0 };
    await openDashboard({ totals, vipRate: 0, engagementRate: 0, growthPercent: 'N/A', recentUsers: [] });
    expect(figures('Total Users')).toEqual(['Total Users00 new this month']);
    expect(screen.getByText('No users yet')).toBeVisible();
    expect(screen.getByText('New members appear here.')).toBeVisible();
  });
});

/** The charts are drawn only once their width is known. */
function drawCharts() {
  giveRoom();
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe: () => void;
      constructor(onSize: () => void) {
        this.observe = onSize;
      }
      unobserve() {}
      disconnect() {}
    },
  );
}

const addresses = (name: string) =>
  within(screen.getByRole('region', { name }))
    .getAllByRole('link')
    .map((link) => [link.getAttribute('aria-label'), link.getAttribute('href')]);

describe('the lists behind the figures', () => {
  it('open from every number of the cards and the overview', async () => {
    await openDashboard({ sameDaysGrowthPercent: -5 });
    expect(figures('New This Month')[0]).toBe('New This Month57+12% growth-5% vs. same days of last month');
    const newest = '/users?joinedFrom=2025-10-01&joinedTo=2025-10-31&zone=UTC';
    expect(addresses('Key figures')).toEqual([
      ['Total Users: 1,234', '/users'],
      ['Total Users: 57 new this month', newest],
      ['VIP Users: 185', '/users?type=vip'],
      ['VIP Users: 15% VIP rate', '/users?type=vip'],
      ['Active Users: 1,100', '/users?status=active'],
      ['Active Users: 42 online now', '/users?status=online'],
      ['New This Month: 57', newest],
      ['New This Month: +12% growth', newest],
      ['New This Month: -5% vs. same days of last month', '/users?joinedFrom=2025-09-01&joinedTo=2025-09-20&zone=UTC'],
    ]);
    expect(addresses('User Status Overview')).toEqual([
      ['Active Users: 1,100', '/users?status=active'],
      ['Online Users: 42', '/users?status=online'],
      ['VIP Users: 185', '/users?type=vip'],
      ['New This Month: 57', newest],
      ['Profile Completion: 900', '/users?complete=true'],
      ['All users: 1,234', '/users'],
      ['Email Verified: 1,001', '/users?status=verified'],
      ['All users: 1,234', '/users'],
    ]);
  });

  it('open from every bar and slice, with the keyboard too', async () => {
    drawCharts();
    await openDashboard();
    expect(addresses('User Growth').slice(-2)).toEqual([
      ['User Growth, October 2025, Total Users: 45', '/users?joinedFrom=2025-10-01&joinedTo=2025-10-31&zone=UTC'],
      ['User Growth, October 2025, VIP Users: 9', '/users?joinedFrom=2025-10-01&joinedTo=2025-10-31&zone=UTC&type=vip'],
    ]);
    expect(addresses('User Growth')).toHaveLength(12);
    expect(addresses('Gender Distribution')).toEqual([
      ['Gender Distribution, Woman: 600', '/users?gender=woman'],
      ['Gender Distribution, Man: 580', '/users?gender=man'],
      ['Gender Distribution, Non-binary: 30', '/users?gender=non-binary'],
      ['Gender Distribution, Not-specified: 24', '/users?gender=none'],
    ]);
    expect(addresses('Age Distribution')).toEqual(
      [
        ['18-25', 18, 25],
        ['26-35', 26, 35],
        ['36-45', 36, 45],
        ['46-55', 46, 55],
        ['56+', 56, 120],
      ].map(([bucket, from, to], index) => [
        `Age Distribution, ${bucket}, Users: ${100 * (index + 1)}`,
        `/users?minAge=${from}&maxAge=${to}`,
      ]),
    );
    for (const link of within(screen.getByRole('region', { name: 'Gender Distribution' })).getAllByRole('link'))
      expect(link).not.toHaveAttribute('tabindex');
  });

  it('open from the figures of reports and of premium', async () => {
    await openDashboard();
    await screen.findByText('Last 30 days · median 1h 30m · 90% within 1d 3h');
    expect(addresses('Report figures')).toEqual([
      ['Total Reports: 1,240', '/reports'],
      ['Total Reports: 900 resolved', '/reports?status=resolved'],
      ['Pending: 31', '/reports?status=pending'],
      ['Pending: 12 in progress', '/reports?status=in_progress'],
      ['High Priority: 204', '/reports?priority=urgent'],
      ['High Priority: 12 open', '/reports?status=open&priority=urgent'],
    ]);
    expect(addresses('Premium figures').map(([, address]) => address)).toEqual([
      '/users?subscription=active',
      '/users?subscription=trialing',
      '/users?subscription=past_due',
      '/users?subscription=paused',
    ]);
  });

  it('are plain numbers for people who may not see the lists', async () => {
    drawCharts();
    serve(getStatistics, () => ({ data: statistics({ recentUsers: [] }) }));
    renderApp('/dashboard', administrator({ staffRole: 'analyst' }));
    expect(await screen.findByText('57 new this month')).toBeVisible();
    await screen.findByText('Active Subscriptions');
    expect(within(screen.getByRole('main')).queryAllByRole('link')).toEqual([]);
    expect(received(getReportStatistics)).toEqual([]);
  });
});

describe('premium on the dashboard', () => {
  const premium = () => within(screen.getByRole('region', { name: 'Premium' }));

  it('is shown below everything else', async () => {
    await openDashboard();
    const cards = within(await premium().findByRole('region', { name: 'Premium figures' }));
    const terms = cards.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent]);
    expect(terms).toEqual([
      ['Active Subscriptions', '1,204'],
      ['In Free Trial', '31'],
      ['Payment Failed', '17'],
      ['Paused', '4'],
      ['Monthly Recurring', '$16,023.45'],
      ['Ended This Month', '9'],
    ]);
    const headings = screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent);
    expect(headings.at(-1)).toBe('Premium');
    expect(await premium().findByText('Test payments. No money moves.')).toBeVisible();
  });

  it('is shown even if the statistics fail', async () => {
    failWith(getStatistics, new Refusal('FORBIDDEN', 'Not for you'));
    renderApp('/dashboard', administrator());
    expect(await screen.findByText('Monthly Recurring')).toBeVisible();
    expect(await screen.findByRole('alert')).toHaveTextContent('Error loading dashboard data: Not for you');
  });

  it('is neither requested for moderators nor shown to them', async () => {
    serve(getStatistics, () => ({ data: statistics() }));
    renderApp('/dashboard', moderator());
    await screen.findByText('Recent Users');
    expect(screen.queryByRole('heading', { name: 'Premium' })).toBeNull();
    expect(received(getRevenue)).toEqual([]);
    expect(document.body.textContent).not.toContain('$');
  });
});
