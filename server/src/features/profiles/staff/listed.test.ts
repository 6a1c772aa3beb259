import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decideApproval, requestApproval } from '#contract/profiles/approvals.ts';
import { findUsers } from '#contract/profiles/find.ts';
import { searchUsers } from '#contract/profiles/profiles.ts';
import {
  exportSelected,
  exportUsers,
  furtherShownMax,
  getAdminUser,
  listUsers,
  newestShownMax,
  showAddresses,
} from '#contract/profiles/staff.ts';
import { listReports } from '#contract/moderation/staff-reports.ts';
import { previewBulk, requestBulkApproval, startBulk } from '#contract/moderation/bulk.ts';
import { makeAdministrator, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { countEagerReaders } from './reveal.ts';

const old = 2400;
const test = startAppForTests();
let olds: string[];
let admin: TestMember;
let colleague: TestMember;

/** Many accounts named after their number, which joined one minute apart. */
async function makeCrowd(name: string, count: number, from: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into account (email, created_at)
      select ${name} || n || '@' || ${name} || case n % 2 when 0 then '.even.test' else '.odd.test' end,
        ${from}::timestamptz + n * interval '1 minute'
      from generate_series(1, ${count}::int) n returning id, created_at
    ), present as (insert into presence (account_id, last_active_at) select id, created_at from made)
    insert into profile (account_id, first_name, city, country)
    select id, initcap(${name}), 'Rome', 'Italy' from made returning account_id as id`.execute(test.db);
  return rows.map(({ id }) => id);
}

beforeAll(async () => {
  olds = await makeCrowd('old', old, '2020-01-01');
  colleague = await makeAdministrator(test);
  await makeCrowd('new', newestShownMax, '2026-06-01');
});
beforeEach(async () => {
  admin = await makeAdministrator(test);
  colleague = await makeAdministrator(test);
});

/** Pretends that a day has passed, because the session would end meanwhile. */
const passDay = () => sql`update listed_person set at = at - interval '1 day'`.execute(test.db);

type Query = Parameters<typeof list>[0];
const list = async (query: Record<string, string>, by = admin) =>
  (await test.call(listUsers, { token: by.token, query })).body.data;
const whole = (users: readonly { email: string }[]) => users.filter(({ email }) => !email.includes('•')).length;
const pageOf = (page: number) => ({ search: 'old', limit: '20', page: String(page) });
async function spendAll(by = admin): Promise<void> {
  for (let page = 1; page <= furtherShownMax / 20; page += 1)
    expect(whole((await list(pageOf(page), by)).users)).toBe(20);
}
const listed = (by = admin) =>
  test.db
    .selectFrom('audit_event')
    .select('changes')
    .where('actor_id', '=', by.id)
    .where('action', '=', 'users.listed')
    .execute();

describe('addresses in lists', () => {
  it('are complete for the newest 1,000 users and masked beyond, by page and by cursor', async () => {
    const first = await list({ page: '1', limit: '1000' });
    expect([first.users.length, whole(first.users)]).toEqual([1000, 1000]);
    for (const place of [{ page: '2' }, { cursor: first.pagination.nextCursor ?? '' }]) {
      const next = await list({ ...place, limit: '1000' });
      expect([next.users.length, whole(next.users)]).toEqual([1000, 0]);
    }
  });

  it.each<Query>([
    { sortOrder: 'asc' },
    { sortBy: 'name' },
    { sortBy: 'lastActive', sortOrder: 'asc' },
    { joinedTo: '2021-01-01' },
    { search: 'old', status: 'active' },
    { joinedTo: '2021-01-01', type: 'free', sortOrder: 'asc', page: '2' },
  ])('are those of no older users in long answers for %j', async (query) => {
    const { users } = await list({ limit: '1000', ...query });
    expect(users.length).toBeGreaterThan(20);
    expect(users.filter(({ email }) => email.startsWith('old')).length).toBe(0);
  });

  it('are complete for 300 others within 24 hours in short answers, however they are requested, and again a day later', async () => {
    await spendAll();
    expect(whole((await list(pageOf(16))).users)).toBe(0);
    expect(whole((await list({ ...pageOf(1), limit: '1000' })).users)).toBe(furtherShownMax);
    expect(whole((await list(pageOf(16), colleague)).users)).toBe(20);
    await passDay();
    expect(whole((await list(pageOf(16))).users)).toBe(20);
  });

  it('are counted one after another in parallel answers', async () => {
    const pages = await Promise.all(Array.from({ length: 24 }, (_, at) => list(pageOf(at + 1))));
    expect(pages.reduce((sum, { users }) => sum + whole(users), 0)).toBe(furtherShownMax);
  });

  it.each(
    Object.entries<(id: string) => Promise<string | undefined>>({
      'a staff search': async () => {
        const query = { search: 'old1@' };
        const { users } = (await test.call(searchUsers, { token: admin.token, query })).body.data;
        return users.map((user) => ('email' in user ? user.email : ''))[0];
      },
      'people found by id': async (id) =>
        (await test.call(findUsers, { token: admin.token, body: { terms: [id] } })).body.data.found[0]?.user.email,
      'a page of one user': async (id) =>
        (await test.call(getAdminUser, { token: admin.token, params: { id } })).body.data.user.email,
      'an example of an act on many': async (id) => {
        const body = { selection: { ids: [id] }, kind: 'note' as const };
        return (await test.call(previewBulk, { token: admin.token, body })).body.data.examples[0]?.email;
      },
      'a report': async (id) => {
        await test.sql`insert into report (reporter_id, problem_type, description, priority, first_priority, status, created_at, updated_at, due_at)
        values (${id}::uuid, 'Other', 'x', 'other', 'other', 'pending', now(), now(), now()) on conflict do nothing`;
        const { reports } = (await test.call(listReports, { token: admin.token, query: {} })).body.data;
        return reports.find(({ user }) => user._id === id)?.user.email ?? undefined;
      },
    }),
  )('are masked in %s once the 300 are used up', async (_, ask) => {
    const [id = ''] = olds;
    await spendAll();
    expect((await ask(id)) ?? 'o•••').toContain('•');
  });

  it('are found by a part of them if they are shown, and if a short answer shows them', async () => {
    expect((await list({ search: 'old2400@old' })).users[0]?.email).toBe('old2400@old.even.test');
    expect((await list({ search: '@new', limit: '1000' })).users.length).toBeGreaterThan(900);
  });

  const by = () => ({ token: admin.token });
  const asked = { reason: 'A leak in May', columns: ['id' as const] };
  const note = { kind: 'note', text: 'Asked' } as const;
  const message = { kind: 'notice', text: 'Asked' } as const;
  it.each(
    Object.entries<(search: string) => Promise<number>>({
      'a list': async (search) => (await list({ search })).users.length,
      'a long list': async (search) => (await list({ search, limit: '1000' })).users.length,
      'the number of a list': async (search) => (await list({ search, page: '2' })).pagination.total,
      'a staff search': async (search) =>
        (await test.call(searchUsers, { ...by(), query: { search } })).body.data.users.length,
      'the preview of an act on many': async (search) => {
        const body = { selection: { filters: { search } }, kind: 'note' as const };
        return (await test.call(previewBulk, { ...by(), body })).body.data.total;
      },
      'the preview of an act that affects no one': async (search) => {
        const body = { selection: { filters: { search } }, kind: 'untag' as const, tagId: crypto.randomUUID() };
        return (await test.call(previewBulk, { ...by(), body })).body.data.total;
      },
      'an act on many': async (search) => {
        const body = { selection: { filters: { search } }, act: note, reason: 'x' };
        const answer = await test.call(startBulk, { ...by(), body });
        return answer.status === 201 ? answer.body.data.act.total : 0;
      },
      'the approval of a message': async (search) => {
        const body = { selection: { filters: { search } }, act: message, reason: 'x' };
        const answer = await test.call(requestBulkApproval, { ...by(), body });
        return answer.status === 201 ? answer.body.data.approval.rows : 0;
      },
      'the approval of an export': async (search) => {
        const body = { ...asked, kind: 'users.export' as const, filters: { search } };
        return (await test.call(requestApproval, { ...by(), body })).body.data.approval.rows;
      },
      'an export': async (search) => {
        const { raw } = await test.call(exportUsers, { ...by(), query: { search, reason: 'x', columns: 'id' } });
        return raw.trim().split('\n').length - 1;
      },
    }),
  )('are confirmed by %s only while they are few and count', async (_, hits) => {
    const counted = async () =>
      (await sql`select from listed_person where staff_id = ${admin.id} and address = 'further'`.execute(test.db)).rows
        .length;
    expect([await hits('old2400'), await counted()]).toEqual([1, 1]);
    expect([await hits('d.odd'), await counted()]).toEqual([0, 1]);
    await test.sql`insert into listed_person select ${admin.id}::uuid, id, ${test.clock.now()}::timestamptz, 'further'
      from unnest(${olds.slice(0, furtherShownMax)}::uuid[]) id`;
    expect(await hits('old2399')).toBe(0);
  });
});

describe('POST /admin/users/addresses', () => {
  const show = (body: Parameters<typeof ask>[0], by = admin) => ask(body, by);
  const ask = (body: { ids: string[]; reason: string } | { approval: string }, by: TestMember) =>
    test.call(showAddresses, { token: by.token, body });

  it('shows the addresses to the caller alone for 24 hours, with the reason in the audit trail', async () => {
    const ids = olds.slice(0, 600);
    const { addresses } = (await show({ ids, reason: 'A leak in May' })).body.data;
    expect([addresses.length, whole(addresses)]).toEqual([600, 600]);
    const query = { search: 'old', limit: '1000', sortOrder: 'asc' };
    expect(whole((await list(query)).users)).toBe(600);
    expect(whole((await list(query, colleague)).users)).toBe(0);
    const event = await test.db
      .selectFrom('audit_event')
      .select(['reason', 'changes'])
      .where('actor_id', '=', admin.id)
      .where('action', '=', 'users.addressesShown')
      .executeTakeFirst();
    expect(event).toMatchObject({ reason: 'A leak in May', changes: { rows: { to: 600 } } });
    await passDay();
    expect(whole((await list(query)).users)).toBe(0);
  });

  it('counts towards the same personal limit as exports, each person once', async () => {
    const [first, second] = [olds.slice(0, 600), olds.slice(600, 1200)];
    expect((await show({ ids: first, reason: 'x' })).status).toBe(200);
    expect((await show({ ids: first, reason: 'x' })).status).toBe(200);
    expect((await show({ ids: second, reason: 'x' })).error.code).toBe('APPROVAL_REQUIRED');
    const file = await test.call(exportSelected, { token: admin.token, body: { ids: second, reason: 'x' } });
    expect(file.error.code).toBe('APPROVAL_REQUIRED');
    const both = await Promise.all([0, 1].map(() => show({ ids: second, reason: 'x' }, colleague)));
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
  });

  it('shows the addresses that a colleague approved, once', async () => {
    await show({ ids: olds.slice(0, 1000), reason: 'x' });
    const asking = { kind: 'users.export' as const, columns: ['email' as const], reason: 'A leak in May' };
    const body = { ...asking, filters: { search: 'old' }, ids: olds.slice(1000, 1800) };
    const { approval } = (await test.call(requestApproval, { token: admin.token, body })).body.data;
    const use = () => show({ approval: approval._id });
    expect((await use()).status).toBe(409);
    const decision = { params: { id: approval._id }, body: { verdict: 'approved' as const } };
    await test.call(decideApproval, { token: colleague.token, ...decision });
    expect((await use()).body.data.addresses).toHaveLength(800);
    expect((await use()).status).toBe(409);
    expect((await show({ approval: approval._id }, colleague)).status).toBe(404);
  });
});

describe('reading a thousand users', () => {
  it('is audited for every role, even masked, each person once a day; three times raise an alert', async () => {
    const moderator = await makeModerator(test);
    for (const page of ['1', '1', '2']) await list({ page, limit: '1000' }, moderator);
    expect((await listed(moderator)).map(({ changes }) => changes)).toEqual(
      [1000, 2000].map((to) => ({ rows: { from: null, to } })),
    );
    expect(await countEagerReaders(test.db, test.clock.now())).toBe(0);
    for (let page = 101; page <= 151; page += 1) await list({ page: String(page), limit: '20' }, moderator);
    expect(await listed(moderator)).toHaveLength(3);
    expect(await countEagerReaders(test.db, test.clock.now())).toBe(1);
    expect(await countEagerReaders(test.db, new Date(test.clock.now().getTime() + 86_400_000))).toBe(0);
  });
});
