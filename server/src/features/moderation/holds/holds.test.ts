import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BodyInput } from '#contract/endpoint.ts';
import { sendMessage } from '#contract/messages/messages.ts';
import { decideCase, getCase, releaseHold, revokeSanction } from '#contract/moderation/cases.ts';
import { listCases } from '#contract/moderation/case-list.ts';
import { holdHours, holdHoursLeast, holdReleaseHours } from '#contract/moderation/holds.ts';
import { changeReportStatus } from '#contract/moderation/staff-reports.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { makeAdministrator, makeMember, makeModerator, signIn, type TestMember } from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { deliverReleased, holdAccount } from '../../../../test/moderation/holds.ts';
import { likesIn } from '../../../../test/likes.ts';
import { emit } from '../../../features.ts';
import {
  caseIdOf,
  currentRuleId,
  fileReport,
  makeLikedReporter,
  putInStatus,
} from '../../../../test/moderation/reports.ts';
import { inTransaction } from '#platform/db/db.ts';
import { caseOf, syncCase } from '../work/case-row.ts';
import { holdFor } from './hold.ts';

const app = startAppForTests();
let moderator: TestMember;
let administrator: TestMember;
beforeEach(async () => {
  await app.sql`truncate moderation_case, account_link, sanction cascade`;
  [moderator, administrator] = [await makeModerator(app), await makeAdministrator(app)];
});

const { like, match, received } = likesIn(() => app);
const hour = 3600;
const member = () => makeMember(app, { createdAt: new Date('2026-01-01T00:00:00.000Z') });
/** Advances the clock and runs the jobs of that minute. Sessions expire meanwhile, so staff sign in again. */
async function later(seconds: number): Promise<void> {
  app.clock.advance(seconds);
  await app.app.background.tasks['holds.expire']?.({}, undefined as never);
  await deliverReleased(app);
  for (const one of [moderator, administrator]) Object.assign(one, await signIn(app, one.id, true));
}
const holdsOf = ({ id }: TestMember) =>
  app.db.selectFrom('account_hold').selectAll().where('account_id', '=', id).orderBy('since').execute();
/** Updates a case as after a change of its reports. */
const sync = (id: string) => inTransaction(app.db, (tx) => syncCase({ tx, deps: { emit }, now: app.clock.now() }, id));
const isHeld = async (person: TestMember) => (await holdsOf(person)).some(({ ended_at }) => ended_at === null);

/** Someone whose case is critical, because they may be a minor. */
async function critical(): Promise<{ person: TestMember; id: string; reportId: string }> {
  const person = await member();
  const about = { problem_type: 'Harassment' as const, reportedUser: person.id, mayBeMinor: true };
  const { _id: reportId } = await fileReport(app, await makeLikedReporter(app, person), about);
  return { person, id: await caseIdOf(app, reportId), reportId };
}

