import { beforeAll, describe, expect, it, test } from 'vitest';
import { listAudit } from '#contract/moderation/audit.ts';
import { listMyReports, markReportRead } from '#contract/moderation/reports.ts';
import { getReport, getReportConversation, getReportReplies } from '#contract/moderation/staff-reports.ts';
import { languages } from '#contract/languages.ts';
import { decideCase } from '#contract/moderation/cases.ts';
import {
  addReplyTemplate,
  changeReplyTemplate,
  listReplyTemplates,
  openPlaceholder,
  replyTemplatesMax,
  retireReplyTemplate,
} from '#contract/moderation/templates.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { answer, caseIdOf, fileOf, fileReport, leaveNote } from '../../../../test/moderation/reports.ts';

const app = startAppForTests();

describe('replies', () => {
  let administrator: TestMember;
  let moderator: TestMember;

  beforeAll(async () => {
    administrator = await makeAdministrator(app, { firstName: 'Chief', lastName: 'Staff' });
    moderator = await makeModerator(app, { firstName: 'Mod', lastName: 'Erator' });
  });

  const conversation = async (by: TestMember, id: string) =>
    (await app.call(getReportConversation, { token: by.token, params: { id } })).body.data.conversation;
  const replies = async (by: TestMember, id: string) =>
    (await app.call(getReportReplies, { token: by.token, params: { id } })).body.data.replies;
  const said = (list: { message: string; repliedBy: { name: string } }[]) =>
    list.map(({ message, repliedBy }) => `${repliedBy.name}: ${message}`);

  describe('a conversation on a report', () => {
    test('is listed oldest first, starting with the description, and the reporter sees all staff as the support team', async () => {
      const ada = await makeMember(app, { firstName: 'Ada', lastName: 'Reporter' });
      const { _id } = await fileReport(app, ada, { description: 'It is broken.' });
      await answer(app, moderator, _id, 'Which browser?');
      await leaveNote(app, administrator, _id, 'Looks like the cache');
      await answer(app, ada, _id, 'All of them.');
      expect(said(await conversation(ada, _id))).toEqual([
        'Ada Reporter: It is broken.',
        'Support team: Which browser?',
        'Ada Reporter: All of them.',
      ]);
      expect(said(await conversation(moderator, _id))).toEqual([
        'Ada Reporter: It is broken.',
        'Mod Erator: Which browser?',
        'Chief Staff: Looks like the cache',
        'Ada Reporter: All of them.',
      ]);
      expect(await replies(ada, _id)).toEqual((await conversation(ada, _id)).slice(1));
      expect(await replies(moderator, _id)).toEqual((await conversation(moderator, _id)).slice(1));
    });

    test('never shows its reporter internal notes, their number or their times', async () => {
      const ada = await makeMember(app);
      const { _id } = await fileReport(app, ada);
      const before = await app.call(getReport, { token: ada.token, params: { id: _id } });
      app.clock.advance(60);
      await leaveNote(app, moderator, _id, 'CANARYNOTE');
      const after = await app.call(getReport, { token: ada.token, params: { id: _id } });
      expect(after.body).toEqual(before.body);
      await app.drainLater();
      const mine = await app.call(listMyReports, { token: ada.token });
      const mails = JSON.stringify(await app.outbox(ada.email));
      const all = after.raw + mine.raw + mails + JSON.stringify(await conversation(ada, _id));
      expect(all).not.toContain('CANARYNOTE');
      expect(all).not.toContain('Erator');
      expect(mine.body.data.unread).toBe(0);
      expect((await fileOf(app, administrator, _id)).report.firstRespondedAt).toBeNull();
    });

    test('rejects a note by a member and stores nothing', async () => {
      const ada = await makeMember(app);
      const { _id } = await fileReport(app, ada);
      const refused = await leaveNote(app, ada, _id, 'Secret');
      expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, 'isInternal']);
      expect(await replies(ada, _id)).toEqual([]);
    });

    test.each([
      ['blank', ' \n '],
      ['of 5,001 characters', 'x'.repeat(5001)],
    ])('rejects a reply that is %s', async (_, message) => {
      const ada = await makeMember(app);
      const { _id } = await fileReport(app, ada);
      for (const by of [ada, moderator]) {
        const refused = await answer(app, by, _id, message);
        expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, 'message']);
      }
      expect(await replies(moderator, _id)).toEqual([]);
    });

    test('keeps its status when someone replies, and shows staff who wrote last', async () => {
      const ada = await makeMember(app);
      const { _id } = await fileReport(app, ada);
      const state = async () => {
        const { status, awaitsStaff, replyCount } = (await fileOf(app, moderator, _id)).report;
        return { status, awaitsStaff, replyCount };
      };
      expect(await state()).toEqual({ status: 'pending', awaitsStaff: true, replyCount: 0 });
      await answer(app, moderator, _id, 'Hello');
      expect(await state()).toEqual({ status: 'pending', awaitsStaff: false, replyCount: 1 });
      await leaveNote(app, moderator, _id, 'Note');
      expect(await state()).toEqual({ status: 'pending', awaitsStaff: false, replyCount: 1 });
      await answer(app, ada, _id, 'Thanks');
      expect(await state()).toEqual({ status: 'pending', awaitsStaff: true, replyCount: 2 });
    });

    test('writes one audit row for each staff reply and note, without its text', async () => {
      const ada = await makeMember(app);
      const { _id } = await fileReport(app, ada);
      await answer(app, moderator, _id, 'CANARYREPLY');
      await leaveNote(app, moderator, _id, 'CANARYNOTE');
      await answer(app, ada, _id, 'Mine is no staff action');
      const trail = await app.call(listAudit, { token: administrator.token, query: { targetId: _id } });
      expect(trail.body.data.events.map(({ action }) => action)).toEqual(['report.noted', 'report.replied']);
      expect(trail.raw).not.toContain('CANARY');
      for (const read of [getReport, getReportConversation, getReportReplies]) {
        await app.call(read, { token: ada.token, params: { id: _id } });
        await app.call(read, { token: moderator.token, params: { id: _id } });
      }
      const readings = await app.call(listAudit, {
        token: administrator.token,
        query: { targetId: _id, action: 'report.read' },
      });
      expect(readings.body.data.events).toHaveLength(3);
    });
  });

  describe('the notification of a reporter', () => {
    test('is sent for an answer immediately, by mail without its text, and stays unread until seen', async () => {
      const ada = await makeMember(app);
      const { _id } = await fileReport(app, ada);
      app.clock.advance(1);
      await answer(app, moderator, _id, 'CANARYANSWER');
      await app.drain();
      const [mail] = await app.outbox(ada.email);
      expect(mail?.subject).toBe('An update from our support team');
      expect(mail?.links[0]).toMatch(new RegExp(`/app/support/${_id}$`));
      expect(JSON.stringify(mail)).not.toContain('CANARYANSWER');
      const mine = async () => (await app.call(listMyReports, { token: ada.token })).body.data;
      expect(await mine()).toMatchObject({ unread: 1, reports: [{ isUnread: true }] });
      const other = await makeMember(app);
      expect((await app.call(markReportRead, { token: other.token, params: { id: _id } })).status).toBe(404);
      const read = await app.call(markReportRead, { token: ada.token, params: { id: _id } });
      expect(read.body.data.report.isUnread).toBe(false);
      expect(await mine()).toMatchObject({ unread: 0, reports: [{ isUnread: false }] });
    });

    test('is not sent to a leaving or deactivated member, while staff can still answer', async () => {
      for (const change of [
        { leaving_since: app.clock.now() },
        { is_active: false, deactivated_at: app.clock.now() },
      ]) {
        const ada = await makeMember(app);
        const { _id } = await fileReport(app, ada);
        await app.db.updateTable('account').set(change).where('id', '=', ada.id).execute();
        expect((await answer(app, moderator, _id, 'Are you there?')).status).toBe(201);
        expect((await app.outbox(ada.email)).map(({ subject }) => subject)).toEqual(['We received your message']);
      }
    });
  });
});

