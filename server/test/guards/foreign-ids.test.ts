import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { blockUser } from '#contract/connections.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { isPermission } from '#contract/roles.ts';
import { makeAdministrator, makeMember, type TestMember } from '../factories.ts';
import { placePasskey } from '../factors.ts';
import { startAppForTests, type TestApp } from '../harness.ts';
import { likesIn, placeMatch } from '../likes.ts';
import { placeUpload } from '../pictures.ts';
import { cardOf, ensurePremium, newestInvoiceId } from '../premium.ts';
import { appealedBy, fileReport, warnedBy } from '../moderation/reports.ts';
import { placeCheck } from '../selfies.ts';
import { dateCallNames, dateOfOthers } from './cases/dates.ts';
import { callName, contractEndpoints } from './contract-endpoints.ts';
import { requestFor, send, type Scene } from './requests.ts';

type Finder = [string, (test: TestApp, other: TestMember) => Promise<string> | string];

/** Accounts that no member may see, for different reasons. */
const hiddenMembers: Finder[] = [
  ['a leaving member', async (test) => (await makeMember(test, { leaving: true })).id],
  ['a deactivated member', async (test) => (await makeMember(test, { deactivated: 'Spam' })).id],
  ['an unverified member', async (test) => (await makeMember(test, { verified: false })).id],
  ['an incomplete member', async (test) => (await makeMember(test, { gender: null })).id],
  ['an administrator', async (test) => (await makeAdministrator(test)).id],
  ['a session', (_, other) => other.sessionId],
  ['a member who blocked them', blockedBy],
  ['an incognito member', incognito],
  ['a paused member', paused],
];

/** Other people's matches, and ended ones. */
const matchesOfOthers: Finder[] = [
  ['someone else’s match', async (of, other) => placeMatch(of, other, await makeMember(of))],
  ['a match with a member who left', matchWithLeaver],
  ['a match that has ended', endedMatch],
  ['a member', (_, other) => other.id],
];

/** For every endpoint with an id: an existing id that isn't the member's. Staff endpoints refuse members for any id. */
const hidden: Record<string, Finder[]> = {
  'DELETE /auth/picture/{publicId}': [
    ['someone else’s upload', async (of, other) => (await placeUpload(of, other.id)).publicId],
    ['a picture by its public id', publicNameOf],
  ],
  'PATCH /auth/passkeys/{id}': [['another’s passkey', anothersPasskey]],
  'DELETE /auth/passkeys/{id}': [['another’s passkey', anothersPasskey]],
  'DELETE /auth/sessions/{id}': [['another member’s session', (_, other) => other.sessionId]],
  'GET /auth/user/{id}': hiddenMembers,
  'POST /likes/{userId}': hiddenMembers,
  'POST /passes/{userId}': hiddenMembers,
  'PUT /bookmarks/{userId}': hiddenMembers,
  ...Object.fromEntries(
    ['GET /conversations/{id}', 'GET /matches/{id}/messages', 'POST /matches/{id}/messages', 'POST /matches/{id}/read']
      .concat([
        'PATCH /matches/{id}/messages/{seq}',
        'DELETE /matches/{id}/messages/{seq}',
        'PUT /matches/{id}/messages/{seq}/reaction',
        'DELETE /matches/{id}/messages/{seq}/reaction',
        'POST /matches/{id}/goodbye',
        'PUT /matches/{id}/meeting',
        'POST /matches/{id}/media',
        'POST /matches/{id}/messages/{seq}/open',
        'PUT /matches/{id}/snooze',
      ])
      .map((name) => [name, matchesOfOthers]),
  ),
  'DELETE /matches/{id}': matchesOfOthers,
  ...Object.fromEntries(
    dateCallNames.map((name) => [
      name,
      name.includes('/matches/') ? matchesOfOthers : [['another’s date', dateOfOthers(name)]],
    ]),
  ),
  'POST /notices/{id}/acknowledge': [['a warning to someone else', (of, other) => warnedBy(of, other.id)]],
  'POST /appeals/{id}/withdraw': [['another’s appeal', (of, other) => appealedBy(of, other.id)]],
  ...Object.fromEntries(
    [
      'POST /photo-verification/{id}/{shot}',
      'POST /photo-verification/{id}/send',
      'DELETE /photo-verification/{id}',
    ].map((name) => [
      name,
      [['another’s selfies', (of: TestApp, other: TestMember) => placeCheck(of, other.id, 'drawn')]],
    ]),
  ),
  'GET /subscription/id/{id}': [['another’s subscription', async (of, other) => (await ensurePremium(of, other))._id]],
  'GET /subscription/invoices/{id}': [['another’s invoice', anothersInvoice]],
  'GET /subscription/invoices/{id}/pdf': [['another’s invoice', anothersInvoice]],
  'PUT /subscription/payment-methods/{id}/default': [['another’s card', anothersCard]],
  'DELETE /subscription/payment-methods/{id}': [['another’s card', anothersCard]],
  ...Object.fromEntries(
    [
      'GET /reports/report/{id}',
      'GET /appeals/report/{id}',
      'POST /reports/report/{id}/read',
      'POST /reports/report/{id}/reply',
      'GET /reports/report/{id}/conversation',
      'GET /reports/report/{id}/replies',
    ].map((name) => [name, [['another’s report', anothersReport]]]),
  ),
};

