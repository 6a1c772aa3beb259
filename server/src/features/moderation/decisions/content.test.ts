import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { BodyInput } from '#contract/endpoint.ts';
import { addPictures } from '#contract/media.ts';
import { listMatches, unmatchUser } from '#contract/connections.ts';
import { deleteMessage, listMessages, sendMessage } from '#contract/messages/messages.ts';
import { decideAppeal, submitAppeal } from '#contract/moderation/appeals.ts';
import { getCase, decideCase, revokeSanction } from '#contract/moderation/cases.ts';
import { listStatements } from '#contract/moderation/decisions.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { editProfile, getProfile, getUser } from '#contract/profiles/profiles.ts';
import {
  deleteAccounts,
  makeAdministrator,
  makeMember,
  makeModerator,
  type TestMember,
} from '../../../../test/factories.ts';
import { startApp, startAppForTests, type TestApp } from '../../../../test/harness.ts';
import { endHoldOf } from '../../../../test/moderation/holds.ts';
import { givePremium, likesIn, placeMatch } from '../../../../test/likes.ts';
import { draw, sendFile, upload } from '../../../../test/pictures.ts';
import { caseIdOf, currentRuleId, fileReport } from '../../../../test/moderation/reports.ts';
import { connect, type Device, listenTo } from '../../../../test/sockets.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { diskStorage } from '../../media/storage/storage.ts';
import { readCopy } from '../reports/evidence.ts';
import { endSanctions } from './sanctions.ts';

const app = startAppForTests({ PHOTO_POLICY: 'post' });
let moderator: TestMember;
let administrator: TestMember;
beforeAll(async () => {
  moderator = await makeModerator(app);
  administrator = await makeAdministrator(app);
});

type Content = NonNullable<NonNullable<BodyInput<typeof decideCase>['sanctions']>[number]['content']>;
const facts = 'The text of the profile insults everyone of one religion.';

/** A reported person with a bio, an answered prompt, a picture, and a message and a note to the reporter. */
async function reported(more: { mayBeMinor?: boolean } = {}) {
  const [reporter, person] = [await makeMember(app), await makeMember(app)];
  const prompts = [
    { prompt: 'ask-me' as const, answer: 'About you-know-who' },
    { prompt: 'small-joy' as const, answer: 'Tea' },
  ];
  await app.call(editProfile, { token: person.token, body: { bio: 'I hate all of you.', prompts } });
  const bytes = await draw();
  const { publicId } = await upload(app, person, bytes);
  await app.call(addPictures, { token: person.token, body: [{ publicId }] });
  const matchId = await placeMatch(app, reporter, person);
  await writeNote(person, reporter, 'Smile for me, doll');
  const sent = { clientId: randomUUID(), text: 'You are nothing.' };
  await app.call(sendMessage, { token: person.token, params: { id: matchId }, body: sent });
  const report = await fileReport(app, reporter, {
    problem_type: 'Harassment',
    reportedUser: person.id,
    hideFromEachOther: false,
    evidence: [
      { type: 'message', id: matchId, seq: 1 },
      { type: 'note', id: person.id },
    ],
    ...more,
  });
  const id = await caseIdOf(app, report._id);
  const [{ items = [] } = {}] = (await fileOf(id)).evidence;
  const evidenceOf = (type: string) => items.find((one) => one.type === type);
  const profileId = evidenceOf('profile')?._id ?? '';
  const picture = evidenceOf('profile')?.pictures.at(-1)?.publicId ?? '';
  const of = {
    bio: { evidenceId: profileId, type: 'text', key: 'bio' },
    prompt: { evidenceId: profileId, type: 'prompt', key: 'ask-me' },
    picture: { evidenceId: profileId, type: 'picture', key: picture },
    message: { evidenceId: evidenceOf('message')?._id ?? '', type: 'message', key: '1' },
    note: { evidenceId: evidenceOf('note')?._id ?? '', type: 'note', key: evidenceOf('note')?.note?.likedAt ?? '' },
  } as const satisfies Record<string, Content>;
  return { reporter, person, id, matchId, bytes, of };
}

/** Adds a note to the like that a match began with. */
const writeNote = (from: TestMember, to: TestMember, note: string) =>
  app.pool.query('update decision set note = $3 where viewer_id = $1 and target_id = $2', [from.id, to.id, note]);

