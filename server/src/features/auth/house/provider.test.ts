import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { ProviderUnavailable } from '../identity/providers/provider.ts';
import { createHouse } from './provider.ts';
import { readHouse } from '#platform/config/house.ts';
import { ConfigError } from '#platform/config/values.ts';

const settings = {
  STAFF_OIDC_CLIENT_ID: 'heartwood',
  STAFF_OIDC_CLIENT_SECRET: 'a secret of the client',
  STAFF_OIDC_ROLES: 'helpdesk=support',
};

describe('the metadata of the house’s provider', () => {
  let server: Server;
  afterEach(() => server.close());

  /** A house whose provider gives these answers; `url` is its own address. */
  async function houseAt(answer: (url: string) => RequestListener, path = '') {
    server = createServer((request, response) => answer(url)(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const config = readHouse({ ...settings, STAFF_OIDC_ISSUER: `${url}${path}` }, false);
    if (config === null) throw new Error('the house has settings');
    return createHouse({ config, publicUrl: 'http://localhost:3000', secret: 'x' }, fetch);
  }
  const metadata =
    (changes: (url: string) => object) =>
    (url: string): RequestListener =>
    (_request, response) => {
      const [authorization_endpoint, token_endpoint, jwks_uri] = [`${url}/auth`, `${url}/token`, `${url}/jwks`];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ issuer: url, authorization_endpoint, token_endpoint, jwks_uri, ...changes(url) }));
    };

  it('contains the address to which browsers are sent', async () => {
    const house = await houseAt(metadata(() => ({})));
    expect(new URL(await house.begin('nonce')).pathname).toBe('/auth');
  });

  it.each<[string, (url: string) => RequestListener]>([
    ['is another issuer’s', metadata(() => ({ issuer: 'https://evil.test' }))],
    ['is one for all customers of a cloud', metadata((url) => ({ issuer: `${url}/{tenantid}/v2.0` }))],
    ['has no issuer', metadata(() => ({ issuer: undefined }))],
    ['has nowhere to send browsers', metadata(() => ({ authorization_endpoint: undefined }))],
    ['leads elsewhere', () => (_request, response) => response.writeHead(302, { location: 'https://evil.test' }).end()],
    ['is a page', () => (_request, response) => response.end('<h1>Sign in</h1>')],
    ['is an error', () => (_request, response) => response.writeHead(500).end()],
  ])('is no answer if it %s', async (_what, answer) => {
    await expect((await houseAt(answer)).begin('nonce')).rejects.toBeInstanceOf(ProviderUnavailable);
  });

  it.each<[string, string | undefined, boolean]>([
    ['an address', '/end', true],
    ['none', undefined, false],
    ['one of another kind', 'javascript:alert(1)//', false],
    ['one that is none', 'http://', false],
  ])('says with %s where browsers sign out', async (_what, at, isUsed) => {
    const page = (url: string) => (at?.startsWith('/') === true ? `${url}${at}` : at);
    const house = await houseAt(metadata((url) => ({ end_session_endpoint: page(url) })));
    const address = await house.leave(null).catch(() => null);
    expect(address !== null && new URL(address).pathname === '/end').toBe(isUsed);
  });

  it('is requested again after a failure', async () => {
    let fails = true;
    const house = await houseAt((url) => (request, response) => {
      if (fails) response.writeHead(503).end();
      else metadata(() => ({}))(url)(request, response);
    });
    await expect(house.begin('nonce')).rejects.toBeInstanceOf(ProviderUnavailable);
    fails = false;
    await expect(house.begin('nonce')).resolves.toContain('/auth');
  });
});

describe('the settings for staff sign-in with the house’s account', () => {
  const all = { ...settings, STAFF_OIDC_ISSUER: 'https://id.acme.test/realms/house' };

  it('are off by default, and have defaults', () => {
    expect(readHouse({}, true)).toBeNull();
    expect(readHouse(all, true)).toEqual({
      issuer: 'https://id.acme.test/realms/house',
      clientId: 'heartwood',
      clientSecret: 'a secret of the client',
      name: 'id.acme.test',
      scope: 'openid email profile',
      groupsClaim: 'groups',
      roles: [{ group: 'helpdesk', role: 'support' }],
      passwordOwner: null,
    });
  });

  it('map groups to roles, and the first match counts', () => {
    const roles = 'cn=it=admin , /leads = senior,Help desk=support';
    expect(readHouse({ ...all, STAFF_OIDC_ROLES: roles }, true)?.roles).toEqual([
      { group: 'cn=it', role: 'admin' },
      { group: '/leads', role: 'senior' },
      { group: 'Help desk', role: 'support' },
    ]);
  });

  it.each<[Record<string, string | undefined>, string]>([
    [{ STAFF_OIDC_ISSUER: undefined }, 'STAFF_OIDC_ISSUER is not'],
    [{ STAFF_OIDC_ISSUER: 'http://id.acme.test' }, 'STAFF_OIDC_ISSUER must'],
    [{ STAFF_OIDC_CLIENT_ID: undefined }, 'STAFF_OIDC_CLIENT_ID, which it needs'],
    [{ STAFF_OIDC_CLIENT_SECRET: undefined }, 'STAFF_OIDC_CLIENT_SECRET, which it needs'],
    [{ STAFF_OIDC_CLIENT_SECRET: 'short' }, 'STAFF_OIDC_CLIENT_SECRET must'],
    [{ STAFF_OIDC_ROLES: undefined }, 'STAFF_OIDC_ROLES, which it needs'],
    [{ STAFF_OIDC_ROLES: 'helpdesk' }, 'STAFF_OIDC_ROLES must'],
    [{ STAFF_OIDC_ROLES: 'helpdesk=boss' }, 'STAFF_OIDC_ROLES must'],
    [{ STAFF_OIDC_ROLES: '=admin' }, 'STAFF_OIDC_ROLES must'],
    [{ STAFF_OIDC_SCOPE: 'email' }, 'STAFF_OIDC_SCOPE must'],
    [{ STAFF_OIDC_NAME: 'x'.repeat(61) }, 'STAFF_OIDC_NAME must'],
    [{ STAFF_PASSWORD_OWNER: 'no address' }, 'STAFF_PASSWORD_OWNER must'],
  ])('%j are refused with a reason', (changes, reason) => {
    expect(() => readHouse({ ...all, ...changes }, true)).toThrow(ConfigError);
    expect(() => readHouse({ ...all, ...changes }, true)).toThrow(reason);
  });
});
