import { describe, expect, it } from 'vitest';
import { getAdminUser, listUsers, revealUser } from '#contract/profiles/staff.ts';
import { searchUsers } from '#contract/profiles/profiles.ts';
import { revealsPerHour } from '#contract/roles.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { fileReport } from '../../../../test/reports.ts';
import { countEagerReaders } from './reveal.ts';

const test = startAppForTests();

const reveal = (by: TestMember, id: string) =>
  test.call(revealUser, { token: by.token, params: { id }, body: { reason: 'Asked for their receipt' } });
const auditOf = (by: TestMember) =>
  test.db
    .selectFrom('audit_event')
    .select(['action', 'target_id', 'reason'])
    .where('actor_id', '=', by.id)
    .orderBy('id')
    .execute();

async function reportedBy(staff: TestMember): Promise<TestMember> {
  const person = await makeMember(test);
  await fileReport(test, staff, { reportedUser: person.id, hideFromEachOther: false });
  return person;
}

async function reporterOf(staff: TestMember): Promise<TestMember> {
  const person = await makeMember(test);
  await fileReport(test, person, { reportedUser: staff.id, hideFromEachOther: false });
  return person;
}

/** A banned person with whom the member of staff has something in common. */
async function bannedWith(staff: TestMember, strength: 'strong' | 'weak'): Promise<TestMember> {
  const person = await makeMember(test);
  const at = test.clock.now();
  const ban = { account_id: person.id, decision_id: null, kind: 'ban' as const, reason: 'x', created_by_name: 'Mo Ek' };
  const { id } = await test.db
    .insertInto('sanction')
    .values({ ...ban, strikes: 6, starts_at: at, strikes_until: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  const link = { account_id: staff.id, sanction_id: id, kind: 'card' as const, found_at: at, strength };
  await test.db.insertInto('account_link').values(link).execute();
  return person;
}

describe('POST /admin/users/{id}/reveal', () => {
  it('returns the address and birth date, and is audited with the reason', async () => {
    const moderator = await makeModerator(test);
    const member = await makeMember(test, { email: 'vera@private.test', birthDate: '1991-02-03' });
    const remaining = revealsPerHour.moderator - 1;
    expect((await reveal(moderator, member.id)).body.data).toEqual({
      email: 'vera@private.test',
      birthDate: '1991-02-03',
      remaining,
    });
    expect(await auditOf(moderator)).toEqual([
      { action: 'pii.revealed', target_id: member.id, reason: 'Asked for their receipt' },
    ]);
  });

  it('returns 403 for the caller’s own account and people who rank above, and audits the attempts', async () => {
    const moderator = await makeModerator(test);
    const administrator = await makeAdministrator(test);
    for (const id of [moderator.id, administrator.id]) expect((await reveal(moderator, id)).status).toBe(403);
    expect((await auditOf(moderator)).map(({ action, target_id }) => [action, target_id])).toEqual([
      ['access.denied', moderator.id],
      ['access.denied', administrator.id],
    ]);
  });

  it.each<[string, number, (staff: TestMember) => Promise<TestMember>]>([
    ['someone they reported', 403, reportedBy],
    ['someone who reported them, because a refusal would name the reporter', 200, reporterOf],
    ['someone who shares a ban with them', 403, async (staff) => bannedWith(staff, 'strong')],
    ['someone who has a weak link to the same ban', 200, async (staff) => bannedWith(staff, 'weak')],
    ['someone unrelated', 200, async () => makeMember(test)],
  ])('returns, for %s, %i to staff, and lists and details show that in advance', async (_, status, find) => {
    const staff = await makeMember(test, { staffRole: 'owner' });
    const { id } = await find(staff);
    const { users } = (await test.call(listUsers, { token: staff.token, query: { limit: '100' } })).body.data;
    const found = await test.call(searchUsers, { token: staff.token, query: { limit: '100' } });
    const { user } = (await test.call(getAdminUser, { token: staff.token, params: { id } })).body.data;
    const may = status === 200;
    expect(users.find(({ _id }) => _id === id)).toMatchObject({ can: { act: may, edit: may, deactivate: may } });
    expect(found.body.data.users.find(({ _id }) => _id === id)).toMatchObject({ can: { act: may } });
    expect(user.can).toMatchObject({ act: may, edit: may, deactivate: may, changeRole: may });
    expect((await reveal(staff, id)).status).toBe(status);
  });

  it('allows as many people an hour as the role has, even in parallel, then says when to try again', async () => {
    const support = await makeMember(test, { staffRole: 'support' });
    const { id } = await makeMember(test);
    const answers = await Promise.all(Array.from({ length: 14 }, () => reveal(support, id)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(revealsPerHour.support);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(4);
    expect(refused[0]?.headers['retry-after']).toBe('3600');
    expect((await auditOf(support)).filter(({ action }) => action === 'access.denied')).toHaveLength(1);

    test.clock.advance(3601);
    const again = await makeMember(test, { staffRole: 'support' });
    await test.db.updateTable('pii_reveal').set({ staff_id: again.id }).where('staff_id', '=', support.id).execute();
    expect((await reveal(again, id)).status).toBe(200);
  });

  it('raises an alarm for people who use more than half of their limit in two hours of a day', async () => {
    const now = new Date('2030-01-01T12:30:00Z');
    const { id } = await makeModerator(test);
    const readIn = (hour: number, times: number) =>
      test.db
        .insertInto('pii_reveal')
        .values(
          Array.from({ length: times }, () => ({ staff_id: id, at: new Date(Date.UTC(2030, 0, 1, hour)), quota: 20 })),
        )
        .execute();
    await readIn(9, 11);
    await readIn(10, 10);
    expect(await countEagerReaders(test.db, now)).toBe(0);
    await readIn(10, 1);
    expect(await countEagerReaders(test.db, now)).toBe(1);
    expect(await countEagerReaders(test.db, new Date('2030-01-02T10:00:00Z'))).toBe(0);
  });
});
