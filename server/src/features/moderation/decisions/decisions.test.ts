import { productName } from '#contract/constants.ts';
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chooseLanguage } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { claimCase, getCase, decideCase, revokeSanction } from '#contract/moderation/cases.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { shippedWords } from '#contract/moderation/shipped-rules.ts';
import { acknowledgeWarning, changeRule, listStatements, listRules } from '#contract/moderation/decisions.ts';
import { changeReportStatus, getReport, undoReportStatus } from '#contract/moderation/staff-reports.ts';
import { listNotifications } from '#contract/notifications.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { getUser } from '#contract/profiles/profiles.ts';
import { makeAdministrator, makeMember, makeModerator, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { likesIn } from '../../../../test/likes.ts';
import { caseIdOf, currentRuleId, fileOf as fileOfReport, fileReport } from '../../../../test/moderation/reports.ts';
import { sendMessage } from '#contract/messages/messages.ts';

const app = startAppForTests();
let administrator: TestMember;
let moderator: TestMember;
let ruleId: string;
beforeAll(async () => {
  ruleId = await currentRuleId(app);
});
beforeEach(async () => {
  administrator = await makeAdministrator(app);
  moderator = await makeModerator(app);
});

const facts = 'Sent nine insulting messages after being asked to stop.';
const day = 86_400;
type Given = BodyInput<typeof decideCase>;

async function reportedPerson() {
  const reporter = await makeMember(app, { firstName: 'Klara', lastName: 'Reporter' });
  const person = await makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z') });
  const body = { problem_type: 'Harassment' as const, reportedUser: person.id, hideFromEachOther: false };
  const { _id: reportId } = await fileReport(app, reporter, body);
  return { reporter, person, reportId, id: await caseIdOf(app, reportId) };
}

const decide = (id: string, given: Partial<Given> = {}, by = moderator) =>
  app.call(decideCase, {
    token: by.token,
    params: { id },
    body: { outcome: 'actioned', ruleId, facts, sanctions: [{ kind: 'warn' }], ...given },
  });
const fileOf = async (id: string, by = moderator) =>
  (await app.call(getCase, { token: by.token, params: { id } })).body.data;
const isActive = async ({ id }: TestMember) =>
  (await app.db.selectFrom('account').select('is_active').where('id', '=', id).executeTakeFirstOrThrow()).is_active;
const statementsOf = async ({ token }: TestMember) => (await app.call(listStatements, { token })).body.data.notices;

describe('a decision', () => {
  it('closes the reports, answers the reporter, warns the person and is recorded, all from one row', async () => {
    const { id, reporter, person, reportId } = await reportedPerson();
    const { case: decided, decision } = (await decide(id)).body.data;
    expect(decided).toMatchObject({ stage: 'decided', openReports: 0, due: null });
    expect(decision).toMatchObject({ outcome: 'actioned', rule: { clause: '2', version: 1 }, reportIds: [reportId] });
    const seen = (await app.call(getReport, { token: reporter.token, params: { id: reportId } })).body.data.report;
    expect(seen).toMatchObject({ status: 'resolved', isUnread: true });
    expect(seen.replies.at(-1)?.message).toContain('have acted on it');
    expect(JSON.stringify(seen)).not.toContain(facts);
    const [statement] = await statementsOf(person);
    expect(statement).toMatchObject({ facts, rule: { title: 'Respect' }, measures: [{ kind: 'warn', isLive: true }] });
    expect(JSON.stringify(statement)).not.toContain('Klara');
    const [mail] = await app.outbox(person.email);
    expect(mail?.text).toContain(facts);
    const trail = await app.call(listAudit, { token: administrator.token, query: { targetId: id } });
    expect(trail.body.data.events.map(({ action }) => action)).toContain('case.decided');
    const { timeline } = await fileOf(id);
    expect(timeline.some(({ kind, to }) => kind === 'decided' && to === 'actioned')).toBe(true);
  });

  it.each([
    ['de', 'en', 'Das endet nach 3 Tagen von selbst.', 'Ein Nein ist ein Nein.', 'Danke für deine Meldung.'],
    ['en', 'de', 'This ends by itself after 3 days.', 'A no is a no.', 'Thank you for your report.'],
  ] as const)(
    'is sent to people who read %s in that language, and not in %s',
    async (language, own, words, rule, thanks) => {
      const { id, person, reporter, reportId } = await reportedPerson();
      await app.call(chooseLanguage, { token: reporter.token, body: { language } });
      await app.call(chooseLanguage, { token: person.token, body: { language } });
      await app.call(decideCase, {
        token: moderator.token,
        params: { id },
        body: { outcome: 'actioned', ruleId, facts, sanctions: [{ kind: 'suspend', days: 3 }] },
        headers: { 'accept-language': own },
      });
      const [mail] = await app.outbox(person.email);
      expect(mail?.html).toContain(`lang="${language}"`);
      expect(mail?.text).toContain(words);
      expect(mail?.text).toContain(rule);
      const { body } = await app.call(getReport, { token: reporter.token, params: { id: reportId } });
      expect(body.data.report.replies.at(-1)?.message).toContain(thanks);
    },
  );

  it('answers each of many reports once', async () => {
    const { id, person, reporter, reportId } = await reportedPerson();
    const body = { problem_type: 'Harassment' as const, reportedUser: person.id, hideFromEachOther: false };
    const others = await Promise.all(Array.from({ length: 6 }, () => makeMember(app)));
    const filed = await Promise.all(others.map((other) => fileReport(app, other, body)));
    const reports = [{ by: reporter, _id: reportId }, ...others.map((by, n) => ({ by, _id: filed[n]?._id ?? '' }))];
    await decide(id);
    for (const { by, _id } of reports) {
      const { report } = (await app.call(getReport, { token: by.token, params: { id: _id } })).body.data;
      expect(report).toMatchObject({ status: 'resolved', isUnread: true });
      expect(report.replies.filter(({ message }) => message.includes('have acted on it'))).toHaveLength(1);
      const { timeline } = await fileOfReport(app, moderator, _id);
      expect(timeline.slice(-2).map(({ kind, to }) => [kind, to])).toEqual([
        ['reply', null],
        ['status', 'resolved'],
      ]);
      const { notifications } = (await app.call(listNotifications, { token: by.token })).body.data;
      expect(notifications.filter(({ kind }) => kind === 'report')).toHaveLength(1);
    }
  });

  it('is rejected if it is incomplete, names the reporter, or is based on an outdated rule', async () => {
    const { id, reporter } = await reportedPerson();
    const refused = async (given: Partial<Given>) => {
      const { status, error } = await decide(id, given);
      return [status, error.errors?.map(({ field }) => field)];
    };
    expect(await refused({ facts: 'Too short' })).toEqual([400, ['facts']]);
    expect(await refused({ sanctions: [] })).toEqual([400, ['sanctions']]);
    expect(await refused({ facts: `${facts} Klara told us about it.` })).toEqual([400, ['facts']]);
    expect(await refused({ facts: `${facts} Write to ${reporter.email}.` })).toEqual([400, ['facts']]);
    expect(await refused({ ruleId: randomUUID() })).toEqual([400, ['ruleId']]);
    expect((await decide(id, { sanctions: [{ kind: 'ban' }] })).status).toBe(403);
    expect((await fileOf(id)).decisions).toEqual([]);
  });

  it('is made only once, and never while a colleague has claimed the case', async () => {
    const { id } = await reportedPerson();
    await app.call(claimCase, { token: administrator.token, params: { id } });
    expect((await decide(id)).error.code).toBe('CASE_CLAIMED');
    const answers = await Promise.all(Array.from({ length: 8 }, () => decide(id, {}, administrator)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    expect((await fileOf(id)).sanctions).toHaveLength(1);
  });

  it('changes nothing when its mail cannot be written', async () => {
    const { id, person } = await reportedPerson();
    await app.pool.query(`create function refuse_mail() returns trigger language plpgsql as $$
      begin raise exception 'cut short'; end $$`);
    await app.pool.query(
      `create trigger refuse_mail before insert on mail for each row execute function refuse_mail()`,
    );
    expect((await decide(id, { sanctions: [{ kind: 'suspend', days: 3 }] })).status).toBeGreaterThanOrEqual(500);
    await app.pool.query('drop trigger refuse_mail on mail; drop function refuse_mail');
    const file = await fileOf(id);
    expect([file.decisions, file.sanctions, file.case.stage]).toEqual([[], [], 'open']);
    expect(await isActive(person)).toBe(true);
  });

  it('is recorded without reasons when it is made with one click, and undone with that click', async () => {
    const { id, reportId } = await reportedPerson();
    const params = { id: reportId };
    await app.call(changeReportStatus, { token: moderator.token, params, body: { status: 'resolved' } });
    expect((await fileOf(id)).decisions).toMatchObject([{ kind: 'quick', outcome: null, isUndone: false }]);
    await app.call(undoReportStatus, { token: moderator.token, params });
    expect((await fileOf(id)).decisions).toMatchObject([{ kind: 'quick', isUndone: true }]);
  });

  it('cannot be undone with one click if it has reasons', async () => {
    const { id, reportId } = await reportedPerson();
    await decide(id);
    const undone = await app.call(undoReportStatus, { token: moderator.token, params: { id: reportId } });
    expect(undone.error.code).toBe('ILLEGAL_STEP');
  });

  it('makes the next safety report critical if it found a violation', async () => {
    const { id, person, reporter } = await reportedPerson();
    await decide(id);
    app.clock.advance(60);
    await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: person.id });
    expect((await fileOf(id)).case).toMatchObject({ criticalBecause: 'confirmed_before', priority: 'critical' });
    expect((await fileOf(id)).recommendation).toEqual({ kind: 'suspend', days: 7, strikes: 1 });
  });
});

describe('a suspension', () => {
  it('locks the member out, and ends automatically', async () => {
    const { id, person } = await reportedPerson();
    await decide(id, { sanctions: [{ kind: 'suspend', days: 7 }] });
    expect(await isActive(person)).toBe(false);
    expect((await app.call(listStatements, { token: person.token })).status).toBe(401);
    const endTask = app.app.background.tasks['cases.endSanctions'];
    app.clock.advance(7 * day - 1);
    await endTask?.({}, {} as never);
    expect(await isActive(person)).toBe(false);
    app.clock.advance(1);
    await endTask?.({}, {} as never);
    expect(await isActive(person)).toBe(true);
    const back = await signIn(app, person.id);
    expect((await statementsOf({ ...person, ...back }))[0]?.measures).toMatchObject([
      { kind: 'suspend', isLive: false },
    ]);
  });

  it.each([
    ['hundreds of earlier sanctions of deleted accounts', null],
    ['hundreds of earlier sanctions of one account', 'another'],
  ])('ends even with %s', async (_, whose) => {
    const { id, person } = await reportedPerson();
    await decide(id, { sanctions: [{ kind: 'suspend', days: 7 }] });
    const other = whose === null ? null : (await makeMember(app)).id;
    await app.sql`insert into sanction (account_id, kind, reason, created_by_name, starts_at, ends_at, strikes, strikes_until)
      select ${other}::uuid, 'hide_profile', 'x', 'x', ends, ends, 0, ends from (
        select ${app.clock.now()}::timestamptz + make_interval(secs => n) as ends from generate_series(1, 1200) n) earlier`;
    app.clock.advance(7 * day);
    await app.app.background.tasks['cases.endSanctions']?.({}, {} as never);
    expect(await isActive(person)).toBe(true);
    const { rows } = await sql`select from sanction where ended_at is null and revoked_at is null
      and ends_at <= ${app.clock.now()}`.execute(app.db);
    expect(rows).toEqual([]);
  });

  it('shows its reason at sign-in', async () => {
    const passwordHash = await (await import('../../auth/password/hashing.ts')).hashPassword('a long pass phrase');
    const person = await makeMember(app, { passwordHash });
    const { _id } = await fileReport(app, await makeMember(app), { problem_type: 'Other', reportedUser: person.id });
    await decide(await caseIdOf(app, _id), { sanctions: [{ kind: 'suspend', days: 2 }] });
    const refused = await app.call(login, { body: { email: person.email, password: 'a long pass phrase' } });
    expect(refused.error).toMatchObject({ code: 'ACCOUNT_DEACTIVATED' });
    expect(refused.error.message).toContain(facts);
  });

  it('can be revoked once by an administrator, with a reason', async () => {
    const { id, person } = await reportedPerson();
    await decide(id, { sanctions: [{ kind: 'ban' }] }, administrator);
    const [sanction] = (await fileOf(id)).sanctions;
    const params = { id: sanction?._id ?? '' };
    const body = { reason: 'The wrong person' };
    expect((await app.call(revokeSanction, { token: moderator.token, params, body })).status).toBe(403);
    expect((await fileOf(id)).canRevoke).toBe(false);
    expect((await fileOf(id, administrator)).canRevoke).toBe(true);
    await app.pool.query(`update account set staff_role = 'owner' where id = $1`, [person.id]);
    expect((await app.call(revokeSanction, { token: administrator.token, params, body })).status).toBe(403);
    expect((await fileOf(id, administrator)).canRevoke).toBe(false);
    await app.pool.query('update account set staff_role = null where id = $1', [person.id]);
    const revoked = (await app.call(revokeSanction, { token: administrator.token, params, body })).body.data.sanction;
    expect(revoked).toMatchObject({ isLive: false, strikes: 0, revokeReason: 'The wrong person' });
    expect(await isActive(person)).toBe(true);
    expect((await app.call(revokeSanction, { token: administrator.token, params, body })).status).toBe(409);
    expect((await fileOf(id)).recommendation?.strikes).toBe(0);
  });

  it('is created and revoked on the users screen too', async () => {
    const person = await makeMember(app);
    const change = (active: boolean, reason: string) =>
      app.call(changeAdminUser, {
        token: administrator.token,
        params: { id: person.id },
        body: { isActive: active, reason },
      });
    await change(false, 'Spam');
    const rows = () => app.db.selectFrom('sanction').selectAll().where('account_id', '=', person.id).execute();
    expect(await rows()).toMatchObject([{ kind: 'suspend', reason: 'Spam', ends_at: null, revoked_at: null }]);
    await change(true, 'A mistake');
    expect(await rows()).toMatchObject([{ kind: 'suspend', revoke_reason: 'A mistake' }]);
    expect(await isActive(person)).toBe(true);
  });
});

describe('a sanction against a colleague', () => {
  const casesOf = async (person: TestMember, reporter: TestMember) =>
    caseIdOf(app, (await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: person.id }))._id);

  it('can be applied only by people who may deactivate them, never to a higher rank', async () => {
    const reporter = await makeMember(app);
    const owner = await makeMember(app, { staffRole: 'owner' });
    const senior = await makeMember(app, { staffRole: 'senior' });
    for (const [person, by] of [
      [owner, moderator],
      [owner, administrator],
      [moderator, senior],
    ] as const) {
      const suspended = await decide(
        await casesOf(person, reporter),
        { sanctions: [{ kind: 'suspend', days: 7 }] },
        by,
      );
      expect(suspended.status).toBe(403);
      expect(await isActive(person)).toBe(true);
    }
    const id = await casesOf(senior, reporter);
    expect((await decide(id, { sanctions: [{ kind: 'suspend', days: 7 }] }, administrator)).status).toBe(201);
    expect(await isActive(senior)).toBe(false);
  });

  it('cannot be reversed by lower roles or by the colleague who reported', async () => {
    const owner = await makeMember(app, { staffRole: 'owner' });
    const person = await makeMember(app, { staffRole: 'admin' });
    const reporter = await makeMember(app, { staffRole: 'senior' });
    const { body } = await decide(await casesOf(person, await makeMember(app)), {}, owner);
    const revoke = (id: string | undefined, by: TestMember) =>
      app.call(revokeSanction, { token: by.token, params: { id: id ?? '' }, body: { reason: 'A mistake' } });
    expect((await revoke(body.data.decision.sanctions[0]?._id, reporter)).status).toBe(403);

    const member = await makeMember(app);
    const warned = await decide(await casesOf(member, reporter), {}, owner);
    const ofMember = warned.body.data.decision.sanctions[0]?._id;
    expect((await revoke(ofMember, reporter)).status).toBe(403);
    expect((await revoke(ofMember, administrator)).status).toBe(200);
  });
});

