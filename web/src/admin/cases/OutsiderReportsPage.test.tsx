import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import {
  assignOutsiderReport,
  closeOutsiderReport,
  listOutsiderReports,
  type OutsiderLine,
} from '#contract/moderation/outsider-reports.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { moderator } from '../../../test/fixtures/people.ts';
import { renderApp } from '../../../test/render-app.tsx';

const line = (changes: Partial<OutsiderLine> = {}): OutsiderLine => ({
  _id: 'notice-1',
  type: 'threat',
  isUrgent: true,
  at: '2026-06-15T12:00:00.000Z',
  times: 3,
  address: null,
  person: 'Pat, 34, Leeds',
  where: null,
  text: 'Wants to hurt my sister.',
  name: 'Olga Outside',
  email: 'o•••@o•••.example',
  plea: null,
  closedBy: null,
  canClose: true,
  caseId: null,
  ...changes,
});

const serveLines = (changes: Partial<OutsiderLine> = {}) =>
  serve(listOutsiderReports, () => ({
    data: { notices: [line(changes)], counts: { waiting: 1, unconfirmed: 7, done: 0 }, nextCursor: null },
  }));
const open = () => renderApp('/cases/notices', moderator());

describe('outsider reports', () => {
  it('are shown with their content and author, and closed with one click', async () => {
    serveLines();
    serve(closeOutsiderReport, () => ({ data: { closed: 3 } }));
    const { person } = open();
    expect(await screen.findByText('Wants to hurt my sister.')).toBeVisible();
    expect(screen.getByText('Pat, 34, Leeds')).toBeVisible();
    expect(screen.getByText('Olga Outside, o•••@o•••.example')).toBeVisible();
    expect(screen.getByText('2 times')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Close' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Close this notice?' }));
    await person.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() =>
      expect(received(closeOutsiderReport).map(({ params, body }) => [params, body])).toEqual([
        [{ id: 'notice-1' }, {}],
      ]),
    );
  });

  it('require reasons to be closed after an appeal', async () => {
    serveLines({ plea: 'Look again.', closedBy: 'Mo Ek' });
    serve(closeOutsiderReport, () => ({ data: { closed: 1 } }));
    const { person } = open();
    expect(await screen.findByText('Look again.')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Close' }));
    const dialog = within(await screen.findByRole('dialog'));
    const answer = 'We looked at all profiles of that name and found none.';
    await person.type(dialog.getByRole('textbox'), answer);
    await person.click(dialog.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(received(closeOutsiderReport).map(({ body }) => body)).toEqual([{ answer }]));
  });

  it('can be added to the case of a chosen person', async () => {
    serveLines();
    serve(listUsers, () => ({
      data: {
        users: [],
        pagination: { page: 1, limit: 8, total: 0, pages: 0 },
      },
    }));
    serve(assignOutsiderReport, () => ({ data: { caseId: 'case-1' } }));
    const { person } = open();
    await person.click(await screen.findByRole('button', { name: 'Choose the person' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Who is it about?' }));
    expect(dialog.getByRole('combobox', { name: 'Person' })).toHaveFocus();
    await person.keyboard('person-1');
    await dialog.findByText(/^No users found/);
    await person.keyboard('{Enter}');
    await waitFor(() =>
      expect(received(assignOutsiderReport).map(({ params, body }) => [params, body])).toEqual([
        [{ id: 'notice-1' }, { userId: 'person-1' }],
      ]),
    );
    expect(await screen.findByText('The notice is in the person’s case now.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Open the case' })).toHaveAttribute('href', '/cases/case-1');
  });

  it('are shown one at a time, by button or key, and the next one appears when one is done', async () => {
    let waiting = [line(), line({ _id: 'notice-2', text: 'Uses my picture.' })];
    serve(listOutsiderReports, () => ({
      data: { notices: waiting, counts: { waiting: waiting.length, unconfirmed: 0, done: 0 }, nextCursor: null },
    }));
    serve(closeOutsiderReport, ({ params }) => {
      waiting = waiting.filter(({ _id }) => _id !== params.id);
      return { data: { closed: 1 } };
    });
    const { person } = open();
    expect(await screen.findByText('1 of 2')).toBeVisible();
    expect(screen.queryByText('Uses my picture.')).toBeNull();
    await person.keyboard('j');
    expect(await screen.findByText('Uses my picture.')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Previous' }));
    await person.keyboard('c');
    await person.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Close' }));
    expect(await screen.findByText('Uses my picture.')).toBeVisible();
    expect(screen.getByText('1 of 1')).toBeVisible();
  });

  it('link to their case when they are done', async () => {
    serveLines({ caseId: 'case-1', canClose: false });
    renderApp('/cases/notices?view=done', moderator());
    expect(await screen.findByRole('link', { name: 'Open the case' })).toHaveAttribute('href', '/cases/case-1');
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull();
    expect(received(listOutsiderReports).map(({ query }) => query.view)).toContain('done');
  });
});
