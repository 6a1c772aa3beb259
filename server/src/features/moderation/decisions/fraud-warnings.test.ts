import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { decideAppeal } from '#contract/moderation/appeals.ts';
import { decideCase, revokeSanction } from '#contract/moderation/cases.ts';
import { listNotifications } from '#contract/notifications.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import { inTransaction } from '#platform/db/db.ts';
import { deleteAccounts, makeAdministrator, makeMember, signIn, type TestMember } from '../../../../test/factories.ts';
import { appealAgainst } from '../../../../test/moderation/decisions.ts';
import { startAppForTests } from '../../../../test/harness.ts';
import { likesIn, placeMatch } from '../../../../test/likes.ts';
import { type Random, randomOf } from '../../../../test/random.ts';
import { currentRuleId } from '../../../../test/moderation/reports.ts';
import { caseOf } from '../work/case-row.ts';
import { countWarnings } from './fraud-warnings.ts';

const app = startAppForTests();
let staff: TestMember[];
let rules: Record<'fraud' | 'other', string>;
beforeAll(async () => {
  staff = [await makeAdministrator(app), await makeAdministrator(app)];
  rules = { fraud: await currentRuleId(app, '5'), other: await currentRuleId(app, '2') };
});

const { block, unmatch } = likesIn(() => app);
const facts = 'Asked three people for gift cards within a day.';
const hour = 3600;
const answeredDays = 90;
const delayHours = 6;

interface Written {
  by: 'person' | 'reader';
  daysAgo: number;
  isHeld?: boolean;
}

/** A conversation of a person and a reader with these messages; returns its id. */
async function placeTalk(person: TestMember, reader: TestMember, written: readonly Written[]): Promise<string> {
  const id = await placeMatch(app, person, reader);
  const idOf = ({ by }: Written) => (by === 'person' ? person.id : reader.id);
  const sentAt = ({ daysAgo }: Written) => new Date(app.clock.now().getTime() - daysAgo * 24 * hour * 1000);
  const inOrder = written.toSorted((one, other) => other.daysAgo - one.daysAgo);
  const base = (one: Written) => ({ conversation_id: id, sender_id: idOf(one), client_id: randomUUID(), body: 'Hi' });
  const delivered = inOrder.filter(({ isHeld }) => isHeld !== true);
  for (const [index, one] of delivered.entries())
    await app.db
      .insertInto('message')
      .values({ ...base(one), seq: index + 1, sent_at: sentAt(one), caution: null })
      .execute();
  for (const [index, one] of inOrder.filter(({ isHeld }) => isHeld === true).entries())
    await app.db
      .insertInto('held_message')
      .values({
        ...base(one),
        n: index + 1,
        sent_at: sentAt(one),
        edited_at: null,
        deleted_at: null,
        media: null,
        reply_to: null,
      })
      .execute();
  const [first] = delivered;
  if (first === undefined) return id;
  const isAnswered = delivered.some(({ by }) => by !== first.by);
  await app.sql`update conversation set last_seq = ${delivered.length}, opened_by = ${idOf(first)}::uuid, is_answered = ${isAnswered}
    where id = ${id}::uuid`;
  return id;
}

const tokenOf = async (number: 0 | 1) => (await signIn(app, staff[number]?.id ?? '', true)).token;

/** Bans a person; returns the id of the sanction. */
async function ban(person: TestMember, rule: keyof typeof rules = 'fraud'): Promise<string> {
  const id = await inTransaction(app.db, (tx) => caseOf(tx, person.id, 'high', app.clock.now()));
  await app.sql`update moderation_case set stage = 'open', decided_at = null where id = ${id}::uuid`;
  const body = { outcome: 'actioned' as const, ruleId: rules[rule], facts, sanctions: [{ kind: 'ban' as const }] };
  const answer = await app.call(decideCase, { token: await tokenOf(0), params: { id }, body });
  expect(answer.status).toBe(201);
  const row = app.db.selectFrom('sanction').select('id').where('decision_id', '=', answer.body.data.decision._id);
  return (await row.executeTakeFirstOrThrow()).id;
}

