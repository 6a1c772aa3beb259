import { strFromU8 } from 'fflate';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { helpUnlock } from '#contract/auth/help.ts';
import { decideCase, getCase } from '#contract/moderation/cases.ts';
import { getOwnFile } from '#contract/moderation/own-file.ts';
import { openCase } from '#contract/moderation/own-cases.ts';
import { getReport } from '#contract/moderation/staff-reports.ts';
import { getUserFile } from '#contract/moderation/user-file.ts';
import { getAdminUser } from '#contract/profiles/staff.ts';
import { inTransaction } from '#platform/db/db.ts';
import { hashPassword } from '../../auth/password/hashing.ts';
import { extraDays } from './policy.ts';
import { takeArchive } from '../../../../test/archive.ts';
import { inLockOrder } from '../../../../test/at-once.ts';
import { makeAdministrator, makeMember, makeModerator, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { endPreservation, setPreservationOf } from '../../../../test/moderation/preservation.ts';
import { outsideTransactions } from '../../../../test/transaction-guard.ts';
import { appealedBy, caseIdOf, fileReport } from '../../../../test/moderation/reports.ts';
import { untilLocked } from '../../../../test/until-locked.ts';

const app = startAppForTests();
let moderator: TestMember;
let administrator: TestMember;
beforeAll(async () => {
  [moderator, administrator] = [await makeModerator(app), await makeAdministrator(app)];
});

const daySeconds = 86_400;
const today = () => app.clock.now().toISOString().slice(0, 10);
const run = async (task: string) => app.app.background.tasks[task]?.({}, undefined as never);

/** Advances the clock and runs the job. Sessions expire meanwhile. */
async function later(seconds: number): Promise<void> {
  app.clock.advance(seconds);
  await run('ownFile.show');
  for (const one of [moderator, administrator]) Object.assign(one, await signIn(app, one.id, true));
}

/** What a member reads now, with a new session. */
async function fileOf(member: TestMember) {
  Object.assign(member, await signIn(app, member.id));
  return (await app.call(getOwnFile, { token: member.token })).body.data.days;
}

const open = ({ id }: TestMember) => app.call(getAdminUser, { token: administrator.token, params: { id } });
const params = (id: string) => ({ token: moderator.token, params: { id } });
/** The extra days before entries caused by a settled case appear. */
async function extraOf(person: TestMember): Promise<number> {
  const { id, decided_at } = await app.db
    .selectFrom('moderation_case')
    .select(['id', 'decided_at'])
    .where('person_id', '=', person.id)
    .executeTakeFirstOrThrow();
  const { rows } = await sql<{ at: Date | null }>`
    select max(withdrawn_at) as at from appeal where case_id = ${id}::uuid`.execute(app.db);
  return extraDays({ caseId: id, settledAt: rows[0]?.at ?? decided_at });
}
const long = () => makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z') });

/** A case about someone a member reported and a moderator read about. */
async function reportedPerson() {
  const person = await long();
  const report = await fileReport(app, await long(), { problem_type: 'Harassment', reportedUser: person.id });
  const caseId = await caseIdOf(app, report._id);
  await app.call(getReport, params(report._id));
  await app.call(getCase, params(caseId));
  await open(person);
  return { person, report, caseId };
}
const decide = (caseId: string) =>
  app.call(decideCase, {
    ...params(caseId),
    body: { outcome: 'no_violation', facts: 'We found nothing that breaks a rule of ours.' },
  });

describe('GET /auth/file', () => {
  it('is empty for members whose account no one opened, and returns 403 to staff', async () => {
    expect(await fileOf(await long())).toEqual([]);
    expect((await app.call(getOwnFile, { token: moderator.token })).status).toBe(403);
  });

  it('shows at once what the member requested: help, and a request that reports no one', async () => {
    const [helped, asking] = [await long(), await long()];
    await app.call(helpUnlock, { token: administrator.token, params: { id: helped.id }, body: { reason: 'Called' } });
    const request = await fileReport(app, asking, { problem_type: 'Payment Problem' });
    await app.call(getReport, params(request._id));
    for (const one of [helped, asking]) expect(await fileOf(one)).toEqual([{ day: today(), kinds: ['support'] }]);
  });

  it('shows nothing during a legal hold, not even what the member requested', async () => {
    const person = await long();
    const hold = await setPreservationOf(app, person);
    await open(person);
    await app.call(helpUnlock, { token: administrator.token, params: { id: person.id }, body: { reason: 'Called' } });
    await later(90 * daySeconds);
    expect(await fileOf(person)).toEqual([]);
    await endPreservation(app, hold);
    await later(60);
    expect(await fileOf(person)).toEqual([{ day: today(), kinds: ['support'] }]);
  });

  it('shows a reporter nothing when staff read their report about someone else', async () => {
    const reporter = await long();
    const report = await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: (await long()).id });
    await app.call(getReport, params(report._id));
    await later(10 * daySeconds);
    expect(await fileOf(reporter)).toEqual([]);
  });

  it('shows other work once, seven full days later, without names', async () => {
    const person = await long();
    await open(person);
    await app.call(getUserFile, { token: moderator.token, params: { id: person.id } });
    await later(7 * daySeconds);
    expect(await fileOf(person)).toEqual([]);
    await later(daySeconds);
    const shown = [{ day: today(), kinds: ['routine'] }];
    expect(await fileOf(person)).toEqual(shown);
    await later(daySeconds);
    expect(await fileOf(person)).toEqual(shown);
    const { raw } = await app.call(getOwnFile, { token: person.token });
    for (const staff of [moderator, administrator]) expect(raw).not.toContain(staff.id);
  });

  it('shows nothing of an open case, and one line a week or two after its decision', async () => {
    const { person, caseId } = await reportedPerson();
    await later(90 * daySeconds);
    expect(await fileOf(person)).toEqual([]);
    expect((await decide(caseId)).status).toBe(201);
    await later((7 + (await extraOf(person))) * daySeconds - 3600);
    expect(await fileOf(person)).toEqual([]);
    await later(3600);
    expect(await fileOf(person)).toEqual([{ day: today(), kinds: ['safety'] }]);
  });

  it('waits again for a new report, including what staff read before it', async () => {
    const person = await long();
    await open(person);
    await later(7 * daySeconds);
    await fileReport(app, await long(), { problem_type: 'Harassment', reportedUser: person.id });
    await later(30 * daySeconds);
    expect(await fileOf(person)).toEqual([]);
  });

  it('waits while an appeal is open', async () => {
    const person = await long();
    const appealId = await appealedBy(app, person.id);
    await app.sql`update moderation_case set opened_at = ${app.clock.now()}, decided_at = ${app.clock.now()} where person_id = ${person.id}::uuid`;
    await open(person);
    await later(30 * daySeconds);
    expect(await fileOf(person)).toEqual([]);
    await app.sql`update appeal set state = 'withdrawn', withdrawn_at = ${app.clock.now()} where id = ${appealId}::uuid`;
    await later((6 + (await extraOf(person))) * daySeconds);
    expect(await fileOf(person)).toEqual([]);
    await later(daySeconds);
    expect(await fileOf(person)).toEqual([{ day: today(), kinds: ['safety'] }]);
  });

  it('looks the same for people with and without an open case when both ask for help', async () => {
    const { person: reported } = await reportedPerson();
    const other = await long();
    const before = await Promise.all([fileOf(reported), fileOf(other)]);
    for (const { id } of [reported, other])
      await app.call(helpUnlock, { token: administrator.token, params: { id }, body: { reason: 'Called' } });
    const after = await Promise.all([fileOf(reported), fileOf(other)]);
    expect(before[0]).toEqual(before[1]);
    expect(after[0]).toEqual(after[1]);
    expect(after[0]).toEqual([{ day: today(), kinds: ['support'] }]);
  });

  it('counts what staff read before they opened a case as a part of that case', async () => {
    const person = await long();
    await open(person);
    const opened = await app.call(openCase, {
      ...params(person.id),
      body: { problem_type: 'Harassment', reason: 'The profile asks for money in its text.' },
    });
    await later(30 * daySeconds);
    expect(await fileOf(person)).toEqual([]);
    expect((await decide(opened.body.data.case._id)).status).toBe(201);
    await later((7 + (await extraOf(person))) * daySeconds);
    expect(await fileOf(person)).toEqual([{ day: today(), kinds: ['safety'] }]);
  });

  it('keeps entries for two years', async () => {
    const person = await long();
    const day = (days: number) =>
      new Date(app.clock.now().getTime() - days * daySeconds * 1000).toISOString().slice(0, 10);
    for (const days of [729, 732])
      await app.db
        .insertInto('staff_read')
        .values({
          account_id: person.id,
          kind: 'routine',
          day: day(days + 8),
          shown_on: day(days),
          shown_as: 'routine',
        })
        .execute();
    await run('ownFile.show');
    expect(await fileOf(person)).toEqual([{ day: day(729), kinds: ['routine'] }]);
  });

  it('waits for a report that is being filed at the same time', async () => {
    const [person, reporter] = [await long(), await long()];
    await open(person);
    await later(7 * daySeconds);
    app.clock.advance(daySeconds);
    Object.assign(reporter, await signIn(app, reporter.id));
    const about = { problem_type: 'Harassment' as const, reportedUser: person.id };
    await inLockOrder(app, person.id, [
      () => fileReport(app, reporter, about),
      () => outsideTransactions(() => run('ownFile.show')),
    ]);
    await later(0);
    expect(await fileOf(person)).toEqual([]);
  });

  it('never keeps an audit event from being written, even while the account is being deleted', async () => {
    const { id } = await long();
    const event = () =>
      sql`insert into audit_event (at, actor_name, actor_role, action, target_type, target_id)
        values (${app.clock.now()}, 'Mo', 'moderator', 'user.read', 'user', ${id}::uuid)`.execute(app.db);
    const [written] = await inTransaction(app.db, async (tx) => {
      await tx.deleteFrom('account').where('id', '=', id).execute();
      const writing = outsideTransactions(event);
      await untilLocked(app.pool);
      return [writing];
    });
    expect((await written).numAffectedRows).toBe(1n);
    expect((await event()).numAffectedRows).toBe(1n);
  });

  it('is part of the data export as far as the member can see it', async () => {
    const { person } = await reportedPerson();
    await app.db
      .updateTable('account')
      .set({ password_hash: await hashPassword('correct horse battery') })
      .where('id', '=', person.id)
      .execute();
    await app.call(helpUnlock, { token: administrator.token, params: { id: person.id }, body: { reason: 'Called' } });
    const shown = await fileOf(person);
    const files = await takeArchive(app, person.token, { password: 'correct horse battery' });
    expect(JSON.parse(strFromU8(files['staff.json'] ?? new Uint8Array()))).toEqual(shown);
    expect(shown).toEqual([{ day: today(), kinds: ['support'] }]);
  });
});
