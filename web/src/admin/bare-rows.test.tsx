import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import { listMyReports } from '#contract/moderation/reports.ts';
import { getReportConversation, getReportStatistics, listReports } from '#contract/moderation/staff-reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { getAdminUser, listUsers } from '#contract/profiles/staff.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { getStatistics } from '#contract/statistics.ts';
import { getRevenue, listSubscriptions } from '#contract/subscriptions/subscriptions.ts';
import { serve } from '../../test/fake-server.ts';
import { answerWith, bareSubscription, expectWhole, type Row, variantsOf } from '../../test/fixtures/bare.ts';
import { administrator, ownUser } from '../../test/fixtures/people.ts';
import { revenue } from '../../test/fixtures/premium.ts';
import { openReports, reportRows } from '../../test/fixtures/staff/reports-page.tsx';
import { serveReports } from '../../test/fixtures/staff/staff-reports.ts';
import { openUsers, serveUsers, shownRows } from '../../test/fixtures/staff/users-page.tsx';
import { renderApp } from '../../test/render-app.tsx';
import { readSession } from '../api/session/stored-session.ts';

const pagination = { page: 1, limit: 1000, total: 30, pages: 1 };
const at = '2025-10-04T10:00:00.000Z';

/** The fields of the specification, plus the permissions without which staff see no subscription. */
const user: Row = {
  _id: 'whole-user',
  firstName: 'Ada',
  lastName: 'Byron',
  name: 'Ada Byron',
  email: 'ada@heartwood.test',
  createdAt: at,
  lastActive: at,
  isActive: false,
  isVIP: true,
  isOnline: true,
  isEmailVerified: true,
  profileComplete: true,
  emailVerificationSent: true,
  gender: 'female',
  age: 31,
  bio: 'Sailing',
  location: { city: 'Lisbon', country: 'Portugal' },
  profilePicture: 'https://pictures.test/1.jpg',
  more_pictures: [{ url: 'https://pictures.test/2.jpg', publicId: '2', name: '2', size: 1, mimeType: 'image/jpeg' }],
  settings: { showLastActive: true },
  isAdmin: false,
  can: { act: true },
};
const reply: Row = { _id: 'reply', message: 'On it', isInternal: false, repliedBy: { name: 'Olga' }, repliedAt: at };
const report: Row = {
  _id: 'whole-report',
  user: { name: 'Marta Nowak', email: 'marta@heartwood.test' },
  problem_type: 'Harassment',
  description: 'Rude messages',
  priority: 'high',
  status: 'pending',
  createdAt: at,
  replies: [reply],
};
const users = variantsOf(user);
const reports = [
  ...variantsOf(report),
  { ...report, _id: 'by-username', user: { username: 'marta' } },
  { ...report, _id: 'bare-replies', replies: variantsOf(reply) },
  { ...report, _id: 'unknown', status: 'unheard_of', priority: 'unheard_of', problem_type: 'Unheard of' },
];
const dialog = () => screen.getByRole('dialog');

describe('a user with only fields of the specification', () => {
  beforeEach(() => {
    serveUsers();
    serve(getAdminUser, ({ params }) => answerWith({ user: users.find(({ _id }) => _id === params.id) }));
    serve(listSubscriptions, () => answerWith({ subscriptions: variantsOf(bareSubscription) }));
  });

  // Only as many as fit on the screen, because other rows are not in the document.
  const half = Math.ceil(users.length / 2);
  it.each([
    ['first', users.slice(0, half)],
    ['last', users.slice(half)],
  ])('is shown in the list and the details if any of the %s fields is missing', async (_, listed) => {
    serve(listUsers, () => answerWith({ users: listed, pagination }));
    const { person } = await openUsers();
    expect(shownRows()).toHaveLength(listed.length);
    expect(shownRows().filter((cells) => cells.includes('Inactive'))).toHaveLength(listed.length);
    for (const [index, view] of screen.getAllByRole('button', { name: /^View / }).entries()) {
      await person.click(view);
      expect(await within(dialog()).findByText('Pictures')).toBeVisible();
      if (listed[index]?.['can'] !== undefined) expect(await within(dialog()).findByText('Paid through')).toBeVisible();
      expect(dialog()).toHaveTextContent('Inactive');
      expectWhole();
      await person.click(within(dialog()).getByRole('button', { name: 'Close' }));
    }
  });

  it('is listed completely if the answer has no pagination', async () => {
    serve(listUsers, () => answerWith({ users: users.slice(0, 3) }));
    await openUsers();
    expect(shownRows()).toHaveLength(3);
    expect(screen.getByText(/3 of 3 users/)).toBeVisible();
    expectWhole();
  });

  it('appears in the command palette', async () => {
    serve(listUsers, () => answerWith({ users: [{ _id: 'barest' }] }));
    serve(listReports, () => answerWith({ reports: [{ _id: 'barest', status: 'unheard_of' }] }));
    const { person } = await openUsers();
    await person.keyboard('{Control>}k{/Control}');
    await person.type(within(await screen.findByRole('dialog')).getByRole('combobox'), 'barest');
    expect(await screen.findByText(/unheard_of/)).toBeVisible();
    expectWhole();
  });

  it.each([{}, { user: null }])('has a page and a dialog even if the answer is %o', async (answer) => {
    serve(getAdminUser, () => answerWith(answer));
    serve(listUsers, () => answerWith({ users: [user], pagination }));
    const { person, unmount } = await openUsers();
    await person.click(screen.getByRole('button', { name: /^View / }));
    expect(await within(dialog()).findByText('Pictures')).toBeVisible();
    expectWhole();
    unmount();
    renderApp('/users/gone', administrator());
    expect(await screen.findByText('Signed-in devices', { selector: 'dt' })).toBeVisible();
    expectWhole();
  });

  it.each([
    ['whole-user', 'Paid through'],
    ['barest', 'Signed-in devices'],
  ])('%s has a page', async (id, last) => {
    renderApp(`/users/${id}`, administrator());
    expect(await screen.findByText(last, { selector: 'dt' })).toBeVisible();
    expectWhole();
  });
});

