import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import * as auth from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { blockUser } from '#contract/connections.ts';
import { putAnswer } from '#contract/compatibility.ts';
import { putPreferences } from '#contract/discovery.ts';
import { addPictures, setProfilePicture } from '#contract/media.ts';
import { decidePicture } from '#contract/moderation/picture-queue.ts';
import { changeAdminUser } from '#contract/profiles/staff.ts';
import { changeLocation, completeProfile, getUser } from '#contract/profiles/profiles.ts';
import { startBulk } from '#contract/moderation/bulk.ts';
import type { RemovableText } from '#contract/moderation/decisions.ts';
import { createReport } from '#contract/moderation/reports.ts';
import { tagUser } from '#contract/moderation/tags.ts';
import { askForExport } from '#contract/takeout.ts';
import { schedulesOf } from '#platform/jobs/job.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { snapToPlaceCell } from '../../../src/features/profiles/place/distance.ts';
import { hashToken } from '#platform/config/secrets.ts';
import { rowsOfPeople } from '#platform/people/forget.ts';
import { makeAdministrator, makeMember, makeModerator, type TestMember } from '../../factories.ts';
import { startAppForTests } from '../../harness.ts';
import { draw, sendFile } from '../../pictures.ts';
import { buyPremium, newestInvoiceId } from '../../premium.ts';
import { subjectAtBuiltIn } from '../../doubles/google-issuer.ts';
import { answer, fileReport, appealedBy } from '../../moderation/reports.ts';
import { placeCheck } from '../../selfies.ts';
import { endPreservation, setPreservationOf } from '../../moderation/preservation.ts';
import { hitByRule } from '../../moderation/automatic-rules.ts';
import { newTag, noteAbout } from '../../user-files.ts';
import { traces } from '../database/database-contents.ts';
import { protectAccount, signInWithOthers, likeAndMatch, placeWarnings } from './leaver.ts';
import { password } from '../people.ts';

/** The leaver's texts, with words that appear nowhere else. */
const said = {
  oldEmail: 'canary-old@example.test',
  email: 'canary-now@example.test',
  wantedEmail: 'canary-wanted@example.test',
  firstName: 'Canarietta',
  lastName: 'Kanarienvogel',
  genderText: 'canarygender',
  bio: 'canarybio',
  city: 'Canarytown',
  prompt: 'canaryprompt',
  note: 'canarynote',
  fileName: 'canaryfile',
  refusal: 'canaryrefusal',
  report: 'canaryreport',
  reply: 'canaryreply',
  aboutThem: 'canaryaccusation',
  staffNote: 'canarystaffnote',
  passkey: 'canarypasskey',
  device: 'Chrome on ChromeOS',
  network: '10.77.88.0',
};
const headers = { 'x-forwarded-for': '10.77.88.99' };
const point = { latitude: 51.1234, longitude: 11.6543 };
const day = 86_400;

const test = startAppForTests({ RATE_LIMITS: 'on', TRUSTED_PROXIES: 'loopback' });
let moderator: TestMember;
let administrator: TestMember;
let other: TestMember;
let leaver: { id: string; token: string };
let words: Record<string, string>;
/** Every table that ever contained data of the leaver, and all their words. */
const knew = { tables: new Set<string>(), words: new Set<string>() };

async function noteTraces(): Promise<void> {
  for (const [table, found] of Object.entries(await traces(test.db, words))) {
    knew.tables.add(table);
    for (const word of found) knew.words.add(word);
  }
}
const code = async (email: string) => (await test.outbox(email))[0]?.code ?? '';
const decide = (publicId: string, verdict: 'approved' | 'rejected') =>
  test.call(decidePicture, { token: moderator.token, params: { publicId }, body: { verdict, reason: said.refusal } });
const uploadNamed = async () => {
  const sent = await sendFile(test, leaver as TestMember, { bytes: await draw(), name: `${said.fileName}.jpg` });
  return sent.body.data.publicId;
};

/** Joins, and changes the address twice, the second time without confirming it. */
async function join(): Promise<void> {
  const body = {
    email: said.oldEmail,
    password,
    firstName: said.firstName,
    lastName: said.lastName,
    acceptTerms: true,
  };
  const agent = { 'user-agent': 'Mozilla/5.0 (X11; CrOS x86_64) Chrome/126.0 Safari/537.36' };
  const joined = await test.call(auth.register, { body, headers: { ...headers, ...agent } });
  const { token, user } = joined.body;
  leaver = { id: user._id, token };
  await test.call(auth.verifyEmail, { token, body: { code: await code(said.oldEmail) }, headers });
  await test.call(auth.changeEmail, { token, body: { email: said.email, password }, headers });
  await test.call(auth.verifyEmail, { token, body: { code: await code(said.email) }, headers });
  await test.call(auth.changeEmail, { token, body: { email: said.wantedEmail, password }, headers });
}

