import { describe, expect, it } from 'vitest';
import { leaveService, resetPassword } from '#contract/auth/auth.ts';
import { logout } from '#contract/auth/session.ts';
import { isPermission, may } from '#contract/roles.ts';
import { deleteAccounts, makeAdministrator, makeMember, type TestMember } from '../factories.ts';
import { startAppForTests } from '../harness.ts';
import { addressOf, callName, contractEndpoints } from './contract-endpoints.ts';
import { newPassword, password, passwordHash } from './people.ts';
import { resetTokenFor } from './requests.ts';

const closed = (await contractEndpoints()).filter((endpoint) => endpoint.access !== 'everyone');
const test = startAppForTests();

/** The endpoints that don't answer the member with `status`. */
async function callsNot(status: number, { token }: TestMember, endpoints = closed): Promise<string[]> {
  const others: string[] = [];
  for (const endpoint of endpoints) {
    const response = await test.app.inject({
      method: endpoint.method,
      url: addressOf(endpoint, 'some-id'),
      headers: { authorization: `Bearer ${token}` },
    });
    if (response.statusCode !== status) others.push(`${callName(endpoint)} → ${response.statusCode}`);
  }
  return others;
}

const update = (member: TestMember, change: object) =>
  test.db.updateTable('account').set(change).where('id', '=', member.id).execute();

describe('a request with an ended session', () => {
  it.each<[string, (member: TestMember) => Promise<unknown>]>([
    ['logout', (member) => test.call(logout, { token: member.token })],
    [
      'account deletion by the member',
      (member) => test.call(leaveService, { token: member.token, body: { password } }),
    ],
    ['deactivation', (member) => update(member, { is_active: false, deactivated_at: test.clock.now() })],
    ['permanent deletion', (member) => deleteAccounts(test, member.id)],
    [
      'a password reset by email',
      async (member) =>
        test.call(resetPassword, { body: { token: await resetTokenFor(test, member.email), password: newPassword } }),
    ],
  ])('is refused at once after %s', async (_, end) => {
    const member = await makeMember(test, { passwordHash: await passwordHash() });
    await end(member);
    expect(await callsNot(401, member)).toEqual([]);
  });

  it('is refused on staff endpoints at once after the role was removed', async () => {
    const demoted = await makeAdministrator(test);
    await update(demoted, { staff_role: null });
    const ofStaff = closed.filter(({ access }) => isPermission(access));
    expect(ofStaff.length).toBeGreaterThan(3);
    expect(await callsNot(403, demoted, ofStaff)).toEqual([]);
  });

  it('is refused on administrators’ endpoints at once after demotion to moderator', async () => {
    const demoted = await makeAdministrator(test);
    await update(demoted, { staff_role: 'moderator' });
    expect(
      await callsNot(
        403,
        demoted,
        closed.filter(({ access }) => isPermission(access) && !may('moderator', access)),
      ),
    ).toEqual([]);
  });

  it('can sign out repeatedly and in parallel', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { token } = await makeMember(test);
      const answers = await Promise.all(Array.from({ length: 6 }, () => test.call(logout, { token })));
      expect(answers.filter(({ status }) => status !== 200 && status !== 401).map(({ raw }) => raw)).toEqual([]);
      expect(answers.some(({ status }) => status === 200)).toBe(true);
    }
  });
});
