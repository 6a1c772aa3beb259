import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { endUserSessions, listSessions, verifyEmail } from '#contract/auth/auth.ts';
import { resetFactors, setUpTotp } from '#contract/auth/factors.ts';
import { refreshToken } from '#contract/auth/session.ts';
import { subscribePush } from '#contract/notifications.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { askForChange } from '../../../../test/address-change.ts';
import { makeAdministrator, makeMember, makeModerator, signIn, type TestMember } from '../../../../test/factories.ts';
import { assertionOf, makePasskey, sessionByPasskey, turnOn } from '../../../../test/factors.ts';
import { browserSubscription } from '../../../../test/guards/cases/notifications.ts';
import { password, passwordHash } from '../../../../test/guards/people.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { anotherProcess, connect, type Device, listenTo } from '../../../../test/sockets.ts';
import { endSessionsByOperator } from '../staff.ts';

const test = startAppForTests({ PUBLIC_URL: 'http://localhost:3000' });

const devices: Device[] = [];
const member = async () => makeMember(test, { passwordHash: await passwordHash() });

let here: string;
beforeAll(async () => {
  here = await listenTo(test);
});
afterEach(() => {
  for (const { socket } of devices.splice(0)) socket.disconnect();
});

describe('raised sessions', () => {
  let there: Awaited<ReturnType<typeof anotherProcess>>;

  beforeAll(async () => {
    there = await anotherProcess(test);
  });

  afterAll(async () => {
    await there.close();
  });

  const statusOf = async (token: string) => (await test.call(getProfile, { token })).status;
  const refresh = (token: string) => test.call(refreshToken, { body: { refreshToken: token } });
  const subscriptionOf = (sessionId: string) =>
    test.db.selectFrom('push_subscription').select('endpoint').where('session_id', '=', sessionId).execute();
  const raises: [string, (owner: TestMember) => Promise<unknown>][] = [
    ['turning on two-step verification', (owner) => turnOn(test, owner, password)],
    ['adding a passkey', (owner) => makePasskey(test, owner, password)],
  ];

  describe.each(raises)('%s', (_, raise) => {
    it('gives the session new tokens and invalidates the earlier ones', async () => {
      const owner = await member();
      const copied = { ...owner };
      const other = await signIn(test, owner.id);
      await raise(owner);
      expect(owner.sessionId).not.toBe(copied.sessionId);
      expect(await statusOf(owner.token)).toBe(200);
      expect(await statusOf(copied.token)).toBe(401);
      expect((await refresh(copied.refreshToken)).status).toBe(401);
      // Using the copy isn't treated as theft of the new session, which continues.
      expect((await refresh(owner.refreshToken)).status).toBe(200);
      expect(await statusOf(other.token)).toBe(200);
      const { sessions } = (await test.call(listSessions, { token: owner.token })).body.data;
      expect(sessions.filter(({ current }) => current).map(({ _id }) => _id)).toEqual([owner.sessionId]);
      expect(sessions).toHaveLength(2);
    });

    it('keeps the device’s push notifications', async () => {
      const owner = await member();
      const before = owner.sessionId;
      const body = browserSubscription();
      expect((await test.call(subscribePush, { token: owner.token, body })).status).toBe(201);
      await raise(owner);
      expect(await subscriptionOf(before)).toEqual([]);
      expect(await subscriptionOf(owner.sessionId)).toEqual([{ endpoint: body.endpoint }]);
    });

    it('disconnects sockets with the earlier token in every process, and lets the new token connect', async () => {
      const owner = await member();
      const copied = owner.token;
      const sockets = [await connect(here, copied), await connect(there.url, copied)];
      devices.push(...sockets);
      expect(sockets.map(({ ended }) => ended)).toEqual([null, null]);
      await raise(owner);
      await expect
        .poll(() => sockets.map(({ ended }) => ended))
        .toEqual(['io server disconnect', 'io server disconnect']);
      const [again, late] = [await connect(here, owner.token), await connect(there.url, copied)];
      devices.push(again, late);
      expect([again.ended, late.ended]).toEqual([null, 'unauthorized']);
    });
  });

  describe('a session confirmed with a second factor', () => {
    it('gets no new tokens for a second factor of another kind', async () => {
      const owner = await member();
      const { authenticator } = await makePasskey(test, owner, password);
      const { token } = owner;
      await turnOn(test, owner, { passkey: await assertionOf(test, authenticator) });
      expect(owner.token).toBe(token);
      expect(await statusOf(token)).toBe(200);
    });

    it('keeps its tokens if it was opened with a passkey', async () => {
      const owner = await member();
      const { authenticator } = await makePasskey(test, owner, password);
      const { token } = await sessionByPasskey(test, authenticator);
      const shown = { passkey: await assertionOf(test, authenticator) };
      expect((await test.call(setUpTotp, { token, body: shown })).status).toBe(200);
      await makePasskey(test, { token }, { passkey: await assertionOf(test, authenticator) });
      expect(await statusOf(token)).toBe(200);
    });

    it('cannot confirm a change of address that was requested before', async () => {
      const owner = await member();
      const { code } = await askForChange(test, owner);
      await turnOn(test, owner, password);
      expect((await test.call(verifyEmail, { token: owner.token, body: { code } })).error.code).toBe('INVALID_CODE');
    });
  });
});

describe('ended sessions', () => {
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
      const [administrator, moderator, user] = [
        await makeAdministrator(test),
        await makeModerator(test),
        await member(),
      ];
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
});
