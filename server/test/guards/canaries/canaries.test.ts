import { beforeAll, describe, expect, it } from 'vitest';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { getProfile, searchUsers } from '#contract/profiles/profiles.ts';
import { isPermission } from '#contract/roles.ts';
import { makeAdministrator, makeMember, makeModerator, type MemberOptions, type TestMember } from '../../factories.ts';
import { startAppForTests } from '../../harness.ts';
import { hitByRule } from '../../moderation/automatic-rules.ts';
import { setPreservationOf } from '../../moderation/preservation.ts';
import { likesIn, placeMatch } from '../../likes.ts';
import { placeMessage, placePhoto } from '../../messages.ts';
import { addressOf, callName, contractEndpoints } from '../contract-endpoints.ts';
import { passwordHash } from '../people.ts';
import { hiddenFromMembers, hiddenFromStaff, makeCanaryPictures, type CanaryPictures } from './picture-canaries.ts';
import { requestFor, send } from '../requests.ts';

/** Member data that only its owner and staff may see. */
const hidden: MemberOptions & Record<string, unknown> = {
  email: 'canary-of-the-victim@example.test',
  lastName: 'Canarylastname',
  birthDate: '1987-03-29',
  latitude: 51.123456,
  longitude: -11.654321,
};
/** Public data, so that a search which never found the victim fails. */
const shown = 'Canaryfirstname';

// The outbox shows every email of a test machine, and exists only there.
const endpoints = (await contractEndpoints()).filter((endpoint) => callName(endpoint) !== 'GET /dev/outbox');
const reachable = endpoints.filter(({ access }) => !isPermission(access));
const test = startAppForTests();
let victim: TestMember;
let pictures: CanaryPictures;
let canaries: string[];
beforeAll(async () => {
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
  const elsewhere = { city: 'Canaryelsewhere', country: 'Norway', latitude: 61.234567, longitude: 7.654321 };
  const wishes = JSON.stringify({ elsewhere, heightCm: { min: 141, max: 219, required: false } });
  await test.db
    .insertInto('preference')
    .values({ account_id: victim.id, wishes, updated_at: test.clock.now() })
    .execute();
  const { like } = likesIn(() => test);
  await like(victim, await makeMember(test), { note: 'Canarylikenote' });
  await hitByRule(test, victim, { name: 'Canaryrule' });
  await setPreservationOf(test, victim, 'Canarylegalhold');
  await test.db
    .insertInto('standing')
    .values({
      account_id: victim.id,
      gender: 1,
      appeal: 1.23454,
      appeal_weight: 3,
      selectivity: -1.23454,
      selectivity_weight: 3,
      learned_at: test.clock.now(),
    })
    .execute();
  await test.db
    .insertInto('selfie_check')
    .values({
      account_id: victim.id,
      pose: 'looking-up',
      state: 'again',
      front_key: 'selfie-Canaryselfiefront.webp',
      posed_key: 'selfie-Canaryselfieposed.webp',
      asked_at: test.clock.now(),
      sent_at: test.clock.now(),
      reason: 'Canaryselfiereason',
    })
    .execute();
  pictures = await makeCanaryPictures(test, victim, await makeModerator(test), {
    fileName: 'Canaryfile',
    reason: 'Canaryreason',
  });
  const matched = await makeMember(test);
  const matchId = await placeMatch(test, victim, matched);
  await placeMessage(test, matchId, victim, 'Canarymessage');
  await placePhoto(test, matchId, victim);
  const photo = await test.db.selectFrom('message_media').select(['id', 'object_key']).executeTakeFirstOrThrow();
  canaries = [
    ...hiddenFromMembers(pictures),
    ...[photo.id, photo.object_key, 'Canarymessage'],
    ...Object.values(hidden).map(String),
    victim.sessionId,
    victim.refreshToken,
    (await passwordHash()).slice(-20),
    'Canarydevice',
    'canaryanswer',
    'canaryaccepted',
    'Canaryelsewhere',
    'Canarylikenote',
    'Canaryselfie',
    'Canaryrule',
    'Canarylegalhold',
    '61.234567',
    '1.2345',
    '198.51.100.0',
    '2026-06-15T11:22:33.444Z',
    '2025-02-03T04:05:06.789Z',
  ];
});

type Actor = TestMember | null;

