import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { listTags } from '#contract/moderation/tags.ts';
import { listTeam, type TeamMember } from '#contract/moderation/team.ts';
import { type BulkProgress, cancelBulk, getBulkAct, sendApproved } from '#contract/moderation/bulk.ts';
import { decideApproval, listApprovals } from '#contract/profiles/approvals.ts';
import { changeAdminUser, exportUsers, getAdminUser, listUsers } from '#contract/profiles/staff.ts';
import { failWith, received, Refusal, serve } from '../../../test/fake-server.ts';
import { administrator, moderator } from '../../../test/fixtures/people.ts';
import { approval } from '../../../test/fixtures/staff/user-files.ts';
import { adminUser, listedUser } from '../../../test/fixtures/staff/users.ts';
import { renderApp } from '../../../test/render-app.tsx';

const colleague = (changes: Partial<TeamMember> = {}): TeamMember => ({
  _id: 'jonas',
  name: 'Jonas Weir',
  email: 'jonas@heartwood.test',
  staffRole: 'moderator',
  isActive: true,
  lastActive: null,
  openCases: 3,
  can: { changeRole: true },
  ...changes,
});
const chief = colleague({
  _id: 'iris',
  name: 'Iris Calder',
  staffRole: 'owner',
  openCases: 0,
  can: { changeRole: false },
});

beforeEach(() => {
  serve(listApprovals, () => ({ data: { approvals: [] } }));
  serve(listTags, () => ({ data: { tags: [] } }));
});

