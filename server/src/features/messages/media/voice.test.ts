import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { basename } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { messageVoicesPerDay, withdrawnMediaDays } from '#contract/constants.ts';
import { uploadMessageMedia } from '#contract/messages/message-media.ts';
import * as calls from '#contract/messages/messages.ts';
import { makeAdministrator, makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { likesIn } from '../../../../test/likes.ts';
import { draw } from '../../../../test/pictures.ts';
import { takeArchive } from '../../../../test/archive.ts';
import { fileOf, fileReport } from '../../../../test/moderation/reports.ts';
import { hashPassword } from '../../auth/password/hashing.ts';
import { recording } from '../../../../test/voice/files.ts';

const password = 'correct horse battery';
let passwordHash: string;
const app = startAppForTests();
beforeAll(async () => {
  passwordHash = await hashPassword(password);
});

const { match, unmatch, block } = likesIn(() => app);
type Given = Partial<typeof calls.sendMessage.body._zod.input>;
const send = (who: TestMember, id: string, given: Given = {}) =>
  app.call(calls.sendMessage, {
    token: who.token,
    params: { id },
    body: { clientId: randomUUID(), text: '', ...given },
  });
const history = async (who: TestMember, id: string) =>
  (await app.call(calls.listMessages, { token: who.token, params: { id } })).body.data.messages;
const lastVoice = async (who: TestMember, id: string) => (await history(who, id)).at(-1)?.voice;
const run = (task: string) => app.app.background.tasks[task]?.({}, undefined as never);
const statusAt = async (url: string | null | undefined) =>
  (await app.app.inject({ url: url ?? '/nowhere' })).statusCode;

interface Sent {
  bytes?: Buffer;
  peaks?: string;
  kind?: 'voice' | 'picture';
}
async function upload(
  who: { token: string } | null,
  id: string,
  { bytes, peaks = '0,50,100', kind = 'voice' }: Sent = {},
) {
  return await app.call(uploadMessageMedia, {
    ...(who !== null && { token: who.token }),
    params: { id },
    query: { kind, peaks },
    file: { bytes: bytes ?? recording('chromium.webm'), name: 'Ada Lovelace.webm', type: 'audio/webm' },
  });
}
const uploaded = async (who: TestMember, id: string) => (await upload(who, id)).body.data._id;

/** Two people who have both written. */
async function talking() {
  const [ada, bo] = [await makeMember(app, { passwordHash }), await makeMember(app, { passwordHash })];
  const id = await match(ada, bo);
  await send(ada, id, { text: 'Hello' });
  await send(bo, id, { text: 'Hello back' });
  return { ada, bo, id };
}
async function withVoice(given: Given = {}) {
  const { ada, bo, id } = await talking();
  const { body } = await send(ada, id, { ...given, voice: await uploaded(ada, id) });
  return { ada, bo, id, seq: String(body.data.message.seq) };
}

describe('POST /matches/{id}/media?kind=voice', () => {
  it('accepts a voice note, which both can play and neither can store', async () => {
    const { ada, bo, id } = await withVoice({ text: 'Listen' });
    for (const who of [ada, bo]) {
      const [message] = (await history(who, id)).slice(-1);
      expect(message).toMatchObject({ text: 'Listen', voice: { durationMs: 3000, peaks: [0, 50, 100] } });
      expect(message).not.toHaveProperty('pictures');
      const { statusCode, headers, rawPayload } = await app.app.inject({ url: message?.voice?.url ?? '' });
      expect(statusCode).toBe(200);
      expect(headers).toMatchObject({ 'content-type': 'audio/mp4', 'cache-control': 'no-store' });
      expect(rawPayload.toString('latin1', 4, 8)).toBe('ftyp');
    }
    expect((await lastVoice(ada, id))?.url).not.toBe((await lastVoice(bo, id))?.url);
  });

  it('can lose its caption', async () => {
    const { ada, id, seq } = await withVoice({ text: 'Listen' });
    const place = { token: ada.token, params: { id, seq } };
    const edited = await app.call(calls.editMessage, { ...place, body: { text: ' ' } });
    expect(edited.body.data.message).toMatchObject({ text: '', voice: { durationMs: 3000 } });
  });

  it('refuses other files, and pictures and recordings in place of each other', async () => {
    const { ada, id } = await talking();
    const of = async (sent: Sent) => (await upload(ada, id, sent)).error.code;
    expect(await of({ bytes: recording('video.webm') })).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(await of({ bytes: await draw() })).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(await of({ kind: 'picture' })).toBe('UNSUPPORTED_MEDIA_TYPE');
    expect(await of({ bytes: recording('chromium.webm').subarray(0, 90) })).toBe('VOICE_UNREADABLE');
    for (const peaks of ['', '101', '-1', '1.5', 'a', '1,', '1,,2', Array.from({ length: 65 }, () => 1).join(',')])
      expect(await of({ peaks })).toBe('INVALID_INPUT');
  });

  it('has a daily limit of its own', async () => {
    const { ada, id } = await talking();
    const media = await uploaded(ada, id);
    await app.sql`
      insert into message_media (id, account_id, conversation_id, kind, object_key, size, sha256, uploaded_at, sent_at)
      select 'filler-' || n || ${id}, ${ada.id}::uuid, ${id}::uuid, 'voice', 'filler-' || n || ${id}, 1, '', ${app.clock.now()}, now()
      from generate_series(2, ${messageVoicesPerDay}) n`;
    expect((await upload(ada, id)).error.code).toBe('MEDIA_USED_UP');
    expect((await upload(ada, id, { kind: 'picture', bytes: await draw() })).status).toBe(201);
    expect((await send(ada, id, { voice: media })).status).toBe(201);
  });
});

describe('POST /matches/{id}/messages with a voice note', () => {
  it('uses an upload for only one message, even if it is sent twice, one after the other or at once', async () => {
    const { ada, bo, id } = await talking();
    const voice = await uploaded(ada, id);
    const clientId = randomUUID();
    const same = await Promise.all([send(ada, id, { clientId, voice }), send(ada, id, { clientId, voice })]);
    expect(new Set(same.map(({ body }) => body.data.message.seq)).size).toBe(1);
    const again = await send(ada, id, { voice });
    expect(again.error.code).toBe('MEDIA_GONE');
    expect((await history(bo, id)).filter((one) => one.voice !== undefined)).toHaveLength(1);
  });

  it("refuses another member's upload, one for another match, and a picture as a voice note", async () => {
    const { ada, bo, id } = await talking();
    const elsewhere = await talking();
    const picture = (await upload(ada, id, { kind: 'picture', bytes: await draw() })).body.data._id;
    const voice = await uploaded(ada, id);
    const refused: [TestMember, Given][] = [
      [bo, { voice }],
      [ada, { voice: await uploaded(elsewhere.ada, elsewhere.id) }],
      [ada, { voice: picture }],
      [ada, { pictures: [voice] }],
      [ada, { voice: 'x'.repeat(22) }],
    ];
    for (const [who, given] of refused) expect((await send(who, id, given)).error.code).toBe('MEDIA_GONE');
    expect((await send(ada, id, { voice, pictures: [picture] })).error.code).toBe('INVALID_INPUT');
    expect((await send(ada, id, { voice })).status).toBe(201);
  });
});

describe('GET /media/{key} of a voice note', () => {
  it('rejects changed addresses, other viewers and expired addresses', async () => {
    const { bo, id } = await withVoice();
    const other = await makeMember(app);
    const url = (await lastVoice(bo, id))?.url ?? '';
    expect(await statusAt(url.replace(bo.id, other.id))).toBe(401);
    expect(await statusAt(url.replace('.voice', '.large'))).toBe(404);
    app.clock.advance(700);
    expect(await statusAt(url)).toBe(404);
    expect(await statusAt((await lastVoice(bo, id))?.url)).toBe(200);
  });

  it.each([
    ['a deletion', ({ ada, id, seq }) => app.call(calls.deleteMessage, { token: ada.token, params: { id, seq } })],
    ['an unmatch by the receiver', ({ bo, id }) => unmatch(bo, id)],
    ['an unmatch by the sender', ({ ada, id }) => unmatch(ada, id)],
    ['a block', ({ ada, bo }) => block(bo, ada)],
  ] satisfies [string, (pair: { ada: TestMember; bo: TestMember; id: string; seq: string }) => Promise<unknown>][])(
    'stops serving it after %s, and deletes it a week later',
    async (_, end) => {
      const pair = await withVoice();
      const addresses = [(await lastVoice(pair.ada, pair.id))?.url, (await lastVoice(pair.bo, pair.id))?.url];
      await end(pair);
      for (const url of addresses) expect(await statusAt(url)).toBe(404);
      const files = async () => (await readdir(app.mediaDir, { recursive: true })).map((path) => basename(path));
      const key = /media\/([^?]+)/.exec(addresses[0] ?? '')?.[1];
      expect(await files()).toContain(key);
      app.clock.advance(withdrawnMediaDays * 86_400 + 60);
      await run('messages.forgetMedia');
      await app.sql`update media_discard set due_at = now()`;
      await run('media.sweep');
      expect(await files()).not.toContain(key);
    },
  );

  it('does not serve an upload that belongs to no message, and deletes it after a day', async () => {
    const { ada, id } = await talking();
    await upload(ada, id);
    expect((await history(ada, id)).some((one) => one.voice !== undefined)).toBe(false);
    app.clock.advance(25 * 3600);
    await run('messages.forgetMedia');
    expect(await app.db.selectFrom('message_media').select('id').where('account_id', '=', ada.id).execute()).toEqual(
      [],
    );
  });
});

describe('copies of voice notes', () => {
  it('are kept as evidence for a report, even after the note was deleted', async () => {
    const { ada, bo, id, seq } = await withVoice();
    await app.call(calls.deleteMessage, { token: ada.token, params: { id, seq } });
    const { _id } = await fileReport(app, bo, {
      problem_type: 'Inappropriate Content',
      evidence: [{ type: 'message', id, seq: Number(seq) }],
      hideFromEachOther: false,
    });
    app.clock.advance((withdrawnMediaDays + 1) * 86_400);
    await run('messages.forgetMedia');
    await app.sql`update media_discard set due_at = now()`;
    await run('media.sweep');
    const admin = await makeAdministrator(app);
    const copy = (await fileOf(app, admin, _id)).evidence.find(({ type }) => type === 'message');
    expect(copy).toMatchObject({ isIntact: true, voices: [{ durationMs: 3000, peaks: [0, 50, 100] }] });
    const url = copy?.voices?.[0]?.url ?? '';
    const { statusCode, headers } = await app.app.inject({ url });
    expect([statusCode, headers['content-type']]).toEqual([200, 'audio/mp4']);
    expect(await statusAt(url.replace(admin.id, bo.id))).toBe(401);
  });

  it('are included only in the data export of their sender', async () => {
    const { ada, bo, id } = await withVoice();
    const voice = (await lastVoice(ada, id))?._id ?? '';
    const [own, others] = [
      await takeArchive(app, ada.token, { password }),
      await takeArchive(app, bo.token, { password }),
    ];
    const names = (archive: object) => Object.keys(archive).filter((name) => name.startsWith('messages/'));
    expect([names(own), names(others)]).toEqual([[`messages/${voice}.m4a`], []]);
    expect(Buffer.from(own[`messages/${voice}.m4a`] ?? '').toString('latin1', 4, 8)).toBe('ftyp');
  });
});