/** The answer never depends on the id, so no one learns whether the account exists. */
const answeredAlike = [
  'POST /blocks/{userId}',
  'DELETE /blocks/{userId}',
  'DELETE /likes/{userId}',
  'DELETE /bookmarks/{userId}',
];

/** Opened with a signature for one viewer or a secret; they have their own tests. */
const bySignature = ['GET /media/{key}', 'POST /dev/payments/intents/{id}'];

/** The ids are the same for everyone, such as a question's or a kind of text; the data behind them is the caller's or public. */
const ofNobody = [
  'PUT /compatibility/answers/{questionId}',
  'DELETE /compatibility/answers/{questionId}',
  'DELETE /auth/identities/{provider}',
  'GET /transparency/{year}/{file}',
  'GET /texts/{kind}',
  'GET /admin/service/texts/{kind}',
  'POST /admin/service/texts/{kind}',
  'POST /admin/service/pictures/{kind}',
];

async function anothersPasskey(of: TestApp, other: TestMember): Promise<string> {
  return (await placePasskey(of, other.id)).id;
}

async function anothersInvoice(of: TestApp, other: TestMember): Promise<string> {
  await ensurePremium(of, other);
  return await newestInvoiceId(of, other);
}

async function anothersCard(of: TestApp, other: TestMember): Promise<string> {
  await ensurePremium(of, other);
  return await cardOf(of, other);
}

async function publicNameOf(of: TestApp, other: TestMember): Promise<string> {
  const { id } = await of.db
    .selectFrom('picture')
    .select('id')
    .where('account_id', '=', other.id)
    .executeTakeFirstOrThrow();
  return id;
}

async function blockedBy(of: TestApp): Promise<string> {
  const blocker = await makeMember(of);
  await of.call(blockUser, { token: blocker.token, params: { userId: scene.actor?.id ?? '' } });
  return blocker.id;
}

async function incognito(of: TestApp): Promise<string> {
  const { id } = await makeMember(of, { vip: true });
  await of.db.updateTable('profile').set({ incognito: true }).where('account_id', '=', id).execute();
  return id;
}

async function paused(of: TestApp): Promise<string> {
  const { id } = await makeMember(of);
  await of.db.updateTable('profile').set({ paused_at: of.clock.now() }).where('account_id', '=', id).execute();
  return id;
}

const own = () => scene.actor ?? scene.other;

async function matchWithLeaver(of: TestApp): Promise<string> {
  const leaver = await makeMember(of);
  // Excludes likes, of which the caller has only a few a day.
  const id = await placeMatch(of, own(), leaver);
  await of.db.updateTable('account').set({ leaving_since: of.clock.now() }).where('id', '=', leaver.id).execute();
  return id;
}

