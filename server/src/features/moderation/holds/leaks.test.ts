import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { strFromU8 } from 'fflate';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { reactToMessage, editMessage, sendMessage } from '#contract/messages/messages.ts';
import { takeArchive } from '../../../../test/archive.ts';
import { prague } from '../../../../test/cards.ts';
import { makeMember } from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import {
  differences,
  heldActs,
  heldWord,
  makeHeldWorld,
  observersAct,
  whatMemberSees,
  whatObserversSee,
} from '../../../../test/moderation/held-world.ts';
import { endHoldOf, holdAccount } from '../../../../test/moderation/holds.ts';
import { likesIn, placeMatch } from '../../../../test/likes.ts';
import { hashPassword } from '../../auth/password/hashing.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.close());

it('nothing that held people do appears in other people’s answers, events, mails, pushes or counts, even once it is deleted', async () => {
  const world = await makeHeldWorld(app, { held: 6, observers: 6 });
  const act = heldActs(app, world, 106);
  for (let round = 0; round < 2; round += 1) {
    expect(await observersAct(app, world, round)).toBe(0);
    await whatObserversSee(app, world);
    const before = await whatObserversSee(app, world);
    await act(200);
    const after = await whatObserversSee(app, world);
    expect(differences(before, after)).toEqual([]);
    expect([...after.values()].filter((answer) => answer.includes(heldWord))).toEqual([]);
  }
  const before = await whatObserversSee(app, world);
  for (const person of world.held) await endHoldOf(app, person, 'dropped');
  expect(differences(before, await whatObserversSee(app, world))).toEqual([]);
});

it('releasing what held people sent changes no answer to them and sends them no event', async () => {
  const world = await makeHeldWorld(app, { held: 4, observers: 8 });
  await heldActs(app, world, 7)(150);
  // In some conversations the other person has also written, so the held person's next messages are delivered.
  for (const { token, matchIds } of world.observers)
    for (const id of matchIds.slice(0, 1)) {
      const body = { clientId: randomUUID(), text: 'Hello' };
      await app.call(sendMessage, { token, params: { id }, body });
    }
  await heldActs(app, world, 8)(150);
  const seen = async () => {
    const answers = new Map<string, string>();
    for (const { id, token, matches, device } of world.held) {
      const others = world.observers.map((one) => one.id);
      const idsOf = ({ path }: EndpointSpec) => {
        if (!path.includes('{')) return [''];
        if (path.startsWith('/auth/user/')) return others;
        return /^\/(matches|conversations)\//.test(path) ? matches.map((match) => match.id) : [id];
      };
      for (const [url, answer] of await whatMemberSees(app, { token }, idsOf)) answers.set(`${id} ${url}`, answer);
      answers.set(`${id} events`, JSON.stringify(device.heard));
    }
    return answers;
  };
  // Some lists of cards are built at random the first time.
  await seen();
  const before = await seen();
  for (const person of world.held) await endHoldOf(app, person, 'released');
  expect(differences(before, await seen())).toEqual([]);
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from message where own_sent_at is not null) + (select count(*) from decision where delivered_at is not null) as n`.execute(
    app.db,
  );
  expect(Number(rows[0]?.n)).toBeGreaterThan(20);
});

it.each(['released', 'dropped'] as const)(
  'a held member’s data export looks like any other, even once it is %s',
  async (outcome) => {
    const password = 'correct horse battery';
    const passwordHash = await hashPassword(password);
    const { like, pass, undo } = likesIn(() => app);
    const createdAt = app.clock.now();
    const twin = async () => {
      const man = () => makeMember(app, { firstName: 'Bo', gender: 'man', createdAt, ...prague });
      const own = await makeMember(app, { firstName: 'Ada', gender: 'woman', passwordHash, createdAt, ...prague });
      const men = await Promise.all(Array.from({ length: 14 }, man));
      const matches = [];
      for (const bo of men.splice(0, 3)) matches.push({ bo, id: await placeMatch(app, own, bo) });
      return { own, men, matches };
    };
    const twins = [await twin(), await twin()] as const;
    const [{ own: held }] = twins;
    await holdAccount(app, held);
    const write = async ({ token }: { token: string }, id: string, replyTo?: number) => {
      const text = `Words ${replyTo ?? ''}`;
      app.clock.advance(1);
      const body = { clientId: randomUUID(), text, ...(replyTo !== undefined && { replyTo }) };
      expect((await app.call(sendMessage, { token, params: { id }, body })).status).toBe(201);
    };
    const acts = async ({ own: { token }, own, men, matches }: (typeof twins)[0]) => {
      app.clock.set(createdAt);
      for (const [index, other] of men.entries()) {
        app.clock.advance(1);
        if (index < 2) await pass(own, other);
        else await like(own, other, index === 2 ? { note: 'Hello' } : {});
      }
      await undo(own);
      for (const [index, { bo, id }] of matches.entries()) {
        await write(own, id);
        await write(own, id, 1);
        await app.call(editMessage, { token, params: { id, seq: '2' }, body: { text: 'Edited' } });
        if (index === 0) continue;
        await write(bo, id);
        await app.call(reactToMessage, { token, params: { id, seq: '3' }, body: { emoji: '❤️' } });
        for (const answered of index === 1 ? [1, 3] : []) await write(own, id, answered);
      }
    };
    const learn = async () => {
      await app.app.background.tasks['insights.rollUp']?.({}, undefined as never);
      await app.app.background.tasks['discovery.learn']?.({}, undefined as never);
      // Among so few people, ten decisions would change the averages.
      await app.db.deleteFrom('segment_base').execute();
    };
    const unnamed = (text: string) =>
      text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'id').replaceAll(/[\w.+-]+@[\w.-]+/g, 'address');
    const exported = async ({ own: { token } }: (typeof twins)[0]) => {
      const files = await takeArchive(app, token, { password });
      return new Map(Object.entries(files).map(([name, bytes]) => [name, unnamed(strFromU8(bytes))]));
    };
    const compare = async () => {
      const [one, other] = [await exported(twins[0]), await exported(twins[1])];
      expect(differences(one, other)).toEqual([]);
      expect(JSON.parse(one.get('activity.json') ?? '')).toMatchObject({ firstTimes: { length: 5 } });
      expect(JSON.parse(one.get('learned.json') ?? '')).toMatchObject({ decisionsOfYours: 10, firstMessagesToYou: 0 });
    };
    for (const one of twins) await acts(one);
    await learn();
    await compare();
    await endHoldOf(app, held, outcome);
    await learn();
    await app.db.deleteFrom('data_export').execute();
    await compare();
  },
);
