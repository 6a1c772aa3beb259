import { afterAll, describe, expect, it } from 'vitest';
import { leaveService, restoreAccount } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { changeAdminUser, getProfile } from '#contract/profiles/profiles.ts';
import { hashPassword } from '../password/hashing.ts';
import { makeAdministrator, makeMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';

const password = 'correct horse battery';
const apps: TestApp[] = [];
afterAll(async () => {
  for (const app of apps) await app.close();
});

async function start(environment: Record<string, string> = {}, template?: string): Promise<TestApp> {
  const app = await startApp(environment, template);
  apps.push(app);
  return app;
}

describe('a backup restored from before', () => {
  it('brings back no one who left, keeps deactivations, and ends all sessions', async () => {
    const before = await start();
    const passwordHash = await hashPassword(password);
    const [leaver, returner, banned, other] = [
      await makeMember(before, { passwordHash }),
      await makeMember(before, { passwordHash }),
      await makeMember(before, { passwordHash }),
      await makeMember(before, { passwordHash }),
    ];
    const administrator = await makeAdministrator(before);
    const backup = await before.copy();

    for (const { token } of [leaver, returner]) await before.call(leaveService, { token, body: { password } });
    const [mail] = await before.outbox(returner.email);
    const handle = new URL(mail?.links[0] ?? '').searchParams.get('restore') ?? '';
    await before.call(restoreAccount, { body: { token: handle } });
    await before.call(changeAdminUser, {
      token: administrator.token,
      params: { id: banned.id },
      body: { isActive: false, reason: 'Spam' },
    });
    await before.drain();

    const after = await start({ MEDIA_DIR: before.mediaDir }, backup);
    const signIn = async (email: string) => {
      const answer = await after.call(login, { body: { email, password } });
      return answer.status === 200 ? 'signed in' : answer.error.code;
    };
    expect(await signIn(leaver.email)).toBe('ACCOUNT_LEAVING');
    expect(await signIn(banned.email)).toBe('ACCOUNT_DEACTIVATED');
    expect(await signIn(returner.email)).toBe('signed in');
    expect((await after.call(getProfile, { token: other.token })).status).toBe(401);
    expect(after.logLines()).toContain('was restored from a backup');
  });

  it('changes nothing on an ordinary start', async () => {
    const before = await start();
    const member = await makeMember(before, { passwordHash: await hashPassword(password) });
    const leaver = await makeMember(before, { passwordHash: await hashPassword(password) });
    await before.call(leaveService, { token: leaver.token, body: { password } });
    await before.drain();
    const again = await start({ MEDIA_DIR: before.mediaDir }, await before.copy());
    expect((await again.call(getProfile, { token: member.token })).status).toBe(200);
    expect(again.logLines()).not.toContain('was restored from a backup');
  });
});

describe('an entry of the ledger', () => {
  it('is written before the account is purged, and names no one', async () => {
    const app = await start();
    const leaver = await makeMember(app, { passwordHash: await hashPassword(password) });
    await app.call(leaveService, { token: leaver.token, body: { password } });
    app.clock.advance(15 * 86_400);
    const purge = () => app.app.background.tasks['auth.endAccounts']?.({}, undefined as never);
    const isLeft = async () => (await app.pool.query('select from account where id = $1', [leaver.id])).rowCount === 1;
    await purge();
    expect(await isLeft()).toBe(true);
    await app.drain();
    await purge();
    expect(await isLeft()).toBe(false);
    const { rows } = await app.pool.query('select account_id, act from ledger_entry');
    expect(rows).toEqual([{ account_id: null, act: 'left' }]);
  });
});
