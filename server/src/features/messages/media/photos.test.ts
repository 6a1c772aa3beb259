import { createHmac, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { coveredPhotos, messagePicturesPerDay, unsentMediaMax, withdrawnMediaDays } from '#contract/constants.ts';
import { decidePicture } from '#contract/moderation/picture-queue.ts';
import { openPicture, uploadMessageMedia } from '#contract/messages/message-media.ts';
import * as calls from '#contract/messages/messages.ts';
import { decideCase } from '#contract/moderation/cases.ts';
import { showLastActive } from '#contract/profiles/profiles.ts';
import { takeArchive } from '../../../../test/archive.ts';
import {
  deleteAccounts,
  makeAdministrator,
  makeMember,
  makeModerator,
  type TestMember,
} from '../../../../test/factories.ts';
import { startApp, type TestApp } from '../../../../test/harness.ts';
import { holdAccount } from '../../../../test/moderation/holds.ts';
import { endPreservation, setPreservationOf } from '../../../../test/moderation/preservation.ts';
import { likesIn, placeMatch } from '../../../../test/likes.ts';
import { draw, type SentFile, uploadProfilePicture } from '../../../../test/pictures.ts';
import { randomOf } from '../../../../test/random.ts';
import { caseIdOf, currentRuleId, fileOf, fileReport } from '../../../../test/moderation/reports.ts';
import { connect, listenTo } from '../../../../test/sockets.ts';
import { hashPassword } from '../../auth/password/hashing.ts';
import { messageFiles, showMessage } from '../public.ts';

const password = 'correct horse battery';
let passwordHash: string;
let app: TestApp;
let here: string;
/** The operator's automatic check, with its answer. */
let checker: Server;
let verdict: object = { verdict: 'review', labels: [] };
/** Replaces the answer. */
let answer: { status?: number; body?: string } = {};
let signed: boolean[] = [];
const secret = 'k'.repeat(32);
beforeAll(async () => {
  checker = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const expected = createHmac('sha256', secret).update(Buffer.concat(parts)).digest('hex');
      signed.push(request.headers['x-signature'] === expected);
      response
        .writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
        .end(answer.body ?? JSON.stringify(verdict));
    });
  });
  await new Promise<void>((resolve) => checker.listen(0, '127.0.0.1', resolve));
  const { port } = checker.address() as AddressInfo;
  app = await startApp({ MODERATION_URL: `http://127.0.0.1:${port}/`, MODERATION_SECRET: secret });
  here = await listenTo(app);
  passwordHash = await hashPassword(password);
});
afterAll(async () => {
  await app.close();
  checker.close();
});

const { match, unmatch, block } = likesIn(() => app);

let ada: TestMember;
let bo: TestMember;
let id: string;
beforeEach(async () => {
  [verdict, answer, signed] = [{ verdict: 'review', labels: [] }, {}, []];
  [ada, bo] = [await makeMember(app, { passwordHash }), await makeMember(app)];
  id = await talk(ada, bo);
});

type Given = Partial<Parameters<typeof sendBody>[0]>;
const sendBody = (given: { text?: string; clientId?: string; pictures?: string[]; isOnce?: boolean }) => ({
  clientId: randomUUID(),
  text: '',
  ...given,
});
const send = (who: TestMember, matchId: string, given: Given) =>
  app.call(calls.sendMessage, { token: who.token, params: { id: matchId }, body: sendBody(given) });

/** A match in which both have written. */
async function talk(one: TestMember, other: TestMember): Promise<string> {
  const matchId = await match(one, other);
  await send(one, matchId, { text: 'Hello' });
  await send(other, matchId, { text: 'Hello yourself' });
  return matchId;
}

const uploadFile = (who: TestMember, matchId: string, file: SentFile, headers: Record<string, string> = {}) =>
  app.call(uploadMessageMedia, {
    token: who.token,
    params: { id: matchId },
    query: { kind: 'picture' },
    file,
    headers,
  });
const upload = async (who: TestMember, matchId: string = id) =>
  (await uploadFile(who, matchId, { bytes: await draw() })).body.data._id;

/** Sends one photo; returns the message as its sender sees it. */
const sendPhoto = async (who: TestMember, given: Given = {}) =>
  (await send(who, id, { pictures: [await upload(who)], ...given })).body.data.message;
const history = async (who: TestMember) =>
  (await app.call(calls.listMessages, { token: who.token, params: { id } })).body.data.messages;