/** Fills every field of the profile, changes the city, and uploads a picture in each state. */
async function fillProfile(): Promise<void> {
  const { token } = leaver;
  const location = { city: said.city, country: 'Norway' };
  const texts = { genderText: said.genderText, bio: said.bio } satisfies Record<RemovableText, string>;
  const prompts = [{ prompt: 'ask-me' as const, answer: said.prompt }];
  const profile = {
    birthDate: '1987-03-29',
    gender: 'woman' as const,
    seeking: ['man' as const],
    ...texts,
    prompts,
  };
  await test.call(completeProfile, { token, body: { ...profile, location } });
  const approved = await uploadNamed();
  await test.call(setProfilePicture, { token, body: { imageData: { publicId: approved } } });
  const [rejected, pending] = [await uploadNamed(), await uploadNamed()];
  await test.call(addPictures, { token, body: { imagesData: [{ publicId: rejected }, { publicId: pending }] } });
  await decide(approved, 'approved');
  await decide(rejected, 'rejected');
  await uploadNamed();
  const liked = { answer: 'relaxed', accepted: ['relaxed'], importance: 'somewhat' as const };
  await test.call(putAnswer, { token, params: { questionId: 'tidiness' }, body: liked });
  await test.call(putPreferences, { token, body: { distance: { maxKm: 77, required: true } } });
}

/** Reports, is reported with a picture, blocks, is blocked, and is viewed by staff. */
async function meetOthers(): Promise<void> {
  const { id, token } = leaver;
  const { user } = (await test.call(getUser, { token: other.token, params: { id } })).body.data;
  const evidence = [{ type: 'picture' as const, id: user.pictures[0]?.publicId ?? '' }];
  const about = { problem_type: 'Harassment' as const, reportedUser: id, description: said.aboutThem, evidence };
  await appealedBy(test, leaver.id);
  const now = test.clock.now();
  const sanction = await test.db.selectFrom('sanction').select('id').executeTakeFirstOrThrow();
  await test.db
    .insertInto('account_link')
    .values({ account_id: id, sanction_id: sanction.id, kind: 'card', strength: 'strong', found_at: now })
    .execute();
  await placeWarnings(test, sanction.id, [other.id, id], said.firstName);
  const gift = {
    account_id: id,
    days: 3,
    starts_at: now,
    ends_at: new Date(now.getTime() + 3 * 86_400_000),
    granted_at: now,
  };
  await test.db
    .insertInto('premium_grant')
    .values({ ...gift, reason: 'An apology', granted_by_name: 'A colleague' })
    .execute();
  const paid = await test.db
    .selectFrom('subscription')
    .select('id')
    .where('account_id', '=', id)
    .executeTakeFirstOrThrow();
  await test.db
    .insertInto('premium_refund')
    .values({ account_id: id, subscription_id: paid.id, days: 3, amount_minor: 100, currency: 'USD', started_at: now })
    .execute();
  await placeCheck(test, id, 'waiting');
  await test.db
    .insertInto('listed_person')
    .values({ staff_id: moderator.id, person_id: id, at: now, address: null })
    .execute();
  await test.db.insertInto('age_check').values({ account_id: id, state: 'assured', at: now }).execute();
  const person = { issuer: 'https://house.test', subject: id, account_id: id, linked_at: now };
  await test.db.insertInto('house_person').values(person).execute();
  await test.db.insertInto('staff_read').values({ account_id: id, kind: 'safety', day: '2026-06-02' }).execute();
  const link = {
    token: 'a-link',
    note: '',
    most: 2,
    uses: 1,
    ends_at: gift.ends_at,
    made_at: now,
    made_by: 'A colleague',
  };
  const made = await test.db.insertInto('invitation').values(link).returning('id').executeTakeFirstOrThrow();
  await test.db.insertInto('invitation_use').values({ account_id: id, invitation_id: made.id, used_at: now }).execute();
  await test.db.insertInto('premium_credit').values({ account_id: id, starts_at: now, ms: 1000 }).execute();
  await fileReport(test, other, about);
  const frozen = await test.db.selectFrom('report_evidence').select('id').executeTakeFirstOrThrow();
  await test.db.insertInto('evidence_party').values({ evidence_id: frozen.id, account_id: id }).execute();
  const keyed = { ...headers, 'idempotency-key': 'a-key-of-the-leaver' };
  const body = { problem_type: 'Harassment' as const, reportedUser: other.id, description: said.report };
  const own = await test.call(createReport, { token, body, headers: keyed });
  await answer(test, moderator, own.body.data.report._id, 'Thank you.');
  await answer(test, leaver as TestMember, own.body.data.report._id, said.reply);
  await test.call(blockUser, {
    token: other.token,
    params: { userId: id },
    headers: { 'idempotency-key': 'other-key' },
  });
  await test.call(blockUser, { token, params: { userId: other.id } });
  await noteAbout(test, id, moderator.id, said.staffNote);
  const many = { selection: { ids: [id] }, act: { kind: 'note' as const, text: said.staffNote }, reason: 'Spring' };
  await test.call(startBulk, { token: moderator.token, body: many });
  await hitByRule(test, { id });
  await endPreservation(test, await setPreservationOf(test, { id }));
  const tags = { add: [await newTag(test, 'Call back soon')] };
  await test.call(tagUser, { token: moderator.token, params: { id }, body: tags });
  await test.call(changeAdminUser, {
    token: administrator.token,
    params: { id },
    body: { bio: `${said.bio}, shortened`, reason: 'Asked for by mail' },
  });
}

