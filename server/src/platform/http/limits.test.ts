import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgotPassword, register } from '#contract/auth/auth.ts';
import { helpUnlock } from '#contract/auth/help.ts';
import { likeUser } from '#contract/connections.ts';
import {
  apiBasePath,
  datesSuggestedPerDay,
  firstMessagesPerDay,
  freeLikesPerDay,
  helpsPerDay,
  messagePicturesPerDay,
  messageVoicesPerDay,
  placeMovesPerDay,
  posesPerDay,
  requestLimits,
} from '#contract/constants.ts';
import { proposeDate } from '#contract/dates.ts';
import { knownPeoplePerDay, putKnownPeople } from '#contract/known-people.ts';
import { uploadPicture } from '#contract/media.ts';
import { editMessage, sendMessage } from '#contract/messages/messages.ts';
import { changeLocation } from '#contract/profiles/profiles.ts';
import { uploadMessageMedia } from '#contract/messages/message-media.ts';
import { drawPose, selfieTermsVersion } from '#contract/photo-verification.ts';
import { getConfig } from '#contract/system.ts';
import { letBothWrite, suggestion } from '../../../test/dates.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startApp, startAppForTests } from '../../../test/harness.ts';
import { likesIn } from '../../../test/likes.ts';
import { draw } from '../../../test/pictures.ts';
import { lacedWebm, recording } from '../../../test/voice/files.ts';
import { createLimits } from './limits.ts';

const test = startAppForTests({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
afterEach(() => test.pool.query('truncate rate_limit'));

const limits = () => createLimits(test.pool, true);
const refusalOf = (work: Promise<void>) =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('a request limit', () => {
  it('allows the configured number of requests, then returns 429 with Retry-After', async () => {
    const { requests, perSeconds } = requestLimits.export;
    const counting = limits();
    for (let n = 0; n < requests; n += 1) await counting.spend('export', '192.0.2.0/24');
    const refusal = await refusalOf(counting.spend('export', '192.0.2.0/24'));
    expect(refusal).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    const { retryAfterSeconds } = (refusal as { details: { retryAfterSeconds: number } }).details;
    expect(retryAfterSeconds).toBeGreaterThan(perSeconds - 60);
    expect(retryAfterSeconds).toBeLessThanOrEqual(perSeconds);
  });

  it('counts each network and each limit name separately', async () => {
    const counting = limits();
    for (let n = 0; n < requestLimits.export.requests; n += 1) await counting.spend('export', 'one');
    expect(await refusalOf(counting.spend('export', 'another'))).toBeNull();
    expect(await refusalOf(counting.spend('sensitive', 'one'))).toBeNull();
    expect(await refusalOf(counting.spend('export', 'one'))).not.toBeNull();
  });

  it('is shared by all processes', async () => {
    for (let n = 0; n < requestLimits.export.requests; n += 1) await limits().spend('export', 'shared');
    expect(await refusalOf(limits().spend('export', 'shared'))).not.toBeNull();
  });

  it('counts parallel requests exactly', async () => {
    const counting = limits();
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => refusalOf(counting.spend('export', 'crowd'))));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(requestLimits.export.requests);
  });

  it('of a day ends at midnight in UTC, and says in how many hours that is', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-15T21:30:00Z') });
    const refusal = await refusalOf(limits().spend('report', 'one', requestLimits.report.requests + 1));
    vi.useRealTimers();
    expect(refusal).toMatchObject({ code: 'TOO_MANY_REQUESTS', details: { retryAfterSeconds: 9000 } });
    expect(refusal).toHaveProperty('message', "That's enough for today. Please try again in 3 hours.");
  });

  it('can be turned off for tests and benchmarks', async () => {
    const lifted = createLimits(test.pool, false);
    for (let n = 0; n < 20; n += 1) expect(await refusalOf(lifted.spend('export', 'anyone'))).toBeNull();
  });
});

describe('an upload that was cut off while it was read', () => {
  it('counts as twenty requests, while other refused uploads count as one', async () => {
    const [ada, bo] = [await makeMember(test), await makeMember(test)];
    const id = await likesIn(() => test).match(ada, bo);
    for (const { token } of [ada, bo])
      await test.call(sendMessage, { token, params: { id }, body: { clientId: randomUUID(), text: 'Hello' } });
    await limits().spend('messageMedia', ada.id, requestLimits.messageMedia.requests - 21);
    const send = async (bytes: Buffer) =>
      (
        await test.call(uploadMessageMedia, {
          token: ada.token,
          params: { id },
          query: { kind: 'voice', peaks: '1' },
          file: { bytes },
        })
      ).error.code;
    expect(await send(recording('chromium.webm').subarray(0, 90))).toBe('VOICE_UNREADABLE');
    expect(await send(lacedWebm())).toBe('VOICE_UNREADABLE');
    expect(await send(recording('chromium.webm'))).toBe('TOO_MANY_REQUESTS');
  });
});

