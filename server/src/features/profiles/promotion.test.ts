import { describe, expect, it } from 'vitest';
import { register, resetPassword } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { makeAdministrator } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { tokenIn } from '../../../test/mail/link-token.ts';
import { sessionIn } from '../../../test/session-in.ts';

const test = startAppForTests();

async function joinAndPromote(email: string, password: string) {
  const administrator = await makeAdministrator(test);
  const joined = await test.call(register, { body: { email, password, firstName: 'Rosa', acceptTerms: true } });
  const id = joined.body.user._id;
  await test.db.updateTable('account').set({ email_verified_at: test.clock.now() }).where('id', '=', id).execute();
  const body = { staffRole: 'moderator' as const, reason: 'Joins the team' };
  expect((await test.call(changeAdminUser, { token: administrator.token, params: { id }, body })).status).toBe(200);
  await test.drain();
}

describe('a member who becomes staff', () => {
  it('needs a new password if the old one is too short for staff', async () => {
    await joinAndPromote('short@example.test', 'tulip-9281');
    expect((await test.call(login, { body: { email: 'short@example.test', password: 'tulip-9281' } })).status).toBe(
      401,
    );
    const links = (await test.outbox('short@example.test')).flatMap((mail) => mail.links);
    const token = tokenIn(links.find((address) => address.includes('/app/reset-password'))) ?? '';
    const password = 'tulips on a windowsill';
    expect((await test.call(resetPassword, { body: { token, password } })).status).toBe(200);
    expect(
      sessionIn((await test.call(login, { body: { email: 'short@example.test', password } })).body).user.staffRole,
    ).toBe('moderator');
  });

  it('keeps a password of 15 characters', async () => {
    await joinAndPromote('long@example.test', 'tulips-and-more');
    expect((await test.call(login, { body: { email: 'long@example.test', password: 'tulips-and-more' } })).status).toBe(
      200,
    );
  });
});
