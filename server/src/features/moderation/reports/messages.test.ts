import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { listBlocks } from '#contract/connections.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import * as calls from '#contract/messages/messages.ts';
import { type FrozenMessage, getReportFile } from '#contract/moderation/report-file.ts';
import { type OwnReport, createReport } from '#contract/moderation/reports.ts';
import { getReport, getReportConversation } from '#contract/moderation/staff-reports.ts';
import { deleteAccounts, makeAdministrator, makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { likesIn } from '../../../../test/likes.ts';
import { fileOf, fileReport } from '../../../../test/moderation/reports.ts';

const app = startAppForTests();
let administrator: TestMember;
beforeAll(async () => {
  administrator = await makeAdministrator(app);
});

const { match, unmatch, block } = likesIn(() => app);
const write = (who: TestMember, id: string, text: string) =>
  app.call(calls.sendMessage, { token: who.token, params: { id }, body: { clientId: randomUUID(), text } });
const edit = (who: TestMember, id: string, seq: string, text: string) =>
  app.call(calls.editMessage, { token: who.token, params: { id, seq }, body: { text } });
const remove = (who: TestMember, id: string, seq: string) =>
  app.call(calls.deleteMessage, { token: who.token, params: { id, seq } });

type Given = Partial<BodyInput<typeof createReport>>;
const about = (id: string, seq?: number): NonNullable<Given['evidence']> => [
  { type: 'message', id, ...(seq === undefined ? {} : { seq }) },
];
const report = (who: TestMember, given: Given) => fileReport(app, who, { problem_type: 'Harassment', ...given });

async function evidenceOf(id: string) {
  return (await fileOf(app, administrator, id)).evidence.filter(({ type }) => type === 'message');
}
/** The messages in the copy of a report. */
async function frozen(id: string): Promise<FrozenMessage[]> {
  const evidence = await evidenceOf(id);
  expect(evidence.map(({ isIntact }) => isIntact)).toEqual([true]);
  return evidence[0]?.messages ?? [];
}
const places = (messages: FrozenMessage[]) =>
  messages.map(({ seq, isReported }) => (isReported ? `${seq}!` : `${seq}`));

/** Ada and Bo, who wrote this many messages in turns; Bo wrote the second, fourth and so on. */
async function pair(messages = 0) {
  const [ada, bo] = [await makeMember(app), await makeMember(app, { firstName: 'Boris', bio: 'Sailing' })];
  const id = await match(ada, bo);
  for (let n = 1; n <= messages; n += 1) await write(n % 2 === 0 ? bo : ada, id, `Message ${n}`);
  return { ada, bo, id };
}

describe('a report of a message', () => {
  test.each([
    [1, ['1!', '2', '3', '4', '5', '6']],
    [8, ['3', '4', '5', '6', '7', '8!', '9', '10', '11', '12', '13']],
    [14, ['9', '10', '11', '12', '13', '14!']],
  ])('includes, for the message at position %i of fourteen, five before and five after it', async (seq, held) => {
    const { ada, bo, id } = await pair(14);
    const { _id } = await report(ada, { reportedUser: bo.id, evidence: about(id, seq) });
    const messages = await frozen(_id);
    expect(places(messages)).toEqual(held);
    expect(messages.map(({ by }) => by)).toEqual(
      held.map((place) => (Number.parseInt(place) % 2 === 0 ? 'reported' : 'reporter')),
    );
  });

  test('marks each selected message once, and includes the newest ones for an unknown position', async () => {
    const { ada, bo, id } = await pair(14);
    const several = await report(ada, { evidence: [...about(id, 2), ...about(id, 4), ...about(id, 2)] });
    expect(places(await frozen(several._id))).toEqual(['1', '2!', '3', '4!', '5', '6', '7', '8', '9']);
    const beyond = await report(bo, { evidence: about(id, 2_147_483_647) });
    expect(places(await frozen(beyond._id))).toEqual(Array.from({ length: 11 }, (_, n) => `${n + 4}`));
  });

  test('shows earlier edits and deletions to staff, and nothing of the report to the sender', async () => {
    const { ada, bo, id } = await pair(1);
    const sentAt = app.clock.now().toISOString();
    await write(bo, id, 'Send me money');
    await write(bo, id, 'Or else');
    app.clock.advance(60);
    await edit(bo, id, '2', 'Send me honey');
    await edit(bo, id, '2', 'Lovely weather');
    await remove(bo, id, '3');
    const at = app.clock.now().toISOString();
    app.clock.advance(60);
    const { _id } = await report(ada, { reportedUser: bo.id, evidence: about(id, 3), hideFromEachOther: false });
    const whole = { sentAt, editedAt: null, deletedAt: null, readAt: null, leftOut: 0, before: [] };
    expect((await frozen(_id)).slice(1)).toEqual([
      {
        ...whole,
        ...{ seq: 2, by: 'reported', isReported: false, text: 'Lovely weather', editedAt: at },
        before: [
          { text: 'Send me money', until: at },
          { text: 'Send me honey', until: at },
        ],
      },
      {
        ...whole,
        ...{ seq: 3, by: 'reported', isReported: true, text: null, deletedAt: at },
        before: [{ text: 'Or else', until: at }],
      },
    ]);
    const { messages } = (await app.call(calls.listMessages, { token: bo.token, params: { id } })).body.data;
    expect(JSON.stringify(messages)).not.toMatch(/money|honey|Or else/);
  });

  test('stays unchanged when the messages are edited or deleted later', async () => {
    const { ada, bo, id } = await pair(2);
    const { _id } = await report(ada, { evidence: about(id, 2), hideFromEachOther: false });
    await edit(bo, id, '2', 'Never mind');
    await remove(bo, id, '2');
    expect((await frozen(_id))[1]).toMatchObject({ text: 'Message 2', deletedAt: null, before: [] });
  });

  test('contains the first and the last versions of a message that was edited very often', async () => {
    const { ada, bo, id } = await pair(2);
    for (let n = 1; n <= 30; n += 1) await edit(bo, id, '2', `Version ${n}`);
    const { _id } = await report(ada, { evidence: about(id, 2) });
    const [, message] = await frozen(_id);
    const texts = message?.before.map(({ text }) => text) ?? [];
    expect([texts.length, texts[0], texts[9], texts[10], texts.at(-1)]).toEqual([
      20,
      'Message 2',
      'Version 9',
      'Version 20',
      'Version 29',
    ]);
    expect(message).toMatchObject({ text: 'Version 30', leftOut: 10 });
  });

  test('contains no names in the copy, and detects changes to it', async () => {
    const { ada, bo, id } = await pair(2);
    const { _id } = await report(ada, { evidence: about(id, 2) });
    const stored = app.db.selectFrom('report_evidence').where('report_id', '=', _id).where('kind', '=', 'message');
    const { content } = await stored.select('content').executeTakeFirstOrThrow();
    expect([ada.id, bo.id, id, 'Boris'].filter((word) => content.includes(word))).toEqual([]);
    await app.pool.query('alter table report_evidence disable trigger report_evidence_frozen');
    await app.pool.query(
      `update report_evidence set content = replace(content, 'Message 2', 'Roses') where report_id = $1`,
      [_id],
    );
    await app.pool.query('alter table report_evidence enable trigger report_evidence_frozen');
    expect((await evidenceOf(_id))[0]).toMatchObject({ isIntact: false });
  });
});

describe('a report of a conversation', () => {
  test('includes the last eleven messages and the profile, and is about the other member', async () => {
    const { ada, bo, id } = await pair(13);
    const { _id, reportedUser } = await report(ada, { evidence: about(id) });
    const file = await fileOf(app, administrator, _id);
    expect(file.evidence.map(({ type, profile }) => [type, profile?.bio])).toEqual([
      ['message', undefined],
      ['profile', 'Sailing'],
    ]);
    expect(places(await frozen(_id))).toEqual(Array.from({ length: 11 }, (_, n) => `${n + 3}`));
    expect(file.report.reportedUser).toMatchObject({ _id: bo.id });
    expect(reportedUser).toBe(null);
  });

  test('is about the other member even without messages', async () => {
    const { ada, bo, id } = await pair();
    const { _id } = await report(ada, { evidence: about(id) });
    expect((await fileOf(app, administrator, _id)).report.reportedUser).toMatchObject({ _id: bo.id });
    expect(await evidenceOf(_id)).toEqual([]);
  });

  test('gets a higher priority because of earlier reports, while the reporter sees the initial one', async () => {
    const { ada, id } = await pair(2);
    const own = await report(ada, { evidence: about(id) });
    expect(own.priority).toBe('high');
    expect((await fileOf(app, administrator, own._id)).report.priority).toBe('critical');
  });

  const ends = Object.entries<(who: TestMember, other: TestMember, id: string) => unknown>({
    'an unmatch by the other person': (_, bo, id) => unmatch(bo, id),
    'the member’s own unmatch': (ada, _, id) => unmatch(ada, id),
    'a block by the other person': (ada, bo) => block(bo, ada),
    'the member’s own block': (ada, bo) => block(ada, bo),
    'the other person leaving': (_, bo) =>
      app.pool.query('update account set leaving_since = now() where id = $1', [bo.id]),
    'the other person’s deactivation': (_, bo) =>
      app.pool.query(
        `update account set is_active = false, deactivated_at = now(), deactivation_reason = 'Spam' where id = $1`,
        [bo.id],
      ),
  });
  test.each(ends)('includes the messages and shows the reporter no name after %s', async (_, end) => {
    const { ada, bo, id } = await pair(2);
    const before = (await app.call(listBlocks, { token: ada.token })).body.data.blocks.length;
    await end(ada, bo, id);
    const own = await report(ada, { evidence: about(id, 2) });
    expect(places(await frozen(own._id))).toEqual(['1', '2!']);
    expect((await fileOf(app, administrator, own._id)).report.reportedUser).toMatchObject({ _id: bo.id });
    const read = await app.call(getReport, { token: ada.token, params: { id: own._id } });
    expect(read.body.data.report).toEqual(own);
    expect(JSON.stringify(own)).not.toMatch(new RegExp(`${bo.id}|Boris`));
    const named = await report(ada, { reportedUser: bo.id, evidence: about(id, 2) });
    expect(named.reportedUser).toEqual({ _id: bo.id, name: null });
    expect(places(await frozen(named._id))).toEqual(['1', '2!']);
    expect(before).toBe(0);
  });

  test('stays readable after both accounts are deleted, and names neither', async () => {
    const { ada, bo, id } = await pair(2);
    const { _id } = await report(ada, { evidence: about(id, 2) });
    await deleteAccounts(app, ada.id, bo.id);
    expect((await frozen(_id)).map(({ by, text }) => [by, text])).toEqual([
      ['reporter', 'Message 1'],
      ['reported', 'Message 2'],
    ]);
    const file = JSON.stringify(await fileOf(app, administrator, _id));
    expect([ada.id, bo.id, id].filter((word) => file.includes(word))).toEqual([]);
  });

  test('hides the two from each other without naming anyone, unless declined', async () => {
    const { ada, bo, id } = await pair(2);
    const reads = async () => (await app.call(calls.listMessages, { token: bo.token, params: { id } })).status;
    await report(ada, { evidence: about(id), hideFromEachOther: false });
    expect(await reads()).toBe(200);
    await report(ada, { evidence: about(id) });
    expect(await reads()).toBe(404);
    for (const who of [ada, bo])
      expect((await app.call(listBlocks, { token: who.token })).body.data.blocks).toEqual([]);
    const again = await pair(2);
    await report(again.ada, { reportedUser: again.bo.id, evidence: about(again.id) });
    expect((await app.call(listBlocks, { token: again.ada.token })).body.data.blocks).toHaveLength(1);
  });
});

describe("a report about someone else's conversation", () => {
  test('gets the same answer for unknown, ended and other people’s conversations', async () => {
    const [mine, others] = [await pair(2), await pair(2)];
    await unmatch(mine.bo, mine.id);
    const ids = [mine.id, others.id, randomUUID(), mine.bo.id, 'nothing', mine.id.toUpperCase()];
    const filed: OwnReport[] = [];
    for (const id of ids) filed.push(await report(mine.ada, { evidence: about(id, 2) }));
    const shapes = filed.map(({ _id, ...rest }) => rest);
    for (const shape of shapes) expect(shape).toEqual(shapes[0]);
    for (const own of filed.slice(1)) {
      const file = await fileOf(app, administrator, own._id);
      expect([file.evidence, file.report.reportedUser]).toEqual([[], null]);
    }
    expect((await app.call(listBlocks, { token: mine.ada.token })).body.data.blocks).toEqual([]);
  });

  test('leaves out the messages if another member is named', async () => {
    const { ada, id } = await pair(2);
    const cy = await makeMember(app);
    const own = await report(ada, { reportedUser: cy.id, evidence: about(id, 2) });
    expect((await fileOf(app, administrator, own._id)).report.reportedUser).toMatchObject({ _id: cy.id });
    expect(await evidenceOf(own._id)).toEqual([]);
  });

  test.each<[string, (one: string, other: string) => NonNullable<Given['evidence']>, string]>([
    ['evidence from two conversations', (one, other) => [...about(one), ...about(other, 1)], 'evidence.1.id'],
    ['a message position below 1', (one) => about(one, 0), 'evidence.0.seq'],
    ['a fractional message position', (one) => about(one, 1.5), 'evidence.0.seq'],
    ['a message position above the maximum', (one) => about(one, 2 ** 31), 'evidence.0.seq'],
    ['an unknown picture', (one) => [...about(one), { type: 'picture', id: one }], 'evidence.1.id'],
  ])('is rejected with a field error for %s', async (_, evidence, field) => {
    const [one, other] = [await pair(2), await pair(2)];
    const body = { problem_type: 'Harassment' as const, description: 'Text', evidence: evidence(one.id, other.id) };
    const refused = await app.call(createReport, { token: one.ada.token, body });
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, field]);
  });

  test('shows its evidence only to staff, not to the reporter or the reported member', async () => {
    const { ada, bo, id } = await pair(1);
    await write(bo, id, 'CANARYDELETED');
    await remove(bo, id, '2');
    const own = await report(ada, { description: 'CANARYDESCRIPTION', evidence: about(id, 2) });
    const params = { id: own._id };
    for (const call of [getReport, getReportConversation] as const) {
      expect(JSON.stringify((await app.call(call, { token: ada.token, params })).body)).not.toContain('CANARYDELETED');
      expect((await app.call(call, { token: bo.token, params })).status).toBe(404);
    }
    for (const who of [ada, bo]) expect((await app.call(getReportFile, { token: who.token, params })).status).toBe(403);
    expect(JSON.stringify(await app.outbox(bo.email))).not.toMatch(/CANARY/);
    expect(JSON.stringify(await app.outbox(ada.email))).not.toMatch(/CANARY/);
  });
});
