import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { chooseLanguage } from '#contract/auth/auth.ts';
import { listBlocks } from '#contract/connections.ts';
import { getCase } from '#contract/moderation/cases.ts';
import { editProfile, getUser } from '#contract/profiles/profiles.ts';
import { getAdminUser } from '#contract/profiles/staff.ts';
import {
  reportTypes,
  type ReportPriority,
  type ReportType,
  createReport,
  listMyReports,
} from '#contract/moderation/reports.ts';
import { getReport, listReports } from '#contract/moderation/staff-reports.ts';
import { deleteAccounts, makeAdministrator, makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { caseIdOf, fileOf, fileReport } from '../../../../test/moderation/reports.ts';

const app = startAppForTests();
let administrator: TestMember;
beforeAll(async () => {
  administrator = await makeAdministrator(app);
});

const longAgo = () => new Date(app.clock.now().getTime() - 90 * 86_400_000);
const oldMember = (options = {}) => makeMember(app, { createdAt: longAgo(), ...options });
const priorityOf = async (id: string) => (await fileOf(app, administrator, id)).report.priority;
const sees = async (viewer: TestMember, other: TestMember) =>
  (await app.call(getUser, { token: viewer.token, params: { id: other.id } })).status === 200;

describe('the languages of a report', () => {
  test.each([
    ['de', 'Er schickt mir dauernd beleidigende Nachrichten.'],
    ['pl', 'nie moge sie zalogowac na moje konto'],
    ['tr', 'Sahte profil, fotoğraflar başkasına ait'],
    ['ar', 'هذا الشخص يرسل لي رسائل مسيئة ويهددني'],
    ['en', 'He keeps sending me rude messages, see https://beispiel.de/das-ist-deutsch'],
    [null, 'Rude messages'],
    [null, 'Max Müller, Berlin, Instagram max.m'],
    [null, '+49 171 1234567 https://example.com/anna_kowalska_92'],
  ])('are detected as %s for “%s”', async (language, description) => {
    const { _id: id } = await fileReport(app, await makeMember(app), { description });
    expect((await fileOf(app, administrator, id)).report.language).toBe(language);
  });

  test('are shown to staff, with the languages that the two people read', async () => {
    const [reporter, person] = [await makeMember(app), await makeMember(app)];
    await app.call(chooseLanguage, { token: reporter.token, body: { language: 'pl' } });
    await app.call(chooseLanguage, { token: person.token, body: { language: 'tr' } });
    const description = 'Er schickt mir dauernd beleidigende Nachrichten.';
    const given = { problem_type: 'Harassment' as const, description, reportedUser: person.id };
    const own = await fileReport(app, reporter, given);
    expect(own).not.toHaveProperty('language');
    const { token } = administrator;
    const { reports } = (await app.call(listReports, { token, query: { limit: '100' } })).body.data;
    const listed = reports.find(({ _id }) => _id === own._id);
    expect(listed?.user.language).toBe('pl');
    expect(listed).not.toHaveProperty('language');
    const file = (await app.call(getCase, { token, params: { id: await caseIdOf(app, own._id) } })).body.data;
    expect(file.case.person.language).toBe('tr');
    expect(file.reports).toMatchObject([{ language: 'de', user: { language: 'pl' } }]);
    const { user } = (await app.call(getAdminUser, { token, params: { id: person.id } })).body.data;
    expect(user.language).toBe('tr');
  });
});

describe('filing a report', () => {
  test('stays normal in priority until the reporter’s address is confirmed', async () => {
    const priorities = [];
    for (const verified of [false, true]) {
      const [reporter, person] = [
        await makeMember(app, { verified }),
        await makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z') }),
      ];
      const given = { problem_type: 'Other' as const, reportedUser: person.id, mayBeMinor: true };
      const { _id } = await fileReport(app, reporter, given);
      const { report } = await fileOf(app, administrator, _id);
      const params = { id: await caseIdOf(app, _id) };
      const file = (await app.call(getCase, { token: administrator.token, params })).body.data.case;
      expect(report.mayBeMinor).toBe(true);
      priorities.push([report.priority, file.priority, file.criticalBecause]);
    }
    expect(priorities).toEqual([
      ['other', 'other', null],
      ['critical', 'critical', 'minor'],
    ]);
  });

  test('stores the report, shows it to its reporter and mails a receipt without its text', async () => {
    const ada = await makeMember(app);
    const report = await fileReport(app, ada, { problem_type: 'Payment Problem', description: '  Charged twice.\n ' });
    expect(report).toMatchObject({
      problem_type: 'Payment Problem',
      description: 'Charged twice.',
      priority: 'high',
      status: 'pending',
      replies: [],
      reportedUser: null,
      isUnread: false,
    });
    const mine = await app.call(listMyReports, { token: ada.token });
    expect(mine.body.data).toMatchObject({ reports: [report], unread: 0, pagination: { total: 1, limit: 10 } });
    const [mail] = await app.outbox(ada.email);
    expect(mail).toMatchObject({ subject: 'We received your message' });
    expect(mail?.text).toContain(`#${report._id.slice(-6)}`);
    expect(mail?.text).toContain('within four hours');
    expect(mail?.text).not.toContain('Charged');
  });

  test.each<[ReportType, ReportPriority]>([
    ['Harassment', 'high'],
    ['Inappropriate Content', 'high'],
    ['Payment Problem', 'high'],
    ['Account Issue', 'medium'],
    ['Technical Issue', 'other'],
    ['Bug Report', 'other'],
    ['Other', 'other'],
  ])('gives the type %s the priority %s, and critical if a minor may be involved', async (type, priority) => {
    const ada = await makeMember(app);
    expect(await priorityOf((await fileReport(app, ada, { problem_type: type }))._id)).toBe(priority);
    const minor = await fileReport(app, ada, { problem_type: type, mayBeMinor: true });
    expect(await priorityOf(minor._id)).toBe('critical');
    expect(reportTypes).toContain(type);
  });

  test('raises the priority, with the reason, for an account younger than a day or a second reporter within 30 days', async () => {
    const [ada, bo, cy] = [await oldMember(), await oldMember(), await oldMember()];
    const fresh = await makeMember(app);
    const about = (reporter: TestMember, reported: TestMember) =>
      fileReport(app, reporter, { problem_type: 'Account Issue', reportedUser: reported.id });
    expect(await priorityOf((await about(ada, bo))._id)).toBe('medium');
    expect(await priorityOf((await about(ada, bo))._id)).toBe('medium');
    const second = await about(cy, bo);
    const file = await fileOf(app, administrator, second._id);
    expect(file.report.priority).toBe('high');
    expect(file.timeline.map(({ kind, from, to, reason }) => [kind, from, to, reason])).toEqual([
      ['filed', null, 'medium', null],
      ['raised', 'medium', 'high', 'Another member reported this person within 30 days'],
    ]);
    await about(ada, fresh);
    const both = await fileOf(app, administrator, (await about(cy, fresh))._id);
    expect(both.report.priority).toBe('critical');
    expect(both.timeline.filter(({ kind }) => kind === 'raised')).toHaveLength(2);
    // The reporter must not learn about other reports.
    expect(second.priority).toBe('medium');
    await app.pool.query(`update report set created_at = created_at - interval '31 days' where reported_id = $1`, [
      bo.id,
    ]);
    expect(await priorityOf((await about(await oldMember(), bo))._id)).toBe('medium');
  });

  test('raises the later report when two people file at once', async () => {
    const bo = await oldMember();
    const reporters = await Promise.all(Array.from({ length: 6 }, () => oldMember()));
    const reports = await Promise.all(
      reporters.map((reporter) => fileReport(app, reporter, { problem_type: 'Other', reportedUser: bo.id })),
    );
    const priorities = await Promise.all(reports.map(({ _id }) => priorityOf(_id)));
    expect(priorities.filter((priority) => priority === 'other')).toHaveLength(1);
  });

  test('stores a copy of the profile, which survives edits and the deletion of both accounts', async () => {
    const ada = await oldMember();
    const bo = await oldMember({ firstName: 'Bo', bio: 'Send me money', city: 'Prague', birthDate: '1990-05-05' });
    const { _id } = await fileReport(app, ada, { problem_type: 'Harassment', reportedUser: bo.id });
    await app.call(editProfile, { token: bo.token, body: { bio: 'Nothing to see', firstName: 'Bob' } });
    await deleteAccounts(app, ada.id, bo.id);
    const file = await fileOf(app, administrator, _id);
    expect(file.evidence).toEqual([
      expect.objectContaining({
        type: 'profile',
        isIntact: true,
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
        profile: expect.objectContaining({ firstName: 'Bo', bio: 'Send me money', age: 36 }),
      }),
    ]);
    expect(JSON.stringify(file)).not.toContain(bo.id);
    expect(JSON.stringify(file)).not.toContain(ada.id);
    expect(file.report).toMatchObject({
      user: { _id: null, name: 'Deleted user', email: null },
      reportedUser: { _id: null, name: 'Deleted user', email: null },
      description: 'The page stays white.',
    });
  });

  test('detects tampered evidence', async () => {
    const [ada, bo] = [await oldMember(), await oldMember({ bio: 'Send me money' })];
    const { _id } = await fileReport(app, ada, { reportedUser: bo.id });
    await expect(
      app.pool.query(`update report_evidence set content = replace(content, 'money', 'roses')`),
    ).rejects.toThrow('frozen');
    await app.pool.query('alter table report_evidence disable trigger report_evidence_frozen');
    await app.pool.query(`update report_evidence set content = replace(content, 'money', 'roses')`);
    await app.pool.query('alter table report_evidence enable trigger report_evidence_frozen');
    expect((await fileOf(app, administrator, _id)).evidence[0]?.isIntact).toBe(false);
  });

  test('shows a copy from before a detail existed', async () => {
    const [ada, bo] = [await oldMember(), await oldMember({ bio: 'Send me money' })];
    const { _id } = await fileReport(app, ada, { reportedUser: bo.id });
    await app.pool.query('alter table report_evidence disable trigger report_evidence_frozen');
    await app.pool.query(`update report_evidence set content = replace(content, '"goal":null,', '')`);
    await app.pool.query('alter table report_evidence enable trigger report_evidence_frozen');
    expect((await fileOf(app, administrator, _id)).evidence[0]?.profile?.bio).toBe('Send me money');
  });

  test('hides the two from each other, unless declined', async () => {
    const [ada, bo, cy] = [await oldMember(), await oldMember({ firstName: 'Bo' }), await oldMember()];
    await fileReport(app, ada, { reportedUser: cy.id, hideFromEachOther: false });
    expect(await sees(ada, cy)).toBe(true);
    const report = await fileReport(app, ada, { reportedUser: bo.id });
    expect(report.reportedUser).toEqual({ _id: bo.id, name: 'Bo' });
    expect([await sees(ada, bo), await sees(bo, ada)]).toEqual([false, false]);
    expect((await app.call(listBlocks, { token: bo.token })).body.data.blocks).toEqual([]);
  });

  test('accepts a member hidden from the reporter without revealing whether they exist', async () => {
    const ada = await oldMember();
    const hidden = await oldMember({ firstName: 'Hiddenname', deactivated: 'spam' });
    const [known, unknown] = [
      await fileReport(app, ada, { reportedUser: hidden.id }),
      await fileReport(app, ada, { reportedUser: randomUUID() }),
    ];
    const shape = ({ _id, reportedUser, ...rest }: typeof known) => ({ ...rest, name: reportedUser?.name });
    expect(shape(known)).toEqual(shape(unknown));
    expect((await fileOf(app, administrator, known._id)).report.reportedUser).toMatchObject({ _id: hidden.id });
    expect((await fileOf(app, administrator, unknown._id)).report.reportedUser).toMatchObject({ name: 'Unknown' });
  });

  test.each<[Record<string, unknown>, string]>([
    [{ description: '   \n ' }, 'description'],
    [{ description: 'x'.repeat(5001) }, 'description'],
    [{ description: 'nul\0' }, 'description'],
    [{ problem_type: 'Love' }, 'problem_type'],
    [{ reportedUser: 'no-id' }, 'reportedUser'],
    [{ reportedUser: randomUUID(), evidence: [{ type: 'profile', id: randomUUID() }] }, 'evidence.0.id'],
    [{ evidence: Array.from({ length: 21 }, () => ({ type: 'profile', id: randomUUID() })) }, 'evidence'],
    [{ evidence: [{ type: 'diary', id: randomUUID() }] }, 'evidence.0.type'],
    [{ mayBeMinor: 'yes' }, 'mayBeMinor'],
  ])('rejects %j with a field error and stores nothing', async (wrong, field) => {
    const ada = await makeMember(app);
    const body = { problem_type: 'Other' as const, description: 'Text', ...wrong };
    const refused = await app.call(createReport, { token: ada.token, body });
    expect(refused.status).toBe(400);
    expect(refused.error.errors?.[0]?.field).toBe(field);
    expect((await app.call(listMyReports, { token: ada.token })).body.data.reports).toEqual([]);
  });

  test('returns 400 for a report about oneself', async () => {
    const ada = await makeMember(app);
    const body = { problem_type: 'Other' as const, description: 'Me', reportedUser: ada.id };
    expect((await app.call(createReport, { token: ada.token, body })).status).toBe(400);
  });

  test.each([
    ['5,000 characters', 'x'.repeat(5000)],
    ['a script', '<script>alert(1)</script>"><img src=x onerror=alert(1)>'],
    ['right-to-left text', 'هو يزعجني كل يوم\nשלום'],
  ])('stores %s unchanged', async (_, description) => {
    const ada = await makeMember(app);
    const { _id } = await fileReport(app, ada, { description });
    const read = await app.call(getReport, { token: ada.token, params: { id: _id } });
    expect(read.body.data.report.description).toBe(description);
  });
});