/** Takes a ban back: after an appeal, or directly. */
async function takeBack(sanctionId: string, isAppealed: boolean): Promise<void> {
  const token = await tokenOf(1);
  if (!isAppealed) {
    const given = { token, params: { id: sanctionId }, body: { reason: 'It was a mistake' } };
    expect((await app.call(revokeSanction, given)).status).toBe(200);
    return;
  }
  const find = app.db.selectFrom('sanction').select('decision_id').where('id', '=', sanctionId);
  const { decision_id } = await find.executeTakeFirstOrThrow();
  await appealAgainst(app, { decisionId: decision_id ?? '', state: 'submitted', at: app.clock.now() });
  const appeal = app.db.selectFrom('appeal').select('id').where('decision_id', '=', decision_id);
  const { id } = await appeal.executeTakeFirstOrThrow();
  const body = { outcome: 'overturned' as const, reasons: 'The gift cards were for a charity that both know.' };
  expect((await app.call(decideAppeal, { token, params: { id }, body })).status).toBe(201);
}

const sweep = async () => {
  await app.app.background.tasks['bans.warn']?.({}, undefined as never);
};

/** The kinds of mails that were queued for an account, in their order. */
const mailsTo = async ({ email }: TestMember) => {
  const query = app.db.selectFrom('mail').select('template').where('recipient', '=', email).orderBy('created_at');
  const sent = await query.where('template', 'in', ['fraudWarning', 'fraudCorrection']).execute();
  return sent.map(({ template }) => template);
};
const notificationsOf = async ({ id }: TestMember) => {
  const { token } = await signIn(app, id);
  const { notifications } = (await app.call(listNotifications, { token })).body.data;
  return notifications.filter(({ kind }) => kind === 'warning');
};

interface Ban {
  rule: keyof typeof rules;
  from: number;
  /** The hour in which the ban is revoked. */
  until: number;
  isAppealed: boolean;
}

interface History {
  person: TestMember;
  bans: Ban[];
  /** The hours in which accounts are erased or begin to leave. */
  erasedAt: number;
  readers: { reader: TestMember; written: Written[]; erasedAt: number; leavesAt: number }[];
}

const lastHour = 30;

async function drawHistory(random: Random): Promise<History> {
  const person = await makeMember(app);
  const first = { from: random.below(4), until: random.chance(0.5) ? 1 + random.below(20) : Infinity };
  const second = { from: first.from + 1 + random.below(8), until: random.chance(0.3) ? 20 : Infinity };
  const draw = (): Pick<Ban, 'rule' | 'isAppealed'> => ({
    rule: random.chance(0.8) ? 'fraud' : 'other',
    isAppealed: random.chance(0.5),
  });
  const bans = [first, ...(random.chance(0.3) ? [second] : [])]
    .map((times) => ({ ...times, ...draw() }))
    .map((one) => ({ ...one, until: Math.max(one.until, one.from + 1) }));
  const isErased = bans.every(({ until }) => until === Infinity) && random.chance(0.2);
  const readers = [];
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const reader = await makeMember(app);
    const written = Array.from({ length: random.below(5) }, (): Written => {
      const by = random.chance(0.5) ? 'person' : 'reader';
      return { by, daysAgo: random.next() * 130, isHeld: random.chance(0.15) };
    });
    const id = await placeTalk(person, reader, written);
    const [one, other] = random.chance(0.5) ? [person, reader] : [reader, person];
    const ending = random.below(5);
    if (ending === 0) await block(one, other);
    if (ending === 1) await unmatch(one, id);
    const erasedAt = random.chance(0.1) ? random.below(lastHour) : Infinity;
    readers.push({ reader, written, erasedAt, leavesAt: random.chance(0.1) ? random.below(lastHour) : Infinity });
  }
  return { person, bans, erasedAt: isErased ? lastHour - 20 : Infinity, readers };
}

/** The expected kind of each mail to a reader, derived from the rules alone. */
function expectedMails({ bans }: History, { written, erasedAt, leavesAt }: History['readers'][number]): string[] {
  const frauds = bans.filter(({ rule }) => rule === 'fraud').sort((one, other) => one.from - other.from);
  // Bans that overlap are one.
  const spans: { from: number; until: number }[] = [];
  for (const { from, until } of frauds) {
    const last = spans.at(-1);
    if (last !== undefined && from < last.until) last.until = Math.max(last.until, until);
    else spans.push({ from, until });
  }
  const isHere = (at: number) => at < Math.min(erasedAt, leavesAt);
  const mails = spans.flatMap(({ from, until }) => {
    const hasWritten = written.some(({ by, isHeld }) => by === 'person' && isHeld !== true);
    const hasAnswered = written.some(({ by, daysAgo }) => by === 'reader' && daysAgo + from / 24 < answeredDays);
    const at = from + delayHours;
    if (!hasWritten || !hasAnswered || until <= at || !isHere(at)) return [];
    return until <= lastHour && isHere(until) ? ['fraudWarning', 'fraudCorrection'] : ['fraudWarning'];
  });
  return erasedAt < Infinity ? [] : mails;
}