describe('a report with only fields of the specification', () => {
  beforeEach(() => {
    serveReports(() => []);
    serve(listReports, () => answerWith({ reports, pagination: { ...pagination, total: reports.length } }));
    serve(getReportFile, ({ params }) => answerWith({ report: reports.find(({ _id }) => _id === params.id) }));
    serve(getReportConversation, () => answerWith({ conversation: variantsOf(reply) }));
  });

  it('is shown in the list and the reply dialog if any field is missing', async () => {
    const { person } = await openReports();
    expect(reportRows()).toHaveLength(reports.length);
    expect(reportRows()[0]).toHaveTextContent(/Marta Nowak.*Harassment.*High.*Pending.*1/);
    for (const open of screen.getAllByRole('button', { name: /^Reply to report/ })) {
      await person.click(open);
      expect(within(dialog()).getByRole('textbox', { name: /^Reply/ })).toBeVisible();
      expectWhole();
      await person.click(within(dialog()).getByRole('button', { name: 'Cancel' }));
    }
  });

  it.each(['whole-report', 'barest', 'bare-replies', 'unknown'])('%s has a page', async (id) => {
    renderApp(`/reports/${id}`, administrator());
    expect(await screen.findByText('Filed by')).toBeVisible();
    expectWhole();
  });

  it('is listed completely if the answer has no pagination', async () => {
    serve(listReports, () => answerWith({ reports }));
    await openReports();
    expect(reportRows()).toHaveLength(reports.length);
    expect(screen.getByText(`Showing 1–${reports.length} of ${reports.length} reports`)).toBeVisible();
    expectWhole();
  });

  it.each([{ pagination }, {}])('is shown to its reporter, with %o', async (rest) => {
    serve(listMyReports, () => answerWith({ reports, ...rest }));
    renderApp('/app/support', ownUser());
    const list = await screen.findByRole('list', { name: 'Your reports' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(reports.length);
    expectWhole();
  });
});

describe('figures with only fields of the specification', () => {
  const bareRows = { totals: {}, growth: [{}], genders: [{}], ages: [{}], recentUsers: [{}] };

  it.each([
    ['/dashboard', 'Dashboard Overview', {}],
    ['/dashboard', 'Dashboard Overview', bareRows],
    ['/users', 'Users Management', {}],
    ['/users', 'Users Management', bareRows],
    ['/reports', 'Reports Management', {}],
    ['/reports', 'Reports Management', { avgResponseTime: '3h 12m' }],
  ])('are shown on %s (%s) from %o', async (path, title, figures) => {
    serveUsers();
    serveReports(() => []);
    serve(getStatistics, () => answerWith(figures));
    serve(getReportStatistics, () => answerWith(figures));
    serve(getRevenue, () => ({ data: revenue() }));
    renderApp(path, administrator());
    expect(await screen.findByRole('heading', { name: title })).toBeVisible();
    const label = path === '/dashboard' ? 'Report figures' : 'Key figures';
    const cards = await screen.findByLabelText(label);
    expect(cards).toHaveTextContent(path === '/users' ? 'Total Users—' : 'Total Reports—');
    if (path === '/reports')
      expect(cards).toHaveTextContent(
        `Average Response Time${'avgResponseTime' in figures ? figures.avgResponseTime : 'N/A'}`,
      );
    expectWhole();
    expect(document.body).not.toHaveTextContent(/Error loading/);
  });
});

describe("the viewer's profile with only fields of the specification", () => {
  it.each<Row>([user, { _id: user._id }])('is shown', async (known) => {
    serveUsers();
    renderApp('/app/profile', ownUser({ _id: user._id, email: 'earlier@heartwood.test' }));
    serve(getProfile, () =>
      answerWith({}, { userData: { user: known, privacySettings: {}, onboardingComplete: true } }),
    );
    await waitFor(() => expect(readSession().user?.email).toBe(known.email));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Edit About me' })).toBeVisible());
    expectWhole();
  });
});