const fileOf = async (id: string) => (await app.call(getCase, { token: moderator.token, params: { id } })).body.data;
const evidenceIn = async (id: string, reportId: string, type: string) =>
  (await fileOf(id)).evidence.find((one) => one.reportId === reportId)?.items.find((one) => one.type === type)?._id ??
  '';
const decide = async (id: string, ...contents: Content[]) =>
  app.call(decideCase, {
    token: moderator.token,
    params: { id },
    body: {
      outcome: 'actioned',
      ruleId: await currentRuleId(app),
      facts,
      sanctions: contents.map((content) => ({ kind: 'remove_content' as const, content })),
    },
  });

const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** Everything that is stored as evidence of a case: the copies, and the bytes of all files of their pictures. */
async function keptFor(caseId: string) {
  const { rows: copies } = await app.pool.query<{ id: string; content: string; hash: string }>(
    `select e.id, e.content, encode(e.hash, 'hex') as hash from report_evidence e join report r on r.id = e.report_id
     where r.case_id = $1 order by e.id`,
    [caseId],
  );
  const pictures = copies.flatMap(({ content }) =>
    // The factory's picture is a row without files.
    readCopy(content).pictures.filter(({ key }) => !key.startsWith('without-bytes')),
  );
  const files = [];
  for (const { key, sha256 } of pictures)
    for (const size of ['large', 'thumbnail'])
      files.push({
        name: `${key}.${size}`,
        sha256: size === 'large' ? sha256 : null,
        bytes: await diskStorage(app.mediaDir).get(`${key}.${size}`),
      });
  return { copies, files };
}

/** The ids of copies and names of files that no longer match the digest from the time of the report. */
const alteredIn = ({ copies, files }: Awaited<ReturnType<typeof keptFor>>) => [
  ...copies.filter(({ content, hash }) => digest(content) !== hash).map(({ id }) => id),
  ...files.filter(({ bytes, sha256 }) => sha256 !== null && digest(bytes ?? '') !== sha256).map(({ name }) => name),
];

const matchOf = async (viewer: TestMember, matchId: string) =>
  (await app.call(listMatches, { token: viewer.token })).body.data.matches.find(({ _id }) => _id === matchId);
const noteSeenBy = async (viewer: TestMember, matchId: string) => (await matchOf(viewer, matchId))?.theirNote;

/** What someone else sees of a person and of a conversation with them. */
async function seenBy(viewer: TestMember, person: TestMember, matchId: string) {
  const { user } = (await app.call(getUser, { token: viewer.token, params: { id: person.id } })).body.data;
  const { messages } = (await app.call(listMessages, { token: viewer.token, params: { id: matchId } })).body.data;
  return {
    bio: user.bio,
    prompts: user.prompts.map(({ prompt }) => prompt).sort(),
    pictures: user.more_pictures.length,
    message: messages[0]?.text,
    note: await noteSeenBy(viewer, matchId),
  };
}

const all = {
  bio: 'I hate all of you.',
  prompts: ['ask-me', 'small-joy'],
  pictures: 1,
  message: 'You are nothing.',
  note: 'Smile for me, doll',
};
const none = { bio: null, prompts: ['small-joy'], pictures: 0, message: null, note: null };

