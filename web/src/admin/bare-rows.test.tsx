import { screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listReports } from '#contract/moderation/reports.ts';
import { getAdminUser, listUsers } from '#contract/profiles/profiles.ts';
import { RawAnswer, serve } from '../../test/fake-server.ts';
import { administrator } from '../../test/fixtures/people.ts';
import { reportRows } from '../../test/fixtures/staff/reports-page.tsx';
import { serveReports, staffReport } from '../../test/fixtures/staff/staff-reports.ts';
import { fourUsers, openUsers, serveUsers, shownRows } from '../../test/fixtures/staff/users-page.tsx';
import { renderApp } from '../../test/render-app.tsx';

/** An unchanged answer, whatever the contract promises. */
function answerWith(data: object): never {
  throw new RawAnswer(200, JSON.stringify({ success: true, message: 'OK', data }));
}
const pagination = { page: 1, limit: 1000, total: 3, totalPages: 1, pages: 1, hasMore: false };

describe('a row with only some of its fields', () => {
  const bareUser = { _id: 'bare-user', username: 'marta', email: 'marta@example.test', isActive: true, isVIP: false };

  it('is shown among the other users', async () => {
    serveUsers();
    serve(listUsers, () => answerWith({ users: [...fourUsers, bareUser, { _id: 'barest-user' }], pagination }));
    await openUsers();
    const bare = screen.getByText('marta').closest('tr');
    expect(bare).toHaveTextContent('marta@example.test');
    expect(within(bare as HTMLElement).getAllByText('—').length).toBeGreaterThan(1);
    expect(shownRows()).toHaveLength(6);
  });

  it("is shown alone, without an age that isn't a number", async () => {
    serveUsers();
    serve(getAdminUser, () => answerWith({ user: bareUser }));
    renderApp('/users/bare-user', administrator());
    expect(await screen.findByRole('heading', { level: 1, name: 'marta' })).toBeVisible();
    expect(document.body).not.toHaveTextContent('NaN');
  });

  it('is shown among the other reports', async () => {
    serveReports(() => []);
    const bareReport = {
      _id: 'bare-report',
      user: { username: 'marta', email: 'marta@example.test' },
      problem_type: 'Harassment',
      description: 'Rude messages',
      priority: 'high',
      status: 'pending',
    };
    const reports = [staffReport(), bareReport, { _id: 'barest-report' }];
    serve(listReports, () => answerWith({ reports, pagination: { ...pagination, limit: 20 } }));
    renderApp('/reports', administrator());
    expect((await screen.findAllByText('marta'))[0]).toBeInTheDocument();
    expect(reportRows()).toHaveLength(3);
  });
});
