import { screen, within } from '@testing-library/react';
import type { StaffReport } from '#contract/report.ts';
import type { OwnUser } from '#contract/user.ts';
import { administrator } from './people.ts';
import { renderApp } from './render-app.tsx';
import { staffReport } from './staff-reports.ts';

/** An id of which lists show these six characters. */
export function idEndingIn(end: string): string {
  return `018f3a52-0000-7000-8000-000000${end}`;
}

/** Three reports: pending, in progress and overdue with a new answer, resolved. */
export const threeReports: StaffReport[] = [
  staffReport({ _id: idEndingIn('aaaaa1') }),
  staffReport({
    _id: idEndingIn('bbbbb2'),
    description: 'I was charged twice.',
    problem_type: 'Payment Problem',
    status: 'in_progress',
    isOverdue: true,
    replyCount: 2,
    createdAt: '2025-10-17T09:00:00.000Z',
  }),
  staffReport({
    _id: idEndingIn('ccccc3'),
    description: 'The map does not load.',
    problem_type: 'Bug Report',
    priority: 'other',
    status: 'resolved',
    awaitsStaff: false,
    replyCount: 1,
    createdAt: '2025-10-16T09:00:00.000Z',
  }),
];

/** The reports screen with its rows there. */
export async function openReports(at = '/reports', person: OwnUser = administrator()) {
  const app = renderApp(at, person);
  await screen.findByText(/^Showing |^No reports$/);
  return app;
}

/** The rows of the reports table, without the head. */
export function reportRows(): HTMLElement[] {
  const table = screen.queryByRole('table', { name: 'Reports' });
  return table === null ? [] : within(table).getAllByRole('row').slice(1);
}

/** The row of the report with this short id. */
export function rowOf(shortId: string): HTMLElement {
  const row = reportRows().find((candidate) => candidate.textContent.startsWith(shortId));
  if (row === undefined) throw new Error(`There is no row ${shortId}`);
  return row;
}

/** The texts of a row's cells. */
export function cellsOf(shortId: string): string[] {
  return [...rowOf(shortId).children].map((cell) => cell.textContent);
}
