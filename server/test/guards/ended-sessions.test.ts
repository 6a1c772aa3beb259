import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveService, logout, resetPassword } from '#contract/auth.ts';
import { makeAdministrator, makeMember, type TestMember } from '../factories.ts';
import { startApp, type TestApp } from '../harness.ts';
import { addressOf, callName, contractEndpoints } from './contract-endpoints.ts';
import { newPassword, password, passwordHash } from './people.ts';
import { resetTokenFor } from './requests.ts';

const closed = (await contractEndpoints()).filter((endpoint) => endpoint.access !== 'everyone');
let test: TestApp;
beforeAll(async () => {
  test = await startApp();
});
afterAll(() => test.close());

/** The status of every call that needs a sign-in, by call. */
async function statusesFor({ token }: TestMember): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  for (const endpoint of closed) {
    const response = await test.app.inject({ method: endpoint.method, url: addressOf(endpoint, 'some-id'), headers: { authorization: `Bearer ${token}` } });
    statuses[callName(endpoint)] = response.statusCode;
  }
  return statuses;
}

const update = (member: TestMember, change: object) => test.db.updateTable('account').set(change).where('id', '=', member.id).execute();

describe('every call', () => {
  it.each<[string, (member: TestMember) => Promise<unknown>]>([
    ['logout', (member) => test.call(logout, { token: member.token })],
    ['leaving', (member) => test.call(leaveService, { token: member.token, body: { password } })],
    ['being deactivated', (member) => update(member, { is_active: false, deactivated_at: test.clock.now() })],
    ['being deleted', (member) => test.db.deleteFrom('account').where('id', '=', member.id).execute()],
    [
      'a new password by mail',
      async (member) => test.call(resetPassword, { body: { token: await resetTokenFor(test, member.email), password: newPassword } }),
    ],
  ])('is refused at once after %s', async (_, end) => {
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    await end(member);
    expect(new Set(Object.values(await statusesFor(member)))).toEqual(new Set([401]));
  });

  it('of staff is refused at once after demotion', async () => {
    const demoted = await makeAdministrator(test);
    await update(demoted, { staff_role: null });
    const statuses = await statusesFor(demoted);
    const ofStaff = closed.filter(({ access }) => access === 'staff' || access === 'administrator').map(callName);
    expect(ofStaff.length).toBeGreaterThan(3);
    expect(Object.fromEntries(ofStaff.map((name) => [name, statuses[name]]))).toEqual(Object.fromEntries(ofStaff.map((name) => [name, 403])));
  });

  it('of administrators is refused at once to who became a moderator', async () => {
    const demoted = await makeAdministrator(test);
    await update(demoted, { staff_role: 'moderator' });
    const statuses = await statusesFor(demoted);
    for (const name of closed.filter(({ access }) => access === 'administrator').map(callName)) expect(statuses[name], name).toBe(403);
  });
});
