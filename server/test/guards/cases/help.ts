import { makeMember } from '../../factories.ts';
import { archiveToken, lockedToken, lockOut } from '../../locked.ts';
import { ensurePremium } from '../../premium.ts';
import { everyone, permitted, row, type Row, signedIn } from '../people.ts';
import type { CallRequest, Scene } from '../requests.ts';

const reason = 'Called from a number that we know';

/** An act of the help desk for the other person, whose account is changed before. */
const helped =
  (
    change: { email_verified_at?: null; leaving_since?: 'now' } = {},
    more: (email: string) => Record<string, unknown> = () => ({}),
  ) =>
  async ({ test, other }: Scene): Promise<CallRequest> => {
    const { leaving_since, ...rest } = change;
    // Undoes the changes of an earlier request.
    const now = test.clock.now();
    const changes = {
      email: other.email,
      email_verified_at: now,
      ...rest,
      leaving_since: leaving_since === undefined ? null : now,
    };
    await test.db.updateTable('account').set(changes).where('id', '=', other.id).execute();
    await test.db.deleteFrom('verification').where('account_id', '=', other.id).execute();
    await test.db.deleteFrom('premium_grant').where('account_id', '=', other.id).execute();
    return { params: { id: other.id }, body: { reason, ...more(other.email) } };
  };

/** A member who was locked out; `pays`: they have premium. */
async function locked({ test }: Scene, { pays = false } = {}) {
  const member = await makeMember(test);
  if (pays) await ensurePremium(test, member);
  await lockOut(test, member);
  await test.drain();
  return member;
}

/** A valid request for every call of the help desk, and of people who can't sign in. */
export const helpRequests: Record<string, (scene: Scene) => CallRequest | Promise<CallRequest>> = {
  'POST /admin/users/{id}/help/confirmation': helped({ email_verified_at: null }),
  'POST /admin/users/{id}/help/reset-link': helped(),
  'POST /admin/users/{id}/help/address': helped({ email_verified_at: null }, (email) => ({
    email: `corrected.${email}`,
  })),
  'POST /admin/users/{id}/help/unlock': helped(),
  'POST /admin/users/{id}/help/export': helped(),
  'POST /admin/users/{id}/help/restore': helped({ leaving_since: 'now' }),
  'POST /admin/users/{id}/premium-grants': helped({}, () => ({ days: 3 })),
  'POST /admin/premium-grants/{id}/revoke': async ({ test, other }) => {
    const now = test.clock.now();
    const { id } = await test.db
      .insertInto('premium_grant')
      .values({
        account_id: other.id,
        days: 3,
        starts_at: now,
        // The sandbox's clock may be ahead.
        ends_at: new Date('2036-01-01T00:00:00.000Z'),
        granted_at: now,
        granted_by_name: 'A colleague',
        reason,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return { params: { id }, body: { reason } };
  },
  'GET /subscription/gift': () => ({}),
  'POST /appeals/link/request': ({ other }) => ({ body: { email: other.email } }),
  'POST /appeals/link/refund': async (scene) => {
    const { email } = await locked(scene, { pays: true });
    return { body: { token: await lockedToken(scene.test, email) } };
  },
  'POST /appeals/link/withdraw': async (scene) => {
    const { email } = await locked(scene, { pays: true });
    return { body: { token: await lockedToken(scene.test, email) } };
  },
  'POST /appeals/link/export': async (scene) => {
    const { email } = await locked(scene);
    return { body: { token: await lockedToken(scene.test, email) } };
  },
  'POST /appeals/link/export/download': async (scene) => {
    const { email } = await locked(scene);
    return { body: { token: await archiveToken(scene.test, email) } };
  },
};

/** Another account's token, of another kind, in place of the token of a mailed link. */
const anothersToken = ({ other }: Scene) => ({ body: { token: other.refreshToken } });

/** Who may help, and what people who can't sign in may do with an emailed link. */
export const helpRows: Record<string, Row> = {
  'POST /admin/users/{id}/help/confirmation': { cells: permitted('users.help', 200) },
  'POST /admin/users/{id}/help/reset-link': { cells: permitted('users.help', 200) },
  'POST /admin/users/{id}/help/address': { cells: permitted('users.help', 200) },
  'POST /admin/users/{id}/help/unlock': { cells: permitted('users.help', 200) },
  'POST /admin/users/{id}/help/export': { cells: permitted('users.help', 200) },
  'POST /admin/users/{id}/help/restore': { cells: permitted('users.help', 200) },
  'POST /admin/users/{id}/premium-grants': { cells: permitted('premium.grant', 201) },
  'POST /admin/premium-grants/{id}/revoke': { cells: permitted('premium.grant', 200) },
  'GET /subscription/gift': { cells: signedIn(200) },
  'POST /appeals/link/request': { cells: everyone(200) },
  'POST /appeals/link/refund': row(everyone(200), 404, anothersToken),
  'POST /appeals/link/withdraw': row(everyone(200), 404, anothersToken),
  'POST /appeals/link/export': row(everyone(200), 404, anothersToken),
  'POST /appeals/link/export/download': row(everyone(200), 404, anothersToken),
};