async function endedMatch(of: TestApp): Promise<string> {
  const id = await placeMatch(of, own(), await makeMember(of));
  await likesIn(() => of).unmatch(own(), id);
  return id;
}

async function anothersReport(of: TestApp, other: TestMember): Promise<string> {
  return (await fileReport(of, other, { reportedUser: scene.actor?.id ?? null, hideFromEachOther: false }))._id;
}

const withIds = (await contractEndpoints()).filter(
  (endpoint) =>
    endpoint.params !== undefined && ![...answeredAlike, ...ofNobody, ...bySignature].includes(callName(endpoint)),
);
const ofMembers = withIds.filter(({ access }) => access === 'signedIn' || access === 'completed');
const ofStaff = withIds.filter(({ access }) => isPermission(access));
const test = startAppForTests();
let scene: Scene;
beforeEach(async () => {
  // Some requests change the caller, such as by adding a factor or a new address, which other endpoints would then require.
  scene = { test, actor: await makeMember(test), other: await makeMember(test) };
});

/** The answer to a request about `id`, without the request id. */
async function answerAbout(endpoint: EndpointSpec, id: string, from = scene): Promise<string> {
  const request = await requestFor(endpoint, from);
  const params = { ...request.params, [/\{(\w+)\}/.exec(endpoint.path)?.[1] ?? 'id']: id };
  const { status, raw } = await send(from, endpoint, { ...request, params });
  return `${status} ${raw.replace(/"requestId":"[^"]+"/, '')}`;
}

const notFound = '404 {"success":false,"message":"Not found","code":"NOT_FOUND",}';

describe('other people’s data', () => {
  it('is listed for every endpoint with an id', () => {
    const unlisted = ofMembers.map(callName).filter((name) => !Object.hasOwn(hidden, name));
    expect(unlisted, 'Add to `hidden` which ids must look unknown to it, or to a list below why none does').toEqual([]);
    expect(Object.keys(hidden).filter((name) => !ofMembers.map(callName).includes(name))).toEqual([]);
    expect(withIds.length).toBe(ofMembers.length + ofStaff.length);
  });

  it.each(
    ofMembers.flatMap((endpoint) =>
      (hidden[callName(endpoint)] ?? []).map(([what, find]) => [callName(endpoint), what, endpoint, find] as const),
    ),
  )('%s: %s returns 404, like an unknown id', async (_, __, endpoint, find) => {
    expect(await answerAbout(endpoint, await find(test, scene.other))).toBe(notFound);
    expect(await answerAbout(endpoint, randomUUID())).toBe(notFound);
  });

  it.each(ofMembers.map((endpoint) => [callName(endpoint), endpoint] as const))(
    '%s: an invalid id returns 404, too',
    async (_, endpoint) => {
      for (const id of [
        '1',
        'me',
        'null',
        '-1',
        '..',
        '0x1',
        "' or 1=1 --",
        '%',
        '*',
        scene.other.id.toUpperCase() + 'x',
        '00000000-0000-0000-0000-000000000000',
      ]) {
        expect(await answerAbout(endpoint, id), id).toBe(notFound);
      }
    },
  );

  it.each(ofStaff.map((endpoint) => [callName(endpoint), endpoint] as const))(
    '%s: returns 403 to members for any id',
    async (_, endpoint) => {
      const known = await answerAbout(endpoint, scene.other.id);
      expect(known).toMatch(/^403 /);
      expect(await answerAbout(endpoint, randomUUID())).toBe(known);
      expect(await answerAbout(endpoint, 'nonsense')).toBe(known);
    },
  );

  it.each(ofStaff.map((endpoint) => [callName(endpoint), endpoint] as const))(
    '%s: returns the same 404 to administrators for unknown ids',
    async (_, endpoint) => {
      const from = { ...scene, actor: await makeAdministrator(test) };
      for (const id of [randomUUID(), 'nonsense', scene.other.sessionId])
        expect(await answerAbout(endpoint, id, from)).toBe(notFound);
    },
  );
});
