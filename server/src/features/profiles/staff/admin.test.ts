import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyInput } from '#contract/endpoint.ts';
import { listMyReports } from '#contract/moderation/reports.ts';
import { listNotifications } from '#contract/notifications.ts';
import { changeAdminUser, getAdminUser, listUsers } from '#contract/profiles/staff.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { caseIdOf, fileReport } from '../../../../test/moderation/reports.ts';
import { startAppForTests } from '../../../../test/harness.ts';

const app = startAppForTests();
let administrator: TestMember;
let moderator: TestMember;
beforeEach(async () => {
  await app.db.updateTable('account').set({ staff_role: null }).where('staff_role', 'is not', null).execute();
  administrator = await makeAdministrator(app, { firstName: 'Chief', lastName: 'Staff' });
  moderator = await makeModerator(app, { firstName: 'Mod', lastName: null });
});

type Change = BodyInput<typeof changeAdminUser>;

const read = (id: string, by = administrator) => app.call(getAdminUser, { token: by.token, params: { id } });
const change = (id: string, body: Omit<Change, 'reason'> & { reason?: string }, by = administrator) =>
  app.call(changeAdminUser, { token: by.token, params: { id }, body: { reason: 'asked for by mail', ...body } });
const auditOf = async (id: string) =>
  (await app.db.selectFrom('audit_event').selectAll().where('target_id', '=', id).orderBy('id').execute()).map(
    ({ action, actor_name, actor_role, reason, changes }) => ({ action, actor_name, actor_role, reason, changes }),
  );
const isSignedIn = async (member: TestMember) => (await app.call(getProfile, { token: member.token })).status === 200;

describe('the message about an edit', () => {
  const messagesTo = async ({ token }: TestMember) =>
    (await app.call(listMyReports, { token })).body.data.reports.map(({ description }) => description);

  test.each([
    [{ bio: 'Hello' }, 'en', 'Our team changed your profile: About me. If something is wrong, answer here.'],
    [
      { firstName: 'Neu', location: { city: 'Lisbon', country: 'Portugal' } },
      'de',
      'Unser Team hat dein Profil geändert: Vorname, Stadt. Wenn etwas nicht stimmt, antworte hier.',
    ],
  ] as const)('names the fields of %o to the member in %s', async (body, language, text) => {
    const member = await makeMember(app);
    await app.db.updateTable('account').set({ language }).where('id', '=', member.id).execute();
    for (const _ of [1, 2]) expect((await change(member.id, body)).status).toBe(200);
    expect(await messagesTo(member)).toEqual([text]);
    const { notifications } = (await app.call(listNotifications, { token: member.token })).body.data;
    expect(notifications.map(({ kind }) => kind)).toEqual(['report']);
  });

  test('is not sent for changes without a field, to colleagues, or for one’s own profile', async () => {
    const member = await makeMember(app);
    await change(member.id, { isActive: false });
    await change(moderator.id, { bio: 'New' });
    await change(administrator.id, { bio: 'New' });
    const { rows } = await app.pool.query('select from report where reporter_id = any ($1)', [
      [member.id, moderator.id, administrator.id],
    ]);
    expect(rows).toEqual([]);
  });

  test.each([
    ['bio', { bio: 'Write to me at flirt-now.xyz' }],
    ['firstName', { firstName: 'Evil dot com' }],
    ['lastName', { lastName: 'evil dot com' }],
  ])('is not sent for a link to another site in %s, which is rejected', async (field, body) => {
    const member = await makeMember(app);
    const { status, error } = await change(member.id, body);
    expect([status, error.errors?.map((one) => one.field)]).toEqual([400, [field]]);
    expect(await messagesTo(member)).toEqual([]);
  });
});

