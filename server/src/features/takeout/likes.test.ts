import { randomUUID } from 'node:crypto';
import { strFromU8 } from 'fflate';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sendMessage } from '#contract/messages.ts';
import { hashPassword } from '../auth/password/hashing.ts';
import { takeArchive } from '../../../test/archive.ts';
import { makeMember, type MemberOptions, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { holdAccount } from '../../../test/holds.ts';
import { likesIn } from '../../../test/likes.ts';

const password = 'correct horse battery';
const app = startAppForTests();
let passwordHash: string;
let ada: TestMember;
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});
beforeEach(async () => {
  ada = await makeMember(app, { passwordHash, gender: 'woman' });
});

const { like, pass, block, unmatch, match } = likesIn(() => app);
const man = (options: MemberOptions) => makeMember(app, { gender: 'man', lastName: 'Canarylastname', ...options });

/** One file of the archive, and the text of all of them. */
async function taken(name: string): Promise<{ file: Record<string, unknown>; all: string }> {
  const files = await takeArchive(app, ada.token, { password });
  const all = Object.values(files).map((bytes) => strFromU8(bytes));
  return {
    file: JSON.parse(strFromU8(files[name] ?? new Uint8Array())) as Record<string, unknown>,
    all: all.join('\n'),
  };
}

describe('the likes in a data export', () => {
  test('include likes that were held back, and nothing of the hold', async () => {
    const bo = await man({ firstName: 'Bo' });
    await holdAccount(app, ada);
    await like(ada, bo, { note: 'Hello Bo' });
    const { file, all } = await taken('likes.json');
    expect(file).toMatchObject({ likes: [{ name: 'Bo', note: 'Hello Bo', isMatch: false }], matches: [] });
    expect(all).not.toMatch(/critical_case|\bheld\b/);
  });

  test('include people the member liked with their notes, matches by first name, and the number of passes', async () => {
    const [bo, cy, di] = [
      await man({ firstName: 'Bo' }),
      await man({ firstName: 'Cy' }),
      await man({ firstName: 'Di' }),
    ];
    const at = () => app.clock.now().toISOString();
    const first = at();
    await like(ada, bo, { note: 'Hello Bo' });
    app.clock.advance(1);
    const second = at();
    await like(cy, ada, { note: 'Canarynote of Cy' });
    await like(ada, cy);
    for (const one of [di, await man({})]) await pass(ada, one);
    const { file } = await taken('likes.json');
    expect(file).toEqual({
      likes: [
        { name: 'Bo', likedAt: first, note: 'Hello Bo', isMatch: false },
        { name: 'Cy', likedAt: second, note: null, isMatch: true },
      ],
      matches: [{ name: 'Cy', matchedAt: second }],
      passes: 2,
    });
  });

  test('name no hidden people, likers or passed members', async () => {
    const [blocker, leaver, admirer, passed, ended] = [
      await man({ firstName: 'Canaryblocker' }),
      await man({ firstName: 'Canaryleaver' }),
      await man({ firstName: 'Canaryadmirer' }),
      await man({ firstName: 'Canarypassed' }),
      await man({ firstName: 'Canaryended' }),
    ];
    await like(ada, blocker);
    await block(blocker, ada);
    await match(ada, leaver);
    await app.db.updateTable('account').set({ leaving_since: app.clock.now() }).where('id', '=', leaver.id).execute();
    await like(admirer, ada, { note: 'Canarynote' });
    await pass(ada, passed);
    await pass(await man({ firstName: 'Canarypasser' }), ada);
    await unmatch(ada, await match(ada, ended));
    const { file, all } = await taken('likes.json');
    expect([file['likes'], file['matches'], file['passes']]).toMatchObject([[{ name: null }], [], 1]);
    const others = [blocker, leaver, admirer, passed, ended].map(({ id }) => id);
    expect(['Canary', ...others].filter((secret) => all.includes(secret))).toEqual([]);
  });
});

describe('the messages in a data export', () => {
  test('include only those the member wrote, and name only current matches', async () => {
    const [bo, cy] = [await man({ firstName: 'Bo' }), await man({ firstName: 'Cy' })];
    const [withBo, withCy] = [await match(ada, bo), await match(ada, cy)];
    const write = (who: TestMember, id: string, text: string) =>
      app.call(sendMessage, { token: who.token, params: { id }, body: { clientId: randomUUID(), text } });
    const sentAt = app.clock.now().toISOString();
    await write(ada, withBo, 'Hello Bo');
    await write(bo, withBo, 'Canary words of Bo');
    app.clock.advance(1);
    await write(ada, withCy, 'Hello Cy');
    await unmatch(cy, withCy);
    const { file, all } = await taken('messages.json');
    expect(file).toEqual([
      { to: 'Bo', sentAt, editedAt: null, text: 'Hello Bo' },
      { to: null, sentAt: app.clock.now().toISOString(), editedAt: null, text: 'Hello Cy' },
    ]);
    expect(all).not.toContain('Canary words');
  });
});

describe('the learned scores in a data export', () => {
  const learn = () => app.app.background.tasks['discovery.learn']?.({}, undefined as never);

  test('describe the member’s own decisions for each gender, with their number', async () => {
    for (let index = 0; index < 8; index += 1) await pass(ada, await man({}));
    await learn();
    const { file } = await taken('learned.json');
    expect(file).toMatchObject({ decisionsOfYours: 10 });
    expect(file['towards']).toEqual([
      {
        whom: 'men',
        selectivity: expect.any(Number),
        selectivityInWords: 'When men are shown to you, you like them much less often than others do.',
      },
    ]);
    expect((file['towards'] as { selectivity: number }[])[0]?.selectivity).toBeLessThan(-0.5);
  });

  test('say nothing about what others decided', async () => {
    const before = await taken('learned.json');
    for (let index = 0; index < 8; index += 1) {
      await pass(await man({}), ada);
      await like(await man({}), ada);
      await like(await man({}), ada);
    }
    await learn();
    expect((await taken('learned.json')).file).toEqual(before.file);
  });

  test('count people who wrote first and those answered', async () => {
    const write = (who: TestMember, id: string) =>
      app.call(sendMessage, { token: who.token, params: { id }, body: { clientId: randomUUID(), text: 'Hello' } });
    for (let index = 0; index < 4; index += 1) {
      const bo = await man({});
      const id = await match(ada, bo);
      const [first, other] = index === 3 ? [ada, bo] : [bo, ada];
      await write(first, id);
      await write(first, id);
      if (index !== 0) for (let times = 0; times < 2; times += 1) await write(other, id);
    }
    const { file } = await taken('learned.json');
    expect(file).toMatchObject({ firstMessagesToYou: 3, ofTheseYouAnswered: 2 });
  });

  test('are empty for new members', async () => {
    expect((await taken('learned.json')).file).toMatchObject({
      decisionsOfYours: 0,
      towards: [],
    });
  });
});
