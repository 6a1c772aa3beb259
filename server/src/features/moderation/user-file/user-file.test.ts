import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { helpAddress, helpUnlock } from '#contract/auth/help.ts';
import { listAudit } from '#contract/moderation/audit.ts';
import { openCase } from '#contract/moderation/own-cases.ts';
import { replyToReport } from '#contract/moderation/staff-reports.ts';
import { writeToMember } from '#contract/moderation/staff-messages.ts';
import { addNote, changeNote, type FileEntry, getUserFile } from '#contract/moderation/user-file.ts';
import { tagUser } from '#contract/moderation/tags.ts';
import { changeAdminUser, getAdminUser } from '#contract/profiles/staff.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import { type FileKind, fileKindNames, fileKinds, may } from '#contract/roles.ts';
import { type StaffRole, staffRoles } from '#contract/staff-roles.ts';
import { grantPremium, revokePremiumGrant } from '#contract/subscriptions/grants.ts';
import { inTransaction } from '#platform/db/db.ts';
import { withInvolvement } from '#platform/session/access.ts';
import {
  makeAdministrator,
  makeMember,
  makeModerator,
  type MemberOptions,
  signIn,
  type TestMember,
} from '../../../../test/factories.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { appealedBy, caseIdOf, fileReport } from '../../../../test/moderation/reports.ts';
import { newTag, noteAbout } from '../../../../test/user-files.ts';
import { newestOfEach } from './read-file.ts';

const app = startAppForTests();
let owner: TestMember;
let moderator: TestMember;
beforeAll(async () => {
  owner = await makeMember(app, { staffRole: 'owner', firstName: 'Olga' });
  moderator = await makeModerator(app, { firstName: 'Mo' });
});

const ask = (by: TestMember, id: string, query: Record<string, string> = {}) =>
  app.call(getUserFile, { token: by.token, params: { id }, query });
const file = async (by: TestMember, id: string, query: Record<string, string> = {}) =>
  (await ask(by, id, query)).body.data;
const kindsIn = (entries: readonly FileEntry[]) => [...new Set(entries.map(({ kind }) => kind))].sort();
const write = (by: TestMember, id: string, text: string) =>
  app.call(addNote, { token: by.token, params: { id }, body: { text } });
const rewrite = (by: TestMember, id: string, text: string) =>
  app.call(changeNote, { token: by.token, params: { id }, body: { text } });
const idOf = ({ _id }: FileEntry) => _id.split(' ')[1] ?? '';

/** Access tokens last for 15 minutes of the test's clock. */
async function signInAgain(): Promise<void> {
  moderator = { ...moderator, ...(await signIn(app, moderator.id, true)) };
  owner = { ...owner, ...(await signIn(app, owner.id, true)) };
}

/** A member whose file has entries of every kind, each a second after the one before. */
async function someoneWithEverything(options: MemberOptions = {}): Promise<TestMember> {
  const person = await makeMember(app, { firstName: 'Pia', ...options });
  const other = await makeMember(app, { firstName: 'Oskar' });
  const steps: (() => Promise<unknown>)[] = [
    () => fileReport(app, other, { problem_type: 'Harassment', reportedUser: person.id }),
    () => fileReport(app, person, { problem_type: 'Payment Problem' }),
    () => appealedBy(app, person.id),
    () => link(person.id),
    () => audited(person.id, 'picture.rejected', 'Canaryreason'),
    () => pay(person.id),
    () => mail(person.id, 'passwordChanged'),
    () => write(moderator, person.id, 'Called, and they were kind.'),
    async () => {
      const body = { add: [await newTag(app)] };
      return await app.call(tagUser, { token: moderator.token, params: { id: person.id }, body });
    },
    () => app.call(editProfile, { token: person.token, body: { bio: 'Canarybio', heightCm: 170 } }),
    () => app.call(helpUnlock, { token: owner.token, params: { id: person.id }, body: { reason: 'Called' } }),
    () => app.call(getAdminUser, { token: owner.token, params: { id: person.id } }),
    () => app.call(writeToMember, { token: owner.token, params: { id: person.id }, body: { text: 'Canarymessage' } }),
  ];
  for (const step of steps) {
    app.clock.advance(1);
    await step();
  }
  return person;
}

