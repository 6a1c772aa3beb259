import { beforeAll, describe, expect, it } from 'vitest';
import { getQueue } from '#contract/moderation/queue.ts';
import { type StaffRole, staffRoles } from '#contract/staff-roles.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { uploadProfilePicture } from '../../../test/pictures.ts';
import { fileReport } from '../../../test/reports.ts';

const app = startAppForTests();
let staff: Record<StaffRole, TestMember>;
beforeAll(async () => {
  const made = await Promise.all(
    staffRoles.map(async (staffRole) => [staffRole, await makeMember(app, { staffRole })]),
  );
  staff = Object.fromEntries(made) as typeof staff;
});

const countsFor = async (by: TestMember) => (await app.call(getQueue, { token: by.token })).body.data.counts;

describe('GET /admin/queue', () => {
  it('counts only the kinds that a role handles', async () => {
    const kinds = async (role: StaffRole) => Object.keys(await countsFor(staff[role])).toSorted();
    const all = ['appeals', 'cases', 'notices', 'pictures', 'secondLooks', 'verification'];
    expect(await kinds('moderator')).toEqual(all);
    expect(await kinds('owner')).toEqual(all);
    expect(await kinds('auditor')).toEqual(['appeals', 'cases', 'notices']);
    for (const role of ['analyst', 'support', 'billing'] as const) expect(await kinds(role), role).toEqual([]);
  });

  it('counts a case and a picture, but not for the person they are about', async () => {
    const created = { createdAt: new Date('2026-01-01T00:00:00.000Z') };
    const colleague = await makeMember(app, { staffRole: 'moderator', pictureless: true, ...created });
    const before = await countsFor(staff.senior);
    const own = await countsFor(colleague);
    await fileReport(app, await makeMember(app, created), {
      problem_type: 'Account Issue',
      reportedUser: colleague.id,
    });
    await uploadProfilePicture(app, colleague);
    const after = await countsFor(staff.senior);
    expect(after).toEqual({
      ...before,
      cases: (before.cases ?? 0) + 1,
      pictures: (before.pictures ?? 0) + 1,
    });
    expect(await countsFor(colleague)).toEqual(own);
  });
});
