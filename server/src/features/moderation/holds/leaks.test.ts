import { afterAll, beforeAll, expect, it } from 'vitest';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import {
  differences,
  heldActs,
  heldWord,
  makeHeldWorld,
  observersAct,
  whatObserversSee,
} from '../../../../test/held-world.ts';
import { endHoldOf } from '../../../../test/holds.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

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