/** The photos of the newest message, as someone sees them. */
const newest = async (who: TestMember) => (await history(who)).at(-1)?.pictures ?? [];
const statusOf = async (url: string | null | undefined) => (await app.app.inject({ url: url ?? '/none' })).statusCode;
const keysOf = async (who: TestMember) =>
  (
    await sql<{ object_key: string }>`select object_key from message_media where account_id = ${who.id}::uuid`.execute(
      app.db,
    )
  ).rows.map((row) => row.object_key);
const run = async (task: string) => {
  await app.app.background.tasks[task]?.({}, undefined as never);
};

describe('POST /matches/{id}/media', () => {
  it('stores a photo without metadata, which no one sees until it is sent', async () => {
    const withPlace = await sharp(await draw({ width: 900, height: 700 }))
      .withExif({ IFD3: { GPSLatitude: '59/1 54/1 0/1' }, IFD0: { Artist: 'Secretname' } })
      .jpeg()
      .toBuffer();
    expect(withPlace.toString('latin1')).toContain('Secretname');
    const sent = await uploadFile(ada, id, { bytes: withPlace });
    expect(sent.status).toBe(201);
    const message = (await send(ada, id, { pictures: [sent.body.data._id], text: 'Look' })).body.data.message;
    expect(message).toMatchObject({ text: 'Look', pictures: [{ width: 900, height: 700, isOnce: false }] });
    const { rawPayload, headers } = await app.app.inject({ url: (await newest(bo))[0]?.url ?? '' });
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'content-type': 'image/webp' });
    expect(rawPayload.toString('latin1')).not.toContain('Secretname');
    expect((await sharp(rawPayload).metadata()).exif).toBeUndefined();
  });

  const plain = async (width: number, height: number) =>
    await sharp({ create: { width, height, channels: 3, background: '#7a8' } })
      .jpeg()
      .toBuffer();

  it.each([
    [1080, 9000, 983, 8192],
    [12_000, 2400, 5400, 1080],
    [60, 32, 60, 32],
    [1600, 1200, 1280, 960],
  ])('stores a photo of %i × %i pixels with %i × %i', async (width, height, storedWidth, storedHeight) => {
    const sent = await uploadFile(ada, id, { bytes: await plain(width, height) });
    expect(sent.status).toBe(201);
    await send(ada, id, { pictures: [sent.body.data._id] });
    expect(await newest(bo)).toMatchObject([{ width: storedWidth, height: storedHeight }]);
  });

  it.each([
    [100, 2001, 'PICTURE_UNREADABLE'],
    [31, 600, 'PICTURE_TOO_SMALL'],
  ])('returns 422 for a photo of %i × %i pixels', async (width, height, code) => {
    const refused = await uploadFile(ada, id, { bytes: await plain(width, height) });
    expect([refused.status, refused.error.code]).toEqual([422, code]);
  });

  it('returns 403 until both have written, and 404 for another match', async () => {
    const [cleo, dan, eve] = [await makeMember(app), await makeMember(app), await makeMember(app)];
    const fresh = await match(cleo, dan);
    const file = { bytes: await draw() };
    expect((await uploadFile(cleo, fresh, file)).status).toBe(403);
    await send(cleo, fresh, { text: 'Hello' });
    expect((await uploadFile(cleo, fresh, file)).status).toBe(403);
    expect((await uploadFile(dan, fresh, file)).status).toBe(403);
    await send(dan, fresh, { text: 'Hello' });
    expect((await uploadFile(cleo, fresh, file)).status).toBe(201);
    for (const [who, where] of [
      [eve, fresh],
      [cleo, randomUUID()],
      [cleo, 'nonsense'],
    ] as const)
      expect((await uploadFile(who, where, file)).status).toBe(404);
    await unmatch(dan, fresh);
    expect((await uploadFile(cleo, fresh, file)).status).toBe(404);
  });

  it('rejects staff, files that are not pictures, and pictures that were rejected before', async () => {
    const moderator = await makeModerator(app);
    expect((await uploadFile(moderator, id, { bytes: await draw() })).status).toBe(403);
    expect((await uploadFile(ada, id, { bytes: Buffer.from('<svg onload="x"/>') })).error.code).toBe(
      'UNSUPPORTED_MEDIA_TYPE',
    );
    expect((await uploadFile(ada, id, { bytes: Buffer.alloc(0) })).error.code).toBe('PICTURE_UNREADABLE');
    const bytes = await draw();
    const publicId = await uploadProfilePicture(app, ada, bytes);
    const body = { verdict: 'rejected' as const, reason: 'No' };
    await app.call(decidePicture, { token: moderator.token, params: { publicId }, body });
    expect((await uploadFile(ada, id, { bytes })).error.code).toBe('PICTURE_REFUSED');
    expect((await uploadFile(bo, id, { bytes })).status).toBe(201);
  });

  it.each(['', 'video', 'picture\0', 'x'.repeat(5000)])('returns 400 for an unknown kind: %.12j', async (kind) => {
    const file = { bytes: await draw() };
    const query = { kind: kind as 'picture' };
    const sent = await app.call(uploadMessageMedia, { token: ada.token, params: { id }, query, file });
    expect(sent.status).toBe(400);
  });

  it('limits unsent uploads, even in parallel, and uploads per day', async () => {
    const place = (n: number, isSent: boolean) =>
      sql`
      insert into message_media (id, account_id, conversation_id, kind, object_key, size, sha256, uploaded_at, sent_at)
      select 'placed-' || n || ${randomUUID()}, ${ada.id}::uuid, ${id}::uuid, 'picture', 'without-bytes-' || n || ${randomUUID()}, 1, '', ${app.clock.now()},
        case when ${isSent} then ${app.clock.now()}::timestamptz end
      from generate_series(1, ${n}) n`.execute(app.db);
    await place(unsentMediaMax - 1, false);
    const file = { bytes: await draw() };
    const sent = await Promise.all([1, 2, 3].map(() => uploadFile(ada, id, file)));
    expect(sent.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 422, 422]);
    await app.sql`delete from message_media where account_id = ${ada.id}::uuid`;
    await place(messagePicturesPerDay, true);
    expect((await uploadFile(ada, id, file)).error.code).toBe('MEDIA_USED_UP');
    await app.sql`update message_media set uploaded_at = uploaded_at - interval '1 day' where account_id = ${ada.id}::uuid`;
    expect((await uploadFile(ada, id, file)).status).toBe(201);
  });

  it('looks the same to a held member', async () => {
    const held = await makeMember(app);
    const matchId = await match(held, bo);
    await holdAccount(app, held);
    await send(held, matchId, { text: 'Held' });
    await send(bo, matchId, { text: 'Hello' });
    expect((await uploadFile(held, matchId, { bytes: await draw() })).status).toBe(201);
  });
});