describe('GET /admin/users/{id}', () => {
  test('returns everything staff may see to an administrator, and is audited', async () => {
    const member = await makeMember(app, {
      firstName: 'Bo',
      lastName: 'Berg',
      birthDate: '1990-06-16',
      passwordHash: '$argon2id$canary',
      latitude: 12.345,
      longitude: 54.321,
    });
    const { body, raw } = await read(member.id);
    expect(body.data.user).toMatchObject({
      _id: member.id,
      name: 'Bo Berg',
      email: member.email,
      birthDate: '1990-06-16',
      age: 35,
      seeking: ['woman', 'man', 'non-binary'],
      sessionCount: 1,
      deactivationReason: null,
      leavingSince: null,
      can: { edit: true, activate: false, deactivate: true, changeRole: true },
    });
    expect(raw).not.toMatch(/canary|12\.345|54\.321|latitude|password|token/);
    expect(await auditOf(member.id)).toEqual([
      { action: 'user.read', actor_name: 'Chief Staff', actor_role: 'admin', reason: null, changes: null },
    ]);
  });

  test('returns a masked address, no birth date and no actions to a moderator, and is audited', async () => {
    const member = await makeMember(app, { email: 'bo.berg@private.test' });
    const { body, raw } = await read(member.id, moderator);
    expect(body.data.user).toMatchObject({
      email: 'b•••@p•••.test',
      birthDate: null,
      can: { edit: false, activate: false, deactivate: false, changeRole: false },
    });
    expect(raw).not.toMatch(/bo\.berg|private|1990-05-05/);
    expect(await auditOf(member.id)).toMatchObject([
      { action: 'user.read', actor_name: 'Mod', actor_role: 'moderator' },
    ]);
  });

  test('returns leaving and deactivated accounts with the reason', async () => {
    const leaving = await makeMember(app, { leaving: true });
    expect((await read(leaving.id)).body.data.user.leavingSince).toBe(app.clock.now().toISOString());
    const deactivated = await makeMember(app, { deactivated: 'Sent spam' });
    expect((await read(deactivated.id)).body.data.user).toMatchObject({
      isActive: false,
      deactivationReason: 'Sent spam',
      deactivatedAt: app.clock.now().toISOString(),
      can: { activate: true, deactivate: false },
    });
  });

  test('returns the most severe measure in force and the open case, but neither to involved colleagues', async () => {
    const person = await makeMember(app);
    const { measure, openCaseId } = (await read(person.id)).body.data.user;
    expect([measure, openCaseId]).toEqual([null, null]);
    const now = app.clock.now();
    const daysLater = (days: number) => new Date(now.getTime() + days * 86_400_000);
    const until = daysLater(7).toISOString();
    const given = { account_id: person.id, decision_id: null, reason: 'Canaryreason', created_by_name: 'Mo Ek' };
    const common = { ...given, starts_at: now, strikes: 1, strikes_until: daysLater(90) };
    await app.db
      .insertInto('sanction')
      .values([
        { ...common, kind: 'ban', revoked_at: now },
        { ...common, kind: 'ban', ends_at: now },
        { ...common, kind: 'warn' },
        { ...common, kind: 'limit_messaging' },
        { ...common, kind: 'suspend', ends_at: daysLater(1) },
        { ...common, kind: 'suspend', ends_at: daysLater(7) },
      ])
      .execute();
    const reporter = await makeModerator(app);
    const { _id } = await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: person.id });
    const answer = await read(person.id, moderator);
    const suspended = { kind: 'suspend', since: now.toISOString(), until };
    expect(answer.body.data.user).toMatchObject({ measure: suspended, openCaseId: await caseIdOf(app, _id) });
    expect(answer.raw).not.toContain('Canary');
    const support = await makeMember(app, { staffRole: 'support' });
    const seen = (await read(person.id, support)).body.data.user;
    expect(seen.measure).toEqual(suspended);
    expect(seen).not.toHaveProperty('openCaseId');
    const hidden = (await read(person.id, reporter)).body.data.user;
    expect(hidden).not.toHaveProperty('measure');
    expect(hidden).not.toHaveProperty('openCaseId');
  });

  test('returns the same 404 for every unknown id, without an audit event', async () => {
    const count = async () => (await app.db.selectFrom('audit_event').selectAll().execute()).length;
    const before = await count();
    for (const id of ['00000000-0000-4000-8000-000000000000', 'x', '%20', "'--"]) {
      expect((await read(id)).status).toBe(404);
      expect((await change(id, { bio: 'x' })).status).toBe(404);
    }
    expect(await count()).toBe(before);
  });
});

