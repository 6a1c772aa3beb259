import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listUsers, searchUsers } from '#contract/profiles/profiles.ts';
import { makeAdministrator, makeMember, makeModerator, signIn, type TestMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { setEntitlement } from '../../subscriptions/subscriptions.ts';

let app: TestApp;
let administrator: TestMember;
let moderator: TestMember;
let member: TestMember;
beforeAll(async () => {
  app = await startApp();
  administrator = await makeAdministrator(app);
  moderator = await makeModerator(app);
});
beforeEach(async () => {
  member = await makeMember(app, { verified: false, bio: 'Quotes " and \\ and ünïcödé \u2028 ✨' });
});
afterAll(() => app.close());

const listed = async ({ token }: Pick<TestMember, 'token'>) =>
  (await app.call(listUsers, { token, query: { limit: '100' } })).body.data.users;
/** The same users through the search, which builds each from its rows. */
const built = async ({ token }: Pick<TestMember, 'token'>) =>
  (await app.call(searchUsers, { token, query: { limit: '100' } })).body.data.users;
const user = async () => (await listed(administrator)).find(({ _id }) => _id === member.id);

const set = (table: 'account' | 'profile' | 'presence', values: object) =>
  app.db
    .updateTable(table)
    .set(values)
    .where(table === 'account' ? 'id' : 'account_id', '=', member.id)
    .execute();

const changes: Record<string, () => Promise<unknown>> = {
  name: () => set('profile', { first_name: 'Renée', last_name: '名' }),
  place: () => set('profile', { city: 'Oslo', country: 'Norway' }),
  privacy: () => set('profile', { show_last_active: false }),
  address: () => set('account', { email: 'moved@post.test' }),
  verification: () => set('account', { email_verified_at: app.clock.now() }),
  'a code sent': () =>
    app.pool.query(
      `insert into verification (account_id, email, purpose, handle_hash, token_hash, code_hash, created_at, code_expires_at, expires_at)
       select id, email, 'join', uuid_send(id), uuid_send(id), uuid_send(id), now(), now(), now() from account where id = $1`,
      [member.id],
    ),
  premium: () => setEntitlement(app.db, member.id, new Date('2099-01-01T00:00:00Z')),
  deactivation: () =>
    set('account', { is_active: false, deactivated_at: app.clock.now(), deactivation_reason: 'Not a person' }),
  role: () => set('account', { staff_role: 'owner' }),
  presence: () => set('presence', { online: true, last_active_at: app.clock.now() }),
  'a picture': () =>
    app.pool.query(`update picture set state = 'rejected', place = null, reason = 'x' where account_id = $1`, [
      member.id,
    ]),
};

describe('a listed user who was listed before', () => {
  it.each(Object.entries(changes))('follows a change at once: %s', async (_what, change) => {
    const before = await user();
    expect(await listed(administrator)).toEqual(await built(administrator));
    await change();
    expect(await listed(administrator)).toEqual(await built(administrator));
    expect(await listed(moderator)).toEqual(await built(moderator));
    expect(await user()).not.toEqual(before);
  });

  it('is a year older on their birthday', async () => {
    await set('profile', { birth_date: '1990-06-16' });
    const before = (await user())?.age ?? 0;
    app.clock.advance(86_400);
    administrator = { ...administrator, ...(await signIn(app, administrator.id, true)) };
    moderator = { ...moderator, ...(await signIn(app, moderator.id, true)) };
    expect((await user())?.age).toBe(before + 1);
  });

  it('is shown to each viewer as their role allows', async () => {
    const second = await makeAdministrator(app);
    for (const viewer of [administrator, second, moderator, administrator])
      expect(await listed(viewer)).toEqual(await built(viewer));
    const emailTo = async (viewer: TestMember) => (await listed(viewer)).find(({ _id }) => _id === member.id)?.email;
    expect(await emailTo(administrator)).toBe(member.email);
    expect(await emailTo(moderator)).toContain('•••');
  });

  it('has addresses of pictures that only work for the viewer', async () => {
    for (const viewer of [administrator, moderator]) {
      const shown = (await listed(viewer)).find(({ _id }) => _id === member.id);
      expect(shown?.profilePicture).toContain(`for=${viewer.id}&`);
    }
  });
});
