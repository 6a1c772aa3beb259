import { setTimeout as pause } from 'node:timers/promises';
import { inWords, type Outcome } from '../http.ts';
import { openIdle, perSecond, startLoad, startSlowUpload, wasHarmed } from '../load.ts';
import { joinAs, password } from '../people.ts';
import { createProduct, type End } from '../product.ts';
import { figure, type Proof } from '../proof.ts';

const exitWithinMs = 10_000;
const slowBodyMs = 2000;
const email = 'restart@prove.test';

/** Stops the server while it works, as each new release does. */
export const restart: Proof = {
  name: 'restart',
  about: 'SIGTERM under 50 requests a second, with slow requests and idle connections open',
  async run({ short, random, folder, say }) {
    const rounds = short ? 3 : 20;
    const product = await createProduct(folder);
    try {
      await product.start();
      const { token } = await joinAs(product.origin, email, 1);
      const ends: End[] = [];
      const outcomes: Outcome[] = [];
      const slow: string[] = [];
      for (let round = 1; round <= rounds; round += 1) {
        const load = startLoad(product.origin, { email, password, token });
        const idle = await openIdle(product.origin);
        await pause(random.between(1000, 3000));
        const upload = startSlowUpload(product.origin, token, slowBodyMs);
        await pause(100);
        const end = await product.end('SIGTERM');
        ends.push(end);
        outcomes.push(...(await load.stop()));
        slow.push(await upload);
        idle.destroy();
        const readyMs = await product.start();
        say(
          `round ${round}: exit ${end.code ?? end.signal} after ${Math.round(end.ms)} ms, up again in ${Math.round(readyMs)} ms`,
        );
      }
      return report(rounds, outcomes, slow, ends);
    } finally {
      await product.clear();
    }
  },
};

function report(rounds: number, outcomes: Outcome[], slow: string[], ends: End[]) {
  const bad = outcomes.filter(wasHarmed);
  const cut = bad.filter(({ kind }) => kind === 'broken').length;
  const answered = outcomes.filter(({ kind }) => kind === 'answered').length;
  const slowest = Math.max(...ends.map(({ ms }) => ms));
  return [
    figure(
      '44 Restarts are invisible to requests in flight',
      `${answered} answered, ${cut} cut, ${bad.length - cut} answered 5xx${bad[0] === undefined ? '' : ` (${inWords(bad[0])})`}`,
      bad.length === 0 && answered > rounds * perSecond,
    ),
    figure(
      '44 A slow request is answered to its end',
      `${slow.filter((status) => status === '200').length} of ${rounds}`,
      slow.every((status) => status === '200'),
    ),
    figure(
      '44 Exit 0 in 10 s',
      `${ends.filter(({ code }) => code === 0).length} of ${rounds} with 0, the slowest after ${Math.round(slowest)} ms`,
      ends.every(({ code }) => code === 0) && slowest <= exitWithinMs,
    ),
  ];
}