it('an upload is counted before it arrives', async () => {
  const { id, token } = await makeMember(test);
  await limits().spend('upload', id, requestLimits.upload.requests);
  const answer = await test.app.inject({
    method: 'POST',
    url: apiBasePath + uploadPicture.path,
    headers: { 'content-type': 'multipart/form-data; boundary=XX', authorization: `Bearer ${token}` },
    payload: new PassThrough(),
  });
  expect(answer.statusCode).toBe(429);
});

describe('callers', () => {
  const from = (address: string) => ({ 'x-forwarded-for': address });

  it('from one network share a limit per minute, which excludes health checks', async () => {
    const statuses = [];
    for (let n = 0; n < requestLimits.overall.requests + 5; n += 1) {
      statuses.push((await test.call(getConfig, { headers: from(`198.51.100.${n % 200}`) })).status);
    }
    expect(statuses.filter((status) => status === 429)).toHaveLength(5);
    const refused = await test.call(getConfig, { headers: from('198.51.100.1') });
    expect(refused.error).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await test.app.inject({ url: '/healthz', headers: from('198.51.100.1') })).statusCode).toBe(200);
    expect((await test.call(getConfig, { headers: from('198.51.101.1') })).status).toBe(200);
    // The app's files have a separate limit, because many people in one network may open it at the same time.
    expect((await test.app.inject({ url: '/assets/x.js', headers: from('198.51.100.1') })).statusCode).not.toBe(429);
  });

  it('are counted by account when signed in, but not by an unverified token', async () => {
    const first = await makeMember(test);
    const second = await makeMember(test);
    const end = (token: string, n: number) =>
      test.app.inject({
        method: 'DELETE',
        url: `${apiBasePath}/auth/sessions/${randomUUID()}`,
        headers: { authorization: `Bearer ${token}`, ...from(`10.1.${n}.1`) },
      });
    for (let n = 0; n < requestLimits.sensitive.requests; n += 1)
      expect((await end(first.token, n)).statusCode).toBe(404);
    expect((await end(first.token, 200)).statusCode).toBe(429);
    expect((await end(second.token, 200)).statusCode).toBe(404);
  });

  it('are counted by network where visitors may call, even when signed in', async () => {
    const members = [await makeMember(test), await makeMember(test)];
    const ask = async (token: string | undefined) =>
      (
        await test.call(forgotPassword, {
          body: { email: 'x@example.test' },
          headers: from('10.9.1.1'),
          ...(token && { token }),
        })
      ).status;
    for (let n = 0; n < requestLimits.mailRequest.requests; n += 1) expect(await ask(members[n % 3]?.token)).toBe(200);
    for (const token of [undefined, ...members.map((member) => member.token)]) expect(await ask(token)).toBe(429);
  });

  it('can send and edit a limited number of messages a minute per account', async () => {
    const first = await makeMember(test);
    const second = await makeMember(test);
    const send = (token: string) =>
      test.call(sendMessage, {
        token,
        params: { id: randomUUID() },
        body: { clientId: randomUUID(), text: 'Hello' },
      });
    const edit = (token: string) =>
      test.call(editMessage, { token, params: { id: randomUUID(), seq: '1' }, body: { text: 'Hello' } });
    for (let n = 0; n < requestLimits.message.requests; n += 2) {
      expect((await send(first.token)).status).toBe(404);
      expect((await edit(first.token)).status).toBe(404);
    }
    expect((await send(first.token)).status).toBe(429);
    expect((await edit(first.token)).status).toBe(429);
    expect((await send(second.token)).status).toBe(404);
  });

  it('are counted once for a registration repeated with the same key', async () => {
    const body = {
      email: 'patient@example.test',
      password: 'a long enough secret',
      firstName: 'Rosa',
      acceptTerms: true,
    };
    const headers = { ...from('10.2.0.1'), 'idempotency-key': 'the-same-again' };
    for (let n = 0; n < requestLimits.register.requests + 3; n += 1)
      expect((await test.call(register, { body, headers })).status).toBe(201);
  });

  it('cannot claim another network in a header unless it comes from a trusted proxy', async () => {
    const bare = await startApp({ RATE_LIMITS: 'on' });
    const join = (n: number) =>
      bare.call(register, {
        body: { email: `many-${n}@example.test`, password: 'qwertyuiop', firstName: 'Rosa', acceptTerms: true },
        headers: from(`10.3.${n}.1`),
      });
    const { requests } = requestLimits.register;
    for (let n = 0; n < requests; n += 1) expect((await join(n)).status).toBe(422);
    expect((await join(requests)).status).toBe(429);
    await bare.close();
  });
});

/** Uses up a daily quota; the returned call tries once more. */
type Quota = (member: TestMember, other: TestMember) => Promise<() => Promise<{ status: number; raw: string }>>;

