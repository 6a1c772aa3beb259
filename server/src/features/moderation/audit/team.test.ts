import { describe, expect, it } from 'vitest';
import { claimCase } from '#contract/moderation/cases.ts';
import { listTeam } from '#contract/moderation/team.ts';
import { makeAdministrator, makeMember, makeModerator } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { caseIdOf, fileReport } from '../../../../test/reports.ts';

const test = startAppForTests();

const teamSeenBy = async ({ token }: { token: string }) => (await test.call(listTeam, { token })).body.data.members;

describe('GET /admin/team', () => {
  it('lists staff by role with the number of open cases they hold, and no members', async () => {
    const owner = await makeMember(test, { staffRole: 'owner' });
    const administrator = await makeAdministrator(test);
    const moderator = await makeModerator(test, { firstName: 'Mo', lastName: 'Keita', email: 'mo@heartwood.test' });
    const member = await makeMember(test);
    const report = await fileReport(test, member, {
      problem_type: 'Harassment',
      reportedUser: (await makeMember(test)).id,
    });
    await test.call(claimCase, { token: moderator.token, params: { id: await caseIdOf(test, report._id) } });

    const known = [owner, administrator, moderator, member].map(({ id }) => id);
    const knownSeenBy = async (viewer: { token: string }) =>
      (await teamSeenBy(viewer)).filter(({ _id }) => known.includes(_id));
    const team = await knownSeenBy(administrator);
    expect(team.map(({ _id }) => _id)).toEqual(known.slice(0, 3));
    expect(team[2]).toEqual({
      _id: moderator.id,
      name: 'Mo Keita',
      email: 'mo@heartwood.test',
      staffRole: 'moderator',
      isActive: true,
      lastActive: null,
      openCases: 1,
      can: { changeRole: true },
    });
    expect(team.map(({ can }) => can.changeRole)).toEqual([false, false, true]);
    expect((await knownSeenBy(owner)).map(({ can }) => can.changeRole)).toEqual([false, true, true]);
  });

  it('masks addresses for auditors, who cannot change anything', async () => {
    const auditor = await makeMember(test, { staffRole: 'auditor', email: 'greta@audit.test' });
    const team = await teamSeenBy(auditor);
    expect(team.find(({ _id }) => _id === auditor.id)?.email).toBe('g•••@a•••.test');
    expect(team.some(({ can }) => can.changeRole)).toBe(false);
  });

  it('masks the address of a colleague the viewer reported', async () => {
    const [administrator, moderator] = [await makeAdministrator(test), await makeModerator(test)];
    const emailIn = async () => (await teamSeenBy(administrator)).find(({ _id }) => _id === moderator.id)?.email;
    expect(await emailIn()).toBe(moderator.email);
    await fileReport(test, administrator, { problem_type: 'Other', reportedUser: moderator.id });
    expect(await emailIn()).toBe('m•••@e•••.test');
  });
});
