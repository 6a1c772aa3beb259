import { beforeAll, describe, expect, it } from 'vitest';
import { makeAdministrator } from '../factories.ts';
import { startAppForTests } from '../harness.ts';
import { routesOf } from './contract-endpoints.ts';
import { commonPaths } from './common-paths.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof methods)[number];
const test = startAppForTests();
let authorization: string;
/** The web app's page, which is served at every address outside the API. */
let page: string;
beforeAll(async () => {
  authorization = `Bearer ${(await makeAdministrator(test)).token}`;
  page = (await ask('GET', '/surely/no/such/page')).body;
});

const ask = (method: Method, url: string, headers = {}) => test.app.inject({ method, url, headers });
const withoutId = (body: string) => body.replace(/"requestId":"[^"]+"/, '"requestId":""');
const notFoundBody = '{"success":false,"message":"Not found","code":"NOT_FOUND","requestId":""}';

/** Whether the router has a route for an address. */
function isRoute(method: Method, url: string): boolean {
  const path = url.split(/[?#]/, 1)[0] ?? '';
  return routes.some(
    (route) => route.method === method && new RegExp(`^${route.path.replaceAll(/:\w+/g, '[^/]*')}$`).test(path),
  );
}
let routes: { method: string; path: string }[] = [];
beforeAll(() => {
  routes = routesOf(test.app);
});

/** Documents for everyone, which have no route; `/app` is one if the web app is built. */
const isDocument = (method: Method, url: string) =>
  method === 'GET' && ['/app', '/robots.txt', '/sitemap.xml'].includes(url);

/** What is wrong with the answer for a URL without a route: it must be the usual 404 or the web app's page. */
async function wrongAnswers(method: Method, url: string, headers = {}): Promise<string[]> {
  if (isRoute(method, url) || isDocument(method, url)) return [];
  const answer = await ask(method, url, headers);
  const isPage =
    answer.statusCode === 200 &&
    !/^\/api(\/|$)/.test(url) &&
    (method === 'HEAD' || (method === 'GET' && answer.body === page));
  const isNotFound = answer.statusCode === 404 && (method === 'HEAD' || withoutId(answer.body) === notFoundBody);
  return isPage || isNotFound ? [] : [`${method} ${url} → ${answer.statusCode} ${answer.body.slice(0, 100)}`];
}

describe('hidden functions', () => {
  it('are not available through another method of any route', async () => {
    const paths = [...new Set(routes.map(({ path }) => path.replaceAll(/:\w+/g, 'some-id')))].filter(
      (path) => !path.startsWith('/assets/'),
    );
    const wrong: string[] = [];
    for (const path of paths)
      for (const method of methods) wrong.push(...(await wrongAnswers(method, path, { authorization })));
    expect(wrong).toEqual([]);
    expect(paths.length).toBeGreaterThan(20);
  });

  it('are not found at 3,000 common addresses, neither by visitors nor by administrators', async () => {
    const paths = commonPaths();
    const wrong: string[] = [];
    for (const path of paths) {
      wrong.push(...(await wrongAnswers('GET', path, { authorization })), ...(await wrongAnswers('POST', path)));
    }
    expect(wrong).toEqual([]);
    expect(paths.length).toBeGreaterThan(3000);
  });

  it.each([
    ['a broken escape', '/api/v1/auth/sessions/%zz'],
    ['half a surrogate pair', '/api/v1/auth/sessions/%E0%A4%A'],
    ['a very long segment', `/api/v1/auth/sessions/${'a'.repeat(300)}`],
    ['a broken escape outside the API', '/%zz'],
    ['capitals', '/API/V1/auth/profile'],
    ['two slashes', '/api/v1//auth/profile'],
    ['an additional slash', '/api/v1/auth/profile/'],
  ])('are not found through %s', async (_, url) => {
    for (const method of methods) expect(await wrongAnswers(method, url, { authorization })).toEqual([]);
  });

  it('are not reached with headers that claim another method or URL', async () => {
    const tricks = {
      'x-http-method-override': 'DELETE',
      'x-original-url': '/metrics',
      'x-rewrite-url': '/metrics',
      'x-method-override': 'PUT',
    };
    const plain = await ask('GET', '/api/v1/config');
    const tricked = await ask('GET', '/api/v1/config', tricks);
    expect(tricked.body).toBe(plain.body);
    expect(await wrongAnswers('POST', '/api/v1/config', tricks)).toEqual([]);
  });
});