describe('POST /matches/{id}/messages with photos', () => {
  it('shows photos in order to both, each with addresses of their own', async () => {
    const pictures = [await upload(ada), await upload(ada), await upload(ada)];
    const order = pictures.toReversed();
    const device = await connect(here, bo.token);
    await send(ada, id, { pictures: order });
    for (const who of [ada, bo]) {
      const seen = await newest(who);
      expect(seen.map(({ _id }) => _id)).toEqual(order);
      for (const { url, thumbnailUrl, placeholder } of seen) {
        expect([await statusOf(url), await statusOf(thumbnailUrl)]).toEqual([200, 200]);
        expect(placeholder).not.toBe('');
      }
    }
    const [own, theirs] = [(await newest(ada))[0]?.url ?? '', (await newest(bo))[0]?.url ?? ''];
    expect(own).not.toBe(theirs);
    expect(await statusOf(theirs.replaceAll(bo.id, ada.id))).toBe(401);
    await expect.poll(() => device.heard.filter(({ kind }) => kind === 'message')).toHaveLength(1);
    const [event] = device.heard.filter((one) => one.kind === 'message');
    expect(await statusOf(event?.kind === 'message' ? event.message.pictures?.[0]?.url : null)).toBe(200);
    device.socket.close();
  });

  it('requires a text or a photo', async () => {
    expect((await send(ada, id, { text: '' })).status).toBe(400);
    expect((await send(ada, id, { text: ' \u200b ' })).status).toBe(400);
    expect((await send(ada, id, { text: '', pictures: [] })).status).toBe(400);
  });

  it('returns the same 422 for unknown uploads, uploads of or for others, and uploads that were already sent', async () => {
    const cleo = await makeMember(app);
    const elsewhere = await talk(ada, cleo);
    const own = await upload(ada);
    const foreign = [await upload(bo), await upload(ada, elsewhere), 'x'.repeat(22)];
    await send(ada, id, { pictures: [own] });
    for (const one of [...foreign, own]) {
      const refused = await send(ada, id, { pictures: [one] });
      expect([refused.status, refused.error.code]).toEqual([422, 'MEDIA_GONE']);
      expect(refused.error.message).toBe('What you attached is no longer here. Please attach it again.');
    }
    const fresh = await upload(ada);
    expect((await send(ada, id, { pictures: [fresh, foreign[0] ?? ''] })).status).toBe(422);
    expect((await send(ada, id, { pictures: [fresh] })).status).toBe(201);
    expect((await send(ada, id, { pictures: ["' or 1=1"] })).status).toBe(400);
  });

  it('returns the existing message for a known clientId, even in parallel', async () => {
    const given = { clientId: randomUUID(), pictures: [await upload(ada)] };
    const sent = await Promise.all([1, 2, 3, 4].map(() => send(ada, id, given)));
    expect(sent.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(sent.map(({ body }) => body.data.message.seq)).size).toBe(1);
    expect(await history(bo)).toHaveLength(3);
  });

  it('uses an upload for only one message when it is sent twice at once', async () => {
    const pictures = [await upload(ada)];
    const sent = await Promise.all([1, 2, 3].map(() => send(ada, id, { pictures })));
    expect(sent.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 422, 422]);
  });

  it('keeps photos when the text is edited, and lists them as the last message', async () => {
    const { seq } = await sendPhoto(ada, { text: 'Look' });
    const place = { token: ada.token, params: { id, seq: String(seq) } };
    const edited = await app.call(calls.editMessage, { ...place, body: { text: 'Look here' } });
    expect(edited.body.data.message).toMatchObject({ text: 'Look here', pictures: [{ isOnce: false }] });
    const emptied = await app.call(calls.editMessage, { ...place, body: { text: ' ' } });
    expect(emptied.body.data.message).toMatchObject({ text: '', pictures: [{ isOnce: false }] });
    await app.call(calls.editMessage, { ...place, body: { text: 'Look here' } });
    const { conversations } = (await app.call(calls.listConversations, { token: bo.token })).body.data;
    expect(conversations[0]?.lastMessage?.pictures).toHaveLength(1);
    expect(conversations[0]?.unread).toBe(2);
  });

  it('delivers photos of a held member in a conversation that has a delivered message', async () => {
    await holdAccount(app, ada);
    await sendPhoto(ada);
    expect(await newest(bo)).toHaveLength(1);
  });
});

