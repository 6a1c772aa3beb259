import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { decideAppeal, listAppeals, reviewAppeal } from '#contract/moderation/appeals.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { decideCase, getCase } from '#contract/moderation/cases.ts';
import type { EmergencyKind } from '#contract/moderation/emergencies.ts';
import {
  appealOutsiderReport,
  assignOutsiderReport,
  closeOutsiderReport,
  forgetOutsider,
  getOutsiderChallenge,
  listOutsiderReports,
  type OutsiderView,
  openOutsiderLink,
} from '#contract/moderation/outsider-reports.ts';
import type { OutsiderType } from '#contract/moderation/outsider-types.ts';
import { changeReportStatus, listReports } from '#contract/moderation/staff-reports.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../../../test/factories.ts';
import { newNetwork, startAppForTests } from '../../../../test/harness.ts';
import {
  mailedOutsiderToken,
  placeOutsiderReport,
  sendOutsiderReport,
  solvedChallenge,
} from '../../../../test/moderation/outsiders.ts';
import { currentRuleId, fileReport } from '../../../../test/moderation/reports.ts';
import { canonicalAddress } from '#platform/canonical-address.ts';

const app = startAppForTests({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
let moderator: TestMember;
let administrator: TestMember;
let person: TestMember;
beforeEach(async () => {
  [moderator, administrator] = [await makeModerator(app), await makeAdministrator(app)];
  person = await makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z') });
});

const newEmail = () => `outsider-${randomUUID()}@outside.example`;
const addressOf = ({ id }: { id: string }) => `https://heartwood.test/app/members/${id}`;
const plea = 'The profile shows my pictures. Please look again.';
const reasons = 'We compared all pictures with yours, and they show someone else.';
const day = 86_400;

const reportsAbout = (id: string) =>
  app.db.selectFrom('report').selectAll().where('reported_id', '=', id).orderBy('created_at').execute();
const place = (given: Parameters<typeof placeOutsiderReport>[1] = {}) =>
  placeOutsiderReport(app, { ...given }, newNetwork());
const read = async (token: string) => (await app.call(openOutsiderLink, { body: { token } })).body.data.notices;
const list = async (by: TestMember, view: OutsiderView) =>
  (await app.call(listOutsiderReports, { token: by.token, query: { view } })).body.data.notices;
const idsIn = async (view: OutsiderView) => (await list(moderator, view)).map(({ _id }) => _id);
const close = (by: TestMember, id: string, answer?: string) =>
  app.call(closeOutsiderReport, { token: by.token, params: { id }, body: { answer } });

/** An outsider report about the person, with its case and the token in its author's mail. */
async function filed(given: Parameters<typeof placeOutsiderReport>[1] = {}) {
  const email = newEmail();
  const id = await place({ email, address: addressOf(person), ...given });
  const [report] = await reportsAbout(person.id);
  return { id, email, token: await mailedOutsiderToken(app, email), caseId: report?.case_id ?? '' };
}

const isHeldNow = async (id: string) => {
  const hold = app.db
    .selectFrom('account_hold')
    .select('id')
    .where('account_id', '=', id)
    .where('ended_at', 'is', null);
  return (await hold.executeTakeFirst()) !== undefined;
};

const pagesWaiting = async () => {
  const { rows } = await app.pool.query<{ count: number }>(
    "select count(*)::int as count from graphile_worker.jobs where task_identifier = 'emergencies.page'",
  );
  return rows[0]?.count ?? 0;
};

const decide = async (caseId: string, outcome: 'actioned' | 'no_violation') =>
  app.call(decideCase, {
    token: moderator.token,
    params: { id: caseId },
    body:
      outcome === 'no_violation'
        ? { outcome }
        : {
            outcome,
            ruleId: await currentRuleId(app),
            facts: 'Shows pictures of someone else as their own.',
            sanctions: [{ kind: 'warn' }],
          },
  });

describe('POST /notices', () => {
  it('files an outsider report about a profile in its owner’s case, without a reporter and outside the list of reports', async () => {
    const { caseId } = await filed({ type: 'harassment', where: 'In the bio' });
    const [report] = await reportsAbout(person.id);
    expect(report).toMatchObject({
      ...{ source: 'outsider', reporter_id: null, problem_type: 'Harassment', priority: 'high', is_listed: false },
      description: 'This profile shows my holiday pictures, and I never joined.\n\nWhere: In the bio',
    });
    const file = (await app.call(getCase, { token: moderator.token, params: { id: caseId } })).body.data;
    expect(file.reports[0]).toMatchObject({ source: 'outsider', user: { _id: null, email: null } });
    expect(file.evidence[0]?.items[0]).toMatchObject({ type: 'profile', isIntact: true });
    expect(JSON.stringify(file)).not.toMatch(/Olga|outside\.example/);
    const listed = (await app.call(listReports, { token: administrator.token })).body.data.reports;
    expect(listed.map(({ _id }) => _id)).not.toContain(report?.id);
  });

  it('finds a profile by the address of one of its pictures, and copies the picture', async () => {
    const { id: pictureId, object_key: key } = await app.db
      .selectFrom('picture')
      .select(['id', 'object_key'])
      .where('account_id', '=', person.id)
      .executeTakeFirstOrThrow();
    await place({ address: `https://heartwood.test/api/v1/media/${key}.large?sig=x` });
    const [report] = await reportsAbout(person.id);
    const evidence = await app.db
      .selectFrom('report_evidence')
      .select(['kind', 'content'])
      .where('report_id', '=', report?.id ?? '')
      .where('kind', '=', 'picture')
      .execute();
    expect(evidence.map(({ content }) => content.includes(pictureId))).toEqual([true]);
  });

  it('returns and mails the same whether or not the profile exists', async () => {
    const looks = [];
    for (const address of [addressOf(person), addressOf({ id: randomUUID() }), 'the one with the red hat']) {
      const email = newEmail();
      const { status, body } = await sendOutsiderReport(app, { address, email }, newNetwork());
      await app.drain('outsiders.file', 'mail.send');
      const [mail, ...others] = await app.outbox(email);
      const { subject, text } = mail ?? {};
      const outsiderReports = await read(await mailedOutsiderToken(app, email));
      looks.push({
        ...{ status, body, subject, others },
        text: text?.replaceAll(/#\S+/g, ''),
        notices: outsiderReports.map((one) => ({ ...one, _id: '' })),
      });
    }
    expect(looks[1]).toEqual(looks[0]);
    expect(looks[2]).toEqual(looks[0]);
    expect(looks[0]?.status).toBe(201);
  });

  it.each([
    ['neither an address nor a description', { address: undefined }, 'address'],
    ['no name', { name: undefined }, 'name'],
    ['no email address', { email: undefined }, 'email'],
    ['a text that is too short', { text: 'Bad.' }, 'text'],
  ])('returns 400 for %s', async (_, given, field) => {
    const { status, error } = await sendOutsiderReport(app, { email: newEmail(), ...given }, newNetwork());
    expect([status, error.errors?.[0]?.field]).toEqual([400, field]);
  });

  it('accepts reports about the abuse of children without a name, as critical', async () => {
    await sendOutsiderReport(
      app,
      { type: 'child_abuse', name: undefined, email: undefined, address: addressOf(person) },
      newNetwork(),
    );
    await app.drain('outsiders.file');
    expect(await reportsAbout(person.id)).toMatchObject([{ priority: 'critical', source: 'outsider' }]);
  });

  it.each<[OutsiderType, EmergencyKind[]]>([
    ['child_abuse', ['minor']],
    ['minor', ['minor']],
    ['threat', ['threat_to_life']],
    ['harassment', []],
  ])('pages the people on call for %s: %o', async (type, kinds) => {
    const { caseId } = await filed({ type });
    const found = app.db.selectFrom('emergency').select('kind').where('case_id', '=', caseId);
    expect((await found.execute()).map(({ kind }) => kind)).toEqual(kinds);
  });

  it('pages the people on call for five outsider reports an hour, and notes the others', async () => {
    app.clock.advance(3600);
    const before = await pagesWaiting();
    const cases = [];
    for (let n = 0; n < 7; n += 1) {
      person = await makeMember(app);
      cases.push((await filed({ type: 'threat' })).caseId);
    }
    const noted = await app.db.selectFrom('emergency').select('id').where('case_id', 'in', cases).execute();
    expect([noted.length, (await pagesWaiting()) - before]).toEqual([7, 5]);
    app.clock.advance(3600);
    person = await makeMember(app);
    await filed({ type: 'threat' });
    expect((await pagesWaiting()) - before).toBe(6);
  });

  it('holds no account until a colleague acts, even once the address is confirmed', async () => {
    const { token } = await filed({ type: 'minor' });
    await read(token);
    await app.drain('outsiders.confirmed');
    expect(await isHeldNow(person.id)).toBe(false);
    const [report] = await reportsAbout(person.id);
    await app.call(changeReportStatus, {
      token: moderator.token,
      params: { id: report?.id ?? '' },
      body: { status: 'in_progress' },
    });
    expect(await isHeldNow(person.id)).toBe(true);
  });

  it('returns 400 without a solved challenge, and for a forged or expired one', async () => {
    const { challenge } = (await app.call(getOutsiderChallenge)).body.data;
    const proof = await solvedChallenge(app);
    const statusFor = async (given: typeof proof) =>
      (await sendOutsiderReport(app, { email: newEmail(), proof: given }, newNetwork())).status;
    expect(await statusFor({ challenge: challenge.replace(/.$/, '!'), counter: proof.counter })).toBe(400);
    expect(await statusFor({ ...proof, challenge: `9${proof.challenge}` })).toBe(400);
    app.clock.advance(21 * 60);
    expect(await statusFor(proof)).toBe(400);
  });

  it('accepts a solved challenge once', async () => {
    const proof = await solvedChallenge(app);
    const send = () => sendOutsiderReport(app, { email: newEmail(), proof }, newNetwork());
    expect([(await send()).status, (await send()).status]).toEqual([201, 429]);
  });

  it.each<[string, (name: string, n: number) => string]>([
    ['tags', (name, n) => `${name}+${n}@outside.example`],
    ['dots at Google', (name, n) => `${name.slice(0, n + 1)}.${name.slice(n + 1)}@gmail.com`],
    ['both names and tags of Google', (name, n) => `${name}+${n}@${n % 2 === 0 ? 'gmail' : 'googlemail'}.com`],
  ])(
    'takes any number of outsider reports from one mailbox with %s, files five a day, and mails one receipt',
    async (_, emailOf) => {
      const name = `outsider-${randomUUID()}`;
      const send = (n: number) =>
        sendOutsiderReport(
          app,
          {
            email: emailOf(name, n),
            address: addressOf(person),
            type: 'scam',
            text: `Notice number ${n} about this.`,
          },
          newNetwork(),
        );
      const statuses = [];
      for (let n = 0; n < 6; n += 1) {
        statuses.push((await send(n)).status);
        await app.drain('outsiders.file');
      }
      expect(new Set(statuses)).toEqual(new Set([201]));
      const { rows } = await app.pool.query(
        'select count(*)::int as sent, count(report_id)::int as filed, count(receipt_at)::int as receipts from outsider_notice where mailbox_of(email) = $1',
        [canonicalAddress(emailOf(name, 0))],
      );
      expect(rows).toEqual([{ sent: 6, filed: 5, receipts: 1 }]);
    },
  );

  it('files other outsider reports once the address is confirmed', async () => {
    const email = newEmail();
    for (let n = 0; n < 6; n += 1)
      await place({ email, address: addressOf(person), type: 'scam', text: `Notice number ${n} about this.` });
    await read(await mailedOutsiderToken(app, email));
    await app.drain('outsiders.confirmed');
    const outsiderReports = await app.db
      .selectFrom('outsider_notice')
      .select('report_id')
      .where('email', '=', email)
      .execute();
    expect(outsiderReports.filter(({ report_id }) => report_id === null)).toEqual([]);
  });

  it('counts the same content about the same profile instead of filing it again', async () => {
    for (let n = 0; n < 3; n += 1) await place({ email: newEmail(), address: addressOf(person) });
    expect(await reportsAbout(person.id)).toHaveLength(1);
    const address = addressOf({ id: randomUUID() });
    const again = { address, text: 'The same text about no one.' };
    const ids = [await place(again), await place(again)];
    const lines = (await list(moderator, 'unconfirmed')).filter(({ _id }) => ids.includes(_id));
    expect(lines).toMatchObject([{ times: 2 }]);
  });

  it('opens at most three reports about one person, adds later ones to the newest, and shows them there', async () => {
    for (let n = 0; n < 5; n += 1) await filed({ text: `Something else happened, number ${n}.` });
    const reports = await reportsAbout(person.id);
    const { rows } = await app.pool.query(
      'select count(*)::int as count from outsider_notice where report_id = any ($1)',
      [reports.map(({ id }) => id)],
    );
    expect([reports.length, rows]).toEqual([3, [{ count: 5 }]]);
    const params = { id: reports[0]?.case_id ?? '' };
    const file = (await app.call(getCase, { token: moderator.token, params })).body.data;
    const texts = file.reports.flatMap(({ description, notices: outsiderReports = [] }) => [
      description,
      ...outsiderReports.map(({ text }) => text),
    ]);
    expect(texts.toSorted()).toEqual(Array.from({ length: 5 }, (_, n) => `Something else happened, number ${n}.`));
    expect(JSON.stringify(file)).not.toMatch(/Olga|outside\.example/);
  });

  it.each<[OutsiderType, EmergencyKind[]]>([
    ['child_abuse', ['minor']],
    ['minor', ['minor']],
    ['threat', ['threat_to_life']],
  ])('opens a report about %s beside any number of others, once', async (type, kinds) => {
    for (let n = 0; n < 4; n += 1) await filed({ text: `Something else happened, number ${n}.` });
    const { caseId } = await filed({ type });
    await filed({ type, text: 'The same danger in other words.' });
    const reports = await reportsAbout(person.id);
    const urgent = reports.filter(({ priority }) => priority === 'critical');
    expect([reports.length, urgent.map((one) => one.may_be_minor)]).toEqual([4, [type === 'minor']]);
    const found = app.db.selectFrom('emergency').select('kind').where('case_id', '=', caseId);
    expect((await found.execute()).map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe('the emailed link about an outsider report', () => {
  it.each([
    ['actioned', 'acted', null],
    ['no_violation', 'not_acted', true],
  ] as const)(
    'tells the author of an outsider report about a profile that was %s that we %s',
    async (outcome, told, mayAppeal) => {
      const { token, caseId, email } = await filed();
      expect(await read(token)).toMatchObject([{ outcome: null, right: null }]);
      app.clock.advance(60);
      await decide(caseId, outcome);
      const [outsiderReport] = await read(token);
      expect([outsiderReport?.outcome, outsiderReport?.right?.mayAppeal ?? null]).toEqual([told, mayAppeal]);
      // The result is the same however long the server was down.
      app.clock.advance(5 * day);
      await app.app.background.tasks['outsiders.tell']?.({}, {} as never);
      const mails = await app.outbox(email);
      expect(mails.map(({ subject }) => subject)).toEqual(['There is an answer', 'We received your message']);
      await app.app.background.tasks['outsiders.tell']?.({}, {} as never);
      expect(await app.outbox(email)).toHaveLength(2);
    },
  );

  it('shows the same for a profile that does not exist once staff have closed the outsider report', async () => {
    const real = await filed();
    const email = newEmail();
    const id = await place({ email, address: addressOf({ id: randomUUID() }) });
    const token = await mailedOutsiderToken(app, email);
    await decide(real.caseId, 'no_violation');
    await close(moderator, id);
    const plain = (outsiderReports: Awaited<ReturnType<typeof read>>) =>
      outsiderReports.map(({ _id, right, ...outsiderReport }) => ({
        ...outsiderReport,
        right: right && { ...right, decisionId: '' },
      }));
    expect(plain(await read(token))).toEqual(plain(await read(real.token)));
  });

  it('shows no details to an author without an address', async () => {
    const email = newEmail();
    const id = await place({ email, address: undefined, person: 'Member with a red hat' });
    const token = await mailedOutsiderToken(app, email);
    await close(moderator, id);
    expect(await read(token)).toMatchObject([{ outcome: 'unsaid', right: null }]);
  });

  it('sends no mail about decisions to an unconfirmed address', async () => {
    const { caseId, email } = await filed();
    app.clock.advance(60);
    await decide(caseId, 'no_violation');
    await app.app.background.tasks['outsiders.tell']?.({}, {} as never);
    expect(await app.outbox(email)).toHaveLength(1);
  });

  it('is rejected when forged, for another purpose, and after 183 days', async () => {
    const { token } = await filed();
    const statusOf = async (given: string) => (await app.call(openOutsiderLink, { body: { token: given } })).status;
    expect(await statusOf(token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')))).toBe(404);
    expect(await statusOf(`${randomUUID()}.9999999999.x`)).toBe(404);
    const before = app.clock.now();
    app.clock.advance(184 * day);
    expect(await statusOf(token)).toBe(404);
    app.clock.set(before);
  });
});

describe('POST /notices/link/appeal', () => {
  const appeal = (token: string, noticeId: string) =>
    app.call(appealOutsiderReport, { body: { token, noticeId, text: plea } });

  it('creates an appeal that someone else decides, and the author reads why', async () => {
    const { id, token, caseId } = await filed();
    await decide(caseId, 'no_violation');
    const [outsiderReport] = (await appeal(token, id)).body.data.notices;
    expect(outsiderReport?.right).toMatchObject({ mayAppeal: false, appeal: { state: 'submitted', text: plea } });
    expect((await appeal(token, id)).status).toBe(409);
    const { appeals } = (await app.call(listAppeals, { token: administrator.token })).body.data;
    const line = appeals.find((one) => one.caseId === caseId);
    expect(line).toMatchObject({ party: 'reporter', appellant: { _id: null, name: 'Someone who is not a member' } });
    const params = { id: line?._id ?? '' };
    await app.call(reviewAppeal, { token: administrator.token, params });
    await app.call(decideAppeal, { token: administrator.token, params, body: { outcome: 'upheld', reasons } });
    expect(await read(token)).toMatchObject([
      { outcome: 'not_acted', right: { appeal: { state: 'upheld', answer: reasons } } },
    ]);
  });

  it('reopens the case when the decision is overturned', async () => {
    const { id, token, caseId } = await filed();
    await decide(caseId, 'no_violation');
    await appeal(token, id);
    const { appeals } = (await app.call(listAppeals, { token: administrator.token })).body.data;
    const params = { id: appeals.find((one) => one.caseId === caseId)?._id ?? '' };
    await app.call(reviewAppeal, { token: administrator.token, params });
    await app.call(decideAppeal, { token: administrator.token, params, body: { outcome: 'overturned', reasons } });
    expect(await reportsAbout(person.id)).toMatchObject([{ status: 'in_progress' }]);
    expect(await read(token)).toMatchObject([{ outcome: null, right: null }]);
  });

  it('returns a closed outsider report to staff, and a different colleague answers with reasons', async () => {
    const email = newEmail();
    const id = await place({ email });
    const token = await mailedOutsiderToken(app, email);
    await close(moderator, id);
    expect((await appeal(token, id)).body.data.notices).toMatchObject([
      { outcome: 'not_acted', right: { mayAppeal: false, appeal: { state: 'submitted' } } },
    ]);
    expect(await idsIn('waiting')).toContain(id);
    expect((await close(moderator, id, reasons)).status).toBe(403);
    expect((await close(administrator, id)).status).toBe(400);
    expect((await close(administrator, id, reasons)).status).toBe(200);
    expect(await read(token)).toMatchObject([{ right: { appeal: { state: 'upheld', answer: reasons } } }]);
    expect(await idsIn('done')).toContain(id);
  });

  it('accepts one of two appeals sent at the same time', async () => {
    const { id, token, caseId } = await filed();
    await decide(caseId, 'no_violation');
    const answers = await Promise.all([appeal(token, id), appeal(token, id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409]);
    const appeals = await app.db.selectFrom('appeal').select('id').where('case_id', '=', caseId).execute();
    expect(appeals).toHaveLength(1);
  });

  it('can be repeated against the decision that follows an appeal', async () => {
    const email = newEmail();
    const id = await place({ email });
    const token = await mailedOutsiderToken(app, email);
    await close(moderator, id);
    await appeal(token, id);
    const params = { id };
    const assigned = await app.call(assignOutsiderReport, {
      token: administrator.token,
      params,
      body: { userId: person.id },
    });
    expect(await read(token)).toMatchObject([{ outcome: null, right: null }]);
    await decide(assigned.body.data.caseId, 'no_violation');
    expect(await read(token)).toMatchObject([{ outcome: 'not_acted', right: { mayAppeal: true, appeal: null } }]);
    expect((await appeal(token, id)).status).toBe(201);
  });

  it.each(['upheld', 'inadmissible'] as const)(
    'shows the author the same for an existing profile, even when it is %s',
    async (outcome) => {
      const { id, token, caseId } = await filed();
      await decide(caseId, 'no_violation');
      await appeal(token, id);
      const { appeals } = (await app.call(listAppeals, { token: administrator.token })).body.data;
      const params = { id: appeals.find((one) => one.caseId === caseId)?._id ?? '' };
      const state = async () => (await read(token))[0]?.right?.appeal?.state;
      await app.call(reviewAppeal, { token: administrator.token, params });
      expect(await state()).toBe('submitted');
      await app.call(decideAppeal, { token: administrator.token, params, body: { outcome, reasons } });
      expect(await state()).toBe('upheld');
    },
  );

  it('returns 409 before there is a decision, and 404 for an outsider report from another address', async () => {
    const [own, other] = [await filed(), await filed({ text: 'Something else about the profile.' })];
    expect((await appeal(own.token, own.id)).status).toBe(409);
    expect((await appeal(own.token, other.id)).status).toBe(404);
  });
});

describe('the list for staff', () => {
  it('shows confirmed outsider reports, urgent ones first, with the address masked', async () => {
    const [email, urgentEmail] = [newEmail(), newEmail()];
    const id = await place({ email });
    app.clock.advance(60);
    const urgent = await place({ email: urgentEmail, type: 'threat', address: undefined, person: 'Pat, 34, Leeds' });
    expect(await idsIn('waiting')).not.toContain(id);
    for (const to of [email, urgentEmail]) await read(await mailedOutsiderToken(app, to));
    const lines = (await list(moderator, 'waiting')).filter(({ _id }) => [id, urgent].includes(_id));
    expect(lines).toMatchObject([
      { _id: urgent, isUrgent: true, person: 'Pat, 34, Leeds' },
      { _id: id, isUrgent: false, name: 'Olga Outside', email: 'o•••@o•••.example', canClose: true },
    ]);
  });

  it('adds an outsider report to the chosen person’s case, and deletes the description of the person', async () => {
    const id = await place({ address: undefined, person: 'Pat, 34, Leeds' });
    const assigned = await app.call(assignOutsiderReport, {
      token: moderator.token,
      params: { id },
      body: { userId: person.id },
    });
    const [report] = await reportsAbout(person.id);
    expect(assigned.body.data.caseId).toBe(report?.case_id);
    const row = await app.db.selectFrom('outsider_notice').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ person: null, address: null, report_id: report?.id });
    expect((await close(moderator, id)).status).toBe(409);
  });

  it('hides cases to which the viewer is a party', async () => {
    const { id } = await filed();
    expect(await idsIn('done')).toContain(id);
    await fileReport(app, moderator, { problem_type: 'Harassment', reportedUser: person.id, hideFromEachOther: false });
    expect(await idsIn('done')).not.toContain(id);
  });

  it('continues after the cursor, and counts the same content once', async () => {
    const text = `Sent by two people, ${randomUUID()}.`;
    const address = addressOf({ id: randomUUID() });
    const first = await place({ address, text });
    app.clock.advance(60);
    const second = await place({ address, text });
    const ids = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const query = { view: 'unconfirmed' as const, limit: '2', ...(cursor && { cursor }) };
      const page: AnswerOf<typeof listOutsiderReports>['data'] = (
        await app.call(listOutsiderReports, { token: moderator.token, query })
      ).body.data;
      ids.push(...page.notices.map(({ _id }) => _id));
      cursor = page.nextCursor;
    }
    expect(ids).toEqual(await idsIn('unconfirmed'));
    expect([ids.includes(first), ids.includes(second)]).toEqual([true, false]);
    await close(moderator, first);
    const audited = app.db.selectFrom('audit_event').select('changes').where('target_id', '=', first);
    expect((await audited.executeTakeFirstOrThrow()).changes).toEqual({
      notices: { from: null, to: [first, second] },
    });
  });
});

describe('deleting outsider reports', () => {
  const cleanUpAfter = async (days: number) => {
    const before = app.clock.now();
    app.clock.advance(days * day);
    await app.app.background.tasks['outsiders.cleanUp']?.({}, {} as never);
    app.clock.set(before);
  };
  const left = async (...ids: string[]) => {
    const rows = await app.db
      .selectFrom('outsider_notice')
      .select(['id', 'name', 'email'])
      .where('id', 'in', ids)
      .execute();
    return ids.map((id) => rows.find((row) => row.id === id)).map((row) => row && [row.name, row.email]);
  };

  it('removes unfiled ones after 30 days, or after a year if the address was confirmed or is missing', async () => {
    const email = newEmail();
    const confirmed = await place({ email });
    await read(await mailedOutsiderToken(app, email));
    const unconfirmed = await place();
    const text = `No one is named here, ${randomUUID()}.`;
    await sendOutsiderReport(app, { type: 'child_abuse', name: undefined, email: undefined, text }, newNetwork());
    const anonymous = app.db.selectFrom('outsider_notice').select('id').where('body', '=', text);
    const { id } = await anonymous.executeTakeFirstOrThrow();
    await cleanUpAfter(31);
    expect(await left(unconfirmed, confirmed, id)).toEqual([undefined, ['Olga Outside', email], [null, null]]);
    await cleanUpAfter(367);
    expect(await left(confirmed, id)).toEqual([undefined, undefined]);
  });

  it('removes the author once nothing can be appealed, in cases too', async () => {
    const [decided, open] = [await filed(), await filed({ type: 'minor', text: 'Is only sixteen years old.' })];
    await app.pool.query("update report set status = 'rejected' where case_id = $1 and not may_be_minor", [
      decided.caseId,
    ]);
    await app.pool.query(
      `with made as (insert into case_decision (case_id, kind, outcome, source, decided_by, decided_by_name, decided_at)
          values ($1, 'full', 'no_violation', 'notice', gen_random_uuid(), 'Mo Ek', $2) returning id)
        insert into case_decision_report select made.id, report.id from made, report where case_id = $1 and not may_be_minor`,
      [decided.caseId, app.clock.now()],
    );
    await cleanUpAfter(182);
    expect(await left(decided.id)).toEqual([['Olga Outside', decided.email]]);
    await cleanUpAfter(184);
    expect(await left(decided.id, open.id)).toEqual([
      [null, null],
      ['Olga Outside', open.email],
    ]);
  });

  it('removes the author at their request, and ends the link', async () => {
    const { id, token } = await filed();
    expect((await app.call(forgetOutsider, { body: { token } })).status).toBe(200);
    expect(await left(id)).toEqual([[null, null]]);
    expect((await app.call(openOutsiderLink, { body: { token } })).status).toBe(404);
    expect(await reportsAbout(person.id)).toHaveLength(1);
  });
});

it.each([
  ['Olga Outside', 'Olga Outside told us that you use her holiday pictures.', 400],
  ['The You Your Account', 'You show pictures of someone else on your account.', 201],
  ['Of The', 'These are pictures of the person who wrote to us.', 201],
])('decisions can’t name an author called %s, but say anything else: “%s”', async (name, facts, status) => {
  const { caseId } = await filed({ name });
  const decided = await app.call(decideCase, {
    token: moderator.token,
    params: { id: caseId },
    body: { outcome: 'actioned', ruleId: await currentRuleId(app), facts, sanctions: [{ kind: 'warn' }] },
  });
  expect(decided.status).toBe(status);
});
