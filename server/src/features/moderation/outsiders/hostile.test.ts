import { expect, it } from 'vitest';
import { startAppForTests } from '../../../../test/harness.ts';
import { floodWithOutsiderReports } from '../../../../test/moderation/hostile-outsider-reports.ts';

const app = startAppForTests({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });

it('a flood of outsider reports reveals nothing, emails no one twice, holds no account, and leaves queue and pages usable', async () => {
  const { answers, ...left } = await floodWithOutsiderReports(app, { count: 120, seed: 1, hasLimits: true });
  expect(answers['201']).toHaveLength(1);
  const { mostReports, reports, pages, ...rest } = left;
  expect(rest).toEqual({ mostMails: 1, templates: ['noticeReceived'], holds: 0 });
  // Three for each person, and one for each urgent type; five pages an hour.
  expect([mostReports <= 6, reports <= 18, reports >= 3, pages]).toEqual([true, true, true, 5]);
});
