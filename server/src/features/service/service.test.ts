import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { contrast, grounds, nearestReadable } from '#contract/service/colours.ts';
import { bringServiceBack, changeService, getService, uploadBrandPicture } from '#contract/service/service.ts';
import { type Banner, type Brand, type ServiceSettings, usualSettings } from '#contract/service/settings.ts';
import { getConfig } from '#contract/system.ts';
import { getOperations } from '#contract/operations.ts';
import { getProfile } from '#contract/profiles/profiles.ts';
import { getBanner } from '#contract/service/banner.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { plainPng } from '../../../test/pictures.ts';
import { anotherProcess, connect, listenTo } from '../../../test/sockets.ts';

const app = startAppForTests();
/** The host of the process, which receives others' changes only while it listens. */
let here: string;
beforeAll(async () => {
  here = await listenTo(app);
});

describe('the page Service', () => {
  let owner: TestMember;

  beforeAll(async () => {
    owner = await makeMember(app, { staffRole: 'owner', firstName: 'Olga', lastName: 'Own' });
  });

  const read = async () => (await app.call(getService, { token: owner.token })).body.data;
  const config = async () => (await app.call(getConfig)).body.data;
  const put = async (changed: Partial<ServiceSettings>, version?: number) => {
    const { settings, version: newest } = await read();
    const body = { version: version ?? newest, settings: { ...settings, ...changed } };
    return await app.call(changeService, { token: owner.token, body });
  };

  const brand = (changed: Partial<Brand>) => ({ brand: { ...usualSettings.brand, ...changed } });
  const upload = (kind: 'logo' | 'icon', content: string | Buffer, name = `${kind}.svg`) =>
    app.call(uploadBrandPicture, {
      token: owner.token,
      params: { kind },
      file: { bytes: Buffer.from(content), name, type: 'image/svg+xml' },
    });
  afterEach(() => put(usualSettings));

  describe('the settings of the service', () => {
    it('apply at once as a new version that names its author and can be reverted', async () => {
      const { version } = await read();
      for (const path of ['/api/docs', '/api/v1/openapi.json']) await app.app.inject(path);
      expect((await put(brand({ name: 'Kastanie' }))).body.data.version).toBe(version + 1);
      await expect.poll(async () => (await config()).brand.name).toBe('Kastanie');
      for (const path of ['/api/docs', '/api/v1/openapi.json'])
        expect((await app.app.inject(path)).body, path).toContain('Kastanie');
      const body = { version: version + 1, back: version };
      expect((await app.call(bringServiceBack, { token: owner.token, body })).status).toBe(200);
      await expect.poll(async () => (await config()).brand.name).toBe('Heartwood');
      const [newest, before] = (await read()).versions;
      expect(newest).toMatchObject({ version: version + 2, by: 'Olga Own', broughtBack: version });
      expect(before).toMatchObject({ version: version + 1, broughtBack: null, isBroken: false });
      const audited = await app.db
        .selectFrom('audit_event')
        .selectAll()
        .where('action', '=', 'service.changed')
        .orderBy('id')
        .execute();
      expect(audited.at(-2)?.changes).toMatchObject({ brand: { to: { name: 'Kastanie' } } });
    });

    it('apply on every process, and open pages are updated', async () => {
      const there = await anotherProcess(app);
      const device = await connect(there.url, (await makeMember(app)).token);
      await put(brand({ name: 'Ulme' }));
      const named = async (url: string) =>
        ((await (await fetch(`${url}/api/v1/config`)).json()) as { data: { brand: Brand } }).data.brand.name;
      await expect.poll(() => named(there.url)).toBe('Ulme');
      expect(await named(here)).toBe('Ulme');
      await expect.poll(() => device.heard).toContainEqual({ kind: 'service' });
      device.socket.disconnect();
      await there.close();
    });

    it('are saved by only one of two people at the same time', async () => {
      const { version } = await read();
      const both = await Promise.all([put(brand({ name: 'One' }), version), put(brand({ name: 'Two' }), version)]);
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      expect((await put(brand({ name: 'Three' }), version)).error.code).toBe('CONFLICT');
    });

    it('stay in force when the newest stored ones are broken, and Operations says so', async () => {
      await put(brand({ name: 'Linde' }));
      const { version } = await read();
      for (const [index, settings] of ['"nonsense"', '{"brand":{"name":7}}'].entries())
        await app.pool.query(
          `insert into service_version (version, settings, saved_at, saved_by) values ($1, $2, now(), 'psql')`,
          [version + 1 + index, settings],
        );
      await expect
        .poll(async () => (await app.call(getOperations, { token: owner.token })).body.data.service)
        .toEqual({ holds: version, broken: version + 2 });
      expect((await config()).brand.name).toBe('Linde');
      expect((await read()).versions[0]).toMatchObject({ version: version + 2, isBroken: true });
      const restarted = await startAgain();
      expect(restarted.name).toBe('Linde');
      await put(usualSettings);
      await expect
        .poll(async () => (await app.call(getOperations, { token: owner.token })).body.data.service.broken)
        .toBe(null);
    });
  });

  async function startAgain(): Promise<Brand> {
    const again = await anotherProcess(app);
    const { data } = (await (await fetch(`${again.url}/api/v1/config`)).json()) as { data: { brand: Brand } };
    await again.close();
    return data.brand;
  }

  describe('the brand', () => {
    it.each(['#972f33;} body{display:none', 'red', '#12345', 'url(https://evil.test)', '#gggggg'])(
      'rejects %s as a colour',
      async (light) => {
        expect((await put(brand({ colours: { light, dark: '#f0a093' } }))).status).toBe(400);
      },
    );

    it('rejects a legal entity of two lines, which receipts would show as two', async () => {
      expect((await put(brand({ legalEntity: 'Kastanie GmbH\nPaid in full' }))).status).toBe(400);
    });

    it('has a first language, for readers of unknown ones and mails to addresses without an account', async () => {
      await put(brand({ language: 'de' }));
      const asked = [undefined, '', 'cs', '*', 'xx;;q=', 'cs, en;q=0.3', 'fr-CA'];
      const said = asked.map(async (language) => {
        const headers = language === undefined ? {} : { 'accept-language': language };
        return (await app.call(getProfile, { headers })).error.message;
      });
      const german = 'Bitte melde dich an';
      expect(await Promise.all(said)).toEqual([
        ...Array.from({ length: 5 }, () => german),
        'Please sign in',
        'Connecte-toi',
      ]);
      expect((await config()).brand.language).toBe('de');
      const to = 'on-call@x.test';
      await app.db.transaction().execute(async (tx) => {
        const mail = { to, accountId: null, template: 'emergencies', data: { more: '2' } };
        await queueMail(tx, mail, app.clock.now());
        await queueMail(tx, { ...mail, language: 'pl' }, app.clock.now());
      });
      const sent = (await app.outbox(to)).map(({ html }) => /lang="(\w+)"/.exec(html)?.[1]);
      expect(sent.sort()).toEqual(['de', 'pl']);
      for (const language of ['cs', 'DE', '', null, ['de']])
        expect((await put(brand({ language: language as 'de' }))).status).toBe(400);
    });

    it('rejects colours that are hard to read, and suggests the nearest readable one', async () => {
      const refused = await put(brand({ colours: { light: '#f2b632', dark: '#f0a093' } }));
      const nearest = nearestReadable('light', '#f2b632');
      expect(refused.error.errors).toEqual([
        { field: 'settings.brand.colours.light', msg: expect.stringContaining(nearest) as string },
      ]);
      for (const ground of grounds.light) expect(contrast(nearest, ground)).toBeGreaterThanOrEqual(4.5);
      expect((await put(brand({ colours: { light: nearest, dark: '#f0a093' } }))).status).toBe(200);
      expect((await put(brand({ colours: { light: nearest, dark: '#401010' } }))).status).toBe(400);
    });

    it('re-encodes pictures and serves nothing else', async () => {
      const svg =
        '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30"/></svg>';
      const { picture } = (await upload('icon', svg)).body.data;
      await put(brand({ icon: picture }));
      await expect.poll(async () => (await config()).brand.icon).toBe(`/brand/${picture}.png`);
      const served = await app.app.inject(`/brand/${picture}.png`);
      expect(served.headers['content-type']).toBe('image/png');
      expect(await sharp(served.rawPayload).metadata()).toMatchObject({ format: 'png', width: 512, height: 512 });
      const png = plainPng(600, 120);
      const logo = (await upload('logo', png, 'logo.png')).body.data.picture;
      const drawn = (await app.app.inject(`/brand/${logo}.png`)).rawPayload;
      expect(drawn.equals(png)).toBe(false);
      expect((await app.app.inject(`/brand/${'0'.repeat(64)}.png`)).statusCode).toBe(404);
      expect((await put(brand({ logo: '0'.repeat(64) }))).status).toBe(400);
    });

    it.each([
      ['a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 422],
      ['a handler', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><path d="M0 0h9v9z"/></svg>', 422],
      ['a page', '<svg xmlns="http://www.w3.org/2000/svg"><foreignObject><b>x</b></foreignObject></svg>', 422],
      [
        'a picture from elsewhere',
        '<svg xmlns="http://www.w3.org/2000/svg"><image href="https://evil.test/x.png"/></svg>',
        422,
      ],
      ['a file', '<svg xmlns="http://www.w3.org/2000/svg"><image href="file:///etc/passwd"/></svg>', 422],
      [
        'an entity',
        '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&x;</svg>',
        422,
      ],
      ['a damaged drawing', '<svg xmlns="http://www.w3.org/2000/svg"><path', 422],
      ['a page of HTML', '<html><body>hello</body></html>', 415],
      ['nothing', '', 415],
    ])('rejects %s', async (_what, content, status) => {
      expect((await upload('icon', content)).status).toBe(status);
    });
  });
});

describe('the banner', () => {
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

  it('is empty until the owner writes one', async () => {
    expect(usualSettings.banner).toBe(null);
    expect(await shownTo(member)).toBe(null);
    expect(await shownTo(owner)).toBe(null);
  });

  it.each([
    ['members', true, false],
    ['staff', false, true],
    ['both', true, true],
  ] as const)('for %s appears in no answer to others', async (audience, toMembers, toStaff) => {
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

  it('starts and ends at its times, relative to the answer', async () => {
    await put(banner({ startsAt: inDays(1), endsAt: inDays(3) }));
    expect(await shownTo(member)).toMatchObject({ startsInMs: dayMs, endsInMs: 3 * dayMs });
    await put(banner({ startsAt: inDays(-2), endsAt: inDays(1) }));
    expect(await shownTo(member)).toMatchObject({ startsInMs: 0, endsInMs: dayMs });
    await put(banner({ startsAt: inDays(-2), endsAt: inDays(0) }));
    expect(await shownTo(member)).toBe(null);
  });

  it('gets a new id when it is changed, the same on every process', async () => {
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
    ['a link', { text: { en: 'Sign in at evil.com' } }, 'text.en', "This can't have links or addresses of other sites"],
    ['no start', { startsAt: '' }, 'startsAt', 'Choose a day and a time'],
  ])('with %s is rejected with the reason', async (_what, changed, field, msg) => {
    const refused = await put(banner(changed));
    expect(refused.status).toBe(400);
    expect(refused.error.errors).toEqual([{ field: `settings.banner.${field}`, msg }]);
  });

  it('shows HTML as text, and removes characters that reverse text', async () => {
    await put(banner({ text: { en: '<b onload="alert(1)">Hi</b>', ar: '\u202eabc\u2066' } }));
    expect((await shownTo(member))?.text).toEqual({ en: '<b onload="alert(1)">Hi</b>', ar: 'abc' });
  });
});
