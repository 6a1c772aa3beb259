import { beforeAll, describe, expect, it, test } from 'vitest';
import { listAudit } from '#contract/moderation/audit.ts';
import { startBulk } from '#contract/moderation/bulk.ts';
import { writeToMember } from '#contract/moderation/staff-messages.ts';
import type { QueryInput } from '#contract/endpoint.ts';
import { changeAdminUser, exportSelected, exportUsers, getAdminUser } from '#contract/profiles/staff.ts';
import { claimCase } from '#contract/moderation/cases.ts';
import { listTeam } from '#contract/moderation/team.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { caseIdOf, fileReport } from '../../../../test/moderation/reports.ts';

const app = startAppForTests();

describe('the audit trail', () => {
  let administrator: TestMember;
  let member: TestMember;

  beforeAll(async () => {
    administrator = await makeAdministrator(app, { firstName: 'Chief', lastName: 'Staff' });
    member = await makeMember(app);
    const { token } = administrator;
    await app.call(getAdminUser, { token, params: { id: member.id } });
    await app.call(changeAdminUser, { token, params: { id: member.id }, body: { bio: 'New', reason: 'by mail' } });
    await app.call(changeAdminUser, { token, params: { id: member.id }, body: { isActive: false, reason: 'spam' } });
    await app.call(exportUsers, { token, query: { type: 'vip', reason: 'Figures' } });
  });

  const trail = (query: QueryInput<typeof listAudit> = {}, by = administrator) =>
    app.call(listAudit, { token: by.token, query });
  const actions = async (query: QueryInput<typeof listAudit>) =>
    (await trail(query)).body.data.events.map(({ action }) => action);

  describe('GET /admin/audit', () => {
    test('lists actor, action, target, time and reason, newest first', async () => {
      const { events } = (await trail({ targetId: member.id })).body.data;
      expect(events).toEqual([
        {
          _id: expect.any(String),
          at: '2026-06-15T12:00:00.000Z',
          actor: { _id: administrator.id, name: 'Chief Staff', role: 'admin' },
          action: 'user.deactivated',
          target: { type: 'user', id: member.id },
          reason: 'spam',
          changes: { isActive: { from: true, to: false } },
        },
        expect.objectContaining({ action: 'user.edited', changes: { bio: { from: null, to: 'New' } } }),
        expect.not.objectContaining({ reason: expect.anything() }),
      ]);
      expect(events[2]).toMatchObject({ action: 'user.read' });
    });

    test('filters by action, target and actor', async () => {
      const kinds = async (query: QueryInput<typeof listAudit>) => [...new Set(await actions(query))];
      expect(await kinds({ action: 'user.edited' })).toEqual(['user.edited']);
      expect(await kinds({ action: 'users.exported', actorId: administrator.id })).toEqual(['users.exported']);
      expect(await actions({ actorId: member.id })).toEqual([]);
      expect(await actions({ targetId: 'nobody' })).toEqual([]);
      expect(await kinds({ targetId: member.id, action: 'user.read' })).toEqual(['user.read']);
    });

    test('filters by days, which are in UTC and included', async () => {
      const edited = async (days: Pick<QueryInput<typeof listAudit>, 'from' | 'to'>) =>
        (await actions({ ...days, action: 'user.edited', targetId: member.id })).length;
      expect(await edited({ from: '2026-06-15', to: '2026-06-15' })).toBe(1);
      expect(await edited({ from: '2026-06-16' })).toBe(0);
      expect(await edited({ to: '2026-06-14' })).toBe(0);
      for (const days of [{ from: '2026-06-16', to: '2026-06-15' }, { from: '2026-02-30' }, { to: 'soon' }])
        expect((await trail(days)).status, JSON.stringify(days)).toBe(400);
    });

    test('shows no private data to roles for which it is masked', async () => {
      const { token } = administrator;
      const person = await makeMember(app, { birthDate: '1987-03-04', email: 'vera@private.test' });
      const body = { birthDate: '1987-03-05', bio: 'Hello', reason: 'by mail' };
      await app.call(changeAdminUser, { token, params: { id: person.id }, body });
      await app.call(exportUsers, { token, query: { search: 'vera@private', reason: 'Asked for it' } });
      const auditor = await makeMember(app, { staffRole: 'auditor' });
      const { raw, body: seen } = await trail({}, auditor);
      expect(raw).not.toMatch(/1987-03|vera@private/);
      expect(seen.data.events.slice(0, 3)).toMatchObject([
        { action: 'users.downloaded', reason: 'Asked for it' },
        { action: 'users.exported', changes: { filters: { from: null, to: { search: '•••' } } } },
        { action: 'user.edited', changes: { birthDate: { from: '•••', to: '•••' }, bio: { from: null, to: 'Hello' } } },
      ]);
      expect((await trail({ limit: '20' })).raw).toMatch(/1987-03-05/);
    });

    test('hides from parties what colleagues do in their cases', async () => {
      const [person, party, colleague] = [
        await makeMember(app),
        await makeAdministrator(app),
        await makeAdministrator(app),
      ];
      await fileReport(app, party, { problem_type: 'Harassment', reportedUser: person.id });
      const body = { text: 'What did she do to you?' };
      await app.call(writeToMember, { token: colleague.token, params: { id: person.id }, body });
      await app.call(getAdminUser, { token: colleague.token, params: { id: person.id } });
      await app.call(getAdminUser, { token: colleague.token, params: { id: party.id } });
      const seenBy = async (who: TestMember, targetId: string) =>
        (await trail({ targetId }, who)).body.data.events.map(({ action }) => action);
      expect(await seenBy(colleague, person.id)).toEqual(['user.read', 'user.written']);
      expect(await seenBy(party, person.id)).toEqual([]);
      expect(await seenBy(party, party.id)).toEqual([]);
      expect(await seenBy(colleague, party.id)).toEqual(['user.read']);
    });

    test('hides the people and the reason of a bulk act from a viewer it included', async () => {
      const [party, colleague] = [
        await makeMember(app, { staffRole: 'admin' }),
        await makeMember(app, { staffRole: 'owner' }),
      ];
      const body = {
        selection: { ids: [party.id, member.id] },
        act: { kind: 'note' as const, text: 'Seen together.' },
        reason: 'Watching a ring',
      };
      await app.call(startBulk, { token: colleague.token, body });
      const eventFor = async (who: TestMember) => (await trail({ action: 'users.bulk' }, who)).body.data.events[0];
      expect(await eventFor(colleague)).toMatchObject({
        reason: 'Watching a ring',
        changes: { people: { to: [party.id, member.id] } },
      });
      const seen = await eventFor(party);
      expect(seen).toMatchObject({ changes: { people: { from: null, to: { length: 2 } } } });
      expect(seen).not.toHaveProperty('reason');
    });

    test('hides the reason for an export of chosen users from those users', async () => {
      const [party, colleague] = [await makeAdministrator(app), await makeMember(app, { staffRole: 'owner' })];
      const body = { ids: [party.id, member.id], reason: 'Watching a ring' };
      await app.call(exportSelected, { token: colleague.token, body });
      const reasonsFor = async (by: TestMember) =>
        (await trail({ actorId: colleague.id, limit: '2' }, by)).body.data.events.map(({ action, reason }) => [
          action,
          reason,
        ]);
      expect(await reasonsFor(party)).toEqual([
        ['users.downloaded', undefined],
        ['users.exported', undefined],
      ]);
      expect(await reasonsFor(administrator)).toEqual([
        ['users.downloaded', 'Watching a ring'],
        ['users.exported', 'Watching a ring'],
      ]);
    });

    test('shows addresses in filters only to roles that see addresses', async () => {
      const { token } = administrator;
      for (const filter of [{ city: 'wilma@private.test' }, { country: 'wilma%40private.test' }])
        await app.call(exportUsers, { token, query: { ...filter, reason: 'Asked for it' } });
      expect((await trail({})).raw).toMatch(/wilma@private/);
      const auditor = await makeMember(app, { staffRole: 'auditor' });
      expect((await trail({}, auditor)).raw).not.toMatch(/wilma/);
    });

    test('is itself audited, page by page', async () => {
      const readings = async () => (await trail({ action: 'audit.read', limit: '1' })).body.data.pagination.total;
      const before = await readings();
      const first = await trail({ limit: '2' });
      const cursor = first.body.data.pagination.nextCursor ?? '';
      await trail({ limit: '2', cursor });
      expect(await readings()).toBe(before + 3);
    });

    test('can be paged by cursor without gap or repetition, even while events are added', async () => {
      const truth = (await trail({ limit: '1000' })).body.data.events.map(({ _id }) => _id);
      const walked: string[] = [];
      const first = (await trail({ limit: '2' })).body.data;
      walked.push(...first.events.slice(1).map(({ _id }) => _id));
      let next = first.pagination.nextCursor ?? null;
      while (next !== null) {
        const { events, pagination } = (await trail({ limit: '3', cursor: next })).body.data;
        walked.push(...events.map(({ _id }) => _id));
        next = pagination.nextCursor ?? null;
      }
      expect(walked).toEqual(truth);
    });

    test.each<[Record<string, string>, string]>([
      [{ action: 'user.kissed' }, 'action'],
      [{ cursor: 'nonsense' }, 'cursor'],
      [{ cursor: Buffer.from('9'.repeat(30)).toString('base64url') }, 'cursor'],
      [{ targetId: 'x'.repeat(65) }, 'targetId'],
    ])('rejects %j with a field error', async (query, field) => {
      const refused = await trail(query);
      expect(refused.status).toBe(400);
      expect(refused.error.errors?.[0]?.field).toBe(field);
    });
  });

  describe('the audit trail', () => {
    test('cannot be changed, and drops entries only after two years', async () => {
      const write = (at: string) =>
        app.pool.query(
          `insert into audit_event (at, actor_name, actor_role, action, target_type)
         values (now() - $1::interval, 'Chief', 'admin', 'audit.read', 'audit')`,
          [at],
        );
      const countAged = async () =>
        (
          await app.pool.query<{ n: number }>(
            `select count(*)::int as n from audit_event where at < now() - interval '700 days'`,
          )
        ).rows[0]?.n;
      await write('735 days');
      await write('725 days');
      await expect(app.pool.query(`update audit_event set reason = 'other'`)).rejects.toThrow('append-only');
      await expect(app.pool.query(`delete from audit_event`)).rejects.toThrow('append-only');
      expect(await countAged()).toBe(2);
      await app.app.background.tasks['audit.cleanUp']?.({}, {} as never);
      expect(await countAged()).toBe(1);
    });
  });

  describe('GET /admin/audit/export', () => {
    const download = (by: TestMember, query: object) =>
      app.app.inject({
        method: 'GET',
        url: `/api/v1/admin/audit/export?${new URLSearchParams(query as Record<string, string>).toString()}`,
        headers: { authorization: `Bearer ${by.token}` },
      });

    test('contains the listed events, and is audited with its reason and its content', async () => {
      const [lead, auditor] = [await makeAdministrator(app), await makeMember(app, { staffRole: 'auditor' })];
      const person = await makeMember(app, { birthDate: '1987-03-04' });
      const body = { birthDate: '1987-03-05', bio: 'Hello', reason: '=by mail' };
      await app.call(changeAdminUser, { token: lead.token, params: { id: person.id }, body });
      const file = await download(auditor, { targetId: person.id, reason: 'For the yearly report' });
      expect(file.headers['content-disposition']).toBe('attachment; filename="heartwood-audit-2026-06-15.csv"');
      const [head, ...rows] = file.body.trim().split('\r\n');
      expect(head).toContain('"Time (UTC)","Actor","Actor ID"');
      expect(rows).toHaveLength((await trail({ targetId: person.id })).body.data.events.length);
      expect(rows[0]).toMatch(/"user.edited","user",.*"'=by mail"/);
      expect(file.body).not.toMatch(/1987-03/);
      const [end, start] = (await trail({ actorId: auditor.id })).body.data.events;
      expect(start).toMatchObject({
        action: 'audit.exported',
        reason: 'For the yearly report',
        changes: { filters: { to: { targetId: person.id } } },
      });
      expect(end).toMatchObject({ action: 'audit.downloaded', changes: { rows: { to: rows.length } } });
    });

    test('requires a reason and a role that may read the trail', async () => {
      expect((await download(administrator, { reason: ' ' })).statusCode).toBe(400);
      expect((await download(await makeModerator(app), { reason: 'Curious' })).statusCode).toBe(403);
    });
  });
});