/** Ends the leaver's hold, and judges the report that could cause another. */
async function endHold(): Promise<void> {
  await test.db.updateTable('account_link').set({ reviewed_at: test.clock.now() }).execute();
  await test.db.updateTable('account_hold').set({ ended_at: test.clock.now(), outcome: 'expired' }).execute();
}

/** Leaves unfinished work: a reset, failed sign-ins, a warning, a failed job. */
async function leaveThingsOpen(): Promise<void> {
  const later = new Date(test.clock.now().getTime() + 9 * day * 1000);
  await test.call(changeLocation, { token: leaver.token, body: point });
  await test.call(auth.forgotPassword, { body: { email: said.email }, headers });
  await test.call(login, { body: { email: said.email, password: 'not this one' }, headers });
  await test.db
    .insertInto('inactivity_warning')
    .values({ account_id: leaver.id, warned_at: test.clock.now() })
    .execute();
  await test.db.insertInto('fit_alert').values({ account_id: leaver.id, next_at: later, looked_at: later }).execute();
  await test.db.insertInto('insight_mail').values({ account_id: leaver.id, sent_on: null }).execute();
  await addJob(test.db, 'insights.rollUp', {});
  await test.drainLater();
  await addJob(test.db, 'auth.resendVerification', { email: said.email, handleHash: 7 }, { maxAttempts: 1 });
  await test.drain();
}

beforeAll(async () => {
  // The database uses its own clock to count requests, delete bytes and expire failed jobs.
  test.clock.set(new Date());
  [moderator, administrator, other] = [
    await makeModerator(test),
    await makeAdministrator(test),
    await makeMember(test),
  ];
  await join();
  await fillProfile();
  await buyPremium(test, leaver);
  const pictures = await test.db.selectFrom('picture').selectAll().where('account_id', '=', leaver.id).execute();
  const keyOf = (state: string) => pictures.find((picture) => picture.state === state)?.object_key ?? '';
  const customer = await test.db
    .selectFrom('payment_customer')
    .select('customer_id')
    .where('account_id', '=', leaver.id)
    .executeTakeFirstOrThrow();
  words = {
    ...said,
    customerId: customer.customer_id,
    invoiceId: await newestInvoiceId(test, leaver),
    id: leaver.id,
    subject: subjectAtBuiltIn(said.email),
    addressDigest: hashToken(said.email).toString('base64url'),
    handles: pictures[0]?.public_id ?? '',
    approvedKey: keyOf('approved'),
    pendingKey: keyOf('pending'),
    rejectedKey: keyOf('rejected'),
    unclaimedKey: keyOf('unclaimed'),
    place: String(snapToPlaceCell(point.latitude, point.longitude).longitude),
  };
  await meetOthers();
  await endHold();
  await likeAndMatch(test, leaver, said.note);
  await signInWithOthers(test, leaver, said.email);
  await test.call(askForExport, { token: leaver.token, body: { password } });
  const recoveryCode = await protectAccount(test, leaver, said.email, said.passkey);
  words['sessionId'] = String(decodeJwt(leaver.token)['sid']);
  await leaveThingsOpen();
  const due = { account_id: leaver.id, due_since: test.clock.now() };
  await test.db
    .insertInto('ban_comparison')
    .values(due)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await test.db
    .insertInto('hiding_due')
    .values({ ...due, account_id: other.id, knower_id: leaver.id })
    .execute();
  await noteTraces();
  await test.call(auth.leaveService, {
    token: leaver.token,
    body: { password, code: recoveryCode },
    headers,
  });
  await test.call(login, { body: { email: said.email, password }, headers });
  await noteTraces();
});

