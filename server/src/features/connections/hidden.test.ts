import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { leaveService } from '#contract/auth/auth.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());
const { like, pass, match, block, undo } = likesIn(() => app);

const ways = {
  blocked: (one: TestMember, other: TestMember) => block(other, one),
  left: (_: TestMember, other: TestMember) => app.call(leaveService, { token: other.token, body: {} }),
};

/** The kinds of database notifications sent while `work` runs. */
async function notificationsOf(work: () => Promise<unknown>): Promise<string[]> {
  const listener = await app.pool.connect();
  const heard: string[] = [];
  listener.on('notification', ({ payload = '' }) => heard.push((JSON.parse(payload) as { what: string }).what));
  await listener.query('listen heartwood');
  await work();
  // Notifications arrive with the next query result at the latest.
  await listener.query('unlisten heartwood');
  listener.release(true);
  return heard.filter((what) => what.startsWith('match'));
}

describe.each(Object.entries(ways))('a match where one of the two has %s', (_, happens) => {
  it('looks the same to undo, and a block in return sends no second notification', async () => {
    const [one, other, third] = [await makeMember(app), await makeMember(app), await makeMember(app)];
    await like(other, one);
    app.clock.advance(1);
    await match(one, other);
    app.clock.advance(1);
    await pass(one, third);
    expect(await notificationsOf(() => happens(one, other))).toEqual(['match-ended']);
    const named = await undo(one, other);
    expect([named.status, named.error.code]).toEqual([404, 'NOT_FOUND']);
    expect(await notificationsOf(() => block(one, other))).toEqual([]);
    const last = await undo(one);
    expect(last.body.data.userId).toBe(third.id);
  });
});
