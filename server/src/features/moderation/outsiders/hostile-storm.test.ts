import { expect, it } from 'vitest';
import { startAppForTests } from '../../../../test/harness.ts';
import { floodWithOutsiderReports } from '../../../../test/moderation/hostile-outsider-reports.ts';

const app = startAppForTests({ TRUSTED_PROXIES: 'loopback' });

const timeoutMs = 30 * 60_000;

it(
  'ten thousand hostile outsider reports without limits reveal nothing, email no one twice, hold no account, and leave queue and pages usable',
  async () => {
    const { answers, ...left } = await floodWithOutsiderReports(app, { count: 10_000, seed: 2, hasLimits: false });
    expect(answers['201']).toHaveLength(1);
    expect(Object.keys(answers)).toEqual(['201']);
    const ofEach = { mostReports: 6, reports: 18 };
    expect(left).toEqual({ mostMails: 1, templates: ['noticeReceived'], ...ofEach, holds: 0, pages: 5 });
  },
  timeoutMs,
);
