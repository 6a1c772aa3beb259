import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import sharp from 'sharp';
import { contrast, grounds, nearestReadable } from '#contract/service/colours.ts';
import { bringServiceBack, changeService, getService, uploadBrandPicture } from '#contract/service/service.ts';
import { type Brand, type ServiceSettings, usualSettings } from '#contract/service/settings.ts';
import { getConfig } from '#contract/system.ts';
import { getOperations } from '#contract/operations.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { plainPng } from '../../../test/pictures.ts';
import { anotherProcess, connect, listenTo } from '../../../test/sockets.ts';

const app = startAppForTests();
let owner: TestMember;
/** The address of the process, which hears of changes by others only while it listens. */
let here: string;
beforeAll(async () => {
  here = await listenTo(app);
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
  it('hold at once as a new version that says who saved it, and that can be taken back', async () => {
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
      .execute();
    expect(audited.at(-2)?.changes).toMatchObject({ brand: { to: { name: 'Kastanie' } } });
  });

  it('hold on every process, whose open pages hear of it', async () => {
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

  it('are saved by one of two people at the same time', async () => {
    const { version } = await read();
    const both = await Promise.all([put(brand({ name: 'One' }), version), put(brand({ name: 'Two' }), version)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await put(brand({ name: 'Three' }), version)).error.code).toBe('CONFLICT');
  });

  it('go on holding when the newest stored ones are broken, and Operations says so', async () => {
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
    'refuses %s as a colour',
    async (light) => {
      expect((await put(brand({ colours: { light, dark: '#f0a093' } }))).status).toBe(400);
    },
  );

  it('refuses colours that are hard to read, and names the nearest that is not', async () => {
    const refused = await put(brand({ colours: { light: '#f2b632', dark: '#f0a093' } }));
    const nearest = nearestReadable('light', '#f2b632');
    expect(refused.error.errors).toEqual([
      { field: 'settings.brand.colours.light', msg: expect.stringContaining(nearest) as string },
    ]);
    for (const ground of grounds.light) expect(contrast(nearest, ground)).toBeGreaterThanOrEqual(4.5);
    expect((await put(brand({ colours: { light: nearest, dark: '#f0a093' } }))).status).toBe(200);
    expect((await put(brand({ colours: { light: nearest, dark: '#401010' } }))).status).toBe(400);
  });

  it('redraws pictures and serves nothing else', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><circle cx="32" cy="32" r="30"/></svg>';
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
  ])('refuses %s', async (_what, content, status) => {
    expect((await upload('icon', content)).status).toBe(status);
  });
});
