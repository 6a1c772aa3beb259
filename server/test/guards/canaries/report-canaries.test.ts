import { beforeAll, describe, expect, it } from 'vitest';
import { getUser } from '#contract/profiles/profiles.ts';
import { changeReport, changeReportStatus } from '#contract/moderation/staff-reports.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../factories.ts';
import { startAppForTests } from '../../harness.ts';
import { answer, fileReport, leaveNote } from '../../moderation/reports.ts';
import { addressOf, callName, contractEndpoints } from '../contract-endpoints.ts';
import { hiddenFromMembers, hiddenFromStaff, makeCanaryPictures, type CanaryPictures } from './picture-canaries.ts';

/** The content of reports, with the people who must never see it. */
const words = {
  description: 'CANARYDESCRIPTION',
  note: 'CANARYNOTE',
  reply: 'CANARYREPLY',
  answerBack: 'CANARYANSWERBACK',
  reason: 'CANARYREASON',
  otherDescription: 'CANARYOTHERDESCRIPTION',
  otherNote: 'CANARYOTHERNOTE',
};
const staffNames = ['Canarychief', 'Canarymoderator'];

const test = startAppForTests();
let reporter: TestMember;
let reported: TestMember;
let otherReporter: TestMember;
let stranger: TestMember;
let moderator: TestMember;
let ids: string[];
let pictures: CanaryPictures;
beforeAll(async () => {
  const chief = await makeAdministrator(test, { firstName: 'Canarychief', lastName: 'Staff' });
  moderator = await makeModerator(test, { firstName: 'Canarymoderator', lastName: 'Staff' });
  reporter = await makeMember(test, { firstName: 'Canaryreporter', email: 'canary-reporter@example.test' });
  reported = await makeMember(test, { firstName: 'Canaryreported', email: 'canary-reported@example.test' });
  otherReporter = await makeMember(test, { firstName: 'Canarysecond', email: 'canary-second@example.test' });
  stranger = await makeMember(test);
  pictures = await makeCanaryPictures(test, reported, moderator, { fileName: 'CANARYFILE', reason: 'CANARYREFUSAL' });
  const seen = await test.call(getUser, { token: reporter.token, params: { id: reported.id } });
  const evidence = seen.body.data.user.pictures.map(({ publicId }) => ({ type: 'picture' as const, id: publicId }));
  const about = { problem_type: 'Harassment' as const, reportedUser: reported.id, evidence };
  const one = await fileReport(test, reporter, { ...about, description: words.description });
  const other = await fileReport(test, otherReporter, { ...about, description: words.otherDescription });
  ids = [one._id, other._id];
  await leaveNote(test, moderator, one._id, words.note);
  await answer(test, moderator, one._id, words.reply);
  await answer(test, reporter, one._id, words.answerBack);
  await leaveNote(test, chief, other._id, words.otherNote);
  await test.call(changeReport, {
    token: chief.token,
    params: { id: one._id },
    body: { priority: 'medium', reason: words.reason },
  });
  await test.call(changeReportStatus, {
    token: moderator.token,
    params: { id: one._id },
    body: { status: 'resolved' },
  });
  await test.drainLater();
});

// The outbox exists only on test machines. Archives are compressed, so they are searched in their own tests.
const passedOver = ['GET /dev/outbox', 'GET /auth/export'];
const reading = (await contractEndpoints()).filter(
  (endpoint) => endpoint.method === 'GET' && !passedOver.includes(callName(endpoint)),
);

/** Everything that an account can read with all known ids, and its emails. */
async function everythingFor(person: TestMember): Promise<string> {
  const own = [reporter.id, reported.id, otherReporter.id, ...ids];
  let all = JSON.stringify(await test.outbox(person.email));
  for (const endpoint of reading) {
    for (const id of endpoint.params === undefined ? [''] : own) {
      for (const query of ['', '?limit=100', '?search=canary', '?sortBy=newest&limit=100']) {
        const url = addressOf(endpoint, id) + query;
        const answered = await test.app.inject({ url, headers: { authorization: `Bearer ${person.token}` } });
        expect(answered.statusCode, url).toBeLessThan(500);
        all += answered.body.replace(/"searchParams":\{[^}]*\}/, '');
      }
    }
  }
  return all;
}

const found = (text: string, canaries: string[]) => canaries.filter((canary) => text.includes(canary));

describe('the content of reports', () => {
  it('is hidden from reporters, except what is meant for them', async () => {
    const all = await everythingFor(reporter);
    expect(found(all, [words.description, words.reply, words.answerBack])).toHaveLength(3);
    const hidden = [words.note, words.reason, words.otherDescription, words.otherNote, 'canary-second', ...staffNames];
    expect(found(all, [...hidden, 'canary-reported', ids[1] ?? '', '"medium"', '"critical"'])).toEqual([]);
  });

  it('is hidden from the reported person and from strangers', async () => {
    for (const person of [reported, stranger]) {
      const all = await everythingFor(person);
      expect(found(all, [...Object.values(words), ...ids, ...staffNames, 'canary-reporter', 'canary-second'])).toEqual(
        [],
      );
    }
  });

  it('does not reveal hidden people to the reported person', async () => {
    const all = await everythingFor(reported);
    expect(found(all, ['Canaryreporter', 'Canarysecond', reporter.id, otherReporter.id])).toEqual([]);
  });

  it('shows no pictures to reporters, and only public data to strangers', async () => {
    const { approved } = pictures;
    for (const person of [reporter, otherReporter]) {
      const all = await everythingFor(person);
      expect(found(all, [...hiddenFromMembers(pictures), approved.key, approved.placeholder, 'report='])).toEqual([]);
    }
    const all = await everythingFor(stranger);
    expect(found(all, [approved.key, approved.placeholder])).toHaveLength(2);
    expect(found(all, [...hiddenFromMembers(pictures), 'report='])).toEqual([]);
  });

  it('shows moderators the pictures as they were when it was filed, and shows their owner no copies', async () => {
    const { body } = await test.call(getReportFile, { token: moderator.token, params: { id: ids[0] ?? '' } });
    const evidence = JSON.stringify(body.data.evidence);
    expect(evidence).toContain(`${pictures.approved.key}.large?report=${ids[0]}`);
    expect(found(evidence, hiddenFromMembers(pictures))).toEqual([]);
    expect(found(await everythingFor(moderator), hiddenFromStaff(pictures))).toEqual([]);
    expect(await everythingFor(reported)).not.toContain('report=');
  });

  it('is visible to moderators, except for email addresses', async () => {
    const all = await everythingFor(moderator);
    expect(found(all, Object.values(words))).toEqual(Object.values(words));
    expect(found(all, ['canary-reporter@', 'canary-reported@', 'canary-second@'])).toEqual([]);
  });

  it('is hidden from the staff member it is about', async () => {
    const bad = await makeModerator(test);
    const { _id } = await fileReport(test, reporter, { description: 'CANARYCOLLEAGUE' });
    await test.db.updateTable('report').set({ reported_id: bad.id }).where('id', '=', _id).execute();
    ids.push(_id);
    expect(await everythingFor(bad)).not.toContain('CANARYCOLLEAGUE');
    expect((await answer(test, bad, _id, 'Not me')).status).toBe(403);
    expect(await everythingFor(moderator)).toContain('CANARYCOLLEAGUE');
  });
});
