import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { memberLimitMax, staffLimitMax } from '#contract/constants.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../factories.ts';
import { startAppForTests } from '../harness.ts';
import { addressOf, callName, contractEndpoints } from './contract-endpoints.ts';

/** Whether it is paged with a `limit`; other parameters may also be required. */
function isList({ query }: EndpointSpec): boolean {
  if (query === undefined) return false;
  const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' });
  return 'limit' in properties && 'page' in properties;
}

const endpoints = await contractEndpoints();
const lists = endpoints.filter(isList).map((endpoint) => [callName(endpoint), endpoint] as const);
const test = startAppForTests();
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
