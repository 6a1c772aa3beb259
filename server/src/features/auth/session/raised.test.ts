import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { listSessions, verifyEmail } from '#contract/auth/auth.ts';
import { setUpTotp } from '#contract/auth/factors.ts';
import { refreshToken } from '#contract/auth/session.ts';
import { subscribePush } from '#contract/notifications.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { askForChange } from '../../../../test/address-change.ts';
import { makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { assertionOf, makePasskey, sessionByPasskey, turnOn } from '../../../../test/factors.ts';
import { browserSubscription } from '../../../../test/guards/cases/notifications.ts';
import { password, passwordHash } from '../../../../test/guards/people.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { anotherProcess, connect, listenTo, type Device } from '../../../../test/sockets.ts';

const test = startAppForTests({ PUBLIC_URL: 'http://localhost:3000' });
let here: string;
let there: Awaited<ReturnType<typeof anotherProcess>>;
const devices: Device[] = [];
beforeAll(async () => {
  here = await listenTo(test);
  there = await anotherProcess(test);
});
afterEach(() => {
  for (const { socket } of devices.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await there.close();
});

const member = async () => makeMember(test, { passwordHash: await passwordHash() });
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