describe('PATCH /admin/users/{id} with profile fields', () => {
  test('changes given fields, keeps the rest, and audits old and new values with the reason', async () => {
    const member = await makeMember(app, { firstName: 'Bo', lastName: 'Berg', bio: 'Old', gender: 'man' });
    const { body } = await change(member.id, {
      firstName: 'Bob',
      lastName: null,
      bio: 'New',
      gender: 'male',
      birthDate: '1980-01-01',
      location: { city: 'Rome', country: 'Italy' },
      reason: '  letter of 3 June  ',
    });
    expect(body.data.user).toMatchObject({
      name: 'Bob',
      bio: 'New',
      gender: 'man',
      birthDate: '1980-01-01',
      location: { city: 'Rome', country: 'Italy' },
    });
    expect(await auditOf(member.id)).toEqual([
      {
        action: 'user.edited',
        actor_name: 'Chief Staff',
        actor_role: 'admin',
        reason: 'letter of 3 June',
        changes: {
          firstName: { from: 'Bo', to: 'Bob' },
          lastName: { from: 'Berg', to: null },
          bio: { from: 'Old', to: 'New' },
          birthDate: { from: '1990-05-05', to: '1980-01-01' },
          location: { from: { city: 'Prague', country: 'Czechia' }, to: { city: 'Rome', country: 'Italy' } },
        },
      },
    ]);
    expect(await isSignedIn(member)).toBe(true);
  });

  test('changes and audits nothing when repeated', async () => {
    const member = await makeMember(app, { bio: 'Same' });
    const same = { bio: 'Same', gender: 'woman', birthDate: '1990-05-05', isActive: true, staffRole: null } as const;
    expect((await change(member.id, same)).status).toBe(200);
    expect(await auditOf(member.id)).toEqual([]);
  });

  test('clears fields set to null', async () => {
    const member = await makeMember(app, { bio: 'Old' });
    const cleared = { firstName: null, lastName: null, gender: null, bio: null, location: null, birthDate: null };
    expect((await change(member.id, cleared)).body.data.user).toMatchObject({
      ...cleared,
      name: null,
      profileComplete: false,
    });
  });

  test('is visible immediately in lists and search', async () => {
    const member = await makeMember(app, { firstName: 'Before' });
    await change(member.id, { firstName: 'Quetzalcoatl' });
    const found = await app.call(listUsers, { token: administrator.token, query: { search: 'quetzal' } });
    expect(found.body.data.users.map(({ _id }) => _id)).toEqual([member.id]);
  });

  test.each(['2008-06-16', '2026-06-15', '2030-01-01'])('rejects the birth date of a minor (%s)', async (birthDate) => {
    const member = await makeMember(app);
    const refused = await change(member.id, { birthDate, bio: 'never stored' });
    expect([refused.status, refused.error.code]).toEqual([422, 'UNDER_AGE']);
    expect((await read(member.id)).body.data.user).toMatchObject({ birthDate: '1990-05-05', bio: null });
  });

  test.each<[object, string]>([
    [{ reason: undefined }, 'reason'],
    [{ reason: '   ' }, 'reason'],
    [{ reason: 'x'.repeat(501) }, 'reason'],
    [{ isActive: 'no' }, 'isActive'],
    [{ staffRole: 'emperor' }, 'staffRole'],
    [{ birthDate: '1990-02-30' }, 'birthDate'],
    [{ location: 'Rome' }, 'location'],
  ])('rejects %j with a field error', async (body, field) => {
    const member = await makeMember(app);
    const refused = await change(member.id, body);
    expect(refused.status).toBe(400);
    expect(refused.error.errors?.[0]?.field).toBe(field);
    expect(await auditOf(member.id)).toEqual([]);
  });

  test.each<StaffRole>(['support', 'senior'])(
    'returns 403 to %s for birth dates, which they cannot read',
    async (role) => {
      const [by, member] = [await makeMember(app, { staffRole: role }), await makeMember(app)];
      for (const birthDate of ['1990-05-05', '1980-01-01', null])
        expect((await change(member.id, { birthDate, bio: 'never stored' }, by)).status).toBe(403);
      expect((await read(member.id)).body.data.user).toMatchObject({ birthDate: '1990-05-05', bio: null });
      expect((await change(member.id, { bio: 'stored' }, by)).status).toBe(200);
    },
  );

  test.each([
    ['2009-01-01', '1990-01-01', 1],
    ['2009-01-01', null, 1],
    ['1980-01-01', '1990-01-01', 0],
    [null, '1990-01-01', 0],
  ])('notifies the owners about a birth date changed from %s to %s %i times', async (birthDate, to, times) => {
    const owner = await makeMember(app, { staffRole: 'owner' });
    const member = await makeMember(app, { birthDate });
    expect((await change(member.id, { birthDate: to })).status).toBe(200);
    const mails = (await app.outbox(owner.email)).map(({ text }) => text);
    expect(mails.filter((text) => /a new birth date moves a user across the age of 18/i.test(text))).toHaveLength(
      times,
    );
    expect(mails.join()).not.toMatch(/2009|1990/);
    expect(await app.outbox(administrator.email)).toEqual([]);
  });

  test('cannot confirm a birth date of people who rank above the editor', async () => {
    const support = await makeMember(app, { staffRole: 'support' });
    const senior = await makeMember(app, { staffRole: 'senior', birthDate: '1987-03-04' });
    for (const birthDate of ['1987-03-04', '1987-03-05'])
      expect((await change(senior.id, { birthDate }, support)).status).toBe(403);
  });

  test('never changes premium, address, verification or any unknown field', async () => {
    const member = await makeMember(app, { verified: false });
    const before = (await read(member.id)).body.data.user;
    await change(member.id, {
      isVIP: true,
      is_vip: true,
      email: 'stolen@example.test',
      isEmailVerified: true,
      email_verified_at: '2020-01-01',
      isAdmin: true,
      createdAt: '2020-01-01T00:00:00Z',
      seeking: [],
      settings: { showLastActive: false },
      password: 'another-password',
      deactivationReason: 'x',
      _id: administrator.id,
      bio: 'Written',
    } as never);
    expect((await read(member.id)).body.data.user).toEqual({ ...before, bio: 'Written' });
  });
});