/** The person has a card in common with someone who was banned. */
async function link(accountId: string): Promise<void> {
  const banned = await makeMember(app, { firstName: 'Bane' });
  const now = app.clock.now();
  const ban = { kind: 'ban' as const, reason: 'x', created_by_name: 'Mo Ek', strikes: 4, strikes_until: now };
  const { id } = await app.db
    .insertInto('sanction')
    .values({ account_id: banned.id, decision_id: null, starts_at: now, ...ban })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('account_link')
    .values({ account_id: accountId, sanction_id: id, kind: 'card', strength: 'medium', found_at: now })
    .execute();
}

async function audited(accountId: string, action: string, reason: string | null, changes: unknown = null) {
  const actor = { actor_id: owner.id, actor_name: 'Olga Testperson', actor_role: 'owner' };
  const target = { target_type: 'user', target_id: accountId };
  await app.db
    .insertInto('audit_event')
    .values({ at: app.clock.now(), ...actor, ...target, action, reason, changes: JSON.stringify(changes) })
    .execute();
}

async function pay(accountId: string): Promise<void> {
  const now = app.clock.now();
  const { id } = await app.db
    .insertInto('subscription')
    .values({
      account_id: accountId,
      provider: 'sandbox',
      provider_id: null,
      plan: 'annual',
      pending_plan: null,
      status: 'canceled',
      price_minor: 11988,
      currency: 'USD',
      period_start: null,
      paid_through: null,
      renewal_open_until: null,
      paused_until: null,
      reminded_of: null,
      canceled_at: now,
      ended_at: null,
      trial_start: null,
      trial_end: null,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await app.db
    .insertInto('invoice')
    .values({
      id: `in_${randomUUID()}`,
      account_id: accountId,
      subscription_id: id,
      provider: 'sandbox',
      number: null,
      status: 'refunded',
      plan: 'annual',
      total_minor: 11988,
      currency: 'USD',
      created_at: now,
      period_start: now,
      period_end: now,
      paid_at: now,
      hosted_url: null,
      refunded_minor: 500,
      refunded_at: now,
    })
    .execute();
}

async function mail(accountId: string, template: string): Promise<void> {
  await app.db
    .insertInto('mail')
    .values({
      recipient: 'canary-recipient@example.test',
      account_id: accountId,
      template,
      data: '{}',
      status: 'dead',
      last_error: 'unknown',
      created_at: app.clock.now(),
      sent_at: null,
    })
    .execute();
}

describe('GET /admin/users/{id}/file', () => {
  it('lists everything that happened, newest first, with what each entry opens', async () => {
    const person = await someoneWithEverything();
    const { entries, kinds, tags, nextCursor } = await file(owner, person.id, { kind: fileKindNames.join(',') });
    expect(kinds).toEqual(fileKindNames);
    expect(kindsIn(entries)).toEqual([...fileKindNames].sort());
    expect(nextCursor).toBeNull();
    expect(tags).toHaveLength(1);
    const times = entries.map(({ at }) => at);
    expect(times).toEqual(times.toSorted().reverse());
    const of = (kind: FileKind) => entries.filter((entry) => entry.kind === kind);
    expect(of('reported')[0]).toMatchObject({
      opens: { type: 'report' },
      facts: { what: 'Harassment', state: 'pending', person: { name: 'Oskar Testperson' } },
    });
    expect(of('report')[0]).toMatchObject({ facts: { what: 'Payment Problem', person: null } });
    expect(of('case').map(({ opens, facts }) => [opens?.type, facts.what])).toEqual([['case', 'opened']]);
    expect(of('decision')[0]).toMatchObject({ actor: { name: 'Mo Ek', role: null }, facts: { what: 'actioned' } });
    expect(of('sanction')[0]).toMatchObject({ opens: { type: 'case' }, facts: { what: 'warn', strikes: 1 } });
    expect(of('appeal')[0]).toMatchObject({ opens: { type: 'appeal' }, facts: { what: 'submitted' } });
    expect(of('link')[0]).toMatchObject({ opens: { type: 'user' }, facts: { what: 'card', strength: 'medium' } });
    expect(of('picture')[0]).toMatchObject({ actor: { role: 'owner' }, facts: { what: 'picture.rejected' } });
    expect(of('subscription').map(({ facts }) => facts.what)).toEqual(['started', 'canceled']);
    expect(of('payment').map(({ facts }) => facts)).toEqual([
      { what: 'refunded', amountMinor: 500, currency: 'USD', plan: 'annual' },
      { what: 'paid', amountMinor: 11988, currency: 'USD', plan: 'annual' },
    ]);
    expect(of('mail').map(({ facts }) => facts)).toContainEqual({ what: 'passwordChanged', state: 'dead' });
    expect(
      of('signIn')
        .map(({ facts }) => `${facts.what} ${facts.device}`)
        .sort(),
    ).toEqual(['device Unknown device', 'session Firefox on Linux']);
    expect(of('profile')[0]).toMatchObject({ actor: null, facts: { what: 'own', fields: ['bio', 'heightCm'] } });
    expect(of('read').map(({ facts }) => facts.what)).toEqual(['user.read']);
    expect(of('tag')[0]).toMatchObject({ actor: { role: 'moderator' }, facts: { what: 'added', tag: tags[0]?.name } });
  });

  it('includes views by the team only on request', async () => {
    const person = await makeMember(app);
    await app.call(getAdminUser, { token: owner.token, params: { id: person.id } });
    const { entries, kinds } = await file(owner, person.id);
    expect(kinds).toContain('read');
    expect(kindsIn(entries)).toEqual(['signIn']);
    expect(kindsIn((await file(owner, person.id, { kind: 'read' })).entries)).toEqual(['read']);
  });

  it('contains no addresses, texts, reasons or locations', async () => {
    const person = await someoneWithEverything({ city: 'Canarytown', bio: 'Canarybefore' });
    const { raw } = await ask(owner, person.id);
    const secret = ['Canary', 'canary-recipient', person.email, person.sessionId, '192.0.2.0', 'The page stays white'];
    expect(secret.filter((word) => raw.includes(word))).toEqual([]);
  });

  it('returns pages that neither repeat nor skip an entry', async () => {
    const person = await someoneWithEverything();
    const query = { kind: fileKindNames.filter((kind) => kind !== 'read').join(',') };
    const whole = (await file(owner, person.id, query)).entries.map(({ _id }) => _id);
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof file>> = await file(owner, person.id, {
        ...query,
        limit: '2',
        ...(cursor === null ? {} : { cursor }),
      });
      found.push(...page.entries.map(({ _id }) => _id));
      cursor = page.nextCursor;
    } while (cursor !== null);
    expect(whole.length).toBeGreaterThan(fileKindNames.length);
    expect(found).toEqual(whole);
    expect((await ask(owner, person.id, { cursor: 'nonsense' })).status).toBe(400);
  });

  it('shows each role only its own kinds, in the entries and the filter', async () => {
    const person = await someoneWithEverything();
    // Support sees no reports about safety, and billing only those about payments.
    const outOfScope: Partial<Record<StaffRole, FileKind[]>> = {
      support: ['reported'],
      billing: ['reported', 'message'],
    };
    for (const role of staffRoles.filter((each) => may(each, 'users.list'))) {
      const staff = await makeMember(app, { staffRole: role });
      const seen = fileKindNames.filter((kind) => may(role, fileKinds[kind]));
      const { entries, kinds } = await file(staff, person.id, { kind: fileKindNames.join(',') });
      expect(kinds, role).toEqual(seen);
      expect(kindsIn(entries), role).toEqual(seen.filter((kind) => outOfScope[role]?.includes(kind) !== true).sort());
      const hidden = fileKindNames.filter((kind) => !seen.includes(kind)).join(',');
      if (hidden !== '') expect((await file(staff, person.id, { kind: hidden })).entries, role).toEqual([]);
    }
  });

  it('includes what colleagues did for the person and why, without refused addresses', async () => {
    const person = await makeMember(app, { verified: false });
    const support = await makeMember(app, { staffRole: 'support', firstName: 'Sol' });
    const given = { token: support.token, params: { id: person.id } };
    const body = { days: 7, reason: 'The service was down' };
    const { _id: id } = (await app.call(grantPremium, { ...given, body })).body.data.grant;
    app.clock.advance(1);
    await app.call(revokePremiumGrant, { token: owner.token, params: { id }, body: { reason: 'By mistake' } });
    app.clock.advance(1);
    await app.call(helpUnlock, { ...given, body: { reason: 'Called twice' } });
    app.clock.advance(1);
    const taken = { email: owner.email, reason: 'Mistyped' };
    expect((await app.call(helpAddress, { ...given, body: taken })).status).toBe(409);
    const query = { kind: 'help,subscription' };
    const { entries } = await file(support, person.id, query);
    expect(entries.map(({ actor, facts: { what, days, text } }) => [actor?.name, what, days, text])).toEqual([
      ['Sol Testperson', 'help.signInUnlocked', undefined, 'Called twice'],
      ['Olga Testperson', 'grantRevoked', 7, 'By mistake'],
      ['Sol Testperson', 'granted', 7, 'The service was down'],
    ]);
    expect((await file(moderator, person.id, query)).entries).toEqual([]);
    const billing = await makeMember(app, { staffRole: 'billing' });
    expect(kindsIn((await file(billing, person.id, query)).entries)).toEqual(['subscription']);
  });

  it('hides mails about things that the role may not see', async () => {
    const person = await makeMember(app);
    for (const template of ['pictureRejected', 'newDevice']) await mail(person.id, template);
    const support = await makeMember(app, { staffRole: 'support' });
    const templates = async (by: TestMember) =>
      (await file(by, person.id, { kind: 'mail' })).entries.map(({ facts }) => facts.what).sort();
    expect(await templates(support)).toEqual(['newDevice']);
    expect(await templates(owner)).toEqual(['newDevice', 'pictureRejected']);
  });

  it('hides mails about reports from everyone, so that they do not reveal who reported the viewer', async () => {
    const [person, colleague] = [await makeMember(app), await makeMember(app, { staffRole: 'senior' })];
    const mails = async () =>
      (await file(colleague, person.id, { kind: 'mail' })).entries.map(({ facts }) => facts.what);
    await fileReport(app, person, { problem_type: 'Harassment', reportedUser: (await makeMember(app)).id });
    await mail(person.id, 'newDevice');
    expect(await mails()).toEqual(['newDevice']);
    await fileReport(app, person, { problem_type: 'Harassment', reportedUser: colleague.id });
    expect(await mails()).toEqual(['newDevice']);
  });

  it('is empty for viewers who are involved', async () => {
    const person = await someoneWithEverything();
    const reporter = await makeModerator(app);
    await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: person.id });
    expect(await file(reporter, person.id)).toEqual({ entries: [], kinds: [], tags: [], nextCursor: null });
    expect((await file(reporter, reporter.id)).kinds).toEqual([]);
  });

  it('leaves out reports about the viewer, and appeals in cases in which they are a party', async () => {
    const [person, colleague] = [await makeMember(app), await makeModerator(app)];
    const { _id } = await fileReport(app, person, { problem_type: 'Harassment', reportedUser: colleague.id });
    const caseId = await caseIdOf(app, _id);
    await appealedBy(app, colleague.id);
    await app.db
      .updateTable('appeal')
      .set({ account_id: person.id, party: 'reporter' })
      .where('case_id', '=', caseId)
      .execute();
    expect(kindsIn((await file(owner, person.id, { kind: 'report,appeal' })).entries)).toEqual(['appeal', 'report']);
    expect((await file(colleague, person.id, { kind: 'report,appeal' })).entries).toEqual([]);
  });

  it('includes what colleagues started: cases for staff who see cases, and unanswered messages, which only their sender and senior moderators open', async () => {
    const person = await makeMember(app);
    const about = { token: moderator.token, params: { id: person.id } };
    const reason = 'The profile offers paid chats elsewhere.';
    await app.call(openCase, { ...about, body: { problem_type: 'Harassment', reason } });
    await app.call(writeToMember, { ...about, body: { text: 'Is this still you?' } });
    const seenBy = async (viewer: TestMember) =>
      (await file(viewer, person.id, { kind: 'report,reported,message' })).entries.map(({ kind, opens, facts }) => [
        kind,
        facts.source ?? facts.what,
        opens?.type,
      ]);
    const message = (opens?: string) => ['message', 'sent', opens];
    const ownCase = ['reported', 'own_initiative', 'case'];
    const support = await makeMember(app, { staffRole: 'support' });
    expect((await seenBy(owner)).sort()).toEqual([message('report'), ownCase]);
    expect(await seenBy(support)).toEqual([message()]);
    const written = app.db.selectFrom('report').select('id').where('reporter_id', '=', person.id);
    const { id } = await written.executeTakeFirstOrThrow();
    const body = { message: 'Yes, it is me.' };
    expect((await app.call(replyToReport, { token: person.token, params: { id }, body })).status).toBe(201);
    expect(await seenBy(support)).toEqual([['message', 'answered', 'report']]);
  });

  it('leaves out payments, mails, sign-ins, notes and tags of people above the viewer', async () => {
    const support = await makeMember(app, { staffRole: 'support' });
    const { kinds } = await file(support, owner.id);
    expect(kinds).toEqual(['report', 'reported', 'message', 'profile']);
  });

  it('shows an unreadable entry as such, with the others around it', async () => {
    const person = await makeMember(app);
    await audited(person.id, 'user.edited', null, { bio: { from: 'a', to: 'b' } });
    app.clock.advance(1);
    await audited(person.id, 'user.edited', null, 'not an object');
    app.clock.advance(1);
    await noteAbout(app, person.id, moderator.id);
    const { entries } = await file(owner, person.id, { kind: 'note,profile' });
    expect(entries.map(({ kind, isUnreadable, facts }) => [kind, isUnreadable ?? false, facts.fields])).toEqual([
      ['note', false, undefined],
      ['profile', true, undefined],
      ['profile', false, ['bio']],
    ]);
  });

  it('is recorded, and returns 404 for an unknown id', async () => {
    const person = await makeMember(app);
    await ask(moderator, person.id, { kind: 'note' });
    const query = { targetId: person.id, action: 'user.fileRead' as const };
    const { events } = (await app.call(listAudit, { token: owner.token, query })).body.data;
    expect(events.map(({ changes }) => changes)).toEqual([{ kinds: { from: null, to: ['note'] } }]);
    expect((await ask(moderator, randomUUID())).status).toBe(404);
  });

  it('finds the entries of every kind by an index', async () => {
    const { id } = await makeMember(app);
    const place = { at: Date.now(), kind: 'case' as const, key: 'x' };
    await inTransaction(app.db, async (tx) => {
      await sql`set local enable_seqscan = off`.execute(tx);
      const viewer = await withInvolvement(tx, {
        accountId: owner.id,
        staffRole: 'owner' as const,
        showLastActive: true,
      });
      for (const kind of fileKindNames) {
        const statement = newestOfEach({ id, viewer, kinds: [kind], place, limit: 31 });
        const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${statement}`.execute(tx);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan.match(/Seq Scan on (?!user_tag)\S+/g) ?? [], `${kind}\n${plan}`).toEqual([]);
      }
    });
  });
});

describe('POST /admin/users/{id}/notes', () => {
  it('adds a note to the file, without its text in the audit trail', async () => {
    const person = await makeMember(app);
    const answer = await write(moderator, person.id, '  Asked for a call back.\nTwice. ');
    expect(answer.status).toBe(201);
    expect(answer.body.data.note).toMatchObject({
      kind: 'note',
      actor: { name: 'Mo Testperson', role: 'moderator' },
      facts: { text: 'Asked for a call back.\nTwice.', isEdited: false },
    });
    const [entry] = (await file(owner, person.id, { kind: 'note' })).entries;
    expect(entry).toMatchObject({ _id: answer.body.data.note._id, facts: { text: 'Asked for a call back.\nTwice.' } });
    expect(entry?.editableUntil).toBeUndefined();
    const { raw } = await app.call(listAudit, { token: owner.token, query: { targetId: person.id } });
    expect(raw).toContain('user.noted');
    expect(raw).not.toContain('Asked for');
  });

  it('returns an error without text, beyond 2,000 characters, to auditors, to involved staff and about people above the caller', async () => {
    const person = await makeMember(app);
    for (const text of ['', '  \n ', 'x'.repeat(2001)])
      expect((await write(moderator, person.id, text)).status).toBe(400);
    const auditor = await makeMember(app, { staffRole: 'auditor' });
    const reporter = await makeModerator(app);
    await fileReport(app, reporter, { problem_type: 'Harassment', reportedUser: person.id });
    expect((await write(auditor, person.id, 'No')).status).toBe(403);
    expect((await write(reporter, person.id, 'No')).status).toBe(403);
    expect((await write(moderator, owner.id, 'No')).status).toBe(403);
    expect((await file(owner, person.id, { kind: 'note' })).entries).toEqual([]);
  });
});

describe('PATCH /admin/notes/{id}', () => {
  it('changes a note for 15 minutes, and only by its author', async () => {
    await signInAgain();
    const person = await makeMember(app);
    const id = idOf((await write(moderator, person.id, 'First')).body.data.note);
    const [before] = (await file(moderator, person.id, { kind: 'note' })).entries;
    expect(before?.editableUntil).toBe(new Date(app.clock.now().getTime() + 15 * 60_000).toISOString());
    expect((await rewrite(owner, id, 'Mine')).status).toBe(403);
    app.clock.advance(14 * 60);
    expect((await rewrite(moderator, id, 'Second')).body.data.note.facts).toEqual({ text: 'Second', isEdited: true });
    app.clock.advance(60);
    await signInAgain();
    const late = await rewrite(moderator, id, 'Third');
    expect([late.status, late.error.code]).toEqual([422, 'TOO_LATE']);
    const [after] = (await file(moderator, person.id, { kind: 'note' })).entries;
    expect(after?.facts.text).toBe('Second');
    expect(after?.editableUntil).toBeUndefined();
  });

  it('returns an error after that time, in the database too', async () => {
    const id = await noteAbout(app, (await makeMember(app)).id, moderator.id);
    const edited_at = new Date(app.clock.now().getTime() + 15 * 60_000);
    const change = app.db.updateTable('staff_note').set({ text: 'x', edited_at }).where('id', '=', id);
    await expect(change.execute()).rejects.toThrow('staff_note_edited');
  });
});

describe('an edit of the profile', () => {
  it('is stored with the names of the changed fields, if there are any', async () => {
    const person = await makeMember(app, { bio: 'As before' });
    const edit = (body: object) => app.call(editProfile, { token: person.token, body });
    await edit({ bio: 'As before' });
    await edit({ bio: null, interests: ['beekeeping'], location: { city: 'Oslo', country: 'Norway' } });
    const administrator = await makeAdministrator(app);
    const body = { firstName: 'Ida', reason: 'Asked for' };
    await app.call(changeAdminUser, { token: administrator.token, params: { id: person.id }, body });
    const { entries } = await file(owner, person.id, { kind: 'profile' });
    expect(entries.map(({ facts }) => [facts.what, facts.fields]).sort()).toEqual([
      ['own', ['bio', 'location', 'interests']],
      ['user.edited', ['firstName']],
    ]);
  });
});