/** Stores that a person has something in common with someone who was banned, and updates their case. */
async function link(person: TestMember, strength: 'strong' | 'medium'): Promise<string> {
  const now = app.clock.now();
  const { id: sanctionId } = await app.db
    .insertInto('sanction')
    .values({
      ...{ account_id: (await member()).id, decision_id: null, kind: 'ban', reason: 'A scam', created_by_name: 'Mo' },
      ...{ starts_at: now, strikes: 0, strikes_until: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('account_link')
    .values({ account_id: person.id, sanction_id: sanctionId, kind: 'card', strength, found_at: now })
    .execute();
  return await inTransaction(app.db, async (tx) => {
    const id = await caseOf(tx, person.id, 'high', now);
    await syncCase({ tx, deps: { emit }, now }, id);
    return id;
  });
}

const fileOfCase = async (id: string, by = moderator) =>
  (await app.call(getCase, { token: by.token, params: { id } })).body.data;
const warning = async () => ({
  outcome: 'actioned' as const,
  ruleId: await currentRuleId(app),
  facts: 'Asked four people for money after a week of messages.',
  sanctions: [{ kind: 'warn' as const }],
});
const decide = (id: string, body: BodyInput<typeof decideCase>) =>
  app.call(decideCase, { token: administrator.token, params: { id }, body });
const release = (id: string, by = moderator) =>
  app.call(releaseHold, { token: by.token, params: { id }, body: { reason: 'Known from a video call' } });

describe('an account', () => {
  it('is held while its case is critical, and released when it no longer is', async () => {
    const { person, reportId } = await critical();
    expect(await holdsOf(person)).toMatchObject([{ cause: 'critical_case', outcome: null }]);
    await app.db
      .updateTable('report')
      .set({ may_be_minor: false, priority: 'high' })
      .where('id', '=', reportId)
      .execute();
    await sync(await caseIdOf(app, reportId));
    expect(await holdsOf(person)).toMatchObject([{ outcome: 'released', released_by_name: null }]);
  });

  it('is held for a strong link to a banned person, not for a medium one', async () => {
    const [one, another] = [await member(), await member()];
    const caseId = await link(one, 'strong');
    await link(another, 'medium');
    expect(await holdsOf(one)).toMatchObject([{ cause: 'ban_trace', case_id: caseId }]);
    expect(await isHeld(another)).toBe(false);
  });

  it('is not held for an ordinary report', async () => {
    const person = await member();
    await fileReport(app, await member(), { problem_type: 'Harassment', reportedUser: person.id });
    expect(await isHeld(person)).toBe(false);
  });

  it('is not notified: the app of a held person looks as before', async () => {
    const { person } = await critical();
    const other = await member();
    expect((await like(person, other)).body.data.outcome).toBe('sent');
    expect(await app.outbox(person.email)).toEqual([]);
  });
});

const sanctionsOf = ({ id }: TestMember) =>
  app.db.selectFrom('sanction').selectAll().where('account_id', '=', id).execute();

describe('a decision about a held account', () => {
  it('releases what was held if it has no sanction', async () => {
    const { person, id } = await critical();
    const other = await member();
    await like(person, other);
    expect((await decide(id, { outcome: 'no_violation' })).status).toBe(201);
    await deliverReleased(app);
    expect(await holdsOf(person)).toMatchObject([{ outcome: 'released' }]);
    expect((await received(other)).count).toBe(1);
  });

  it('deletes what was held if it has a sanction', async () => {
    const { person, id } = await critical();
    const other = await member();
    await like(person, other);
    expect((await decide(id, await warning())).status).toBe(201);
    await deliverReleased(app);
    expect(await holdsOf(person)).toMatchObject([{ outcome: 'dropped' }]);
    expect((await received(other)).count).toBe(0);
    const { timeline, case: of } = await fileOfCase(id);
    expect(timeline).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'held', to: 'critical_case' }),
        expect.objectContaining({ kind: 'hold_ended', to: 'dropped' }),
      ]),
    );
    expect(of.hold).toBeNull();
  });

  it('delivers what it deleted when it is revoked, unless another sanction of that time remains', async () => {
    const { person, id } = await critical();
    const other = await member();
    await like(person, other);
    const sanctions = [{ kind: 'warn' as const }, { kind: 'limit_messaging' as const, days: 7 }];
    await decide(id, { ...(await warning()), sanctions });
    const [first, second] = await sanctionsOf(person);
    const revoke = (one: string) =>
      app.call(revokeSanction, { token: administrator.token, params: { id: one }, body: { reason: 'A mistake' } });
    expect((await revoke(first?.id ?? '')).status).toBe(200);
    await deliverReleased(app);
    expect((await received(other)).count).toBe(0);
    await revoke(second?.id ?? '');
    await deliverReleased(app);
    expect((await received(other)).count).toBe(1);
    expect(await holdsOf(person)).toMatchObject([{ outcome: 'released' }]);
  });

  it('releases what was held if it is made with one click', async () => {
    const person = await member();
    const about = { problem_type: 'Harassment' as const, reportedUser: person.id };
    const { _id } = await fileReport(app, await makeLikedReporter(app, person), about);
    const grave = { priority: 'critical', first_priority: 'critical' } as const;
    await app.db.updateTable('report').set(grave).where('id', '=', _id).execute();
    await sync(await caseIdOf(app, _id));
    expect(await isHeld(person)).toBe(true);
    await app.call(changeReportStatus, {
      token: administrator.token,
      params: { id: _id },
      body: { status: 'rejected' },
    });
    expect(await holdsOf(person)).toMatchObject([{ outcome: 'released' }]);
  });
});