describe('PATCH /admin/users/{id} with the values the editor saw', () => {
  const rome = { city: 'Rome', country: 'Italy' };
  const prague = { city: 'Prague', country: 'Czechia' };

  test('returns 409 with both values of each field a colleague changed, and changes nothing', async () => {
    const member = await makeMember(app, { firstName: 'Theirs', bio: 'Same', birthDate: '1991-01-01' });
    const before = (await read(member.id)).body.data.user;
    const refused = await change(member.id, {
      firstName: 'Mine',
      bio: 'New',
      birthDate: '1992-02-02',
      location: rome,
      staffRole: 'support',
      was: {
        firstName: 'Old',
        lastName: 'Not given',
        bio: 'Same',
        birthDate: '1990-05-05',
        location: { city: 'Oslo', country: null },
        staffRole: 'moderator',
      },
    });
    expect([refused.status, refused.error.code]).toEqual([409, 'CONFLICT']);
    expect(refused.error.data).toEqual({
      conflicts: [
        { field: 'firstName', current: 'Theirs', given: 'Mine' },
        { field: 'birthDate', current: '1991-01-01', given: '1992-02-02' },
        { field: 'location', current: prague, given: rome },
        { field: 'staffRole', current: null, given: 'support' },
      ],
    });
    expect((await read(member.id)).body.data.user).toEqual(before);
    expect((await auditOf(member.id)).map(({ action }) => action)).toEqual(['user.read', 'user.read']);
    expect(await isSignedIn(member)).toBe(true);
  });

  test('changes fields that still have the value the editor saw, or already have the new one', async () => {
    const member = await makeMember(app, {
      firstName: 'Theirs',
      lastName: 'Same',
      bio: null,
      city: null,
      country: null,
    });
    const changed = await change(member.id, {
      firstName: 'Theirs',
      lastName: 'Mine',
      bio: 'New',
      location: rome,
      was: { firstName: 'Old', lastName: 'Same', bio: null, location: null },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.data.user).toMatchObject({ name: 'Theirs Mine', bio: 'New', location: rome });
    const again = { location: prague, was: { location: rome }, staffRole: null };
    expect((await change(member.id, again)).status).toBe(200);
  });

  test('accepts one of two simultaneous edits of the same value, and shows it to the other editor', async () => {
    const member = await makeMember(app, { bio: 'Seen by both' });
    const bios = ['First', 'Second'];
    const answers = await Promise.all(bios.map((bio) => change(member.id, { bio, was: { bio: 'Seen by both' } })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const [current, given] = answers[0]?.status === 200 ? bios : bios.reverse();
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.error.data).toEqual({ conflicts: [{ field: 'bio', current, given }] });
  });

  test('accepts stored values that would be rejected as new ones today', async () => {
    const firstName = `  www.example.org ${'x'.repeat(200)} `;
    const member = await makeMember(app, { firstName, gender: 'man' });
    expect((await change(member.id, { firstName: 'Bo', was: { firstName } })).status).toBe(200);
  });

  test('shows no birth date to people who may not see it', async () => {
    const by = await makeMember(app, { staffRole: 'support' });
    const member = await makeMember(app, { bio: 'Theirs', birthDate: '1991-01-01' });
    const was = { bio: 'Old', birthDate: '1990-05-05' };
    const refused = await change(member.id, { bio: 'Mine', was }, by);
    expect([refused.status, refused.error.data]).toEqual([
      409,
      { conflicts: [{ field: 'bio', current: 'Theirs', given: 'Mine' }] },
    ]);
    const forbidden = await change(member.id, { bio: 'Mine', birthDate: '1992-02-02', was }, by);
    expect([forbidden.status, forbidden.error.data]).toEqual([403, undefined]);
    expect(refused.raw + forbidden.raw).not.toContain('1991');
  });

  test.each<[object, string]>([
    [{ firstName: 7 }, 'was.firstName'],
    [{ gender: 'other' }, 'was.gender'],
    [{ birthDate: '1990-02-30' }, 'was.birthDate'],
    [{ staffRole: 'emperor' }, 'was.staffRole'],
    [{ location: { city: 'Rome' } }, 'was.location.country'],
  ])('rejects %j with a field error', async (was, field) => {
    const member = await makeMember(app);
    const refused = await change(member.id, { bio: 'Mine', was });
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, field]);
  });
});
