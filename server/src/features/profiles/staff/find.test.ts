import { describe, expect, it } from 'vitest';
import { findUsers } from '#contract/profiles/find.ts';
import { lookupsPerHour } from '#contract/roles.ts';
import { makeAdministrator, makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { fileReport } from '../../../../test/reports.ts';

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
  it('finds by address, id, the beginning of an id and the address of a profile, in the order of the terms', async () => {
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

  it('counts addresses found or not, and refuses more than an hour allows without looking anyone up', async () => {
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

  it('has no quota for administrators, and refuses addresses to auditors', async () => {
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

  it('does not find the address of someone above the caller’s rank, but for roles that see it', async () => {
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