describe('a hold that no one decides on', () => {
  it('ends at a random minute after 48 hours, and everything held is delivered within 72 hours', async () => {
    const { person, id } = await critical();
    const other = await member();
    await like(person, other);
    const [hold] = await holdsOf(person);
    const lasts = (Number(hold?.ends_at) - Number(hold?.since)) / 1000;
    expect(lasts).toBeGreaterThanOrEqual(holdHoursLeast * hour);
    expect(lasts).toBeLessThanOrEqual((holdHours - holdReleaseHours) * hour);
    await later(lasts - 1);
    expect(await isHeld(person)).toBe(true);
    await later(1);
    await app.app.background.tasks['holds.release']?.({}, undefined as never);
    await later(holdReleaseHours * hour);
    await app.app.background.tasks['holds.release']?.({}, undefined as never);
    expect(await holdsOf(person)).toMatchObject([{ outcome: 'expired' }]);
    const { case: of, timeline } = await fileOfCase(id);
    expect(of).toMatchObject({ hold: null, stage: 'open' });
    expect(timeline.map(({ kind, to }) => `${kind} ${to}`)).toContain('hold_ended expired');
    const row = await app.db.selectFrom('decision').select('kind').where('target_id', '=', other.id).execute();
    expect(row).toEqual([{ kind: 'like' }]);
    const ends = new Set<number>();
    for (let n = 0; n < 20; n += 1) {
      const another = await member();
      await holdAccount(app, another);
      ends.add(Number((await holdsOf(another))[0]?.ends_at));
    }
    expect(ends.size).toBeGreaterThan(10);
  });

  it('can start again only after the case was decided', async () => {
    const { person, id } = await critical();
    await later(holdHours * hour);
    await sync(id);
    expect(await isHeld(person)).toBe(false);
    await link(person, 'strong');
    expect(await isHeld(person)).toBe(false);
    await decide(id, await warning());
    await later(1);
    const about = { problem_type: 'Harassment' as const, reportedUser: person.id, mayBeMinor: true };
    await fileReport(app, await makeLikedReporter(app, person), about);
    expect(await isHeld(person)).toBe(true);
  });

  it('deletes what was held if the person was deactivated meanwhile', async () => {
    const { person } = await critical();
    const other = await member();
    await like(person, other);
    await app.call(changeAdminUser, {
      token: administrator.token,
      params: { id: person.id },
      body: { isActive: false, reason: 'A scammer' },
    });
    await later(holdHours * hour);
    expect(await holdsOf(person)).toMatchObject([{ outcome: 'dropped' }]);
    const row = await app.db.selectFrom('decision').select('kind').where('target_id', '=', other.id).execute();
    expect(row).toEqual([{ kind: 'dropped' }]);
  });

  it('sets the due time of its case to its latest end', async () => {
    const person = await member();
    const { _id } = await fileReport(app, await member(), { problem_type: 'Other', reportedUser: person.id });
    const caseId = await caseIdOf(app, _id);
    await later(hour);
    const now = app.clock.now();
    const ruleId = '018f3a52-0000-7000-8000-000000000001';
    const isNew = await inTransaction(app.db, (tx) => {
      return holdFor(tx, { accountId: person.id, caseId, cause: 'rule', ruleId }, now);
    });
    expect(isNew).toBe(true);
    await sync(caseId);
    expect(await isHeld(person)).toBe(true);
    const { case: of } = await fileOfCase(caseId);
    expect(of).toMatchObject({ hold: { cause: 'rule' }, due: { what: 'response' } });
    expect(of.due?.at).toBe(of.hold?.endsAt);
  });
});

describe('the hold of a rule', () => {
  it('replaces other causes and lasts until the decision', async () => {
    const { person, id, reportId } = await critical();
    const ruleId = '018f3a52-0000-7000-8000-000000000001';
    const now = app.clock.now();
    const again = { accountId: person.id, caseId: id, cause: 'rule' as const, ruleId };
    expect(await inTransaction(app.db, (tx) => holdFor(tx, again, now))).toBe(false);
    await app.db
      .updateTable('report')
      .set({ may_be_minor: false, priority: 'high' })
      .where('id', '=', reportId)
      .execute();
    await sync(id);
    expect(await holdsOf(person)).toMatchObject([{ cause: 'rule', rule_id: ruleId, outcome: null }]);
    await decide(id, { outcome: 'no_violation' });
    expect(await holdsOf(person)).toMatchObject([{ outcome: 'released' }]);
  });
});

