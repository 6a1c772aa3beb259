import pLimit from 'p-limit';
import { describe, expect, it } from 'vitest';
import { leaveService } from '#contract/auth/auth.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { makeManyMembers } from '../../../test/many-members.ts';

const pairs = 500;
const connections = 40;
const app = startAppForTests();
const { like, block, unmatch } = likesIn(() => app);

describe('leaving the service while others like and block', () => {
  it('does not wait for people who are deciding about the leaving member', async () => {
    const member = await makeMember(app);
    const deciding = await app.pool.connect();
    await deciding.query('begin');
    await deciding.query('select logic.lock_pair($1, gen_random_uuid())', [member.id]);
    expect((await app.call(leaveService, { token: member.token, body: {} })).status).toBe(200);
    await deciding.query('rollback');
    deciding.release();
  });

  it(`causes no server error for ${pairs} pairs over ${connections} connections`, async () => {
    const all = await makeManyMembers(app, 2 * pairs);
    const people = Array.from(
      { length: pairs },
      (_, index) => all.slice(2 * index, 2 * index + 2) as [TestMember, TestMember],
    );
    const atOnce = pLimit(connections);
    const leave = ({ token }: TestMember) => app.call(leaveService, { token, body: {} });
    const acts = people.flatMap(([one, other], index) => [
      () => like(one, other),
      () => like(other, one),
      () => (index % 3 === 0 ? block(one, other) : like(one, other)),
      () => leave(index % 2 === 0 ? one : other),
      // Other people like the leaving member.
      () => like(people[(index + 1) % pairs]?.[0] ?? one, other),
      () => like(people[(index + 1) % pairs]?.[1] ?? other, one),
      () => unmatch(one, '00000000-0000-0000-0000-000000000000'),
    ]);
    const statuses = await Promise.all(acts.map((act) => atOnce(async () => (await act()).status)));
    expect(statuses.filter((status) => status >= 500)).toEqual([]);
    const { rows } = await app.pool.query<{ left: string }>(
      `select count(*) as left from account where leaving_since is not null and email like 'one-of-many-%'`,
    );
    expect(Number(rows[0]?.left)).toBe(pairs);
    const broken = await app.pool.query(
      `select from match join block on (blocker_id, blocked_id) in ((low_id, high_id), (high_id, low_id))`,
    );
    expect(broken.rowCount).toBe(0);
  });
});