describe('other sanctions', () => {
  it('hide a profile for a limited time', async () => {
    const { id, person, reporter } = await reportedPerson();
    const visible = () => app.call(getUser, { token: reporter.token, params: { id: person.id } });
    expect((await visible()).status).toBe(200);
    await decide(id, { sanctions: [{ kind: 'hide_profile', days: 1 }] });
    expect((await visible()).status).toBe(404);
    app.clock.advance(day);
    Object.assign(reporter, await signIn(app, reporter.id));
    await app.app.background.tasks['cases.endSanctions']?.({}, {} as never);
    expect((await visible()).status).toBe(200);
  });

  it('keep a member from starting conversations, but not from continuing those they have', async () => {
    const { id, person } = await reportedPerson();
    const { match } = likesIn(() => app);
    const [old, fresh] = [await match(person, await makeMember(app)), await match(person, await makeMember(app))];
    const write = (matchId: string) =>
      app.call(sendMessage, {
        token: person.token,
        params: { id: matchId },
        body: { clientId: randomUUID(), text: 'Hello' },
      });
    expect((await write(old)).status).toBe(201);
    await decide(id, { sanctions: [{ kind: 'limit_messaging', days: 7 }] });
    expect((await write(old)).status).toBe(201);
    expect((await write(fresh)).status).toBe(403);
  });

  it('are acknowledged by the member if they are warnings', async () => {
    const { id, person } = await reportedPerson();
    const { decision } = (await decide(id)).body.data;
    const acknowledge = (by: TestMember) =>
      app.call(acknowledgeWarning, { token: by.token, params: { id: decision._id } });
    expect((await statementsOf(person))[0]?.measures[0]?.needsAcknowledgement).toBe(true);
    expect((await acknowledge(await makeMember(app))).status).toBe(404);
    expect((await acknowledge(person)).body.data.notices[0]?.measures[0]?.needsAcknowledgement).toBe(false);
    expect((await acknowledge(person)).status).toBe(200);
    expect((await fileOf(id)).sanctions[0]?.acknowledgedAt).not.toBeNull();
  });
});

