import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { sendMessage } from '#contract/messages.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import {
  differences,
  heldActs,
  heldWord,
  makeHeldWorld,
  observersAct,
  whatMemberSees,
  whatObserversSee,
} from '../../../../test/held-world.ts';
import { endHoldOf } from '../../../../test/holds.ts';

let app: TestApp;
beforeEach(async () => {
  app = await startApp();
});
afterEach(() => app.close());

it('nothing that held people do shows in any answer, event, mail, push or count of others, nor once it is dropped', async () => {
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

it('the release of what held people sent changes no answer to them and sends them no event', async () => {
  const world = await makeHeldWorld(app, { held: 4, observers: 8 });
  await heldActs(app, world, 7)(150);
  // In some conversations the other person has written as well, and what held people write next is delivered.
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
  // The first time, some lists of cards are drawn.
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
