import { expect, it } from 'vitest';
import { startAppForTests } from '../../../../test/harness.ts';
import {
  differences,
  heldActs,
  heldWord,
  makeHeldWorld,
  observersAct,
  whatObserversSee,
} from '../../../../test/moderation/held-world.ts';

const app = startAppForTests();

const rounds = 2;
const actsEach = 5000;
const timeoutMs = 30 * 60_000;

it(
  'fifty people see no trace of ten thousand acts of held people',
  async () => {
    const world = await makeHeldWorld(app, { held: 6, observers: 50 });
    const act = heldActs(app, world, 1);
    for (let round = 0; round < rounds; round += 1) {
      expect(await observersAct(app, world, round)).toBe(0);
      if (round === 0) await whatObserversSee(app, world);
      const before = await whatObserversSee(app, world);
      await act(actsEach);
      const after = await whatObserversSee(app, world);
      expect(differences(before, after)).toEqual([]);
      expect([...after.values()].filter((answer) => answer.includes(heldWord))).toEqual([]);
    }
  },
  timeoutMs,
);