const teamSeenBy = async ({ token }: { token: string }) => (await app.call(listTeam, { token })).body.data.members;

describe('GET /admin/team', () => {
  it('lists staff by role with the number of their open cases, and no members', async () => {
    const owner = await makeMember(app, { staffRole: 'owner' });
    const administrator = await makeAdministrator(app);
    const moderator = await makeModerator(app, { firstName: 'Mo', lastName: 'Keita', email: 'mo@heartwood.test' });
    const member = await makeMember(app);
    const report = await fileReport(app, member, {
      problem_type: 'Harassment',
      reportedUser: (await makeMember(app)).id,
    });
    await app.call(claimCase, { token: moderator.token, params: { id: await caseIdOf(app, report._id) } });

    const known = [owner, administrator, moderator, member].map(({ id }) => id);
    const knownSeenBy = async (viewer: { token: string }) =>
      (await teamSeenBy(viewer)).filter(({ _id }) => known.includes(_id));
    const team = await knownSeenBy(administrator);
    expect(team.map(({ _id }) => _id)).toEqual(known.slice(0, 3));
    expect(team[2]).toEqual({
      _id: moderator.id,
      name: 'Mo Keita',
      email: 'mo@heartwood.test',
      staffRole: 'moderator',
      isActive: true,
      lastActive: null,
      openCases: 1,
      can: { changeRole: true },
    });
    expect(team.map(({ can }) => can.changeRole)).toEqual([false, false, true]);
    expect((await knownSeenBy(owner)).map(({ can }) => can.changeRole)).toEqual([false, true, true]);
  });

  it('masks addresses for auditors, who cannot change anything', async () => {
    const auditor = await makeMember(app, { staffRole: 'auditor', email: 'greta@audit.test' });
    const team = await teamSeenBy(auditor);
    expect(team.find(({ _id }) => _id === auditor.id)?.email).toBe('g•••@a•••.test');
    expect(team.some(({ can }) => can.changeRole)).toBe(false);
  });

  it('masks the address of a colleague the viewer reported', async () => {
    const [administrator, moderator] = [await makeAdministrator(app), await makeModerator(app)];
    const emailIn = async () => (await teamSeenBy(administrator)).find(({ _id }) => _id === moderator.id)?.email;
    expect(await emailIn()).toBe(moderator.email);
    await fileReport(app, administrator, { problem_type: 'Other', reportedUser: moderator.id });
    expect(await emailIn()).toBe('m•••@e•••.test');
  });
});
