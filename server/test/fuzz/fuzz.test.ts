import { beforeAll, describe, expect, it } from 'vitest';
import { startAppForTests } from '../harness.ts';
import { fuzz, type FuzzReport } from './fuzzer.ts';

/** A fixed seed, so that failures can be reproduced; variables can set more requests and other seeds. */
const requestsEach = Number(process.env['FUZZ_REQUESTS'] ?? 80);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_260_615);
const mostMsEach = 20_000;

/**
 * Accepted only with the payment provider’s signature, where staff sign in with an account of their house, or until an address
 * is confirmed, as those of all callers here are.
 */
const neverAccepted = [
  'POST /webhooks/payments',
  'GET /auth/house',
  'POST /auth/house',
  'POST /auth/house/link',
  'DELETE /auth/register',
];

const test = startAppForTests();
let reports: FuzzReport[];
beforeAll(async () => {
  reports = await fuzz(test, { count: requestsEach, seed });
}, requestsEach * mostMsEach);

describe(`${requestsEach} generated requests per endpoint`, () => {
  it('never cause server errors, and get only answers that the contract allows', () => {
    expect(reports.flatMap(({ call, failure }) => (failure === null ? [] : [`${call}: ${failure}`]))).toEqual([]);
  });

  it('are all sent, and some of them succeed', () => {
    for (const { call, sent, statuses } of reports) {
      expect(sent, call).toBeGreaterThanOrEqual(requestsEach);
      expect(
        Object.keys(statuses).some((status) => status.startsWith('2')),
        `${call} ${JSON.stringify(statuses)}`,
      ).toBe(!neverAccepted.includes(call));
    }
    expect(reports.length).toBeGreaterThan(25);
  });

  it('leave no failing job behind', async () => {
    await test.drain();
    expect(test.logLines()).not.toContain('job trouble');
    expect(test.logLines()).not.toContain('"level":50');
  });
});
