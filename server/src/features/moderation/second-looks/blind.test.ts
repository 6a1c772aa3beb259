import { beforeAll, expect, it } from 'vitest';
import type { EndpointSpec } from '#contract/endpoint.ts';
import { listAppeals } from '#contract/moderation/appeals.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { listCases } from '#contract/moderation/case-list.ts';
import { decideCase, getCase } from '#contract/moderation/cases.ts';
import { getReportFile } from '#contract/moderation/report-file.ts';
import { judgeSecondLook } from '#contract/moderation/second-looks.ts';
import { changeReport, getReport, getReportReplies, listReports } from '#contract/moderation/staff-reports.ts';
import { getStart } from '#contract/moderation/start.ts';
import { getUserFile } from '#contract/moderation/user-file.ts';
import { findUsers } from '#contract/profiles/find.ts';
import { changeAdminUser, getAdminUser, listUsers } from '#contract/profiles/staff.ts';
import { getUserAsMember, getVisibility } from '#contract/visibility.ts';
import { deleteAccounts, makeAdministrator, makeMember, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { caseIdOf, currentRuleId, fileReport } from '../../../../test/moderation/reports.ts';
import { storeLook } from '../../../../test/moderation/second-looks.ts';

const app = startAppForTests();
let reader: TestMember;
let decider: TestMember;
let scenes: Scene[];

interface Scene {
  person: TestMember;
  caseId: string;
  reportId: string;
  lookId: string;
}

/** A decided case that the reviewer has taken for a second look. */
async function decided(outcome: 'actioned' | 'no_violation'): Promise<Scene> {
  const person = await makeMember(app, { firstName: 'Pat', createdAt: new Date('2026-01-01T00:00:00.000Z') });
  const about = { problem_type: 'Harassment' as const, reportedUser: person.id };
  const { _id: reportId } = await fileReport(app, await makeMember(app), about);
  const caseId = await caseIdOf(app, reportId);
  const actioned = {
    outcome: 'actioned' as const,
    ruleId: await currentRuleId(app),
    facts: 'Wrote forty insults in a row to a person who had asked for silence.',
    sanctions: [{ kind: 'suspend' as const, days: 7 }],
  };
  const { body } = await app.call(decideCase, {
    token: decider.token,
    params: { id: caseId },
    body: outcome === 'actioned' ? actioned : { outcome },
  });
  const lookId = await storeLook(app, { decisionId: body.data.decision._id, reviewerId: reader.id });
  return { person, caseId, reportId, lookId };
}

beforeAll(async () => {
  reader = await makeAdministrator(app);
  decider = await makeAdministrator(app);
  scenes = [await decided('actioned'), await decided('no_violation')];
});

const idsOf = ({ person, caseId, reportId }: Scene) => [person.id, caseId, reportId, person.email];
const read = async <E extends EndpointSpec>(endpoint: E, request: object) =>
  await app.call(endpoint, { token: reader.token, ...request });
/** The lines of a list that belong to the scene. */
const linesAbout = (scene: Scene, list: readonly unknown[]) =>
  list.filter((line) => idsOf(scene).some((id) => JSON.stringify(line).includes(id)));
const reportsListed = async (scene: Scene, query: object) =>
  linesAbout(scene, (await app.call(listReports, { token: reader.token, query })).body.data.reports);
const usersListed = async (scene: Scene, query: object) =>
  linesAbout(scene, (await app.call(listUsers, { token: reader.token, query })).body.data.users);
const usersCounted = async (query: object) =>
  (await app.call(listUsers, { token: reader.token, query })).body.data.pagination.total;
const casesListed = async (scene: Scene, query: object) =>
  linesAbout(scene, (await app.call(listCases, { token: reader.token, query })).body.data.cases);

const reads: Record<string, (scene: Scene) => Promise<unknown>> = {
  'all reports': (scene) => reportsListed(scene, {}),
  'resolved reports': (scene) => reportsListed(scene, { status: 'resolved' }),
  'rejected reports': (scene) => reportsListed(scene, { status: 'rejected' }),
  'a search for the report': (scene) => reportsListed(scene, { search: `#${scene.reportId.slice(-6)}` }),
  'the report': async ({ reportId }) => (await read(getReport, { params: { id: reportId } })).status,
  'its replies': async ({ reportId }) => (await read(getReportReplies, { params: { id: reportId } })).status,
  'its file': async ({ reportId }) => (await read(getReportFile, { params: { id: reportId } })).status,
  'a change of its priority': async ({ reportId }) =>
    (await read(changeReport, { params: { id: reportId }, body: { priority: 'high', reason: 'A look' } })).status,
  'all users': (scene) => usersListed(scene, {}),
  'inactive users': (scene) => usersListed(scene, { status: 'inactive' }),
  'sanctioned users': (scene) => usersListed(scene, { sanctioned: 'true' }),
  'users without a sanction': (scene) => usersListed(scene, { sanctioned: 'false' }),
  'a search for the person': (scene) => usersListed(scene, { search: 'Pat' }),
  'the person by id': async (scene) =>
    (await app.call(findUsers, { token: reader.token, body: { terms: [scene.person.id] } })).body.data.found,
  'the person by address': async (scene) =>
    (await app.call(findUsers, { token: reader.token, body: { terms: [scene.person.email] } })).body.data.found,
  'the person': async ({ person }) => (await read(getAdminUser, { params: { id: person.id } })).status,
  'a change of the person': async ({ person }) =>
    (await read(changeAdminUser, { params: { id: person.id }, body: { isActive: true, reason: 'A look' } })).status,
  'their history': async ({ person }) => {
    const { entries, kinds } = (await app.call(getUserFile, { token: reader.token, params: { id: person.id } })).body
      .data;
    return { entries, kinds };
  },
  'who sees them': async ({ person }) => (await read(getVisibility, { params: { id: person.id } })).status,
  'them as a member': async ({ person }) => (await read(getUserAsMember, { params: { id: person.id } })).status,
  'closed cases': async (scene) =>
    JSON.parse(
      JSON.stringify(await casesListed(scene, { view: 'decided' })).replaceAll(/\d{4}-[\dT:.-]+Z/g, 'a time'),
    ) as unknown,
  'closed cases of the person': (scene) => casesListed(scene, { view: 'decided', person: scene.person.id }),
  'appealed cases': (scene) => casesListed(scene, { view: 'appealed' }),
  appeals: async (scene) => linesAbout(scene, (await app.call(listAppeals, { token: reader.token })).body.data.appeals),
  'the case': async ({ caseId }) => (await read(getCase, { params: { id: caseId } })).status,
  'the audit trail': async (scene) => {
    const events = await Promise.all(
      [scene.caseId, scene.reportId, scene.person.id].map(
        async (targetId) => (await app.call(listAudit, { token: reader.token, query: { targetId } })).body.data.events,
      ),
    );
    // Only the reviewer's own acts, which other reads of this table also return.
    return events.flat().filter(({ actor }) => actor._id !== reader.id);
  },
  'the start page': async (scene) => linesAbout(scene, [(await app.call(getStart, { token: reader.token })).body.data]),
};

it.each(Object.keys(reads))(
  'a colleague who has a second look learns nothing of the decision from %s',
  async (name) => {
    const answers = [];
    for (const scene of scenes) {
      const text = JSON.stringify(await reads[name]?.(scene));
      answers.push(idsOf(scene).reduce((shown, id) => shown.replaceAll(id, 'theirs'), text));
    }
    expect(answers[0]).toBe(answers[1]);
  },
);

it('lists of users leave out people whose case the viewer is reviewing again', async () => {
  expect(await usersCounted({ status: 'inactive' })).toBe(0);
});

it('everything is shown again after the second look', async () => {
  const actioned = await decided('actioned');
  const params = { id: actioned.lookId };
  await app.call(judgeSecondLook, { token: reader.token, params, body: { outcome: 'no_violation' } });
  expect(await reads['sanctioned users']?.(actioned)).toHaveLength(1);
  expect(await reads['resolved reports']?.(actioned)).toHaveLength(1);
  expect(await reads['the person']?.(actioned)).toBe(200);
  await deleteAccounts(app, actioned.person.id);
});
