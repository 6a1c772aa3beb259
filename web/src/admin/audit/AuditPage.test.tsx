import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  type AuditCheck,
  type AuditEventView,
  getAuditCheck,
  listAudit,
  requestAuditCheck,
} from '#contract/moderation/audit.ts';
import { listUsers } from '#contract/profiles/staff.ts';
import { received, serve } from '../../../test/fake-server.ts';
import { administrator } from '../../../test/fixtures/people.ts';
import { currentAddress, renderApp } from '../../../test/render-app.tsx';
import { fourUsers, serveUsers } from '../../../test/fixtures/staff/users-page.tsx';

const olga = { _id: 'olga', name: 'Olga Ivanova', role: 'admin' };
const event = (id: number, changes: Partial<AuditEventView>): AuditEventView => ({
  _id: String(id),
  at: '2025-10-20T09:30:00.000Z',
  actor: olga,
  action: 'user.read',
  target: { type: 'user', id: 'ada-0001-0001' },
  ...changes,
});

const trail = [
  event(8, { action: 'audit.read', target: { type: 'audit', id: null } }),
  event(7, {
    action: 'user.edited',
    reason: 'By their letter',
    changes: {
      firstName: { from: 'Bob', to: 'Robert' },
      bio: { from: null, to: 'Hello' },
      location: { from: { city: 'Lisbon', country: 'Portugal' }, to: null },
    },
  }),
  event(6, { action: 'user.deactivated', reason: 'Spam', changes: { isActive: { from: true, to: false } } }),
  event(5, { action: 'user.activated' }),
  event(4, { action: 'user.roleChanged', changes: { staffRole: { from: null, to: 'moderator' } } }),
  event(3, {
    action: 'users.exported',
    target: { type: 'users', id: null },
    changes: { filters: { from: null, to: { search: 'Ada', isActive: true } } },
  }),
  event(2, { action: 'administrator.created', actor: { _id: null, name: 'Command line', role: 'system' } }),
  event(1, {}),
  event(9, {
    action: 'report.statusChanged',
    target: { type: 'report', id: '018f3a52-0000-7000-8000-000000a1b2c3' },
    changes: { status: { from: 'in_progress', to: 'resolved' } },
  }),
  event(10, { action: 'pictures.read', target: { type: 'user', id: null } }),
  event(11, { action: 'picture.approved' }),
  event(12, {
    action: 'picture.rejected',
    reason: 'No person is visible',
    changes: { state: { from: 'pending', to: 'rejected' } },
  }),
];

const intact: AuditCheck = {
  startedAt: '2025-10-20T09:30:00.000Z',
  finishedAt: '2025-10-20T09:30:02.000Z',
  batches: 12,
  events: 3456,
  firstBad: null,
};

beforeEach(() => {
  serve(getAuditCheck, () => ({ data: { newest: { batch: 12, hash: 'a1b2' }, check: intact, running: null } }));
  serve(listAudit, ({ query }) => {
    const events = trail.filter(({ action }) => query.action === undefined || action === query.action);
    const isEnd = query.cursor === 'rest' || query.action !== undefined;
    return {
      data: {
        events: query.cursor === 'rest' ? [event(0, { action: 'user.read', reason: 'The oldest' })] : events,
        pagination: { page: 1, limit: 50, total: events.length, pages: 1, nextCursor: isEnd ? null : 'rest' },
      },
    };
  });
});

async function openAudit(at = '/audit') {
  const app = renderApp(at, administrator());
  await screen.findByText(/\d events?$/);
  return app;
}