/** Visitors' requests are about the victim; the access matrix covers requests that only the victim could make. */
const isTheVictims = (endpoint: EndpointSpec) =>
  (endpoint.access === 'everyone' && endpoint.method === 'POST') || callName(endpoint) === 'PUT /auth/pictures/order';

/** All answers about the victim that a new account from `makeActors` can get. */
async function answersTo(makeActors: () => Promise<Actor[]>, makeAsker: () => Promise<TestMember>): Promise<string> {
  let answers = '';
  for (const endpoint of reachable) {
    for (const actor of await makeActors()) {
      if (actor === null && isTheVictims(endpoint)) continue;
      const scene = { test, actor, other: victim };
      answers += (await send(scene, endpoint, await requestFor(endpoint, scene))).raw;
    }
    for (const text of [shown, hidden.lastName, victim.id, victim.sessionId, hidden.email, pictures.pending.handle]) {
      const query = new URLSearchParams({
        search: String(text),
        city: 'Prague',
        country: 'Czechia',
        limit: '100',
      }).toString();
      const answer = await test.app.inject({
        method: endpoint.method,
        url: `${addressOf(endpoint, String(text))}?${query}`,
        headers: { authorization: `Bearer ${(await makeAsker()).token}` },
        payload: { email: 'other@example.test', token: text, _id: victim.id, userId: victim.id },
      });
      // Answers may repeat the request.
      answers += answer.body.replace(/"searchParams":\{[^}]*\}/, '');
    }
  }
  return answers;
}

const found = (answers: string, words: string[]) => words.filter((word) => answers.includes(word));

describe('private profile fields', () => {
  it('are missing from every answer to another member', async () => {
    const makeOne = async () => makeMember(test, { passwordHash: await passwordHash() });
    const curious = await makeOne();
    const answers = await answersTo(async () => [curious, null, await makeOne()], makeOne);
    expect(found(answers, [shown, pictures.approved.key])).toHaveLength(2);
    expect(found(answers, canaries)).toEqual([]);
  });

  it('are missing from every answer to a blocked member, who finds no other data about them either', async () => {
    const makeBlocked = async () => {
      const blocked = await makeMember(test, { passwordHash: await passwordHash() });
      const block = { blocker_id: victim.id, blocked_id: blocked.id, created_at: test.clock.now() };
      await test.db.insertInto('block').values(block).execute();
      return blocked;
    };
    const answers = await answersTo(async () => [await makeBlocked()], makeBlocked);
    expect(found(answers, [...canaries, shown, pictures.approved.key, pictures.approved.placeholder])).toEqual([]);
  });

  it('are visible to their owner', async () => {
    const { raw } = await test.call(getProfile, { token: victim.token });
    const { fileName, reason, pending, rejected } = pictures;
    const own = [fileName, reason, pending.handle, pending.key, pending.placeholder, rejected.handle];
    expect(found(raw, own)).toEqual(own);
  });

  it('are hidden from staff who don’t need them', async () => {
    for (const staff of [await makeModerator(test), await makeAdministrator(test)]) {
      let answers = '';
      for (const endpoint of endpoints.filter(({ method }) => method === 'GET')) {
        for (const query of ['', `?search=${shown}`, '?state=approved']) {
          const url = addressOf(endpoint, victim.id) + query;
          answers += (await test.app.inject({ url, headers: { authorization: `Bearer ${staff.token}` } })).body;
        }
      }
      const { pending, rejected, approved, reason } = pictures;
      const theirs = [pending.handle, pending.key, pending.placeholder, rejected.handle, approved.handle, reason];
      expect(found(answers, theirs)).toEqual(theirs);
      expect(found(answers, hiddenFromStaff(pictures))).toEqual([]);
    }
  });

  it('are not in the logs', () => {
    const { approved } = pictures;
    expect(found(test.logLines(), [...canaries, shown, approved.key, approved.placeholder])).toEqual([]);
  });

  it('cannot be searched: no one is found by hidden data', async () => {
    const { token } = await makeMember(test);
    const count = async (search: string) =>
      (await test.call(searchUsers, { token, query: { search } })).body.data.pagination.total;
    expect(await count(shown)).toBe(1);
    for (const text of [hidden.email ?? '', hidden.lastName ?? '', 'canary-of', victim.id, String(hidden.birthDate)])
      expect(await count(text), text).toBe(0);
  });
});
