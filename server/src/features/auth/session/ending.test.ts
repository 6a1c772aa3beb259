import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endUserSessions, verifyEmail } from '#contract/auth/auth.ts';
import { resetFactors } from '#contract/auth/factors.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { refreshToken } from '#contract/auth/session.ts';
import { subscribePush } from '#contract/notifications.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { askForChange } from '../../../../test/address-change.ts';
import { makeAdministrator, makeMember, makeModerator, signIn, type TestMember } from '../../../../test/factories.ts';
import { browserSubscription } from '../../../../test/guards/cases/notifications.ts';
import { password, passwordHash } from '../../../../test/guards/people.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { connect, listenTo, type Device } from '../../../../test/sockets.ts';
import { endSessionsByOperator } from '../staff.ts';

const test = startAppForTests();
let here: string;
const devices: Device[] = [];
beforeAll(async () => {
  here = await listenTo(test);
});
afterEach(() => {
  for (const { socket } of devices.splice(0)) socket.disconnect();
});

const member = async () => makeMember(test, { passwordHash: await passwordHash() });
const statusOf = async ({ token }: { token: string }) => (await test.call(getProfile, { token })).status;
const refresh = async (session: { refreshToken: string }) =>
  (await test.call(refreshToken, { body: { refreshToken: session.refreshToken } })).status;
const end = (by: TestMember, id: string, reason = 'Called us about a lost phone') =>
  test.call(endUserSessions, { token: by.token, params: { id }, body: { reason } });
const auditOf = async (action: 'user.sessionsEnded', targetId: string | null) =>
  await test.db
    .selectFrom('audit_event')
    .selectAll()
    .where('action', '=', action)
    .where('target_id', targetId === null ? 'is' : '=', targetId)
    .execute();

describe('POST /admin/users/{id}/sessions/end', () => {
  it('ends all sessions of the user with their sockets and push notifications, and writes an audit entry', async () => {
    const [administrator, user, bystander] = [await makeAdministrator(test), await member(), await member()];
    const other = await signIn(test, user.id);
    await test.call(subscribePush, { token: user.token, body: browserSubscription() });
    const socket = await connect(here, user.token);
    devices.push(socket);
    expect((await end(administrator, user.id)).body.data.ended).toBe(2);
    for (const session of [user, other]) {
      expect(await statusOf(session)).toBe(401);
      expect(await refresh(session)).toBe(401);
    }
    await expect.poll(() => socket.ended).toBe('io server disconnect');
    const push = test.db.selectFrom('push_subscription').select('endpoint').where('account_id', '=', user.id);
    expect(await push.execute()).toEqual([]);
    expect([await statusOf(bystander), await statusOf(administrator)]).toEqual([200, 200]);
    const query = { action: 'user.sessionsEnded', targetId: user.id } as const;
    const { events } = (await test.call(listAudit, { token: administrator.token, query })).body.data;
    expect(events).toMatchObject([
      {
        actor: { _id: administrator.id },
        reason: 'Called us about a lost phone',
        changes: { sessions: { from: 2, to: 0 } },
      },
    ]);
    expect((await end(administrator, user.id)).body.data.ended).toBe(0);
  });

  it('is allowed to administrators only, requires a reason, and otherwise changes nothing', async () => {
    const [administrator, moderator, user] = [await makeAdministrator(test), await makeModerator(test), await member()];
    for (const by of [moderator, user, await member()]) expect((await end(by, user.id)).error.code).toBe('FORBIDDEN');
    expect((await test.call(endUserSessions, { params: { id: user.id }, body: { reason: 'I say so' } })).status).toBe(
      401,
    );
    expect((await end(administrator, user.id, '   ')).status).toBe(400);
    for (const id of ['nonsense', user.sessionId]) expect((await end(administrator, id)).status).toBe(404);
    expect(await statusOf(user)).toBe(200);
    expect(await auditOf('user.sessionsEnded', user.id)).toEqual([]);
  });
});

describe('an owner’s account', () => {
  it('cannot be signed out or lose its second factor through administrators', async () => {
    const administrator = await makeAdministrator(test);
    const owner = await makeMember(test, { staffRole: 'owner' });
    expect((await end(administrator, owner.id)).status).toBe(403);
    const reset = { params: { id: owner.id }, body: { reason: 'Lost the phone' } };
    expect((await test.call(resetFactors, { token: administrator.token, ...reset })).status).toBe(403);
    expect(await statusOf(owner)).toBe(200);
    const other = await makeMember(test, { staffRole: 'owner' });
    expect((await test.call(resetFactors, { token: other.token, ...reset })).status).toBe(200);
  });
});

describe('npm run sessions:end', () => {
  it('ends the sessions of one account and cancels its requested change of address', async () => {
    const [user, bystander] = [await member(), await member()];
    await askForChange(test, user);
    expect(await endSessionsByOperator(test.db, user.email, test.clock.now())).toBe(1);
    expect([await statusOf(user), await refresh(user), await statusOf(bystander)]).toEqual([401, 401, 200]);
    const open = test.db.selectFrom('verification').select('id').where('account_id', '=', user.id);
    expect(await open.where('expires_at', '>', test.clock.now()).execute()).toEqual([]);
    expect(await auditOf('user.sessionsEnded', user.id)).toMatchObject([
      { actor_role: 'operator', reason: 'On the command line' },
    ]);
    await expect(endSessionsByOperator(test.db, 'nobody@example.test', test.clock.now())).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('ends the sessions of all accounts, including refresh tokens', async () => {
    const people = [await member(), await makeAdministrator(test), await makeModerator(test)];
    const [asker] = people;
    const { link } = await askForChange(test, asker as TestMember);
    const count = Number(
      (
        await test.db
          .selectFrom('session')
          .select((eb) => eb.fn.countAll().as('n'))
          .execute()
      )[0]?.n,
    );
    expect(await endSessionsByOperator(test.db, null, test.clock.now())).toBe(count);
    for (const person of people) expect([await statusOf(person), await refresh(person)]).toEqual([401, 401]);
    const verified = await test.call(verifyEmail, { body: { token: link, password } });
    expect(verified.error.code).toBe('INVALID_CODE');
    expect(await test.db.selectFrom('refresh_token').select('session_id').execute()).toEqual([]);
    expect(await auditOf('user.sessionsEnded', null)).toMatchObject([{ actor_role: 'operator' }]);
  });
});
