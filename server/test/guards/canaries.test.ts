import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchUsers } from '#contract/profiles.ts';
import { makeMember, type MemberOptions, type TestMember } from '../factories.ts';
import { startApp, type TestApp } from '../harness.ts';
import { addressOf, callName, contractEndpoints } from './contract-endpoints.ts';
import { passwordHash } from './people.ts';
import { requestFor, send } from './requests.ts';

/** What nobody but its owner and staff may see of a member. */
const hidden: MemberOptions & Record<string, unknown> = {
  email: 'canary-of-the-victim@example.test',
  lastName: 'Canarylastname',
  birthDate: '1987-03-29',
  latitude: 51.123456,
  longitude: -11.654321,
};
/** What is shown, so that a sweep which never met the victim fails. */
const shown = 'Canaryfirstname';

// The outbox shows every mail of a machine that sends none, and exists only there.
const reachable = (await contractEndpoints()).filter(
  (endpoint) =>
    endpoint.access !== 'staff' && endpoint.access !== 'administrator' && callName(endpoint) !== 'GET /dev/outbox',
);
let test: TestApp;
let victim: TestMember;
let canaries: string[];
beforeAll(async () => {
  test = await startApp();
  victim = await makeMember(test, {
    ...hidden,
    firstName: shown,
    passwordHash: await passwordHash(),
    showLastActive: false,
    lastActiveAt: new Date('2026-06-15T11:22:33.444Z'),
    online: true,
    createdAt: new Date('2025-02-03T04:05:06.789Z'),
  });
  await test.db
    .updateTable('session')
    .set({ device: 'Canarydevice', network: '198.51.100.0/24' })
    .where('account_id', '=', victim.id)
    .execute();
  const answers = JSON.stringify({ tidiness: ['canaryanswer', ['canaryaccepted'], 'very'] });
  await test.db
    .insertInto('answer_sheet')
    .values({ account_id: victim.id, answers, updated_at: test.clock.now() })
    .execute();
  canaries = [
    ...Object.values(hidden).map(String),
    victim.sessionId,
    victim.refreshToken,
    (await passwordHash()).slice(-20),
    'Canarydevice',
    'canaryanswer',
    'canaryaccepted',
    '198.51.100.0',
    '2026-06-15T11:22:33.444Z',
    '2025-02-03T04:05:06.789Z',
  ];
});
afterAll(() => test.close());

describe('private fields stay private', () => {
  it('in every answer a member can get', async () => {
    const curious = await makeMember(test, { passwordHash: await passwordHash() });
    let answers = '';
    for (const endpoint of reachable) {
      for (const actor of [curious, null, await makeMember(test, { passwordHash: await passwordHash() })]) {
        const scene = { test, actor, other: victim };
        // As a visitor the requests are about the victim; those that only the victim could make are the matrix's.
        if (actor === null && endpoint.access === 'everyone' && endpoint.method === 'POST') continue;
        answers += (await send(scene, endpoint, await requestFor(endpoint, scene))).raw;
      }
      for (const text of [shown, hidden.lastName, victim.id, victim.sessionId, hidden.email]) {
        const query = new URLSearchParams({
          search: String(text),
          city: 'Prague',
          country: 'Czechia',
          limit: '100',
        }).toString();
        const answer = await test.app.inject({
          method: endpoint.method,
          url: `${addressOf(endpoint, String(text))}?${query}`,
          headers: { authorization: `Bearer ${(await makeMember(test)).token}` },
          payload: { email: 'other@example.test', token: text, _id: victim.id, userId: victim.id },
        });
        // What was asked for is echoed.
        answers += answer.body.replace(/"searchParams":\{[^}]*\}/, '');
      }
    }
    expect(answers).toContain(shown);
    expect(canaries.filter((canary) => answers.includes(canary))).toEqual([]);
  });

  it('also as an oracle: a member finds nobody by what is hidden', async () => {
    const { token } = await makeMember(test);
    const found = async (search: string) =>
      (await test.call(searchUsers, { token, query: { search } })).body.data.pagination.total;
    expect(await found(shown)).toBe(1);
    for (const text of [hidden.email ?? '', hidden.lastName ?? '', 'canary-of', victim.id, String(hidden.birthDate)])
      expect(await found(text), text).toBe(0);
  });
});
