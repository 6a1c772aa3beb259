import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bandScores, deleteAnswer, putAnswer } from '#contract/compatibility.ts';
import { getUser, searchUsers } from '#contract/profiles/profiles.ts';
import { randomOf } from '../../../test/random.ts';
import { haveAnswered } from '../../../test/answers.ts';
import {
  type AnswersWorld,
  attackAnswers,
  attackers,
  bandShown,
  strategies,
  victimSheet,
  worldOf,
} from '../../../test/attacks/answers.ts';
import { cardsIn } from '../../../test/cards.ts';
import { signIn, type TestMember } from '../../../test/factories.ts';
import { startApp, type TestApp } from '../../../test/harness.ts';
import type { KeptAnswers } from '#platform/db/json.ts';
import { toAnswers } from './compatibility.ts';
import { answersFit } from './score.ts';

const victimCount = 50;
const chanceAndMore = 5;

describe('an attacker with four accounts who reads 50 members for 60 days', () => {
  it.each(strategies.flatMap((strategy) => [0.35, 0.65, 0.8].map((share) => ({ strategy, share }))))(
    'recovers answers no better than chance + 5 points: strategy $strategy, accepting a share of $share',
    async ({ strategy, share }) => {
      const gains: number[] = [];
      for (const seed of [1, 2]) {
        const random = randomOf(seed, 71);
        const truth = Array.from({ length: victimCount }, () => victimSheet(random));
        gains.push(await attackAnswers(worldOf(truth, bandShown), truth, { strategy, share, random, every: 4 }));
      }
      const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
      expect(mean).toBeLessThanOrEqual(chanceAndMore);
    },
  );

  it('would recover many answers if the exact fit were shown and changes were not limited', async () => {
    const random = randomOf(4, 71);
    const truth = Array.from({ length: victimCount }, () => victimSheet(random));
    const exact = (own: KeptAnswers, theirs: KeptAnswers) => answersFit(toAnswers(own), toAnswers(theirs)) ?? 0;
    const options = { strategy: 'change', share: 0.5, random, changesPerWeek: 7 } as const;
    const gain = await attackAnswers(worldOf(truth, exact), truth, options);
    expect(gain).toBeGreaterThan(25);
  });
});

describe('an attacker who reads profiles, cards, their order and reasons, and a sorted search through the API', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp();
  });
  afterAll(() => app.close());
  const { meet, cardsOf } = cardsIn(() => app);

  it('recovers no answer better than chance + 5 points', async () => {
    const random = randomOf(5, 71);
    const truth = Array.from({ length: victimCount }, () => victimSheet(random));
    const victims: TestMember[] = [];
    for (const sheet of truth) {
      const victim = await meet();
      await haveAnswered(app, victim, sheet);
      victims.push(victim);
    }
    const accounts: TestMember[] = [];
    for (let account = 0; account < attackers; account += 1) accounts.push(await meet());
    const tokenOf = (account: number) => accounts[account]?.token ?? '';

    const world: AnswersWorld = {
      victims: victimCount,
      async change(account, questionId, answer) {
        const by = { token: tokenOf(account), params: { questionId } };
        if (answer === null) {
          expect((await app.call(deleteAnswer, by)).status).toBe(200);
          return;
        }
        const [own, accepted, importance] = answer;
        const body = { answer: own, accepted, importance };
        expect((await app.call(putAnswer, { ...by, body })).status).toBe(200);
      },
      async sleep() {
        app.clock.advance(86_400);
        await app.pool.query('update discovery_row set last_active_on = $1', [app.clock.now()]);
        for (const account of accounts) Object.assign(account, await signIn(app, account.id));
      },
      async read(account) {
        const [token, self] = [tokenOf(account), accounts[account]];
        if (self === undefined) throw new Error('there is no such account');
        await cardsOf(self);
        await app.drain();
        const cards = new Map((await cardsOf(self)).map((card, place) => [card.user._id, { card, place }]));
        const query = { sortBy: 'compatibility', limit: '100' } as const;
        const found = (await app.call(searchUsers, { token, query })).body.data.users.map(({ _id }) => _id);
        const channels: number[][] = [[], [], [], []];
        for (const { id } of victims) {
          const profile = (await app.call(getUser, { token, params: { id } })).body.data;
          const { compatibilityScore: score, compatibilityBand: band } = profile;
          expect(score).toBe(band === null ? null : bandScores[band]);
          const dealt = cards.get(id);
          if (dealt !== undefined) {
            expect([dealt.card.compatibilityScore, dealt.card.compatibilityBand]).toEqual([score, band]);
            const reason = dealt.card.reasons.find(({ kind }) => kind === 'answers');
            expect(reason).toEqual(band === 'high' ? { kind: 'answers' } : undefined);
          }
          channels[0]?.push(score ?? 0);
          channels[1]?.push(dealt === undefined ? 0 : 1);
          channels[2]?.push(-(dealt?.place ?? 20));
          channels[3]?.push(-found.indexOf(id));
        }
        return channels;
      },
    };
    const gain = await attackAnswers(world, truth, { strategy: 'change', share: 0.65, random, every: 20 });
    expect(gain).toBeLessThanOrEqual(chanceAndMore);
  });
});