describe('removing content', () => {
  it('gives no one a copy of a picture that may show a minor', async () => {
    const { person, id, of } = await reported({ mayBeMinor: true });
    expect((await decide(id, { ...of.picture, isWithheld: false })).status).toBe(201);
    const shown = async () => {
      const [statement] = (await app.call(listStatements, { token: person.token })).body.data.notices;
      return statement?.measures[0]?.content?.picture;
    };
    expect(await shown()).toEqual({ place: 2, count: 2, thumbnailUrl: null });
    await app.pool.query(`update sanction set content = content - 'isWithheld' where account_id = $1`, [person.id]);
    const url = (await shown())?.thumbnailUrl ?? '';
    expect((await app.app.inject({ url })).statusCode).toBe(200);
    await app.pool.query(`update sanction set content = content || '{"isWithheld": true}' where account_id = $1`, [
      person.id,
    ]);
    expect((await app.app.inject({ url })).statusCode).toBe(404);
  });

  it('hides a picture from its owner too if the decision says so', async () => {
    const { person, id, of } = await reported();
    const { decision } = (await decide(id, { ...of.picture, isWithheld: true }, of.bio)).body.data;
    expect(decision.sanctions.flatMap(({ content }) => content?.isWithheld ?? [])).toEqual([true]);
    const [statement] = (await app.call(listStatements, { token: person.token })).body.data.notices;
    expect(statement?.measures.flatMap(({ content }) => content?.picture ?? [])).toMatchObject([
      { thumbnailUrl: null },
    ]);
  });

  it('hides it from everyone but its author, who reads what was removed and why, until an appeal restores it', async () => {
    const { reporter, person, id, matchId, of } = await reported();
    expect(await seenBy(reporter, person, matchId)).toEqual(all);
    const before = (await fileOf(id)).evidence;
    const { decision } = (await decide(id, of.bio, of.prompt, of.picture, of.message, of.note)).body.data;
    expect(await seenBy(reporter, person, matchId)).toEqual(none);
    expect((await matchOf(person, matchId))?.myNote).toBeNull();

    const [statement] = (await app.call(listStatements, { token: person.token })).body.data.notices;
    expect(statement?.measures.map(({ content }) => content?.text).sort()).toEqual(
      ['About you-know-who', 'I hate all of you.', 'Smile for me, doll', 'You are nothing.', null].sort(),
    );
    const removed = statement?.measures.find(({ content }) => content?.type === 'picture')?.content?.picture;
    expect(removed).toMatchObject({ place: 2, count: 2 });
    const address = removed?.thumbnailUrl ?? '';
    const statusOf = async (url: string) => (await app.app.inject({ url })).statusCode;
    expect(address).toContain('.thumbnail?removed=');
    expect(await statusOf(address)).toBe(200);
    expect(await statusOf(address.replace('.thumbnail', '.large'))).toBe(404);
    expect(await statusOf(address.replace(person.id, reporter.id))).toBe(401);
    expect(await statusOf(address.replace(/removed=[^&]+&/, ''))).toBe(401);
    const own = (await app.call(listMessages, { token: person.token, params: { id: matchId } })).body.data.messages;
    expect(own).toMatchObject([{ text: 'You are nothing.', isRemoved: true }]);
    const { user } = (await app.call(getProfile, { token: person.token })).body.userData;
    expect(user.pictures.filter(({ url }) => url === '')).toMatchObject([
      { state: 'rejected', reason: expect.stringContaining('We removed this picture') as string },
    ]);
    const after = (await fileOf(id)).evidence;
    expect(after.map(({ items }) => items.map(({ hash, isIntact }) => [hash, isIntact]))).toEqual(
      before.map(({ items }) => items.map(({ hash }) => [hash, true])),
    );

    const { right } = (
      await app.call(submitAppeal, { token: person.token, body: { decisionId: decision._id, text: 'A quote' } })
    ).body.data;
    await app.call(decideAppeal, {
      token: administrator.token,
      params: { id: right.appeal?._id ?? '' },
      body: { outcome: 'overturned', reasons: 'All of these were lines of a play the two had seen together.' },
    });
    expect(await seenBy(reporter, person, matchId)).toEqual(all);
  });

  it('updates open conversations when a message is removed and when an appeal restores it', async () => {
    const { reporter, person, id, matchId, of } = await reported();
    const url = await listenTo(app);
    const [theirs, own] = [await connect(url, reporter.token), await connect(url, person.token)];
    const heard = (device: Device) =>
      device.heard.flatMap((event) =>
        event.kind === 'message' && event.matchId === matchId
          ? [[event.message.text, event.message.isRemoved ?? false]]
          : [],
      );
    const { decision } = (await decide(id, of.message)).body.data;
    await app.drain('messages.announce');
    const body = { decisionId: decision._id, text: 'A quote' };
    const { right } = (await app.call(submitAppeal, { token: person.token, body })).body.data;
    await app.call(decideAppeal, {
      token: administrator.token,
      params: { id: right.appeal?._id ?? '' },
      body: { outcome: 'overturned', reasons: 'This was a line of a play the two had seen together.' },
    });
    await app.drain('messages.announce');
    await expect
      .poll(() => [heard(theirs), heard(own)])
      .toEqual([
        [
          [null, false],
          [all.message, false],
        ],
        [
          [all.message, true],
          [all.message, false],
        ],
      ]);
    for (const { socket } of [theirs, own]) socket.disconnect();
  });

  it('restores what still exists after the evidence is deleted, and names what is lost', async () => {
    const { reporter, person, id, matchId, of } = await reported();
    const { decision } = (await decide(id, of.bio, of.prompt, of.picture, of.message, of.note)).body.data;
    const body = { decisionId: decision._id, text: 'A quote' };
    const { right } = (await app.call(submitAppeal, { token: person.token, body })).body.data;
    await app.db.deleteFrom('report').where('case_id', '=', id).execute();
    const answer = await app.call(decideAppeal, {
      token: administrator.token,
      params: { id: right.appeal?._id ?? '' },
      body: { outcome: 'overturned', reasons: 'All of these were lines of a play the two had seen together.' },
    });
    expect(answer.status).toBe(201);
    expect(await seenBy(reporter, person, matchId)).toEqual({ ...none, pictures: 1, message: all.message });
    const [statement] = (await app.call(listStatements, { token: person.token })).body.data.notices;
    const lost = statement?.measures.filter(({ content }) => content?.isLost).map(({ content }) => content?.type);
    expect(lost?.sort()).toEqual(['note', 'prompt', 'text']);
    await app.drain();
    const mails = await app.outbox(person.email);
    expect(mails.find(({ subject }) => subject === 'The result of your appeal')?.text).toContain(
      'could not put it back',
    );
  });

  it('prevents the author, and no one else, from adding the picture again while the removal is in force', async () => {
    const { person, id, bytes, of } = await reported();
    const waiting = await upload(app, person, bytes);
    const { decision } = (await decide(id, of.picture)).body.data;
    const again = await sendFile(app, person, { bytes });
    expect([again.status, again.error.code]).toEqual([422, 'PICTURE_REFUSED']);
    const claimed = await app.call(addPictures, { token: person.token, body: [{ publicId: waiting.publicId }] });
    expect(claimed.error.code).toBe('PICTURE_REFUSED');
    expect((await sendFile(app, await makeMember(app), { bytes })).status).toBe(201);
    const sanctionId = decision.sanctions[0]?._id ?? '';
    await app.call(revokeSanction, {
      token: administrator.token,
      params: { id: sanctionId },
      body: { reason: 'A mistake' },
    });
    expect((await sendFile(app, person, { bytes })).status).toBe(201);
  });

  it('prevents the author, and no one else, from writing the text again in any spelling while the removal is in force', async () => {
    const { person, id, of } = await reported();
    const { decision } = (await decide(id, of.bio, of.prompt)).body.data;
    const save = async (body: BodyInput<typeof editProfile>, { token } = person) => {
      const answer = await app.call(editProfile, { token, body });
      return answer.status === 200 ? 'saved' : [answer.status, answer.error.errors?.[0]?.field];
    };
    const respelled = [
      all.bio,
      'i HATE all of you',
      'I h4te a11 0f y0u!!',
      'I h\u0430te all of you.',
      '\uff29 h\u00e4te all of you.',
      'I\u200b h-a-t-e … all_of you \u{1f4a5}',
    ];
    for (const bio of respelled) expect(await save({ bio })).toEqual([400, 'bio']);
    expect(await save({ prompts: [{ prompt: 'small-joy', answer: 'I hate all of you' }] })).toEqual([
      400,
      'prompts.0.answer',
    ]);
    for (const bio of ['I hate all of your puns.', 'I date all of you.', 'About me: tea.', '', 'You all hate me.'])
      expect(await save({ bio })).toBe('saved');
    expect(await save({ bio: all.bio }, await makeMember(app))).toBe('saved');
    for (const { _id } of decision.sanctions)
      await app.call(revokeSanction, {
        token: administrator.token,
        params: { id: _id },
        body: { reason: 'A mistake' },
      });
    expect(await save({ bio: respelled[1] ?? '' })).toBe('saved');
  });

  it('removes the note of a pending like for both, and its author cannot write it again while the removal is in force', async () => {
    const { like, withdraw, received, sent } = likesIn(() => app);
    const [reporter, person] = [await makeMember(app), await makeMember(app)];
    await givePremium(app, reporter);
    const prompts = [{ prompt: 'small-joy' as const, answer: 'Tea' }];
    await app.call(editProfile, { token: reporter.token, body: { prompts } });
    const note = 'Drink it naked';
    await like(person, reporter, { note, on: { kind: 'prompt', prompt: 'small-joy' } });
    const { _id: reportId } = await fileReport(app, reporter, {
      problem_type: 'Harassment',
      reportedUser: person.id,
      hideFromEachOther: false,
      evidence: [{ type: 'note', id: person.id }],
    });
    const id = await caseIdOf(app, reportId);
    const copy = (await fileOf(id)).evidence[0]?.items.find(({ type }) => type === 'note');
    const on = { kind: 'prompt', prompt: 'small-joy', answer: 'Tea' };
    expect(copy).toMatchObject({ isIntact: true, pictures: [], messages: [], note: { text: note, on } });
    const content = { evidenceId: copy?._id ?? '', type: 'note' as const, key: copy?.note?.likedAt ?? '' };
    const { decision } = (await decide(id, content)).body.data;
    expect(decision.sanctions).toMatchObject([{ content: { isGone: false, text: note } }]);
    const notes = async () => [(await received(reporter)).likes[0]?.note, (await sent(person)).likes[0]?.note];
    expect(await notes()).toEqual([null, null]);
    await app.drain();
    const mails = await app.outbox(person.email);
    expect(mails.find(({ subject }) => subject === 'A decision about your account')?.text).toContain(
      'We removed a note you sent with a like.',
    );

    await withdraw(person, reporter);
    const refused = await like(person, reporter, { note: 'Drink it NAKED!!' });
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, 'note']);
    expect((await like(person, reporter, { note: 'Drink it warm' })).status).toBe(201);
    await app.call(revokeSanction, {
      token: administrator.token,
      params: { id: decision.sanctions[0]?._id ?? '' },
      body: { reason: 'A mistake' },
    });
    expect(await notes()).toEqual(['Drink it warm', 'Drink it warm']);
    await withdraw(person, reporter);
    expect((await like(person, reporter, { note })).status).toBe(201);
  });

  it('keeps what its author has changed since the report, and says so', async () => {
    const { person, reporter, id, matchId, of } = await reported();
    await app.call(editProfile, { token: person.token, body: { bio: 'I have calmed down.' } });
    const { decision } = (await decide(id, of.bio)).body.data;
    expect(decision.sanctions).toMatchObject([{ content: { isGone: true, text: 'I hate all of you.' } }]);
    expect((await seenBy(reporter, person, matchId)).bio).toBe('I have calmed down.');
  });

  it('finds the evidence unchanged, byte for byte, after an edit, an unmatch and the deletion of the account', async () => {
    const { person, reporter, id, matchId, of } = await reported();
    const before = await keptFor(id);
    expect(alteredIn(before)).toEqual([]);
    const copyOf = ({ evidenceId }: Content) => before.copies.find((one) => one.id === evidenceId)?.content ?? '';
    expect(copyOf(of.bio)).toContain('I hate all of you.');
    expect(copyOf(of.message)).toContain('You are nothing.');
    expect(copyOf(of.note)).toContain('Smile for me, doll');
    expect(before.files.map(({ name, bytes }) => [name.split('.').at(-1), (bytes?.length ?? 0) > 0])).toEqual([
      ['large', true],
      ['thumbnail', true],
    ]);
    await app.call(editProfile, { token: person.token, body: { bio: 'Another text', prompts: [] } });
    await app.call(deleteMessage, { token: person.token, params: { id: matchId, seq: '1' } });
    await app.call(unmatchUser, { token: reporter.token, params: { id: matchId } });
    await deleteAccounts(app, person.id);
    await app.pool.query('update media_discard set due_at = now()');
    await app.app.background.tasks['media.sweep']?.({}, undefined as never);
    expect(await keptFor(id)).toEqual(before);
    const items = (await fileOf(id)).evidence.flatMap((one) => one.items);
    expect(items.map((one) => [one.hash, one.isIntact])).toEqual(items.map(({ hash }) => [hash, true]));
    expect(items.map(({ hash }) => hash).sort()).toEqual(before.copies.map(({ hash }) => hash).sort());
  });

  it('detects one altered byte in a stored picture or message', async () => {
    const { id, of } = await reported();
    const before = await keptFor(id);
    const [picture] = before.files;
    const bytes = Buffer.from(picture?.bytes ?? []);
    bytes[bytes.length >> 1]! ^= 1;
    await diskStorage(app.mediaDir).put(picture?.name ?? '', bytes);
    expect(alteredIn(await keptFor(id))).toEqual([picture?.name]);
    await diskStorage(app.mediaDir).put(picture?.name ?? '', picture?.bytes ?? Buffer.from(''));
    expect(await keptFor(id)).toEqual(before);
    await app.pool.query('alter table report_evidence disable trigger report_evidence_frozen');
    await app.pool.query(
      `update report_evidence set content = replace(content, 'You are nothing.', 'You are nothing!') where id = $1`,
      [of.message.evidenceId],
    );
    await app.pool.query('alter table report_evidence enable trigger report_evidence_frozen');
    expect(alteredIn(await keptFor(id))).toEqual([of.message.evidenceId]);
    const items = (await fileOf(id)).evidence.flatMap((one) => one.items);
    expect(items.filter(({ isIntact }) => !isIntact).map(({ _id }) => _id)).toEqual([of.message.evidenceId]);
  });

  it('can be repeated when staff wrote the same text again, which stays hidden until no removal is in force', async () => {
    const { person, reporter, id, matchId, of } = await reported();
    const first = (await decide(id, of.bio)).body.data.decision;
    const rewrite = {
      token: administrator.token,
      params: { id: person.id },
      body: { bio: all.bio, reason: 'By mail' },
    };
    expect((await app.call(changeAdminUser, rewrite)).status).toBe(200);
    const again = { problem_type: 'Harassment', reportedUser: person.id, hideFromEachOther: false } as const;
    const { _id: reportId } = await fileReport(app, await makeMember(app), again);
    const evidenceId = await evidenceIn(id, reportId, 'profile');
    const second = (await decide(id, { ...of.bio, evidenceId })).body.data.decision;
    expect(second.sanctions).toMatchObject([{ content: { isGone: false } }]);
    const revoke = ({ sanctions }: typeof first) =>
      app.call(revokeSanction, {
        token: administrator.token,
        params: { id: sanctions[0]?._id ?? '' },
        body: { reason: 'A mistake' },
      });
    const bio = async () => (await seenBy(reporter, person, matchId)).bio;
    expect(await bio()).toBeNull();
    await revoke(first);
    expect(await bio()).toBeNull();
    await revoke(second);
    expect(await bio()).toBe(all.bio);
  });

  it('hides the same first message in several conversations', async () => {
    const { reporter, person, id, matchId, of } = await reported();
    // The reported account is new, so its case is critical.
    await endHoldOf(app, person, 'released');
    const other = await makeMember(app);
    const secondId = await placeMatch(app, other, person);
    const sent = { clientId: randomUUID(), text: all.message };
    await app.call(sendMessage, { token: person.token, params: { id: secondId }, body: sent });
    const { _id: reportId } = await fileReport(app, other, {
      problem_type: 'Harassment',
      reportedUser: person.id,
      hideFromEachOther: false,
      evidence: [{ type: 'message', id: secondId, seq: 1 }],
    });
    const evidenceId = await evidenceIn(id, reportId, 'message');
    expect((await decide(id, of.message, { ...of.message, evidenceId })).status).toBe(201);
    for (const [viewer, conversation] of [
      [reporter, matchId],
      [other, secondId],
    ] as const)
      expect((await seenBy(viewer, person, conversation)).message).toBeNull();
  });

  it('accepts only content of this person from the evidence of this case, and only once', async () => {
    const [one, other] = [await reported(), await reported()];
    for (const content of [
      other.of.bio,
      { ...one.of.bio, key: 'firstName' },
      { ...one.of.bio, evidenceId: randomUUID() },
      { ...one.of.picture, key: randomUUID() },
      { ...one.of.message, key: '7' },
      { ...one.of.note, key: 'note' },
    ])
      expect((await decide(one.id, content)).status).toBe(400);
    expect((await decide(one.id, one.of.bio, one.of.bio)).status).toBe(400);
    const { decision } = (await decide(one.id, one.of.bio)).body.data;
    expect(decision.sanctions).toHaveLength(1);
  });
});