describe('/team', () => {
  it('lists staff with roles and open cases, and offers changes only for lower ranks', async () => {
    serve(listTeam, () => ({ data: { members: [chief, colleague()] } }));
    renderApp('/team', administrator());
    const table = await screen.findByRole('table', { name: 'Team' });
    const row = within(table).getByRole('row', { name: /Jonas Weir/ });
    expect(within(row).getByText('Moderator')).toBeVisible();
    expect(within(row).getByText('3')).toBeVisible();
    expect(within(table).getAllByRole('button', { name: /Change role/ })).toHaveLength(1);
  });

  it('can change a role with a reason, and shows why the server refuses', async () => {
    serve(listTeam, () => ({ data: { members: [chief, colleague()] } }));
    failWith(changeAdminUser, new Refusal('LAST_ADMINISTRATOR', 'This is the last administrator'));
    const { person } = renderApp('/team', administrator());
    await person.click(await screen.findByRole('button', { name: 'Change role: Jonas Weir' }));
    const dialog = screen.getByRole('dialog', { name: "Change Jonas Weir's role" });
    const role = within(dialog).getByRole('combobox', { name: 'Role' });
    expect(within(role).queryByRole('option', { name: 'Administrator' })).toBeNull();
    expect(within(dialog).getByRole('button', { name: 'Save role' })).toBeDisabled();
    await person.selectOptions(role, 'Senior moderator');
    await person.type(within(dialog).getByRole('textbox', { name: /Reason/ }), 'Two years with us');
    await person.click(within(dialog).getByRole('button', { name: 'Save role' }));
    expect(await within(dialog).findByText('This is the last administrator')).toBeVisible();
    serve(changeAdminUser, () => ({
      data: { user: adminUser(listedUser({ firstName: 'Jonas', lastName: 'Weir', staffRole: 'senior' })) },
    }));
    await person.click(within(dialog).getByRole('button', { name: 'Save role' }));
    expect(await screen.findByText('Jonas Weir: Senior moderator')).toBeVisible();
    expect(received(changeAdminUser).at(-1)).toMatchObject({
      params: { id: 'jonas' },
      body: { staffRole: 'senior', reason: 'Two years with us' },
    });
  });

  it('can add a user who is found by name', async () => {
    const newcomer = { _id: 'nell', name: 'Nell Avery', firstName: 'Nell', lastName: 'Avery' };
    serve(listTeam, () => ({ data: { members: [] } }));
    serve(listUsers, () => ({
      data: { users: [listedUser(newcomer)], pagination: { page: 1, limit: 8, total: 1, pages: 1, nextCursor: null } },
    }));
    serve(getAdminUser, () => ({ data: { user: adminUser(listedUser(newcomer)) } }));
    serve(changeAdminUser, () => ({ data: { user: adminUser(listedUser({ ...newcomer, staffRole: 'support' })) } }));
    const { person } = renderApp('/team', administrator());
    expect(await screen.findByText('No one is here yet.')).toBeVisible();
    await person.click(screen.getByRole('button', { name: 'Add to the team' }));
    await person.type(screen.getByRole('combobox', { name: 'User' }), 'nell');
    await person.click(await screen.findByRole('option', { name: /Nell Avery/ }));
    expect(await screen.findByText('Nell Avery')).toBeVisible();
    await person.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Support');
    await person.type(screen.getByRole('textbox', { name: /Reason/ }), 'Joins on Monday');
    await person.click(screen.getByRole('button', { name: 'Save role' }));
    expect(await screen.findByText('Nell Avery: Support')).toBeVisible();
    expect(received(changeAdminUser).map(({ params }) => params.id)).toEqual(['nell']);
  });

  it('is closed to people who may not see it', async () => {
    renderApp('/team', moderator());
    expect(await screen.findByRole('heading', { level: 1, name: 'Dashboard Overview' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Team' })).toBeNull();
  });

  it.each([
    ['analyst', ['Dashboard', 'My account']],
    ['support', ['Dashboard', 'Users', 'Reports', 'My account']],
    ['billing', ['Dashboard', 'Users', 'Reports', 'My account']],
    ['senior', ['Dashboard', 'Users', 'Reports', 'Queue', 'Rules', 'My account']],
    ['auditor', ['Dashboard', 'Users', 'Reports', 'Queue', 'Rules', 'Team', 'Audit', 'My account']],
  ] as const)('links only to the pages that a %s may open', async (staffRole, links) => {
    renderApp('/settings', administrator({ staffRole }));
    await screen.findByRole('heading', { level: 1, name: 'My account' });
    const header = within(screen.getByRole('banner'));
    const shown = header.getAllByRole('link').map(({ textContent }) => textContent);
    expect(
      shown.filter((text) =>
        ['Dashboard', 'Users', 'Reports', 'Queue', 'Rules', 'Team', 'Audit', 'My account'].includes(text),
      ),
    ).toEqual(links);
  });
});

describe('approvals on the page of the team', () => {
  const panel = async () => within(await screen.findByRole('region', { name: 'Approvals' }));

  it('show what a colleague requests and why, and are given with a reason', async () => {
    serve(listTeam, () => ({ data: { members: [] } }));
    serve(listApprovals, () => ({ data: { approvals: [approval()] } }));
    serve(decideApproval, () => ({ data: { approval: approval({ state: 'usable' }) } }));
    const { person } = renderApp('/team', administrator());
    const approvals = await panel();
    expect(await approvals.findByText(/asks to export/)).toHaveTextContent('Iris Calder asks to export 1,200 users');
    expect(approvals.getByText('The yearly figures')).toBeVisible();
    expect(approvals.getByText('Active · Country: Norway')).toBeVisible();
    expect(approvals.getByText('Columns: User ID, Country')).toBeVisible();
    await person.click(approvals.getByRole('button', { name: 'Approve' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Approve this request?' }));
    await person.type(dialog.getByRole('textbox', { name: /Reason/ }), 'Checked the purpose');
    await person.click(dialog.getByRole('button', { name: /^Approve/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(received(decideApproval)[0]).toMatchObject({
      params: { id: 'approval' },
      body: { verdict: 'approved', reason: 'Checked the purpose' },
    });
  });

  it('show only the number of selected users', async () => {
    serve(listTeam, () => ({ data: { members: [] } }));
    serve(listApprovals, () => ({ data: { approvals: [approval({ rows: 12, filters: {}, isChosen: true })] } }));
    renderApp('/team', administrator());
    const approvals = await panel();
    expect(await approvals.findByText(/asks to export/)).toHaveTextContent('Iris Calder asks to export 12 users');
    expect(approvals.getByText('Selected one by one')).toBeVisible();
    expect(approvals.queryByText('All users, without filters')).toBeNull();
  });

  it('of a message to many show its text, and let the requester send it and cancel it until it starts', async () => {
    let state: BulkProgress['state'] = 'running';
    const act = (): BulkProgress => ({
      ...{ _id: 'act', kind: 'notice', state, total: 120, done: 0, failed: 0, failures: [] },
      ...{ startedAt: '2025-10-06T12:00:00.000Z', startsAt: '2025-10-06T12:10:00.000Z' },
    });
    serve(listTeam, () => ({ data: { members: [] } }));
    const asked = { kind: 'users.bulk' as const, columns: [], text: 'Closed on Monday.', rows: 120 };
    serve(listApprovals, () => ({
      data: { approvals: [approval({ ...asked, state: 'usable', can: { decide: false, use: true } })] },
    }));
    serve(sendApproved, () => ({ data: { act: act() } }));
    serve(getBulkAct, () => ({ data: { act: act() } }));
    serve(cancelBulk, () => {
      state = 'canceled';
      return { data: { act: act() } };
    });
    const { person } = renderApp('/team', administrator());
    const approvals = await panel();
    expect(await approvals.findByText(/asks to send/)).toHaveTextContent(
      'Iris Calder asks to send a message to 120 users',
    );
    expect(approvals.getByText('Closed on Monday.')).toBeVisible();
    await person.click(approvals.getByRole('button', { name: 'Send message' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Send message' }));
    expect(dialog.getByRole('status')).toHaveTextContent('It starts at');
    await person.click(dialog.getByRole('button', { name: 'Cancel the message' }));
    expect(await dialog.findByText('Canceled after 0 of 120.')).toBeVisible();
  });

  it('let the requester download the file', async () => {
    vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:heartwood');
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue(undefined);
    serve(listTeam, () => ({ data: { members: [] } }));
    serve(exportUsers, () => 'id');
    serve(listApprovals, () => ({
      data: { approvals: [approval({ state: 'usable', can: { decide: false, use: true } })] },
    }));
    const { person } = renderApp('/team', administrator());
    const approvals = await panel();
    await person.click(await approvals.findByRole('button', { name: 'Download' }));
    await waitFor(() => expect(received(exportUsers).map(({ query }) => query)).toEqual([{ approval: 'approval' }]));
    expect(approvals.queryByRole('button', { name: 'Approve' })).toBeNull();
  });
});