const moves: Quota = async ({ token }) => {
  let places = 0;
  const move = () => test.call(changeLocation, { token, body: { city: `City ${(places += 1)}`, country: 'Norway' } });
  while (places <= placeMovesPerDay) await move();
  return move;
};

const knownAddresses: Quota = async ({ token }) => {
  const add = (count: number) => {
    const addresses = Array.from({ length: count }, () => `${randomUUID()}@known.test`);
    return test.call(putKnownPeople, { token, body: { addresses } });
  };
  await add(knownPeoplePerDay);
  return () => add(1);
};

const likes: Quota = async ({ id, token }, other) => {
  const day = test.clock.now().toISOString().slice(0, 10);
  await test.db.insertInto('like_count').values({ account_id: id, sent_on: day, sent: freeLikesPerDay }).execute();
  return () => test.call(likeUser, { token, params: { userId: other.id }, body: {} });
};

/** A conversation in which both have written. */
async function talkOf(member: TestMember, other: TestMember): Promise<string> {
  const id = await likesIn(() => test).match(member, other);
  await letBothWrite(test, id);
  return id;
}

const uploads =
  (kind: 'picture' | 'voice', perDay: number): Quota =>
  async (member, other) => {
    const id = await talkOf(member, other);
    const now = test.clock.now();
    await test.sql`
      insert into message_media (id, account_id, conversation_id, kind, object_key, size, sha256, uploaded_at, sent_at)
      select ${member.id} || n, ${member.id}::uuid, ${id}::uuid, ${kind}, ${member.id} || n, 1, '', ${now}, ${now}
      from generate_series(1, ${perDay}::int) n`;
    const bytes = kind === 'voice' ? recording('chromium.webm') : await draw();
    const query = { kind, ...(kind === 'voice' && { peaks: '1' }) };
    return () => test.call(uploadMessageMedia, { token: member.token, params: { id }, query, file: { bytes } });
  };

const firstMessages: Quota = async (member, other) => {
  const id = await likesIn(() => test).match(member, other);
  const sent_on = test.clock.now().toISOString().slice(0, 10);
  const row = { account_id: member.id, sent_on, sent: firstMessagesPerDay };
  await test.db.insertInto('first_message_count').values(row).execute();
  const body = () => ({ clientId: randomUUID(), text: 'Hello' });
  return () => test.call(sendMessage, { token: member.token, params: { id }, body: body() });
};

const dates: Quota = async (member, other) => {
  const id = await talkOf(member, other);
  const suggest = () => test.call(proposeDate, { token: member.token, params: { id }, body: suggestion(test) });
  for (let n = 0; n < datesSuggestedPerDay; n += 1) await suggest();
  return suggest;
};

const poses: Quota = async ({ token }) => {
  const body = { agreedTo: selfieTermsVersion, another: true } as const;
  const another = () => test.call(drawPose, { token, body });
  for (let n = 0; n < posesPerDay; n += 1) await another();
  return another;
};

const helps: Quota = async ({ id }) => {
  const { token } = await makeMember(test, { staffRole: 'support' });
  const unlock = () => test.call(helpUnlock, { token, params: { id }, body: { reason: 'Called us' } });
  for (let n = 0; n < helpsPerDay; n += 1) await unlock();
  return unlock;
};

describe('a daily quota', () => {
  it.each<[string, Quota]>([
    ['changes of place', moves],
    ['addresses of known people', knownAddresses],
    ['likes', likes],
    ['first messages of a new member', firstMessages],
    ['photos', uploads('picture', messagePicturesPerDay)],
    ['voice messages', uploads('voice', messageVoicesPerDay)],
    ['suggested dates', dates],
    ['poses', poses],
    ['helps to sign in', helps],
  ])('begins again at midnight (UTC) and says in how many hours: %s', async (_what, use) => {
    const start = test.clock.now();
    test.clock.set(new Date('2026-06-16T23:50:00Z'));
    const again = await use(await makeMember(test), await makeMember(test));
    const refused = await again();
    expect([refused.status >= 400, refused.raw]).toEqual([true, expect.stringMatching(/ in 1 hour\./)]);
    test.clock.advance(599);
    expect((await again()).status).toBe(refused.status);
    test.clock.advance(1);
    expect((await again()).status).toBeLessThan(300);
    test.clock.set(start);
  });

  it('of poses counts those of an attempt that began before midnight', async () => {
    const start = test.clock.now();
    test.clock.set(new Date('2026-06-16T23:59:00Z'));
    const { token } = await makeMember(test);
    const body = { agreedTo: selfieTermsVersion, another: true } as const;
    const another = async () => (await test.call(drawPose, { token, body })).status;
    expect(await another()).toBeLessThan(300);
    test.clock.advance(120);
    for (let n = 0; n < posesPerDay; n += 1) expect(await another()).toBeLessThan(300);
    expect(await another()).toBe(429);
    test.clock.set(start);
  });
});
