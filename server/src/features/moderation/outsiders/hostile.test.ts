import { afterAll, beforeAll, expect, it } from 'vitest';
import { noticesShown } from '#contract/moderation/outsider-notices.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { floodWithNotices } from '../../../../test/hostile-notices.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
});
afterAll(() => app.close());

it('a flood of notices learns nothing, mails no one twice, and leaves lists that can be worked on', async () => {
  const { answers, ...left } = await floodWithNotices(app, { count: 120, seed: 1, hasLimits: true });
  expect(answers['201']).toHaveLength(1);
  expect(left).toEqual({ mostMails: 1, templates: ['noticeReceived'], mostReports: 3, shown: expect.any(Number) });
  expect(left.shown).toBeLessThanOrEqual(noticesShown);
}, 60_000);
