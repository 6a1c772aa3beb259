import { describe, expect, it } from 'vitest';
import type { PauseMonths, Plan } from '#contract/subscriptions/plan.ts';
import * as calls from '#contract/subscriptions/subscriptions.ts';
import { makeMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { buyPremium, passUntil } from '../../../../test/premium.ts';

const app = startAppForTests();

const dayOf = (at: string | null | undefined) => at?.slice(0, 10);
const minuteAfter = (at: string | null | undefined) => new Date(Date.parse(at ?? '') + 60_000).toISOString();

/** The day it was bought, for how many months each period is followed by a pause, and when the periods end and begin. */
const rows: [Plan, string, (PauseMonths | 0)[], string[]][] = [
  ['monthly', '2031-01-31', [0, 0, 0], ['2031-02-28', '2031-03-31', '2031-04-30']],
  ['monthly', '2031-01-31', [1, 0, 0], ['2031-02-28 until 2031-03-31', '2031-04-30', '2031-05-31']],
  ['monthly', '2031-03-31', [1, 0, 0], ['2031-04-30 until 2031-05-31', '2031-06-30', '2031-07-31']],
  ['monthly', '2031-01-31', [2, 0, 0], ['2031-02-28 until 2031-04-30', '2031-05-31', '2031-06-30']],
  ['monthly', '2031-05-31', [1, 1, 0], ['2031-06-30 until 2031-07-31', '2031-08-31 until 2031-09-30', '2031-10-31']],
  ['monthly', '2031-11-30', [3, 0, 0], ['2031-12-30 until 2032-03-30', '2032-04-30', '2032-05-30']],
  ['monthly', '2031-12-31', [1, 0, 0], ['2032-01-31 until 2032-02-29', '2032-03-31', '2032-04-30']],
  ['monthly', '2032-01-29', [1, 0, 0], ['2032-02-29 until 2032-03-29', '2032-04-29', '2032-05-29']],
  ['quarterly', '2032-08-31', [3, 0, 0], ['2032-11-30 until 2033-02-28', '2033-05-31', '2033-08-31']],
  ['quarterly', '2032-11-30', [1, 0, 0], ['2033-02-28 until 2033-03-30', '2033-06-30', '2033-09-30']],
  ['annual', '2032-02-29', [1, 0], ['2033-02-28 until 2033-03-29', '2034-03-29']],
  ['annual', '2032-02-29', [0, 0, 0, 0], ['2033-02-28', '2034-02-28', '2035-02-28', '2036-02-29']],
  ['annual', '2032-01-31', [1, 0], ['2033-01-31 until 2033-02-28', '2034-02-28']],
];

describe('the renewal days of a plan', () => {
  it('match the day it was bought, even after shorter months and pauses', async () => {
    // The plans are processed in the order of their days, since the provider's clock only moves forward.
    const members = await Promise.all(rows.map(() => makeMember(app)));
    const found = rows.map(([plan, bought, pauses]) => ({ plan, bought, pauses, ends: [] as string[] }));
    const next = rows.map(([, bought], index) => ({ index, at: `${bought}T10:00:00.000Z`, isBought: false, count: 0 }));
    for (;;) {
      const [step] = next
        .filter(({ index, count }) => count < (rows[index]?.[2].length ?? 0))
        .toSorted((one, other) => one.at.localeCompare(other.at));
      if (step === undefined) break;
      const row = rows[step.index];
      const member = members[step.index];
      if (row === undefined || member === undefined) break;
      const { token } = member;
      await passUntil(app, step.at);
      let plan = step.isBought
        ? (await app.call(calls.currentSubscription, { token })).body.subscription
        : await buyPremium(app, member, { plan: row[0] });
      step.isBought = true;
      const months = row[2][step.count] ?? 0;
      if (months !== 0)
        plan = (await app.call(calls.pauseSubscription, { token, body: { months } })).body.data.subscription;
      const until = dayOf(plan.pausedUntil);
      found[step.index]?.ends.push(`${dayOf(plan.currentPeriodEnd)}${until === undefined ? '' : ` until ${until}`}`);
      step.count += 1;
      step.at = minuteAfter(plan.pausedUntil ?? plan.currentPeriodEnd);
      // A plan whose days are known would renew in every later step.
      if (step.count === row[2].length) await app.call(calls.cancelSubscription, { token, body: {} });
    }
    expect(found).toEqual(rows.map(([plan, bought, pauses, ends]) => ({ plan, bought, pauses, ends })));
  });
});
