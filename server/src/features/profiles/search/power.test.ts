import { beforeEach, describe, expect, it, test } from 'vitest';
import type { BodyInput } from '#contract/endpoint.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { changeAdminUser, getAdminUser, listUsers } from '#contract/profiles/staff.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { register, resetPassword } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import {
  makeAdministrator,
  makeMember,
  makeModerator,
  type MemberOptions,
  type TestMember,
} from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { untilLocked } from '../../../../test/until-locked.ts';
import { tokenIn } from '../../../../test/mail/link-token.ts';
import { sessionIn } from '../../../../test/session-in.ts';

const app = startAppForTests();

describe('administrators and their limits', () => {
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

  describe('PATCH /admin/users/{id} with isActive', () => {
    test('ends every session, takes the member offline and stores the reason, and activating reverts it', async () => {
      const member = await makeMember(app, { online: true });
      const { body } = await change(member.id, { isActive: false, reason: 'Sent spam' });
      expect(body.data.user).toMatchObject({
        isActive: false,
        isOnline: false,
        deactivationReason: 'Sent spam',
        sessionCount: 0,
        can: { activate: true, deactivate: false },
      });
      expect(await isSignedIn(member)).toBe(false);
      const back = await change(member.id, { isActive: true, reason: 'A mistake' });
      expect(back.body.data.user).toMatchObject({ isActive: true, deactivationReason: null, deactivatedAt: null });
      expect(await isSignedIn(member)).toBe(false);
      expect(await auditOf(member.id)).toMatchObject([
        { action: 'user.deactivated', reason: 'Sent spam', changes: { isActive: { from: true, to: false } } },
        { action: 'user.activated', reason: 'A mistake', changes: { isActive: { from: false, to: true } } },
      ]);
    });

    test('writes one audit event when it is repeated, and keeps the first reason', async () => {
      const member = await makeMember(app);
      await change(member.id, { isActive: false, reason: 'First' });
      const again = await change(member.id, { isActive: false, reason: 'Second' });
      expect(again.status).toBe(200);
      expect(again.body.data.user.deactivationReason).toBe('First');
      expect(await auditOf(member.id)).toHaveLength(1);
    });

    test('writes one audit event for ten parallel requests', async () => {
      const member = await makeMember(app);
      const answers = await Promise.all(Array.from({ length: 10 }, () => change(member.id, { isActive: false })));
      expect(answers.map(({ status, raw }) => (status === 200 ? 200 : raw))).toEqual(
        Array.from({ length: 10 }, () => 200),
      );
      expect(await auditOf(member.id)).toHaveLength(1);
    });

    test('updates the statistics immediately', async () => {
      const member = await makeMember(app);
      const inactive = async () =>
        (await app.call(listUsers, { token: administrator.token, query: { status: 'inactive' } })).body.data.pagination
          .total;
      const before = await inactive();
      await change(member.id, { isActive: false });
      expect(await inactive()).toBe(before + 1);
    });

    test('changes nothing if one part is rejected', async () => {
      const member = await makeMember(app, { verified: false });
      const refused = await change(member.id, { bio: 'x', isActive: false, staffRole: 'moderator' });
      expect([refused.status, refused.error.code]).toEqual([422, 'STAFF_UNVERIFIED']);
      expect((await read(member.id)).body.data.user).toMatchObject({ bio: null, isActive: true, sessionCount: 1 });
      expect((await auditOf(member.id)).map(({ action }) => action)).toEqual(['user.read']);
    });
  });

  describe('PATCH /admin/users/{id} with staffRole', () => {
    test('grants and revokes a role with an audit event, ending all sessions', async () => {
      const member = await makeMember(app);
      const { body } = await change(member.id, { staffRole: 'moderator' });
      expect(body.data.user).toMatchObject({ isAdmin: true, staffRole: 'moderator', sessionCount: 0 });
      expect(await isSignedIn(member)).toBe(false);
      await change(member.id, { staffRole: null });
      expect(await auditOf(member.id)).toMatchObject([
        { action: 'role.changed', changes: { staffRole: { from: null, to: 'moderator' } } },
        { action: 'role.changed', changes: { staffRole: { from: 'moderator', to: null } } },
      ]);
    });

    test('removes an administrator’s permissions immediately', async () => {
      const other = await makeAdministrator(app);
      expect((await read(moderator.id, other)).status).toBe(200);
      const owner = await makeMember(app, { staffRole: 'owner' });
      await change(other.id, { staffRole: 'moderator' }, owner);
      expect((await read(moderator.id, other)).status).toBe(401);
    });

    test.each<Omit<Change, 'reason'>>([{ isActive: false }, { staffRole: null }, { staffRole: 'moderator' }])(
      'returns 403 for %j on one’s own account',
      async (body) => {
        await makeAdministrator(app);
        const refused = await change(administrator.id, body);
        expect([refused.status, refused.error.code]).toEqual([403, 'FORBIDDEN']);
        expect((await read(administrator.id)).body.data.user).toMatchObject({ isActive: true, staffRole: 'admin' });
      },
    );

    test('lets an administrator edit their own profile', async () => {
      expect((await change(administrator.id, { bio: 'Me', isActive: true, staffRole: 'admin' })).status).toBe(200);
    });

    test.each<StaffRole>(['admin', 'owner'])(
      'keeps one of two people with the role %s who deactivate each other at once',
      async (staffRole) => {
        const body = { isActive: false };
        for (let round = 0; round < 8; round++) {
          const options: MemberOptions = { firstName: `Round ${round}`, staffRole };
          const [one, two] = [await makeMember(app, options), await makeMember(app, options)];
          await app.db
            .updateTable('account')
            .set({ staff_role: null })
            .where('staff_role', '=', staffRole)
            .where('id', 'not in', [one.id, two.id])
            .execute();
          const answers = await Promise.all([change(two.id, body, one), change(one.id, body, two)]);
          const statuses = answers.map(({ status }) => status);
          expect(statuses).toContain(200);
          expect(statuses.every((status) => [200, 401, 403, 409].includes(status))).toBe(true);
          const left = await app.db
            .selectFrom('account')
            .select('id')
            .where('staff_role', '=', staffRole)
            .where('is_active', '=', true)
            .execute();
          expect(left).toHaveLength(1);
        }
      },
    );

    test.each<[StaffRole, StaffRole, StaffRole | null]>([
      ['admin', 'admin', 'moderator'],
      ['admin', 'owner', null],
      ['owner', 'owner', 'admin'],
      ['admin', 'moderator', 'admin'],
      ['admin', 'senior', 'owner'],
      ['senior', 'moderator', null],
      ['support', 'analyst', null],
    ])('returns 403 to %s who changes a colleague from %s to %s', async (own, from, to) => {
      const [by, colleague] = [await makeMember(app, { staffRole: own }), await makeMember(app, { staffRole: from })];
      await makeMember(app, { staffRole: 'owner' });
      const refused = await change(colleague.id, { staffRole: to }, by);
      expect([refused.status, refused.error.code]).toEqual([403, 'FORBIDDEN']);
      expect(await isSignedIn(colleague)).toBe(true);
      expect((await auditOf(colleague.id)).filter(({ action }) => action !== 'access.denied')).toEqual([]);
    });

    test('returns 403 to an administrator who deactivates or edits an owner, and to everyone for the last owner', async () => {
      const [owner, other] = [
        await makeMember(app, { staffRole: 'owner' }),
        await makeMember(app, { staffRole: 'owner' }),
      ];
      expect((await read(owner.id)).body.data.user.can).toEqual({
        act: false,
        edit: false,
        activate: false,
        deactivate: false,
        changeRole: false,
      });
      expect((await change(owner.id, { isActive: false })).status).toBe(403);
      expect((await change(owner.id, { bio: 'Theirs' })).status).toBe(403);
      expect((await change(other.id, { isActive: false }, owner)).status).toBe(200);
      expect((await change(owner.id, { isActive: false }, owner)).status).toBe(403);
    });

    test('keeps the last administrator, even against one who was just demoted', async () => {
      const other = await makeAdministrator(app);
      // Some requests of the other administrator are already authenticated when they lose their role.
      await Promise.all([
        change(other.id, { isActive: false }),
        ...Array.from({ length: 4 }, () => change(administrator.id, { isActive: false }, other)),
      ]);
      const office = await app.db
        .selectFrom('account')
        .select('id')
        .where('staff_role', '=', 'admin')
        .where('is_active', '=', true)
        .execute();
      expect(office).toHaveLength(1);
    });

    test('keeps an owner and the ranks through twenty simultaneous changes', async () => {
      const owners = [await makeMember(app, { staffRole: 'owner' }), await makeMember(app, { staffRole: 'owner' })];
      const [one = administrator, other = administrator] = owners;
      const admin = await makeAdministrator(app);
      const senior = await makeMember(app, { staffRole: 'senior' });
      const answers = await Promise.all([
        ...[1, 2, 3].flatMap(() => [
          change(other.id, { isActive: false }, one),
          change(one.id, { isActive: false }, other),
        ]),
        ...(['admin', 'senior', null] as const).flatMap((staffRole) => [
          change(one.id, { staffRole }, other),
          change(other.id, { staffRole }, one),
          change(one.id, { staffRole }, admin),
        ]),
        change(admin.id, { staffRole: 'moderator' }, administrator),
        change(administrator.id, { staffRole: 'moderator' }, admin),
        change(senior.id, { staffRole: 'admin' }, admin),
        change(admin.id, { staffRole: null }, one),
        change(moderator.id, { staffRole: 'senior' }, admin),
      ]);
      expect(answers).toHaveLength(20);
      expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
      const { rows } = await app.pool.query<{ id: string; staff_role: StaffRole | null; is_active: boolean }>(
        'select id, staff_role, is_active from account where id = any ($1)',
        [[one.id, other.id, administrator.id, senior.id]],
      );
      const of = (id: string) => rows.find((row) => row.id === id);
      expect([one.id, other.id].filter((id) => of(id)?.staff_role === 'owner' && of(id)?.is_active)).toHaveLength(1);
      expect(of(administrator.id)).toMatchObject({ staff_role: 'admin', is_active: true });
      expect(of(senior.id)).toMatchObject({ staff_role: 'senior' });
    });

    test('returns 409 to one of two administrators who deactivate each other after authentication', async () => {
      const body = { isActive: false };
      const other = await makeAdministrator(app);
      await app.db
        .updateTable('account')
        .set({ staff_role: null })
        .where('staff_role', '=', 'admin')
        .where('id', 'not in', [administrator.id, other.id])
        .execute();
      // Locking the rows of both makes the requests wait after authentication.
      const holder = await app.pool.connect();
      await holder.query('begin');
      await holder.query(`select from account where staff_role = 'admin' for update`);
      const requests = [change(other.id, body), change(administrator.id, body, other)];
      await untilLocked(app.pool, 2);
      await holder.query('rollback');
      holder.release();

      const answers = await Promise.all(requests);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect(answers.find(({ status }) => status === 409)?.error).toMatchObject({
        code: 'LAST_ADMINISTRATOR',
        message: 'This is the last administrator',
      });
    });
  });
});