describe('a ban for fraud', () => {
  it('warns everyone who answered within 90 days once, and no one else, in 200 histories', async () => {
    const random = randomOf(1);
    const histories: History[] = [];
    while (histories.length < 200) histories.push(await drawHistory(random));
    const sanctions = new Map<Ban, string>();
    for (let now = 0; now <= lastHour; now += 1) {
      for (const { person, bans, readers, erasedAt } of histories) {
        for (const one of bans.filter(({ until }) => until === now))
          await takeBack(sanctions.get(one) ?? '', one.isAppealed);
        for (const one of bans.filter(({ from }) => from === now)) sanctions.set(one, await ban(person, one.rule));
        const erased = readers.filter((one) => one.erasedAt === now).map(({ reader }) => reader.id);
        await deleteAccounts(app, ...erased, ...(erasedAt === now ? [person.id] : []));
        for (const { reader } of readers.filter(({ leavesAt }) => leavesAt === now))
          await app.sql`update account set leaving_since = ${app.clock.now()} where id = ${reader.id}::uuid`;
      }
      await sweep();
      await sweep();
      app.clock.advance(hour);
    }
    const wrong: unknown[] = [];
    const sent = { fraudWarning: 0, fraudCorrection: 0 };
    for (const history of histories)
      for (const one of history.readers) {
        const [mails, expected] = [await mailsTo(one.reader), expectedMails(history, one)];
        if (mails.join() !== expected.join()) wrong.push({ mails, expected, bans: history.bans, ...one });
        for (const mail of expected) sent[mail as keyof typeof sent] += 1;
      }
    expect(wrong).toEqual([]);
    expect(sent.fraudWarning).toBeGreaterThan(60);
    expect(sent.fraudCorrection).toBeGreaterThan(10);
    expect((await countWarnings(app.db, app.clock.now())).get('late')).toBe(0);
  }, 480_000);

  it('appears in the app with the name that the reader knew, and is corrected there once it is revoked', async () => {
    const person = await makeMember(app, { firstName: 'Mara', lastName: 'Canary' });
    const [open, before] = [await makeMember(app, { country: 'Germany' }), await makeMember(app)];
    const written: Written[] = [
      { by: 'person', daysAgo: 3 },
      { by: 'reader', daysAgo: 2 },
    ];
    await placeTalk(person, open, written);
    await unmatch(before, await placeTalk(person, before, written));
    app.clock.advance(60);
    await app.call(editProfile, { token: person.token, body: { firstName: 'Nora' } });
    const sanctionId = await ban(person);
    app.clock.advance((delayHours - 1) * hour);
    await sweep();
    expect(await notificationsOf(open)).toEqual([]);
    app.clock.advance(hour);
    await sweep();
    const notification = { isRead: false, subjectId: null, user: null };
    const told = (firstName: string | null, isCorrection = false) => [
      { ...notification, warning: { firstName, isCorrection } },
    ];
    expect(await notificationsOf(open)).toMatchObject(told('Nora'));
    expect(await notificationsOf(before)).toMatchObject(told(null));
    const [mail] = await app.outbox(open.email);
    expect(mail?.text).toContain('Nora, who you wrote with, was banned');
    expect(mail?.text).toContain('WEISSER RING Opfer-Telefon: 116 006');
    expect(mail?.links).toEqual([expect.stringMatching(/\/app\/safety\?country=DE$/)]);
    expect(mail?.text).not.toMatch(/Canary|gift cards within|France Victimes/);
    const [other] = await app.outbox(before.email);
    expect(other?.text).toContain('Someone you wrote with was banned');
    expect(other?.text).not.toMatch(/Mara|Nora|WEISSER/);
    app.clock.advance(60);
    await takeBack(sanctionId, true);
    await sweep();
    expect(await notificationsOf(open)).toMatchObject(told('Nora', true));
    expect((await app.outbox(open.email))[0]?.text).toContain('We warned you that Nora');
  });
});