describe('the community rules', () => {
  it('are translated in their original wording', async () => {
    const { rules } = (await app.call(listRules, { token: moderator.token })).body.data;
    const unchanged = rules.filter(({ version }) => version === 1);
    expect(unchanged.length).toBeGreaterThan(5);
    for (const { title, text, ...rule } of unchanged) {
      const shipped = shippedWords(rule);
      expect([shipped?.title.message, shipped?.text.message?.replace('{brand}', productName)]).toEqual([title, text]);
    }
    expect(shippedWords({ clause: '2', version: 2 })).toBeUndefined();
  });

  it('can be changed by administrators as new versions, while decisions keep their version', async () => {
    const { id } = await reportedPerson();
    const older = await currentRuleId(app, '5');
    await decide(id, { ruleId: older });
    const params = { id: older };
    const body = { title: 'No scams', text: 'No requests for money at all.' };
    expect((await app.call(changeRule, { token: moderator.token, params, body })).status).toBe(403);
    for (const field of ['title', 'text']) {
      const linked = { ...body, [field]: 'Verify at prize.example/login' };
      const refused = await app.call(changeRule, { token: administrator.token, params, body: linked });
      expect([refused.status, refused.error.errors?.[0]?.field]).toEqual([400, field]);
    }
    const { rule } = (await app.call(changeRule, { token: administrator.token, params, body })).body.data;
    expect(rule).toMatchObject({ clause: '5', version: 2, text: body.text });
    expect((await app.call(changeRule, { token: administrator.token, params, body })).status).toBe(409);
    const { rules } = (await app.call(listRules, { token: moderator.token })).body.data;
    expect(rules.map(({ clause }) => clause)).toEqual(['1', '2', '3', '4', '5', '6', '7', '8']);
    expect((await fileOf(id)).decisions[0]?.rule).toMatchObject({ clause: '5', version: 1 });
  });
});