const rows = () =>
  within(screen.getByRole('table', { name: 'Audit trail' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map((cell) => cell.textContent));

describe('the audit trail', () => {
  it('shows every event as a sentence', async () => {
    await openAudit();
    expect(rows().map(([, sentence]) => sentence)).toEqual([
      'Olga Ivanova read the audit trailAdministrator',
      'Olga Ivanova edited user ada-0001Administrator',
      'Olga Ivanova deactivated user ada-0001Administrator',
      'Olga Ivanova activated user ada-0001Administrator',
      'Olga Ivanova changed the role of user ada-0001Administrator',
      'Olga Ivanova exported usersAdministrator',
      'Command line created the staff account ada-0001',
      'Olga Ivanova viewed user ada-0001Administrator',
      'Olga Ivanova changed the status of report a1b2c3Administrator',
      'Olga Ivanova viewed the picture queueAdministrator',
      'Olga Ivanova approved a picture of user ada-0001Administrator',
      'Olga Ivanova rejected a picture of user ada-0001Administrator',
    ]);
    expect(screen.getByRole('link', { name: 'a1b2c3' })).toHaveAttribute(
      'href',
      '/reports/018f3a52-0000-7000-8000-000000a1b2c3',
    );
    expect(screen.getAllByRole('link', { name: 'ada-0001' })[0]).toHaveAttribute('href', '/users/ada-0001-0001');
  });

  it('shows reasons and changed values', async () => {
    await openAudit();
    const [, edited, deactivated, , role, exported] = rows();
    expect(edited?.slice(2)).toEqual([
      'By their letter',
      'First namefrom Bob→to RobertBiofrom —→to HelloLocationfrom Lisbon, Portugal→to —',
    ]);
    expect(deactivated?.[3]).toBe('Activefrom Yes→to No');
    expect(role?.slice(2)).toEqual(['—', 'Rolefrom Member→to Moderator']);
    expect(exported?.[3]).toBe('Filtersfrom —→to Search: Ada, Active: Yes');
    expect(rows().at(-4)?.[3]).toBe('Statusfrom In Progress→to Resolved');
    expect(rows().at(-1)?.slice(2)).toEqual(['No person is visible', 'Statefrom Pending→to Rejected']);
  });

  it('filters by action and keeps the filter in the address', async () => {
    const { person } = await openAudit();
    await person.selectOptions(screen.getByRole('combobox', { name: 'Action' }), 'user.edited');
    expect(await screen.findByText('1 event')).toBeInTheDocument();
    expect(currentAddress()).toBe('/audit?action=user.edited');
    expect(received(listAudit).at(-1)?.query).toEqual({ action: 'user.edited', limit: 50 });
  });

  it('filters by a user who is found by name', async () => {
    serveUsers(fourUsers.slice(0, 2));
    const { person } = await openAudit();
    await person.type(screen.getByRole('combobox', { name: 'User' }), 'b');
    expect(await screen.findAllByRole('option', { name: /@/ })).toHaveLength(2);
    await person.keyboard('{ArrowDown}{Enter}');
    await waitFor(() => expect(currentAddress()).toBe('/audit?targetId=bo-00002-0002'));
    await waitFor(() => expect(received(listAudit).at(-1)?.query).toMatchObject({ targetId: 'bo-00002-0002' }));
    expect(received(listUsers).at(-1)?.query).toMatchObject({ search: 'b' });
    await person.click(await screen.findByRole('button', { name: 'Remove filter: User bo-00002' }));
    expect(currentAddress()).toBe('/audit');
  });

  it('shows the short id of the report it is filtered by', async () => {
    const { person } = await openAudit('/audit?targetId=018f3a52-0000-7000-8000-000000a1b2c3');
    await person.click(screen.getByRole('button', { name: 'Remove filter: Report a1b2c3' }));
    expect(currentAddress()).toBe('/audit');
  });

  it('filters by the person who acted', async () => {
    const { person } = await openAudit();
    await person.click(screen.getAllByRole('button', { name: 'Olga Ivanova' })[0]!);
    expect(currentAddress()).toBe('/audit?actorId=olga');
    expect(await screen.findByRole('button', { name: 'Remove filter: By Olga Ivanova' })).toBeVisible();
  });

  it('loads more with a cursor', async () => {
    const { person } = await openAudit();
    await person.click(screen.getByRole('button', { name: 'Load more' }));
    expect(await screen.findByText('The oldest')).toBeVisible();
    expect(received(listAudit).at(-1)?.query).toMatchObject({ cursor: 'rest' });
    expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull();
  });
});

describe('the check of the trail', () => {
  it('shows how much is intact and the newest seal', async () => {
    await openAudit();
    expect(await screen.findByText(/3,456 events in 12 sealed batches, checked Oct/)).toBeVisible();
    expect(await screen.findByText('12:a1b2')).toBeInTheDocument();
  });

  it('shows the first altered batch as an alert', async () => {
    const firstBad = { batch: 7, until: '2025-10-19T09:30:00.000Z' };
    serve(getAuditCheck, () => ({ data: { newest: null, check: { ...intact, firstBad }, running: null } }));
    await openAudit();
    expect(await screen.findByRole('alert')).toHaveTextContent(/^Batch 7 of the audit trail, with events until Oct/);
  });

  it('can be started and shows its progress until it ends', async () => {
    let state: { check: AuditCheck | null; running: AuditCheck | null } = { check: null, running: null };
    serve(getAuditCheck, () => ({ data: { newest: null, ...state } }));
    serve(requestAuditCheck, () => {
      state = { ...state, running: { ...intact, startedAt: new Date().toISOString(), finishedAt: null, events: 5 } };
      return {};
    });
    const { person } = await openAudit();
    await person.click(await screen.findByRole('button', { name: 'Check now' }));
    expect(await screen.findByText(/^Checking the audit trail: 5 events/)).toBeVisible();
    state = { check: { ...intact, startedAt: new Date().toISOString() }, running: null };
    expect(await screen.findByText(/^The audit trail is intact/)).toBeVisible();
    expect(received(requestAuditCheck)).toHaveLength(1);
  });
});