/** Runs all scheduled jobs, including the deletion of stored bytes. */
async function runEverything(): Promise<void> {
  const { tasks, jobs } = test.app.background;
  for (const { task } of schedulesOf(jobs)) {
    await tasks[task]?.({}, {} as never);
    // Long work continues in jobs, which later tasks may need.
    if (task === 'insights.rollUp') await test.drain(task);
  }
  await test.sql`update media_discard set due_at = now()`;
  await tasks['media.sweep']?.({}, {} as never);
  await test.drainLater();
}

/** Puts the leaver's id into columns that list people, as a restored backup or a late write would. */
async function bringBackIds(): Promise<void> {
  const now = test.clock.now();
  await test.sql`
    insert into deck (viewer_id, targets, cards, made_at) values (${other.id}::uuid, ${[leaver.id]}::uuid[], '[{}]', ${now})
    on conflict (viewer_id) do update set targets = excluded.targets, cards = excluded.cards, made_at = excluded.made_at`;
  await test.sql`
    insert into seen_people (viewer_id, seen_on, ids) values (${other.id}::uuid, ${now}, ${[leaver.id]}::uuid[])
    on conflict (viewer_id) do update set seen_on = excluded.seen_on, ids = excluded.ids`;
  await test.sql`insert into approval (kind, payload, requested_by, requested_by_name, reason, requested_at)
    values ('export', ${JSON.stringify({ rows: 2, columns: [], filters: {}, ids: [leaver.id, other.id] })}::jsonb,
      ${administrator.id}::uuid, 'Ada', 'A survey', ${now})`;
}

/** What the map says about tables in which a member who leaves has no rows. */
const ofOthers = ['nameless', 'staff', 'outsider'];

describe('a member who deleted their account', () => {
  it('has rows in every table of the map beforehand, and in no other', async () => {
    const tables = new Map(rowsOfPeople.map(([table, { exportAs }]) => [table.replace(/^.*\./, ''), exportAs]));
    const unknown = [...knew.tables].filter((table) => !tables.has(table));
    expect(unknown, 'Add a row for them to server/src/platform/people/tables.ts').toEqual([]);
    const empty = [...tables].filter(([table, as]) => !knew.tables.has(table) && !ofOthers.includes(as));
    const tablesLeft = empty.map(([table]) => table);
    expect(tablesLeft, 'Let the member fill them in leaver.ts').toEqual([]);
    expect(Object.keys(words).filter((word) => !knew.words.has(word))).toEqual([]);
  });

  it('is removed after 14 days, except for reports without a name and the audit trail', async () => {
    test.clock.advance(14 * day + 1);
    await bringBackIds();
    await runEverything();
    test.clock.advance(day);
    await runEverything();
    expect(await traces(test.db, words)).toEqual({
      // Staff actions are kept for two years.
      audit_event: ['bio', 'refusal', 'id'],
      // The content of reports, and a copy of what they are about.
      report: ['report', 'aboutThem'],
      report_reply: ['reply'],
      report_evidence: ['firstName', 'genderText', 'bio', 'city', 'prompt', 'note', 'approvedKey'],
      evidence_picture: ['approvedKey'],
      // Invoices are kept for ten years and webhook ids for ninety days, but no longer lead to a person.
      invoice: ['invoiceId'],
      provider_event: ['customerId'],
    });
  });

  it('is no longer a customer of the payment provider', async () => {
    const known = await test.pool.query('select email, name, account_id from sandbox.customer');
    expect(known.rows).toEqual([{ email: null, name: null, account_id: null }]);
    const running = await test.pool.query('select status from sandbox.subscription');
    expect(running.rows).toEqual([{ status: 'canceled' }]);
  });

  it('is the same anonymous person in all reports', async () => {
    const rows = await test.db
      .selectFrom('report')
      .select(['reporter_alias', 'reported_alias', 'reported_id'])
      .execute();
    const aliases = rows.map(({ reporter_alias, reported_alias }) => reporter_alias ?? reported_alias);
    expect(aliases).toHaveLength(5);
    expect(new Set(aliases).size).toBe(1);
    expect(aliases[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(aliases[0]).not.toBe(leaver.id);
  });

  it('has no stored files except copies kept for a report', async () => {
    const entries = await readdir(test.mediaDir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    const isLedger = (name: string) => name.startsWith('ledger-');
    expect(files.filter((name) => !isLedger(name)).sort()).toEqual([
      `${words['approvedKey']}.large`,
      `${words['approvedKey']}.thumbnail`,
    ]);
    // The ledger entry identifies no one.
    const [entry] = entries.filter(({ name }) => isLedger(name));
    const written = JSON.parse(await readFile(resolve(entry?.parentPath ?? '', entry?.name ?? ''), 'utf8')) as object;
    expect(Object.keys(written)).toEqual(['account', 'act', 'at']);
    expect(JSON.stringify(written)).not.toContain(leaver.id);
  });
});