describe('a backup restored from before a decision', () => {
  const ledger = async () => {
    const entries = await readdir(app.mediaDir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile() && entry.name.startsWith('ledger-'));
    return (await Promise.all(files.map(({ parentPath, name }) => readFile(resolve(parentPath, name), 'utf8')))).join();
  };
  const revokeAll = async (on: TestApp, by: TestMember, person: TestMember) => {
    const rows = await on.db.selectFrom('sanction').select('id').where('account_id', '=', person.id).execute();
    for (const { id } of rows)
      expect(
        (await on.call(revokeSanction, { token: by.token, params: { id }, body: { reason: 'A mistake' } })).status,
      ).toBe(200);
  };
  const noteShown = async (on: TestApp, { person }: { person: TestMember }) =>
    (await on.db.selectFrom('decision').select('note').where('viewer_id', '=', person.id).executeTakeFirst())?.note;
  const isMessageShown = async (on: TestApp, conversationId: string) =>
    (await on.db.selectFrom('message').select('removed_at').where('conversation_id', '=', conversationId).execute())[0]
      ?.removed_at === null;

  it('brings back neither removed content nor hidden profiles, and removes nothing that was restored', async () => {
    const [held, pardoned, cleared, reworded, hidden, away] = [
      await reported(),
      await reported(),
      await reported(),
      await reported(),
      await reported(),
      await reported(),
    ];
    await decide(cleared.id, cleared.of.bio, cleared.of.picture, cleared.of.message, cleared.of.note);
    await app.call(editProfile, { token: reworded.person.token, body: { bio: 'I have calmed down.' } });
    await app.drain();
    const backup = await app.copy();

    for (const { id, of } of [held, pardoned]) await decide(id, of.bio, of.prompt, of.picture, of.message, of.note);
    for (const { person } of [pardoned, cleared]) await revokeAll(app, administrator, person);
    await app.call(editProfile, { token: reworded.person.token, body: { bio: all.bio } });
    await decide(reworded.id, reworded.of.bio);
    const hide = { kind: 'hide_profile' as const, days: 30 };
    const reasons = { outcome: 'actioned' as const, ruleId: await currentRuleId(app), facts };
    const sanctions = [hide, { kind: 'remove_content' as const, content: hidden.of.bio }];
    await app.call(decideCase, {
      token: administrator.token,
      params: { id: hidden.id },
      body: { ...reasons, sanctions },
    });
    const alone = { ...reasons, sanctions: [hide] };
    await app.call(decideCase, { token: administrator.token, params: { id: away.id }, body: alone });
    await app.drain();
    const kept = await ledger();
    expect(kept).toContain('"remove_content"');
    for (const word of [all.bio, 'you-know-who', all.message, all.note, held.person.id])
      expect(kept).not.toContain(word);

    const environment = { PHOTO_POLICY: 'post', MEDIA_DIR: app.mediaDir };
    const after = await startApp(environment, backup);
    const viewer = await makeMember(after);
    const shown = async ({ person }: { person: TestMember }) => {
      const answer = await after.call(getUser, { token: viewer.token, params: { id: person.id } });
      if (answer.status !== 200) return answer.error.code;
      const { bio, prompts, more_pictures } = answer.body.data.user;
      return { bio, prompts: prompts.map(({ prompt }) => prompt).sort(), pictures: more_pictures.length };
    };
    const { message: _, note: __, ...everything } = all;
    const { message: ___, note: ____, ...nothing } = none;
    expect(await shown(held)).toEqual(nothing);
    expect(await isMessageShown(after, held.matchId)).toBe(false);
    expect(await noteShown(after, held)).toBeNull();
    for (const one of [pardoned, cleared]) {
      expect(await shown(one)).toEqual(everything);
      expect(await isMessageShown(after, one.matchId)).toBe(true);
      expect(await noteShown(after, one)).toBe(all.note);
    }
    expect(await shown(reworded)).toMatchObject({ bio: 'I have calmed down.' });
    expect(await shown(hidden)).toBe('NOT_FOUND');

    await after.drain();
    const again = await startApp(environment, await after.copy());
    expect(again.logLines()).not.toContain('was restored from a backup');
    await again.close();

    const other = await makeAdministrator(after);
    for (const { person } of [held, hidden]) await revokeAll(after, other, person);
    for (const one of [held, hidden]) expect(await shown(one)).toEqual(everything);
    expect(await isMessageShown(after, held.matchId)).toBe(true);
    expect(await noteShown(after, held)).toBe(all.note);

    const warn = { ...reasons, sanctions: [{ kind: 'warn' as const }] };
    await after.call(decideCase, { token: other.token, params: { id: away.id }, body: warn });
    expect(await shown(away)).toBe('NOT_FOUND');
    await endSanctions(after.db, secondsAfter(after.clock.now(), 31 * 86_400));
    expect(await shown(away)).toEqual(everything);
    await after.close();
  });
});
