import { beforeAll, describe, expect, it } from 'vitest';
import { agreeToTerms } from '#contract/auth/auth.ts';
import { termsVersion } from '#contract/constants.ts';
import { languages } from '#contract/languages.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import type { TextKind } from '#contract/service/text-kinds.ts';
import * as calls from '#contract/service/texts.ts';
import { getConfig } from '#contract/system.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { connect, listenTo } from '../../../test/sockets.ts';

const app = startAppForTests();
let owner: TestMember;
let ada: TestMember;
beforeAll(async () => {
  owner = await makeMember(app, { staffRole: 'owner' });
  ada = await makeMember(app);
});

const body = (changes: object = {}) => ({
  known: null,
  language: 'en' as const,
  bodies: {},
  asksAgain: false,
  ...changes,
});
const publish = (kind: TextKind, changes: object) =>
  app.call(calls.publishText, { token: owner.token, params: { kind }, body: body(changes) });
const read = (kind: TextKind, query: { language?: 'en' | 'de' | 'tr'; version?: string } = {}) =>
  app.call(calls.readText, { params: { kind }, query: { language: 'en', ...query } });
const config = async () => (await app.call(getConfig, {})).body.data;
const replaced = async () => (await config()).brand.texts;
const requiresTerms = async () => (await app.call(getProfile, { token: ada.token })).body.userData.requiresTerms;

// One history of texts: each test continues where the one before it stopped.
describe('published texts', { shuffle: false }, () => {
  it('are shown in the reader’s language, or else in the first one', async () => {
    expect((await read('safety')).status).toBe(404);
    const bodies = { en: '## Be safe\n\nMeet in public.', de: '## Sicher\n\nTrefft euch draußen.' };
    expect((await publish('safety', { language: 'de', bodies })).status).toBe(200);
    const [german, turkish] = [await read('safety', { language: 'de' }), await read('safety', { language: 'tr' })];
    expect(german.body.data).toMatchObject({ language: 'de', blocks: [{ kind: 'heading2' }, { kind: 'paragraph' }] });
    expect(turkish.body.data).toEqual(german.body.data);
    expect((await read('safety')).body.data.blocks?.[0]).toEqual({ kind: 'heading2', lines: [[{ text: 'Be safe' }]] });
    expect(await replaced()).toContain('safety');
  });

  it('can be replaced by the product’s own again, and can still be read', async () => {
    const first = (await publish('faq', { bodies: { en: '## Who?\n\nUs.' } })).body.data;
    const back = await publish('faq', { known: first.version, language: null });
    expect(back.body.data.version).toBe(`${first.version}.2`);
    expect((await read('faq')).body.data.blocks).toBeNull();
    expect((await read('faq', { version: first.version })).body.data.blocks).toHaveLength(2);
    // The page links to earlier versions.
    expect(await replaced()).toContain('faq');
    // The result is the same however often it is repeated, so that no one can publish a text that stays until the next day.
    const versions = [back.body.data.version];
    while (versions.length < 12)
      versions.push((await publish('faq', { known: versions.at(-1), language: null })).body.data.version);
    expect(versions.toSorted()).toEqual(versions);
    expect((await read('faq', { version: versions.at(-1) ?? '' })).status).toBe(200);
  });

  it('ask members to agree again only if the owner requests it', async () => {
    const agree = (agreed: string) => app.call(agreeToTerms, { token: ada.token, body: { version: agreed } });
    await agree(termsVersion);
    const terms = { en: '## One\n\nBe kind.' };
    const plain = (await publish('terms', { bodies: terms })).body.data;
    expect(await requiresTerms()).toBe(false);
    const { version } = (await publish('terms', { known: plain.version, bodies: terms, asksAgain: true })).body.data;
    expect((await config()).termsVersion).toBe(version);
    expect(await requiresTerms()).toBe(true);

    expect((await agree(termsVersion)).status).toBe(409);
    expect((await agree(version)).status).toBe(200);
    expect(await requiresTerms()).toBe(false);
    const own = await publish('terms', { known: version, language: null });
    expect(own.status).toBe(200);
    expect(await requiresTerms()).toBe(false);
    expect((await read('terms', { version })).body.data.blocks).toHaveLength(2);
  });

  it('can be as long as a text may be, in every language', async () => {
    const long = `## Long\n\n${'word '.repeat(calls.textMaxLength / 5 - 10)}`;
    const known = (await read('safety')).body.data.version;
    const bodies = Object.fromEntries(languages.map((one) => [one, long]));
    expect((await publish('safety', { known, bodies })).status).toBe(200);
  });

  it('appear on open pages', async () => {
    const device = await connect(await listenTo(app), ada.token);
    const known = (await read('safety')).body.data.version;
    expect((await publish('safety', { known, bodies: { en: '## Meet\n\nIn public.' } })).status).toBe(200);
    await expect.poll(() => device.heard).toContainEqual({ kind: 'service' });
    device.socket.disconnect();
  });

  it('keep only one of two that are published at the same time', async () => {
    const both = await Promise.all(
      ['a', 'b'].map((word) => publish('privacy', { bodies: { en: `## One\n\n${word}` } })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it.each([
    ['no language', { language: null, bodies: { en: '## One\n\nText' } }, 'language'],
    ['a missing first language', { language: 'de', bodies: { en: '## One\n\nText' } }, 'bodies.de'],
    ['no headings', { bodies: { en: 'Text' } }, 'bodies.en'],
    ['a script', { bodies: { en: '## One\n\n<script>alert(1)</script>' } }, 'bodies.en'],
    [
      'a translation without a section',
      { bodies: { en: '## One\n\nText\n\n## Two\n\nText', tr: '## Bir\n\nMetin' } },
      'bodies.tr',
    ],
    ['a question to agree again to FAQs', { bodies: { en: '## One\n\nText' }, asksAgain: true }, 'asksAgain'],
  ])('are rejected with %s', async (_, changes, field) => {
    const { known } = { known: (await read('faq')).body.data.version };
    const answer = await publish('faq', { known, ...changes });
    expect([answer.status, answer.error.errors?.map((error) => error.field)]).toEqual([400, [field]]);
  });

  it('are audited', async () => {
    const events = await app.db
      .selectFrom('audit_event')
      .select('action')
      .where('target_type', '=', 'service')
      .execute();
    expect(events.map(({ action }) => action)).toContain('service.textPublished');
  });
});
