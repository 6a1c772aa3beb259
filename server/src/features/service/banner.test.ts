import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getProfile } from '#contract/profiles/profiles.ts';
import { getBanner } from '#contract/service/banner.ts';
import { changeService, getService } from '#contract/service/service.ts';
import { type Banner, usualSettings } from '#contract/service/settings.ts';
import { getConfig } from '#contract/system.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { anotherProcess } from '../../../test/sockets.ts';

const app = startAppForTests();
let owner: TestMember;
let member: TestMember;
beforeAll(async () => {
  owner = await makeMember(app, { staffRole: 'owner' });
  member = await makeMember(app);
});

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(app.clock.now().getTime() + days * dayMs).toISOString();
const banner = (changed: Partial<Banner> = {}): Banner => ({
  kind: 'news',
  audience: 'both',
  startsAt: inDays(-1),
  endsAt: inDays(1),
  text: { en: 'We have moved.' },
  ...changed,
});
const put = async (changed: Banner | null) => {
  const { version } = (await app.call(getService, { token: owner.token })).body.data;
  const body = { version, settings: { ...usualSettings, banner: changed } };
  return await app.call(changeService, { token: owner.token, body });
};
const shownTo = async ({ token }: TestMember) => (await app.call(getBanner, { token })).body.data.banner;
afterEach(() => put(null));

describe('the banner', () => {
  it('is none until the owner writes one', async () => {
    expect(usualSettings.banner).toBe(null);
    expect(await shownTo(member)).toBe(null);
    expect(await shownTo(owner)).toBe(null);
  });

  it.each([
    ['members', true, false],
    ['staff', false, true],
    ['both', true, true],
  ] as const)('for %s is in no answer to others', async (audience, toMembers, toStaff) => {
    await put(banner({ audience, text: { en: 'Unmistakable', de: 'Unverkennbar' } }));
    const heard = async (who: TestMember) => (await shownTo(who))?.text.en === 'Unmistakable';
    expect([await heard(member), await heard(owner)]).toEqual([toMembers, toStaff]);
    const answers = await Promise.all([
      app.call(getConfig),
      app.call(getConfig, { token: member.token }),
      app.call(getProfile, { token: member.token }),
    ]);
    const documents = await Promise.all(['/', '/app', '/manifest.webmanifest'].map((path) => app.app.inject(path)));
    const texts = [...answers.map(({ body }) => JSON.stringify(body)), ...documents.map(({ body }) => body)];
    if (!toMembers) texts.push(JSON.stringify((await app.call(getBanner, { token: member.token })).body));
    expect(texts.join()).not.toMatch(/Unmistakable|Unverkennbar/);
    expect((await app.call(getBanner)).status).toBe(401);
  });

  it('begins and ends at its times, counted from the answer', async () => {
    await put(banner({ startsAt: inDays(1), endsAt: inDays(3) }));
    expect(await shownTo(member)).toMatchObject({ startsInMs: dayMs, endsInMs: 3 * dayMs });
    await put(banner({ startsAt: inDays(-2), endsAt: inDays(1) }));
    expect(await shownTo(member)).toMatchObject({ startsInMs: 0, endsInMs: dayMs });
    await put(banner({ startsAt: inDays(-2), endsAt: inDays(0) }));
    expect(await shownTo(member)).toBe(null);
  });

  it('has another id after it was changed, on every process the same', async () => {
    await put(banner());
    const first = await shownTo(member);
    const there = await anotherProcess(app);
    const headers = { authorization: `Bearer ${member.token}` };
    const elsewhere = (await (await fetch(`${there.url}/api/v1/banner`, { headers })).json()) as {
      data: { banner: typeof first };
    };
    expect(elsewhere.data.banner?.id).toBe(first?.id);
    await there.close();
    await put(banner({ text: { en: 'We have moved again.' } }));
    expect((await shownTo(member))?.id).not.toBe(first?.id);
  });

  it.each([
    ['10,000 characters', { text: { en: 'x'.repeat(10_000) } }, 'text.en', 'Use at most 200 characters'],
    ['no text', { text: { en: ' ', de: '' } }, 'text', 'This is required'],
    ['an end before the start', { endsAt: '2020-01-01T00:00:00Z' }, 'endsAt', 'The end has to be after the start'],
    ['no start', { startsAt: '' }, 'startsAt', 'Choose a day and a time'],
  ])('with %s is refused with the reason', async (_what, changed, field, msg) => {
    const refused = await put(banner(changed));
    expect(refused.status).toBe(400);
    expect(refused.error.errors).toEqual([{ field: `settings.banner.${field}`, msg }]);
  });

  it('keeps HTML as text, and no characters that turn text around', async () => {
    await put(banner({ text: { en: '<b onload="alert(1)">Hi</b>', ar: '\u202eabc\u2066' } }));
    expect((await shownTo(member))?.text).toEqual({ en: '<b onload="alert(1)">Hi</b>', ar: 'abc' });
  });
});