describe('reply templates', () => {
  let senior: TestMember;
  let moderator: TestMember;
  let administrator: TestMember;

  /** The templates before any test changed one. */
  let shipped: Awaited<ReturnType<typeof list>>;

  beforeAll(async () => {
    senior = await makeModerator(app, { staffRole: 'senior' });
    moderator = await makeModerator(app);
    administrator = await makeAdministrator(app);
    shipped = await list();
  });

  const list = async () => (await app.call(listReplyTemplates, { token: moderator.token })).body.data.templates;
  const named = async (name: string) => (await list()).find((one) => one.name === name && one.language === 'en');
  const add = (name: string, text = 'Hi {firstName}.', by = senior) =>
    app.call(addReplyTemplate, { token: by.token, body: { name, text } });
  const change = (id: string, name: string, text: string) =>
    app.call(changeReplyTemplate, { token: senior.token, params: { id }, body: { name, text } });
  const retire = (id: string) => app.call(retireReplyTemplate, { token: senior.token, params: { id } });

  it.each(languages)('include five for replies in %s at first', (language) => {
    const templates = shipped.filter((one) => one.language === language);
    expect(templates.filter(({ kind }) => kind === 'reply').map(({ name }) => name)).toEqual([
      'Ask for details',
      'Explain a rule',
      'Stay safe',
      'Technical problem fixed',
      'We are looking into it',
    ]);
    expect(new Set(templates.map(({ kind }) => kind))).toEqual(new Set(['reply', 'message', 'facts', 'answer']));
    expect(templates[0]).toMatchObject({ version: 1, createdBy: 'Heartwood' });
  });

  it('get a new version from senior moderators, and 409 if a colleague was faster', async () => {
    const old = (await named('Stay safe'))?._id ?? '';
    const { template } = (await change(old, 'Stay safe', 'Hi {firstName}, block them.')).body.data;
    expect(template).toMatchObject({ version: 2, text: 'Hi {firstName}, block them.' });
    expect((await change(old, 'Stay safe', 'Too late.')).status).toBe(409);
    expect((await retire(old)).status).toBe(409);
    const both = await Promise.all(['One', 'Two'].map((text) => change(template._id, 'Stay safe', text)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const kept = app.db
      .selectFrom('reply_template')
      .select('version')
      .where('name', '=', 'Stay safe')
      .where('language', '=', 'en');
    expect((await kept.execute()).map(({ version }) => version).sort()).toEqual([1, 2, 3]);
  });

  it('have a language, in which their name is unique and which their versions keep', async () => {
    const body = { name: 'In German', text: 'Hallo {firstName}.', language: 'de' as const };
    const addGerman = () => app.call(addReplyTemplate, { token: senior.token, body });
    const { template } = (await addGerman()).body.data;
    expect(template.language).toBe('de');
    expect((await addGerman()).status).toBe(409);
    const changed = (await change(template._id, 'In German', 'Hallo.')).body.data.template;
    expect(changed).toMatchObject({ language: 'de', version: 2 });
    expect((await add('Only English')).body.data.template.language).toBe('en');
    const unknown = { ...body, name: 'Other', language: 'xx' as 'de' };
    const refused = await app.call(addReplyTemplate, { token: senior.token, body: unknown });
    expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, 'language']);
    expect((await retire(changed._id)).status).toBe(200);
  });

  it('can be changed, but not added, when there are more than allowed', async () => {
    const fill = Array.from({ length: replyTemplatesMax }, (_, index) => ({
      version: 1,
      name: `Filler ${index}`,
      body: 'Hi.',
      created_at: app.clock.now(),
      created_by: 'A test',
    }));
    const rows = await app.db.insertInto('reply_template').values(fill).returning('id').execute();
    expect((await add('One more')).status).toBe(409);
    expect((await change(rows[0]?.id ?? '', 'Filler 0', 'Hello.')).status).toBe(200);
    await app.db.deleteFrom('reply_template').where('name', 'like', 'Filler %').execute();
  });

  it('are audited when they are added and retired', async () => {
    expect((await add('Thanks', 'Hi.', moderator)).status).toBe(403);
    const { _id: id } = (await add('Thanks')).body.data.template;
    expect((await add(' thánks ')).status).toBe(409);
    expect((await retire(id)).status).toBe(200);
    expect(await named('Thanks')).toBeUndefined();
    expect((await retire(id)).status).toBe(409);
    expect((await add('Thanks')).status).toBe(201);
    const query = { targetId: id };
    const { events } = (await app.call(listAudit, { token: administrator.token, query })).body.data;
    expect(events.map(({ action }) => action)).toEqual(['template.retired', 'template.added']);
  });

  it('for first messages can use only variables known without a message from the member', async () => {
    const first = (await list()).filter(({ kind, language }) => kind === 'message' && language === 'en');
    expect(first.map(({ name }) => name)).toEqual([
      'Ask about the profile',
      'Check on an account',
      'News about a payment',
    ]);
    for (const { text } of first) expect(openPlaceholder(text.replace('{firstName}', 'Sam'))).toBeNull();
    const body = { name: 'About a report', kind: 'message' as const, text: 'Hi {firstName}, on {date}' };
    const refused = await app.call(addReplyTemplate, { token: senior.token, body });
    expect(refused.error.errors).toMatchObject([{ field: 'text', msg: expect.stringContaining('date') as string }]);
  });

  it('for facts cannot contain a variable that reveals something about a report, in any version', async () => {
    const body = { name: 'What we found', kind: 'facts' as const };
    const refused = await app.call(addReplyTemplate, { token: senior.token, body: { ...body, text: 'On {date}' } });
    expect(refused.error.errors).toMatchObject([{ field: 'text', msg: expect.stringContaining('date') as string }]);
    const text = 'Hi {firstName}, {rule}';
    const { template } = (await app.call(addReplyTemplate, { token: senior.token, body: { ...body, text } })).body.data;
    expect(template).toMatchObject({ kind: 'facts', text });
    const changed = await change(template._id, body.name, 'On {date}');
    expect([changed.status, changed.error.errors?.[0]?.field]).toEqual([400, 'text']);
    expect((await change(template._id, body.name, 'Hi {firstName}')).body.data.template.kind).toBe('facts');
  });

  it('have no links to other sites, in any version', async () => {
    const { template } = (await add('Without a link')).body.data;
    const long = `${'word '.repeat(900)} https://prize.com`;
    for (const answer of [
      add('Long', long),
      add('With a link', 'Look at prize.com'),
      change(template._id, 'With', 'prize.com/x'),
    ])
      expect((await answer).error.errors?.[0]?.field).toBe('text');
  });

  it('must be filled in before staff send them, except in a note', async () => {
    const [reporter, person] = [await makeMember(app), await makeMember(app)];
    const { _id: id } = await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: person.id });
    const text = 'Hi {firstName}.';
    const refused = await answer(app, moderator, id, text);
    expect([refused.status, refused.error.errors?.[0]]).toMatchObject([400, { field: 'message' }]);
    expect((await leaveNote(app, moderator, id, text)).status).toBe(201);
    expect((await answer(app, reporter, id, text)).status).toBe(201);
    const params = { id: await caseIdOf(app, id) };
    for (const field of ['facts', 'answer']) {
      const body = { outcome: 'unfounded' as const, [field]: text };
      const decided = await app.call(decideCase, { token: moderator.token, params, body });
      expect([decided.status, decided.error.errors?.[0]?.field]).toEqual([400, field]);
    }
  });

  it.each(['{password}', '{}', '{first name}', 'firstName}', '{{rule}}'])('are rejected with %s', async (unknown) => {
    const answer = await add('Broken', `Hi ${unknown}.`);
    expect(answer.status).toBe(400);
    expect(answer.error.errors).toMatchObject([{ field: 'text', msg: expect.stringContaining('variable') as string }]);
  });
});