async function joinAndPromote(email: string, password: string) {
  const administrator = await makeAdministrator(app);
  const joined = await app.call(register, { body: { email, password, firstName: 'Rosa', acceptTerms: true } });
  const id = joined.body.user._id;
  await app.db.updateTable('account').set({ email_verified_at: app.clock.now() }).where('id', '=', id).execute();
  const body = { staffRole: 'moderator' as const, reason: 'Joins the team' };
  expect((await app.call(changeAdminUser, { token: administrator.token, params: { id }, body })).status).toBe(200);
  await app.drain();
}

describe('a member who becomes staff', () => {
  it('needs a new password if the old one is too short for staff', async () => {
    await joinAndPromote('short@example.test', 'tulip-9281');
    expect((await app.call(login, { body: { email: 'short@example.test', password: 'tulip-9281' } })).status).toBe(401);
    const links = (await app.outbox('short@example.test')).flatMap((mail) => mail.links);
    const token = tokenIn(links.find((address) => address.includes('/app/reset-password'))) ?? '';
    const password = 'tulips on a windowsill';
    expect((await app.call(resetPassword, { body: { token, password } })).status).toBe(200);
    expect(
      sessionIn((await app.call(login, { body: { email: 'short@example.test', password } })).body).user.staffRole,
    ).toBe('moderator');
  });

  it('keeps a password of 15 characters', async () => {
    await joinAndPromote('long@example.test', 'tulips-and-more');
    expect((await app.call(login, { body: { email: 'long@example.test', password: 'tulips-and-more' } })).status).toBe(
      200,
    );
  });
});