describe('POST /admin/cases/{id}/release-hold', () => {
  it('delivers what waited, keeps the case open, and is recorded', async () => {
    const { person, id } = await critical();
    const other = await member();
    await like(person, other);
    const answer = await release(id);
    expect(answer.body.data.case).toMatchObject({ hold: null, stage: 'open' });
    await deliverReleased(app);
    expect((await received(other)).count).toBe(1);
    const event = await app.db
      .selectFrom('audit_event')
      .select(['reason', 'changes'])
      .where('action', '=', 'case.holdReleased')
      .where('target_id', '=', id)
      .executeTakeFirstOrThrow();
    expect(event).toMatchObject({
      reason: 'Known from a video call',
      changes: { hold: { from: 'critical_case', to: 'released' } },
    });
    await sync(id);
    expect(await isHeld(person)).toBe(false);
  });

  it('ends the hold of a rule in a critical case, until another rule hits', async () => {
    const { person, id } = await critical();
    const now = app.clock.now();
    const hit = (ruleId: string) =>
      inTransaction(app.db, (tx) => holdFor(tx, { accountId: person.id, caseId: id, cause: 'rule', ruleId }, now));
    await hit('018f3a52-0000-7000-8000-000000000001');
    await release(id);
    await sync(id);
    expect(await hit('018f3a52-0000-7000-8000-000000000001')).toBe(false);
    expect(await isHeld(person)).toBe(false);
    await later(1);
    await link(person, 'strong');
    expect((await holdsOf(person)).at(-1)).toMatchObject({ cause: 'ban_trace', outcome: null });
    await later(1);
    await release(id);
    expect(await hit('018f3a52-0000-7000-8000-000000000002')).toBe(true);
  });

  it('returns 409 if the person is not held', async () => {
    const { id } = await critical();
    await release(id);
    expect((await release(id)).error.code).toBe('CONFLICT');
  });
});

describe('staff', () => {
  it('find held accounts in a separate list, with the cause and the end', async () => {
    const { person, id } = await critical();
    await fileReport(app, await member(), { problem_type: 'Harassment', reportedUser: (await member()).id });
    const { cases, counts } = (await app.call(listCases, { token: moderator.token, query: { view: 'held' } })).body
      .data;
    expect(counts.held).toBe(1);
    const [hold] = await holdsOf(person);
    const endsAt = hold?.ends_at.toISOString();
    expect(cases).toMatchObject([{ _id: id, person: { _id: person.id }, hold: { cause: 'critical_case', endsAt } }]);
  });

  it('see how much is held, and the most frequent texts if they may see evidence', async () => {
    const person = await member();
    const ids: string[] = [];
    for (let n = 0; n < 2; n += 1) ids.push(await match(person, await member()));
    const about = { problem_type: 'Harassment' as const, reportedUser: person.id, mayBeMinor: true };
    const { _id } = await fileReport(app, await makeLikedReporter(app, person), about);
    const caseId = await caseIdOf(app, _id);
    for (const matchId of ids)
      await app.call(sendMessage, {
        token: person.token,
        params: { id: matchId },
        body: { clientId: matchId, text: 'Send me gift cards' },
      });
    await like(person, await member(), { note: 'Hello dear' });
    expect((await fileOfCase(caseId)).heldBack).toEqual({
      likes: 1,
      messages: 2,
      receivers: 3,
      texts: [
        { text: 'Send me gift cards', count: 2 },
        { text: 'Hello dear', count: 1 },
      ],
    });
    const auditor = await makeMember(app, { staffRole: 'auditor' });
    expect((await fileOfCase(caseId, auditor)).heldBack).toMatchObject({ messages: 2, texts: null });
  });

  it('see the held person next to the reporter of the newest open report, with pictures only if they may see evidence', async () => {
    const person = await member();
    const reporter = await makeLikedReporter(app, person);
    const about = { problem_type: 'Harassment' as const, reportedUser: person.id, mayBeMinor: true };
    const { _id } = await fileReport(app, reporter, about);
    const caseId = await caseIdOf(app, _id);
    const { comparedPeople } = await fileOfCase(caseId);
    expect(comparedPeople.map((one) => one._id)).toEqual([person.id, reporter.id]);
    expect(comparedPeople[0]?.profilePicture).not.toBeNull();
    const later = await fileReport(app, await makeLikedReporter(app, person), about);
    await putInStatus(app, later._id, 'rejected');
    expect((await fileOfCase(caseId)).comparedPeople.map((one) => one._id)).toEqual([person.id, reporter.id]);
    const auditor = await makeMember(app, { staffRole: 'auditor' });
    expect((await fileOfCase(caseId, auditor)).comparedPeople.map((one) => one.profilePicture)).toEqual([null, null]);
  });

  it('see the held person next to the one they wrote to most if no one reported them', async () => {
    const [person, often] = [await member(), await member()];
    const matchId = await match(person, often);
    const caseId = await link(person, 'strong');
    await like(person, await member());
    for (let n = 0; n < 2; n += 1)
      await app.call(sendMessage, {
        token: person.token,
        params: { id: matchId },
        body: { clientId: randomUUID(), text: 'Send me gift cards' },
      });
    const idsFor = async (...by: TestMember[]) =>
      (await fileOfCase(caseId, ...by)).comparedPeople.map((one) => one._id);
    expect(await idsFor()).toEqual([person.id, often.id]);
    expect(await idsFor(await makeMember(app, { staffRole: 'auditor' }))).toEqual([person.id]);
  });
});
