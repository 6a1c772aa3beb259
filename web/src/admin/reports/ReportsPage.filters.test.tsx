import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { listReports } from '#contract/moderation/staff-reports.ts';
import { received } from '../../../test/fake-server.ts';
import { currentAddress } from '../../../test/render-app.tsx';
import { serveReports, staffReport } from '../../../test/fixtures/staff/staff-reports.ts';
import { idEndingIn, openReports, reportRows, threeReports } from '../../../test/fixtures/staff/reports-page.tsx';

const empty = 'No reports found matching your criteria.';
const select = (name: string) => screen.getByRole('combobox', { name });
const asked = () => received(listReports).at(-1)?.query;
const manyReports = Array.from({ length: 23 }, (_, index) =>
  staffReport({ _id: idEndingIn(`aaaa${String(index).padStart(2, '0')}`) }),
);

describe('the filters of the reports screen', () => {
  it('default to all reports, newest first, ten per page', async () => {
    serveReports(() => threeReports);
    await openReports();
    expect(asked()).toEqual({ page: 1, limit: 10 });
    expect(currentAddress()).toBe('/reports');
  });

  it('update the address and the request when chosen', async () => {
    serveReports(() => threeReports);
    const { person } = await openReports();
    await person.selectOptions(select('Status'), 'in_progress');
    expect(currentAddress()).toBe('/reports?status=in_progress');
    await person.selectOptions(select('Type'), 'Payment Problem');
    await person.selectOptions(select('Priority'), 'high');
    expect(currentAddress()).toBe('/reports?status=in_progress&problem_type=Payment+Problem&priority=high');
    await waitFor(() =>
      expect(asked()).toEqual({
        page: 1,
        limit: 10,
        status: 'in_progress',
        problem_type: 'Payment Problem',
        priority: 'high',
      }),
    );
  });

  it.each([
    ['oldest', 'sortBy=createdAt&sortOrder=asc', { sortBy: 'createdAt', sortOrder: 'asc' }],
    ['priority', 'sortBy=priority', { sortBy: 'priority' }],
    ['overdue', 'sortBy=dueAt', { sortBy: 'dueAt' }],
  ])('sort by %s', async (order, address, query) => {
    serveReports(() => threeReports);
    const { person } = await openReports();
    await person.selectOptions(select('Sort'), order);
    expect(currentAddress()).toBe(`/reports?${address}`);
    await waitFor(() => expect(asked()).toEqual({ page: 1, limit: 10, ...query }));
    await person.selectOptions(select('Sort'), 'newest');
    expect(currentAddress()).toBe('/reports');
  });

  it('are read from the address; unknown values are ignored', async () => {
    serveReports(() => threeReports);
    await openReports('/reports?status=resolved&priority=dire&problem_type=Other&sortBy=dueAt&search=map&page=x');
    expect(select('Status')).toHaveValue('resolved');
    expect(select('Priority')).toHaveValue('');
    expect(select('Type')).toHaveValue('Other');
    expect(select('Sort')).toHaveValue('overdue');
    expect(screen.getByRole('textbox', { name: 'Search' })).toHaveValue('map');
  });

  it('search after a pause in typing and immediately on Enter', async () => {
    serveReports(() => threeReports);
    const { person } = await openReports();
    const field = screen.getByRole('textbox', { name: 'Search' });
    await person.type(field, 'map ');
    await waitFor(() => expect(currentAddress()).toBe('/reports?search=map'));
    await waitFor(() => expect(received(listReports).map(({ query }) => query.search)).toEqual([undefined, 'map']));
    await person.type(field, 'pie{Enter}');
    expect(currentAddress()).toBe('/reports?search=map+pie');
    await person.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(currentAddress()).toBe('/reports');
    expect(field).toHaveFocus();
  });

  it('can be cleared when nothing matches, which moves the focus to the search field', async () => {
    serveReports(() => threeReports);
    const { person } = await openReports('/reports?status=rejected');
    expect(screen.getByText(empty)).toBeVisible();
    expect(screen.queryByText('New reports from members appear here.')).toBeNull();
    await person.click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByText('Showing 1–3 of 3 reports')).toBeInTheDocument();
    expect(currentAddress()).toBe('/reports');
    const field = screen.getByRole('textbox', { name: 'Search' });
    await person.type(field, 'nobody');
    await waitFor(() => expect(currentAddress()).toBe('/reports?search=nobody'));
    expect(field).toHaveFocus();
  });
});

describe('the pages of the reports screen', () => {
  it('are numbered and can be opened', async () => {
    serveReports(() => manyReports);
    const { person } = await openReports();
    expect(screen.getByText('Page 1 of 3')).toBeVisible();
    const [previous, next] = ['Previous', 'Next'].map((name) => screen.getByRole('button', { name }));
    expect(previous).toHaveAttribute('aria-disabled', 'true');
    await person.click(next!);
    expect(await screen.findByText('Showing 11–20 of 23 reports')).toBeInTheDocument();
    expect(currentAddress()).toBe('/reports?page=2');
    await person.click(next!);
    expect(await screen.findByText('Showing 21–23 of 23 reports')).toBeInTheDocument();
    expect(next).toHaveFocus();
    await person.click(next!);
    expect(currentAddress()).toBe('/reports?page=3');
    await person.click(previous!);
    expect(await screen.findByText('Showing 11–20 of 23 reports')).toBeInTheDocument();
  });

  it('restart at one when the filters change and keep the number of rows', async () => {
    serveReports(() => manyReports);
    const { person } = await openReports('/reports?page=2');
    await person.selectOptions(select('Per page'), '25');
    expect(await screen.findByText('Showing 1–23 of 23 reports')).toBeInTheDocument();
    expect(currentAddress()).toBe('/reports?limit=25');
    expect(reportRows()).toHaveLength(23);
  });

  it('end at the last one even if the address asks for more', async () => {
    serveReports(() => manyReports);
    await openReports('/reports?page=9');
    expect(await screen.findByText('Showing 21–23 of 23 reports')).toBeInTheDocument();
    expect(currentAddress()).toBe('/reports?page=3');
  });
});
