import { randomOf } from '../../../demo/random.ts';
import { attackAnswers, bandShown, strategies, victimSheet, worldOf } from '../../../server/test/attacks/answers.ts';
import { figure, type Figure, type Proof } from '../proof.ts';

const victims = 50;
const populations = 5;
const shares = [0.25, 0.35, 0.65, 0.8];
const pointsMost = 5;

/** Four accounts change their answers for 60 days, and every day read how well the answers of 50 members fit. */
export const answers: Proof = {
  name: 'answers',
  about: 'private answers guessed from compatibility by four accounts in 60 days',
  async run({ short, random, say }) {
    const figures: Figure[] = [];
    for (const strategy of strategies) {
      for (const share of shares) {
        let gain = 0;
        for (let turn = 0; turn < populations; turn += 1) {
          const drawn = randomOf(Math.floor(random.next() * 1_000_000), turn);
          const truth = Array.from({ length: victims }, () => victimSheet(drawn));
          const options = { strategy, share, random: drawn, every: short ? 4 : 1 };
          gain += (await attackAnswers(worldOf(truth, bandShown), truth, options)) / populations;
        }
        say(`${strategy}, accepting ${share}: ${gain.toFixed(1)} points above chance`);
        figures.push(
          figure(
            `No answer is guessed better than chance + ${pointsMost} points`,
            `${strategy} ${share}: ${gain.toFixed(1)}`,
            gain <= pointsMost,
          ),
        );
      }
    }
    return figures;
  },
};
