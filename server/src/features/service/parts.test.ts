import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { addBookmark, listBookmarks } from '#contract/bookmarks.ts';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { uploadMessageMedia } from '#contract/messages/message-media.ts';
import { listMessages, sendMessage } from '#contract/messages/messages.ts';
import { searchUsers } from '#contract/profiles/profiles.ts';
import { allParts, partNames, type PartName } from '#contract/service/parts.ts';
import { getConfig } from '#contract/system.ts';
import { letBothWrite } from '../../../test/dates.ts';
import { makeMember, makeModerator, type TestMember } from '../../../test/factories.ts';
import { callName, contractEndpoints } from '../../../test/guards/contract-endpoints.ts';
import { makePerson } from '../../../test/guards/people.ts';
import { requestFor, send } from '../../../test/guards/requests.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { switchParts } from '../../../test/parts.ts';
import { draw } from '../../../test/pictures.ts';
import { anotherProcess } from '../../../test/sockets.ts';
import { recording } from '../../../test/voice/files.ts';

const app = startAppForTests();
afterEach(() => switchParts(app, {}));

const { match } = likesIn(() => app);
const all = await contractEndpoints();
const named = (endpoints: EndpointSpec[]) =>
  endpoints.map((endpoint): [string, EndpointSpec] => [callName(endpoint), endpoint]);

/** The answer to a valid request that was made while everything was on. */
async function askedWithout(part: PartName, endpoint: EndpointSpec) {
  const actor = await makePerson(app, endpoint.access === 'everyone' ? 'visitor' : 'member');
  const scene = { test: app, actor, other: await makeMember(app) };
  const request = await requestFor(endpoint, scene);
  await switchParts(app, { [part]: false });
  return await send(scene, endpoint, request);
}

describe.each(named(all.filter(({ part }) => part !== undefined)))('%s', (_name, endpoint) => {
  it('returns 404 while its part is off', async () => {
    const answer = await askedWithout(endpoint.part ?? 'dates', endpoint);
    expect([answer.status, answer.error.code]).toEqual([404, 'PART_OFF']);
  });
});

const partOf = ({ path, part }: EndpointSpec) =>
  part !== undefined
    ? []
    : /\/dates?(\/|$)/.test(path)
      ? ['dates' as const]
      : /^\/notices\/link/.test(path)
        ? ['notices' as const]
        : [];
const goingOn = all.flatMap((endpoint) =>
  partOf(endpoint).map((part) => [callName(endpoint), part, endpoint] as const),
);

describe.each(goingOn)('%s', (_name, part, endpoint) => {
  it(`still allows what already exists while ${part} are off`, async () => {
    expect((await askedWithout(part, endpoint)).status).toBeLessThan(300);
  });
});

it('dates have commands that start something, and more that continue it', () => {
  expect(all.filter(({ part }) => part === 'dates')).toHaveLength(2);
  expect(goingOn.filter(([, part]) => part === 'dates').length).toBeGreaterThan(6);
});

/** Two people who have both written. */
async function pair(): Promise<{ ada: TestMember; bo: TestMember; id: string }> {
  const [ada, bo] = [await makeMember(app), await makeMember(app)];
  const id = await match(ada, bo);
  await letBothWrite(app, id);
  return { ada, bo, id };
}

describe.each([
  ['voice', 'voice', 'photos'],
  ['photos', 'picture', 'voice'],
] as const)('while %s is off', (part, kind, other) => {
  const upload = async (by: TestMember, id: string) =>
    await app.call(uploadMessageMedia, {
      token: by.token,
      params: { id },
      query: { kind },
      file: { bytes: kind === 'voice' ? recording('chromium.webm') : await draw(), name: 'file', type: 'audio/webm' },
    });
  const body = (media: string) => ({
    clientId: randomUUID(),
    text: '',
    ...(kind === 'voice' ? { voice: media } : { pictures: [media] }),
  });

  it('none is uploaded or sent, and existing ones can be opened', async () => {
    const { ada, bo, id } = await pair();
    const params = { id };
    const [first, second] = [await upload(ada, id), await upload(ada, id)].map((sent) => sent.body.data._id);
    const sent = body(first ?? '');
    await app.call(sendMessage, { token: ada.token, params, body: sent });
    await switchParts(app, { [part]: false });
    const uploaded = await upload(ada, id);
    expect([uploaded.status, uploaded.error.code]).toEqual([404, 'PART_OFF']);
    expect((await app.call(sendMessage, { token: ada.token, params, body: body(second ?? '') })).status).toBe(404);
    expect((await app.call(sendMessage, { token: ada.token, params, body: sent })).status).toBe(201);
    const [message] = (await app.call(listMessages, { token: bo.token, params })).body.data.messages;
    const url = message?.voice?.url ?? message?.pictures?.[0]?.url ?? '/nowhere';
    expect((await app.app.inject({ url })).statusCode).toBe(200);
  });

  it('messages without it are sent', async () => {
    const { ada, id } = await pair();
    await switchParts(app, { [part]: false, [other]: true });
    const text = { clientId: randomUUID(), text: 'Hello' };
    expect((await app.call(sendMessage, { token: ada.token, params: { id }, body: text })).status).toBe(201);
  });
});

describe('while People is off', () => {
  it('members cannot search, but keep their bookmarks, and staff can still search', async () => {
    const [{ token }, bo] = [await makeMember(app), await makeMember(app)];
    await switchParts(app, { people: false });
    expect((await app.call(searchUsers, { token })).error.code).toBe('PART_OFF');
    await app.call(addBookmark, { token, params: { userId: bo.id } });
    expect((await app.call(listBookmarks, { token })).body.data.bookmarks).toHaveLength(1);
    expect((await app.call(searchUsers, { token: (await makeModerator(app)).token })).status).toBe(200);
  });
});

it('every part is on at first, and each process learns at once which are off', async () => {
  const there = await anotherProcess(app);
  expect((await app.call(getConfig)).body.data.parts).toEqual(allParts);
  const off = Object.fromEntries(partNames.map((part) => [part, false]));
  await switchParts(app, off);
  await expect
    .poll(
      async () =>
        ((await (await fetch(`${there.url}/api/v1/config`)).json()) as { data: { parts: object } }).data.parts,
    )
    .toEqual(off);
  expect((await fetch(`${there.url}/api/v1/notices/challenge`)).status).toBe(404);
  await there.close();
});
