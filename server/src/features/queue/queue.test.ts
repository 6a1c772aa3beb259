import { beforeAll, describe, expect, it } from 'vitest';
import { decideAppeal, reviewAppeal } from '#contract/moderation/appeals.ts';
import type { AuditAction } from '#contract/moderation/audit.ts';
import { claimCase, decideCase } from '#contract/moderation/cases.ts';
import { closeOutsiderReport } from '#contract/moderation/outsider-reports.ts';
import { decidePicture } from '#contract/moderation/picture-queue.ts';
import { getQueue, type QueueKind, queueKindNames } from '#contract/moderation/queue.ts';
import { judgeSecondLook, takeSecondLook } from '#contract/moderation/second-looks.ts';
import { decideSelfie } from '#contract/photo-verification.ts';
import { type StaffRole, staffRoles } from '#contract/staff-roles.ts';
import { decisionAbout } from '../../../test/moderation/decisions.ts';
import { makeMember, type TestMember } from '../../../test/factories.ts';
import { startAppForTests } from '../../../test/harness.ts';
import { placeOutsiderReport } from '../../../test/moderation/outsiders.ts';
import { uploadProfilePicture } from '../../../test/pictures.ts';
import { appealedBy, caseIdOf, fileReport } from '../../../test/moderation/reports.ts';
import { storeLook } from '../../../test/moderation/second-looks.ts';
import { placeCheck } from '../../../test/selfies.ts';

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

type Answer = { status: number };

/** A waiting item, how a colleague takes it if it can be taken, and how they decide it; each decides with their own reason. */
interface Waiting {
  take?: (by: TestMember) => Promise<boolean>;
  takers?: number;
  decide: (by: TestMember, reason: string) => Promise<Answer>;
  /** The status for those who come too late; 200 if the same decision again changes nothing. */
  late: number;
  done: { action: AuditAction; mail?: { to: string; subject: string } };
}

const isTaken = async (answer: Promise<Answer>) => (await answer).status < 300;

const place: Record<QueueKind, () => Promise<Waiting>> = {
  async cases() {
    const person = await makeMember(app);
    const { _id } = await fileReport(app, await makeMember(app), { problem_type: 'Other', reportedUser: person.id });
    const id = await caseIdOf(app, _id);
    const params = { id };
    return {
      take: ({ token }) => isTaken(app.call(claimCase, { token, params })),
      decide: ({ token }) => app.call(decideCase, { token, params, body: { outcome: 'no_violation' } }),
      late: 409,
      done: { action: 'case.decided' },
    };
  },
  async appeals() {
    const person = await makeMember(app);
    const id = await appealedBy(app, person.id);
    const params = { id };
    const mail = { to: person.email, subject: 'The result of your appeal' };
    return {
      take: ({ token }) => isTaken(app.call(reviewAppeal, { token, params })),
      // Colleagues may take over a review; only the last one may decide.
      takers: 4,
      decide: ({ token }, reasons) => app.call(decideAppeal, { token, params, body: { outcome: 'upheld', reasons } }),
      late: 409,
      done: { action: 'appeal.decided', mail },
    };
  },
  async pictures() {
    const person = await makeMember(app, { pictureless: true });
    const params = { publicId: await uploadProfilePicture(app, person) };
    const mail = { to: person.email, subject: 'About one of your pictures' };
    return {
      decide: ({ token }, reason) => app.call(decidePicture, { token, params, body: { verdict: 'rejected', reason } }),
      late: 200,
      done: { action: 'picture.rejected', mail },
    };
  },
  async verification() {
    const person = await makeMember(app);
    const params = { id: await placeCheck(app, person.id, 'waiting') };
    const mail = { to: person.email, subject: 'About your pictures' };
    return {
      decide: ({ token }, reason) =>
        app.call(decideSelfie, { token, params, body: { verdict: 'again', reason, pictures: [] } }),
      late: 200,
      done: { action: 'selfie.again', mail },
    };
  },
  async notices() {
    const id = await placeOutsiderReport(app);
    return {
      decide: ({ token }) => app.call(closeOutsiderReport, { token, params: { id }, body: {} }),
      late: 409,
      done: { action: 'notice.closed' },
    };
  },
  async secondLooks() {
    const by = { id: (await makeMember(app)).id, name: 'Zoe Quill' };
    const person = await makeMember(app);
    const { decisionId } = await decisionAbout(app, person.id, { by, at: app.clock.now() });
    const id = await storeLook(app, { decisionId });
    return {
      take: async ({ token }) => (await app.call(takeSecondLook, { token })).body.data.look?._id === id,
      decide: ({ token }) => app.call(judgeSecondLook, { token, params: { id }, body: { outcome: 'no_violation' } }),
      late: 404,
      done: { action: 'secondLook.judged' },
    };
  },
};

describe('what waits in the queue', () => {
  it.each(queueKindNames)(
    'is taken by one of four colleagues and decided once, however many try it at the same time: %s',
    async (kind) => {
      const { take, takers = 1, decide, late, done } = await place[kind]();
      const colleagues = await Promise.all(Array.from({ length: 4 }, () => makeMember(app, { staffRole: 'senior' })));
      if (take !== undefined) {
        const taken = await Promise.all(colleagues.map(take));
        expect(taken.filter(Boolean)).toHaveLength(takers);
      }
      const reasons = colleagues.map((_, index) => `Reason number ${index}: looked at everything there is, and twice.`);
      const answers = await Promise.all(colleagues.map((by, index) => decide(by, reasons[index] ?? '')));
      const statuses = answers.map(({ status }) => status).sort((one, other) => one - other);
      expect(statuses[0]).toBeLessThan(300);
      expect(statuses.slice(1)).toEqual([late, late, late]);
      const audited = await app.db
        .selectFrom('audit_event')
        .select('actor_id')
        .where('action', '=', done.action)
        .where(
          'actor_id',
          'in',
          colleagues.map(({ id }) => id),
        )
        .execute();
      expect(audited).toHaveLength(1);
      if (done.mail === undefined) return;
      const mails = (await app.outbox(done.mail.to)).filter(({ subject }) => subject === done.mail?.subject);
      expect(mails).toHaveLength(1);
      // The reason that is sent is that of the colleague who decided.
      const winner = colleagues.findIndex(({ id }) => id === audited[0]?.actor_id);
      expect(mails[0]?.text).toContain(reasons[winner]);
    },
  );
});