describe('the first photos of each person in a conversation', () => {
  /** A stored file, without the work of drawing it. */
  const keepUpload = async (who: TestMember, matchId: string): Promise<string> => {
    const row = {
      ...{ id: randomUUID().slice(0, 22), account_id: who.id, conversation_id: matchId, object_key: randomUUID() },
      ...{ kind: 'picture' as const, size: 1, sha256: Buffer.from([1]), uploaded_at: app.clock.now(), labels: [] },
    };
    return (await app.db.insertInto('message_media').values(row).returning('id').executeTakeFirstOrThrow()).id;
  };

  it('are the only ones covered for the other person, in 200 random conversations', async () => {
    const random = randomOf(6);
    const people = await Promise.all(Array.from({ length: 21 }, () => makeMember(app)));
    const pairs = people.flatMap((one, at) => people.slice(at + 1).map((other) => [one, other] as const)).slice(0, 200);
    for (const person of people.filter(() => random.chance(0.3))) await holdAccount(app, person);
    const wrong: string[] = [];
    for (const pair of pairs) {
      const matchId = await placeMatch(app, ...pair);
      const sent = new Map(pair.map((who) => [who.id, [] as string[]]));
      await app.sql`update conversation set last_seq = 2, low_sent = 1, high_sent = 1, opened_by = low_id, is_answered = true
        where id = ${matchId}::uuid`;
      for (let number = 2 + random.below(10); number > 0; number -= 1) {
        const who = random.pick(pair);
        const pictures = await Promise.all(Array.from({ length: random.below(4) }, () => keepUpload(who, matchId)));
        const given = pictures.length === 0 ? { text: 'Hi' } : { pictures, isOnce: random.chance(0.3) };
        expect((await send(who, matchId, given)).status).toBe(201);
        sent.get(who.id)?.push(...pictures);
      }
      for (const viewer of pair) {
        const query = { token: viewer.token, params: { id: matchId } };
        const shown = (await app.call(calls.listMessages, query)).body.data.messages.flatMap(
          ({ pictures = [], from }) => pictures.map(({ _id, isAmongFirst = false }) => ({ _id, from, isAmongFirst })),
        );
        const isFirst = (from: string, _id: string) => (sent.get(from)?.indexOf(_id) ?? 0) < coveredPhotos;
        for (const { _id, from, isAmongFirst } of shown)
          if (isAmongFirst !== (from !== viewer.id && isFirst(from, _id))) wrong.push(`${matchId} ${_id}`);
        expect(shown).toHaveLength([...sent.values()].flat().length);
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('the address of a photo of a message', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['an unmatch', () => unmatch(bo, id)],
    ['a block by its sender', () => block(ada, bo)],
    ['a block by its receiver', () => block(bo, ada)],
    ['the sender’s deactivation', () => setAccount(ada, 'is_active = false, deactivated_at = now()')],
    ['the sender’s leaving', () => setAccount(ada, 'leaving_since = now()')],
    ['the receiver’s leaving', () => setAccount(bo, 'leaving_since = now()')],
    ['the sender’s deletion', () => deleteAccounts(app, ada.id)],
    ['the deletion of the message', () => removeNewest(ada)],
    [
      'a decision that removed the message',
      () => sql`update message set removed_at = now() where conversation_id = ${id}::uuid`.execute(app.db),
    ],
  ])('stops working for its receiver after %s', async (_what, happen) => {
    await sendPhoto(ada);
    const [picture] = await newest(bo);
    expect(await statusOf(picture?.url)).toBe(200);
    await happen();
    expect([await statusOf(picture?.url), await statusOf(picture?.thumbnailUrl)]).toEqual([404, 404]);
  });

  const setAccount = (member: TestMember, change: string) =>
    app.pool.query(`update account set ${change} where id = $1`, [member.id]);

  it('still works for its sender after a decision removed the message, and for no other member', async () => {
    await sendPhoto(ada);
    const [own, theirs] = [(await newest(ada))[0]?.url ?? '', (await newest(bo))[0]?.url ?? ''];
    await app.sql`update message set removed_at = now() where conversation_id = ${id}::uuid`;
    expect(await newest(bo)).toEqual([]);
    expect([await statusOf(own), await statusOf(theirs)]).toEqual([200, 404]);
    const cleo = await makeMember(app);
    for (const forged of [
      own.replaceAll(ada.id, cleo.id),
      own.replace(/sig=.*/, ''),
      own.replace('for=', 'opened=1&for='),
    ])
      expect([401, 404]).toContain(await statusOf(forged));
  });
});

const removeNewest = async (who: TestMember) => {
  const seq = String((await history(who)).at(-1)?.seq);
  return await app.call(calls.deleteMessage, { token: who.token, params: { id, seq } });
};

describe('DELETE /matches/{id}/messages/{seq} with photos', () => {
  it('removes them for both, and deletes their bytes some days later', async () => {
    await sendPhoto(ada, { text: 'Look' });
    const own = (await newest(ada))[0]?.url ?? '';
    expect((await removeNewest(ada)).body.data.message).toMatchObject({ text: null });
    for (const who of [ada, bo]) expect((await history(who)).at(-1)).not.toHaveProperty('pictures');
    expect(await statusOf(own)).toBe(404);
    app.clock.advance(withdrawnMediaDays * 86_400 - 60);
    await run('messages.forgetMedia');
    expect(await keysOf(ada)).toHaveLength(1);
    app.clock.advance(120);
    await run('messages.forgetMedia');
    expect(await keysOf(ada)).toEqual([]);
    app.clock.advance(-withdrawnMediaDays * 86_400 - 60);
  });
});

describe('POST /matches/{id}/messages/{seq}/open', () => {
  const open = (who: TestMember, seq: number, picture: string, matchId = id) =>
    app.call(openPicture, { token: who.token, params: { id: matchId, seq: String(seq) }, body: { picture } });

  it('serves the photo to its receiver for a minute, once', async () => {
    const { seq, pictures = [] } = await sendPhoto(ada, { isOnce: true });
    const picture = pictures[0]?._id ?? '';
    const closed = { url: null, thumbnailUrl: null, placeholder: '', isOnce: true, isOpened: false };
    for (const who of [ada, bo]) expect(await newest(who)).toMatchObject([closed]);
    const device = await connect(here, ada.token);
    const opened = await open(bo, seq, picture);
    expect(opened.status).toBe(200);
    const { url } = opened.body.data;
    const served = await app.app.inject({ url });
    expect([served.statusCode, served.headers['cache-control']]).toEqual([200, 'no-store']);
    for (const who of [ada, bo]) expect(await newest(who)).toMatchObject([{ ...closed, isOpened: true }]);
    await expect.poll(() => device.heard.filter(({ kind }) => kind === 'message')).toHaveLength(1);
    device.socket.close();
    expect((await open(bo, seq, picture)).status).toBe(404);
    expect(await statusOf(url.replaceAll(bo.id, ada.id))).toBe(401);
    expect(await statusOf(url.replace('opened=1&', ''))).not.toBe(200);
    app.clock.advance(61);
    expect(await statusOf(url)).toBe(404);
    app.clock.advance(-61);
  });

  it('opens the photo only once when it is requested twice at once', async () => {
    const { seq, pictures = [] } = await sendPhoto(ada, { isOnce: true });
    const opened = await Promise.all([1, 2, 3].map(() => open(bo, seq, pictures[0]?._id ?? '')));
    expect(opened.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 404, 404]);
  });

  it('returns 404 to the sender and to others, for other photos and messages, and after the deletion', async () => {
    const usual = await sendPhoto(ada);
    const once = await sendPhoto(ada, { isOnce: true });
    const [ofUsual, ofOnce] = [usual.pictures?.[0]?._id ?? '', once.pictures?.[0]?._id ?? ''];
    const cleo = await makeMember(app);
    for (const [who, seq, picture, where] of [
      [ada, once.seq, ofOnce, id],
      [cleo, once.seq, ofOnce, id],
      [bo, usual.seq, ofUsual, id],
      [bo, usual.seq, ofOnce, id],
      [bo, once.seq, ofUsual, id],
      [bo, 0, ofOnce, id],
      [bo, once.seq, ofOnce, randomUUID()],
    ] as const)
      expect((await open(who, seq, picture, where)).status).toBe(404);
    await removeNewest(ada);
    expect((await open(bo, once.seq, ofOnce)).status).toBe(404);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an unmatch', () => unmatch(ada, id)],
    ['the deletion of its message', () => removeNewest(ada)],
  ])('stops serving after %s', async (_what, happen) => {
    const { seq, pictures = [] } = await sendPhoto(ada, { isOnce: true });
    const { url } = (await open(bo, seq, pictures[0]?._id ?? '')).body.data;
    expect(await statusOf(url)).toBe(200);
    await happen();
    expect(await statusOf(url)).toBe(404);
  });

  it('never notifies the sender if one of the two hides their activity', async () => {
    await app.call(showLastActive, { token: bo.token, body: { showLastActive: false } });
    const { seq, pictures = [] } = await sendPhoto(ada, { isOnce: true });
    const device = await connect(here, ada.token);
    await open(bo, seq, pictures[0]?._id ?? '');
    expect(await newest(bo)).toMatchObject([{ isOpened: true }]);
    expect(await newest(ada)).toMatchObject([{ isOpened: false }]);
    await app.call(showLastActive, { token: bo.token, body: { showLastActive: true } });
    expect(await newest(ada)).toMatchObject([{ isOpened: false }]);
    expect(device.heard.filter(({ kind }) => kind === 'message')).toEqual([]);
    device.socket.close();
  });
});

describe('the automatic check of photos in messages', () => {
  it('covers a photo with labels for its receiver only', async () => {
    verdict = { verdict: 'review', labels: ['nudity'] };
    await sendPhoto(ada);
    await app.drain('messages.checkMedia', 'messages.announce');
    expect(signed).toContain(true);
    expect((await newest(bo))[0]).toMatchObject({ isCovered: true });
    expect((await newest(ada))[0]).not.toHaveProperty('isCovered');
  });

  it('uncovers a photo that was sent before the check finished, and notifies the receiver', async () => {
    await sendPhoto(ada);
    expect((await newest(bo))[0]).toMatchObject({ isCovered: true, isUnchecked: true });
    expect((await newest(ada))[0]).not.toHaveProperty('isCovered');
    const device = await connect(here, bo.token);
    await app.drain('messages.checkMedia', 'messages.announce');
    expect((await newest(bo))[0]).not.toHaveProperty('isCovered');
    await expect.poll(() => device.heard.filter(({ kind }) => kind === 'message')).toHaveLength(1);
    device.socket.close();
  });

  it.each<[string, { status?: number; body?: string }]>([
    ['an error', { status: 500 }],
    ['a page', { body: '<html>' }],
    ['an unknown verdict', { body: '{"verdict":"sure"}' }],
  ])('keeps a photo covered while it answers with %s, and asks again', async (_what, given) => {
    answer = given;
    const picture = await upload(ada);
    await app.drain('messages.checkMedia');
    await send(ada, id, { pictures: [picture] });
    expect((await newest(bo))[0]).toMatchObject({ isCovered: true, isUnchecked: true });
    answer = {};
    verdict = { verdict: 'review', labels: ['nudity'] };
    await app.drainLater();
    expect((await newest(bo))[0]).toMatchObject({ isCovered: true });
    expect((await newest(bo))[0]).not.toHaveProperty('isUnchecked');
  });

  it('removes a photo that it blocks, whether it was already sent or not', async () => {
    verdict = { verdict: 'block', labels: ['banned'] };
    await sendPhoto(ada);
    const before = (await newest(bo))[0]?.url;
    await app.drain('messages.checkMedia', 'messages.announce');
    for (const who of [ada, bo]) expect(await newest(who)).toMatchObject([{ url: null, thumbnailUrl: null }]);
    expect(await statusOf(before)).toBe(404);
    const uploaded = await upload(ada);
    await app.drain('messages.checkMedia');
    expect((await send(ada, id, { pictures: [uploaded] })).status).toBe(201);
    expect(await newest(bo)).toMatchObject([{ url: null }]);
  });

  it.each(['and', 'and then deleted'])('refuses a photo that it blocked after it was opened %s', async (what) => {
    verdict = { verdict: 'block', labels: ['banned'] };
    const bytes = await draw();
    const picture = (await uploadFile(ada, id, { bytes })).body.data._id;
    const { seq } = (await send(ada, id, { pictures: [picture], isOnce: true })).body.data.message;
    await app.call(openPicture, { token: bo.token, params: { id, seq: String(seq) }, body: { picture } });
    if (what !== 'and') await removeNewest(ada);
    await app.drain('messages.checkMedia', 'messages.announce');
    expect((await uploadFile(ada, id, { bytes })).error.code).toBe('PICTURE_REFUSED');
  });
});

describe('reports of photos', () => {
  const reported = async (seq: number) => {
    const { _id } = await fileReport(app, bo, {
      problem_type: 'Inappropriate Content',
      evidence: [{ type: 'message', id, seq }],
      hideFromEachOther: false,
    });
    return (await fileOf(app, await makeAdministrator(app), _id)).evidence.find(({ type }) => type === 'message');
  };

  it.each<[string, (seq: number, picture: string) => Promise<unknown>]>([
    ['was deleted', () => removeNewest(ada)],
    ['was in a match that ended', () => unmatch(ada, id)],
    [
      'was opened',
      (seq, picture) => app.call(openPicture, { token: bo.token, params: { id, seq: String(seq) }, body: { picture } }),
    ],
  ])('keep a copy of what %s, also after its bytes would have been deleted', async (what, happen) => {
    const { seq, pictures = [] } = await sendPhoto(ada, { isOnce: what === 'was opened' });
    await happen(seq, pictures[0]?._id ?? '');
    const evidence = await reported(seq);
    expect(evidence).toMatchObject({ isIntact: true, pictures: [{ publicId: pictures[0]?._id }] });
    const message = evidence?.messages.find((one) => one.seq === seq);
    expect(message?.media).toMatchObject([{ kind: 'picture', id: pictures[0]?._id }]);
    expect(message?.media?.[0]?.withdrawnAt).not.toBeNull();
    app.clock.advance((withdrawnMediaDays + 1) * 86_400);
    await run('messages.forgetMedia');
    await app.sql`update media_discard set due_at = now()`;
    await run('media.sweep');
    app.clock.advance(-(withdrawnMediaDays + 1) * 86_400);
    expect(await statusOf(evidence?.pictures[0]?.url)).toBe(200);
  });

  it('let a decision remove a message without words, but not one photo of it', async () => {
    const bytes = await draw();
    const picture = (await uploadFile(ada, id, { bytes })).body.data._id;
    const { seq, pictures = [] } = await sendPhoto(ada, { pictures: [picture] });
    const { _id } = await fileReport(app, bo, {
      problem_type: 'Inappropriate Content',
      evidence: [{ type: 'message', id, seq }],
      hideFromEachOther: false,
    });
    const moderator = await makeModerator(app);
    const evidence = (await fileOf(app, moderator, _id)).evidence.find(({ type }) => type === 'message');
    const remove = async (type: 'message' | 'picture', key: string) =>
      (
        await app.call(decideCase, {
          token: moderator.token,
          params: { id: await caseIdOf(app, _id) },
          body: {
            outcome: 'actioned',
            ruleId: await currentRuleId(app),
            facts: 'Sent a photo that was not wanted, after having been asked to stop twice.',
            sanctions: [{ kind: 'remove_content', content: { evidenceId: evidence?._id ?? '', type, key } }],
          },
        })
      ).status;
    expect(await remove('picture', pictures[0]?._id ?? '')).toBe(400);
    const url = (await newest(bo))[0]?.url;
    await app.call(calls.editMessage, {
      token: ada.token,
      params: { id, seq: String(seq) },
      body: { text: 'Other words' },
    });
    expect(await remove('message', String(seq))).toBe(201);
    expect([(await history(bo)).at(-1)?.text, await statusOf(url)]).toEqual([null, 404]);
    expect((await history(ada)).at(-1)).toMatchObject({ isRemoved: true, pictures: [{ _id: pictures[0]?._id }] });
    expect((await uploadFile(ada, id, { bytes })).error.code).toBe('PICTURE_REFUSED');
    expect((await uploadFile(bo, id, { bytes })).status).toBe(201);
    await showMessage(app.db, id, seq);
    expect((await uploadFile(ada, id, { bytes })).status).toBe(201);
  });

  it('do not copy the photos of the person who reports', async () => {
    await sendPhoto(bo);
    const { seq } = await sendPhoto(ada);
    const evidence = await reported(seq);
    expect(evidence?.pictures).toHaveLength(1);
    expect(evidence?.messages.find((one) => one.seq === seq - 1)?.media).toMatchObject([{ id: null }]);
  });
});

describe('the deletion of photos', () => {
  const stored = async (): Promise<string[]> => {
    await app.sql`update media_discard set due_at = now()`;
    await run('media.sweep');
    const { readdir } = await import('node:fs/promises');
    const names = await readdir(app.mediaDir, { recursive: true });
    return names.filter((name) => name.includes('chat-') && name.endsWith('.large'));
  };
  const has = async (key: string) => (await stored()).some((name) => name.includes(key));
  const keyOfPhoto = async () => {
    await sendPhoto(ada);
    return (await keysOf(ada))[0] ?? '';
  };

  it('deletes unsent uploads after a day', async () => {
    await upload(ada);
    const [key = ''] = await keysOf(ada);
    await run('messages.forgetMedia');
    expect(await has(key)).toBe(true);
    app.clock.advance(86_460);
    await run('messages.forgetMedia');
    app.clock.advance(-86_460);
    expect(await has(key)).toBe(false);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['its sender', () => deleteAccounts(app, ada.id)],
    ['its receiver', () => deleteAccounts(app, bo.id)],
  ])('deletes the bytes with the account of %s', async (_who, happen) => {
    const key = await keyOfPhoto();
    expect(await has(key)).toBe(true);
    await happen();
    expect(await has(key)).toBe(false);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['an unmatch', () => unmatch(ada, id)],
    ['a block', () => block(bo, ada)],
  ])('deletes the bytes some days after %s', async (_what, happen) => {
    const key = await keyOfPhoto();
    await happen();
    app.clock.advance(withdrawnMediaDays * 86_400 + 60);
    await run('messages.forgetMedia');
    app.clock.advance(-withdrawnMediaDays * 86_400 - 60);
    expect(await has(key)).toBe(false);
  });

  it('keeps them during a legal hold of either person', async () => {
    const key = await keyOfPhoto();
    const own = (await newest(ada))[0]?.url ?? '';
    const hold = await setPreservationOf(app, bo);
    await removeNewest(ada);
    const unsent = await upload(ada);
    const exported = async () => {
      const names: string[] = [];
      for await (const files of messageFiles(app.db, ada.id, app.clock.now()))
        names.push(...files.map(([name]) => name));
      return names;
    };
    expect(await exported()).toHaveLength(2);
    // Neither an export nor an address nor a message shows files that are kept only for the hold.
    for (const url of [own, own.replaceAll(ada.id, bo.id)]) expect(await statusOf(url)).toBe(404);
    await app.sql`update message_media set uploaded_at = uploaded_at - interval '1 day' where id = ${unsent}`;
    expect((await send(ada, id, { pictures: [unsent] })).error.code).toBe('MEDIA_GONE');
    const later = withdrawnMediaDays * 86_400 + 60;
    app.clock.advance(later);
    await run('messages.forgetMedia');
    expect(await has(key)).toBe(true);
    expect(await exported()).toEqual([]);
    await endPreservation(app, hold);
    await run('messages.forgetMedia');
    app.clock.advance(-later);
    expect(await has(key)).toBe(false);
  });

  it('deletes bytes that a restored database does not know, and no others', async () => {
    const lost = await keyOfPhoto();
    const other = await makeMember(app);
    id = await talk(bo, other);
    await sendPhoto(bo);
    await app.sql`alter table message_media disable trigger message_media_gone`;
    await app.sql`delete from message_media where object_key = ${lost}`;
    await app.sql`alter table message_media enable trigger message_media_gone`;
    await run('messages.forgetUnknownMedia');
    expect([await has(lost), await has((await keysOf(bo))[0] ?? '')]).toEqual([false, true]);
  });

  it('exports the photos that a member sent, and none that they received', async () => {
    await sendPhoto(bo);
    const { pictures = [] } = await sendPhoto(ada, { text: 'Look' });
    const archive = await takeArchive(app, ada.token, { password });
    const names = Object.keys(archive).filter((name) => name.startsWith('messages/'));
    expect(names).toEqual([`messages/${pictures[0]?._id}.webp`]);
    expect((await sharp(archive[names[0] ?? '']).metadata()).format).toBe('webp');
    const written = JSON.parse(new TextDecoder().decode(archive['messages.json'])) as { files?: string[] }[];
    expect(written.map(({ files }) => files)).toContainEqual(names);
  });
});
