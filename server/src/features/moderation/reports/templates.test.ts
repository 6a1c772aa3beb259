import { beforeAll, describe, expect, it } from 'vitest';
import { languages } from '#contract/languages.ts';
import { listAudit } from '#contract/moderation/audit.ts';
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
import { answer, caseIdOf, fileReport, leaveNote } from '../../../../test/reports.ts';

const app = startAppForTests();
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

describe('reply templates', () => {
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

  it('get a new version from seniors, and 409 if a colleague was faster', async () => {
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

  it('for first messages have only what is known of someone who has not written', async () => {
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
    for (const answer of [add('With a link', 'Look at prize.com'), change(template._id, 'With', 'prize.com/x')])
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
