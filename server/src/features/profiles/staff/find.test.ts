import { describe, expect, it } from 'vitest';
import { findUsers } from '#contract/profiles/find.ts';
import { lookupsPerHour, revealsPerHour } from '#contract/roles.ts';
import { getAdminUser, listUsers, revealUser } from '#contract/profiles/staff.ts';
import { searchUsers } from '#contract/profiles/profiles.ts';
import { makeAdministrator, makeMember, makeModerator, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { fileReport } from '../../../../test/moderation/reports.ts';
import { countEagerReaders } from './reveal.ts';

const test = startAppForTests();

const find = (by: TestMember, ...terms: string[]) => test.call(findUsers, { token: by.token, body: { terms } });
const found = async (by: TestMember, ...terms: string[]) => {
  const { data } = (await find(by, ...terms)).body;
  return {
    ids: data.found.map(({ term, user }) => [term, user._id]),
    notFound: data.notFound,
    remaining: data.remaining,
  };
};

const eventsOf = ({ id }: TestMember) =>
  test.db.selectFrom('audit_event').select(['action', 'changes']).where('actor_id', '=', id).orderBy('id').execute();

describe('POST /admin/users/find', () => {
  it('finds by address, id, the start of an id and the address of a profile, in the order of the terms', async () => {
    const support = await makeMember(test, { staffRole: 'support' });
    const person = await makeMember(test, { id: 'abcdef01-0000-4000-8000-000000000001' });
    const leaving = await makeMember(test, { leaving: true });
    const answer = await found(
      support,
      ...[leaving.email, 'nobody@example.test', person.id, '#abcdef01', `/app/members/${person.id}`, 'Ada Lund'],
    );
    expect(answer).toEqual({
      ids: [leaving.id, person.id, person.id, person.id].map((id, at) => [[0, 2, 3, 4][at], id]),
      notFound: [1, 5],
      remaining: lookupsPerHour.support - 2,
    });
  });

  it('keeps the address masked for roles that see it masked', async () => {
    const support = await makeMember(test, { staffRole: 'support' });
    const person = await makeMember(test);
    const { body } = await find(support, person.email);
    expect(JSON.stringify(body)).not.toContain(person.email);
  });

  it('counts look-ups with and without a result, and rejects those beyond the hourly limit', async () => {
    const support = await makeMember(test, { staffRole: 'support' });
    const person = await makeMember(test);
    const unknown = Array.from({ length: lookupsPerHour.support - 1 }, (_, at) => `nobody${at}@example.test`);
    expect((await found(support, ...unknown)).remaining).toBe(1);
    const refused = await find(support, person.email, 'another@example.test');
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBeDefined();
    expect((await found(support, person.email)).remaining).toBe(0);
    expect((await find(support, person.email)).status).toBe(429);
    expect((await found(support, person.id)).remaining).toBe(0);
    test.clock.advance(3601);
    const again = { ...support, ...(await signIn(test, support.id)) };
    expect((await found(again, person.email)).remaining).toBe(lookupsPerHour.support - 1);
  });

  it('has no quota for administrators, and rejects addresses from auditors', async () => {
    const person = await makeMember(test);
    expect((await found(await makeAdministrator(test), person.email)).remaining).toBeNull();
    const auditor = await makeMember(test, { staffRole: 'auditor' });
    expect((await find(auditor, person.email)).status).toBe(403);
    expect((await found(auditor, person.id)).ids).toEqual([[0, person.id]]);
  });

  it('does not find the address of someone the caller reported', async () => {
    const moderator = await makeMember(test, { staffRole: 'moderator' });
    const person = await makeMember(test);
    await fileReport(test, moderator, { reportedUser: person.id });
    expect((await found(moderator, person.email)).notFound).toEqual([0]);
  });

  it('finds the address of someone above the caller’s rank only for roles that see it', async () => {
    const support = await makeMember(test, { staffRole: 'support' });
    const owner = await makeMember(test, { staffRole: 'owner' });
    expect(await found(support, owner.email, owner.id)).toMatchObject({ ids: [[1, owner.id]], notFound: [0] });
    expect((await found(await makeAdministrator(test), owner.email)).ids).toEqual([[0, owner.id]]);
    expect((await found(owner, support.email)).ids).toEqual([[0, support.id]]);
  });

  it('is audited with a keyed hash instead of the address', async () => {
    const moderator = await makeMember(test, { staffRole: 'moderator' });
    const person = await makeMember(test);
    await find(moderator, person.email);
    const [event] = await eventsOf(moderator);
    expect(event?.action).toBe('users.lookedUp');
    expect(JSON.stringify(event)).not.toContain(person.email.split('@')[0]);
  });

  it('is audited with a hash that recognizes repeated look-ups of one colleague only', async () => {
    const [moderator, other] = [await makeMember(test, { staffRole: 'moderator' }), await makeAdministrator(test)];
    const person = await makeMember(test);
    for (const by of [moderator, moderator, other]) await find(by, person.email);
    const [first, again] = await eventsOf(moderator);
    expect(again?.changes).toEqual(first?.changes);
    expect((await eventsOf(other))[0]?.changes).not.toEqual(first?.changes);
  });
});

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

/** A banned person who has something in common with the member of staff. */
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

  it('allows each role its hourly number of people, even in parallel, then says when to try again', async () => {
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

  it('raises an alert about people who use more than half of their limit in two hours of a day', async () => {
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
