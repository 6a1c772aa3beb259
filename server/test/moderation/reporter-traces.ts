import { strFromU8 } from 'fflate';
import { submitAppeal } from '#contract/moderation/appeals.ts';
import { decideCase } from '#contract/moderation/cases.ts';
import { decisionOutcomes, type SanctionKind } from '#contract/moderation/decisions.ts';
import { outsiderTypeNames } from '#contract/moderation/outsider-types.ts';
import { reportTypes } from '#contract/moderation/reports.ts';
import { replyToReport } from '#contract/moderation/staff-reports.ts';
import { isPermission } from '#contract/roles.ts';
import { takeArchive } from '../archive.ts';
import { makeMember, makeModerator, signIn, type TestMember } from '../factories.ts';
import { addressOf, contractEndpoints } from '../guards/contract-endpoints.ts';
import { password, passwordHash } from '../guards/people.ts';
import type { TestApp } from '../harness.ts';
import { sendOutsiderReport } from './outsiders.ts';
import { type Random, randomOf } from '../random.ts';
import { caseIdOf, currentRuleId, fileReport } from './reports.ts';

const daySeconds = 86_400;

/** A person who is reported, and what must not reach them. A decision may reveal its date, so each act has its own days. */
interface History {
  person: TestMember;
  /** Words that would give the reporters away. */
  words: string[];
  /** The times of their acts. */
  times: Date[];
}

interface Telling {
  test: TestApp;
  random: Random;
  staff: TestMember;
  history: History;
  caseId: string;
}

/** Advances more than a day, and runs the due jobs meanwhile. */
async function passDays({ test, random }: Telling): Promise<void> {
  test.clock.advance(daySeconds * (1.1 + random.next()));
  for (const task of ['holds.expire', 'outsiders.tell', 'rules.undo'])
    await test.app.background.tasks[task]?.({}, {} as never);
  await test.drainLater();
}

const name = (random: Random) =>
  `Canary${String.fromCodePoint(...Array.from({ length: 8 }, () => 97 + random.below(26)))}`;

/** A report by a member who is invisible otherwise, with what they add to it later. */
async function reportAsMember(telling: Telling): Promise<void> {
  const { test, random, history } = telling;
  const [firstName, lastName] = [name(random), name(random)];
  const reporter = await makeMember(test, { firstName, lastName });
  // Paused members are on no card.
  await test.db
    .updateTable('profile')
    .set({ paused_at: test.clock.now() })
    .where('account_id', '=', reporter.id)
    .execute();
  history.times.push(test.clock.now());
  const report = await fileReport(test, reporter, {
    problem_type: random.pick(reportTypes),
    description: `${name(random)} happened.`,
    reportedUser: history.person.id,
    mayBeMinor: random.chance(0.2),
    hideFromEachOther: random.chance(0.5),
  });
  history.words.push(
    reporter.id,
    reporter.email,
    firstName,
    lastName,
    report._id,
    report.description.split(' ')[0] ?? '',
  );
  telling.caseId = await caseIdOf(test, report._id);
  if (!random.chance(0.5)) return;
  await passDays(telling);
  const { token } = await signIn(test, reporter.id);
  history.times.push(test.clock.now());
  await test.call(replyToReport, { token, params: { id: report._id }, body: { message: 'It happened again.' } });
  await passDays(telling);
  await decide(telling);
  await passDays(telling);
  const again = await signIn(test, reporter.id);
  history.times.push(test.clock.now());
  const decision = await test.db
    .selectFrom('case_decision_report')
    .select('decision_id')
    .where('report_id', '=', report._id)
    .executeTakeFirst();
  const body = { decisionId: decision?.decision_id ?? report._id, text: `${name(random)} is what I saw.` };
  await test.call(submitAppeal, { token: again.token, body });
}

async function reportFromOutside({ test, random, history }: Telling): Promise<void> {
  const email = `${name(random).toLowerCase()}@outside.example`;
  const author = name(random);
  history.times.push(test.clock.now());
  const address = `/app/members/${history.person.id}`;
  const text = `${name(random)} is in the pictures of this profile.`;
  await sendOutsiderReport(test, { type: random.pick(outsiderTypeNames), address, email, name: author, text });
  await test.drain('outsiders.file');
  history.words.push(email, author, text.split(' ')[0] ?? '');
}

/** A decision about the case, with measures under which the person can still sign in, or without any. */
async function decide({ test, random, staff, caseId }: Telling): Promise<void> {
  const { token } = await signIn(test, staff.id, true);
  const outcome = random.pick(decisionOutcomes);
  const kind = random.pick(['warn', 'hide_profile', 'limit_messaging'] as const) satisfies SanctionKind;
  const acts = {
    ruleId: await currentRuleId(test),
    facts: 'Wrote forty insults in a row to a person who asked for silence.',
    sanctions: [{ kind }],
  };
  await test.call(decideCase, {
    token,
    params: { id: caseId },
    body: { outcome, ...(outcome === 'actioned' && acts) },
  });
}

/** Creates a random history of a person who is reported by members and from outside. */
export async function tellHistory(test: TestApp, seed: number): Promise<History> {
  const random = randomOf(seed);
  const person = await makeMember(test, { passwordHash: await passwordHash() });
  const staff = await makeModerator(test);
  const history: History = { person, words: [], times: [] };
  const telling: Telling = { test, random, staff, history, caseId: '' };
  await passDays(telling);
  await reportAsMember(telling);
  for (let n = random.below(4); n > 0; n -= 1) {
    await passDays(telling);
    await random.pick([reportAsMember, reportFromOutside, reportFromOutside, decide])(telling);
  }
  await passDays(telling);
  await decide(telling);
  // Some facts are revealed only a week later.
  test.clock.advance(7 * daySeconds);
  await passDays(telling);
  return history;
}

const left = ['/auth/export', '/auth/export/status', '/dev/outbox'];

/** Everything that a member can read, with their mails and their data export. */
async function everythingFor(test: TestApp, { id, email }: TestMember): Promise<string> {
  const { token } = await signIn(test, id);
  const parts = [JSON.stringify(await test.outbox(email))];
  for (const endpoint of await contractEndpoints()) {
    if (endpoint.method !== 'GET' || isPermission(endpoint.access) || left.includes(endpoint.path)) continue;
    const answer = await test.app.inject({
      url: addressOf(endpoint, id),
      headers: { authorization: `Bearer ${token}` },
    });
    parts.push(`${endpoint.path} ${answer.body}`);
  }
  const files = await takeArchive(test, token, { password });
  for (const [file, bytes] of Object.entries(files))
    if (!file.endsWith('.webp')) parts.push(`${file} ${strFromU8(bytes)}`);
  return parts.join('\n');
}

/** A time, or a day alone. */
const moment = /\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?/g;
const dayLength = 'YYYY-MM-DD'.length;

/**
 * Everything that the person of a history can read and that reveals their reporters: names, ids and words, times within a day of their
 * acts, and the days of these.
 */
export async function tracesOf(test: TestApp, { person, words, times }: History): Promise<string[]> {
  const all = await everythingFor(test, person);
  const isNear = (text: string, at: Date) =>
    text.length === dayLength
      ? at.toISOString().startsWith(text)
      : Math.abs(Date.parse(text) - at.getTime()) < daySeconds * 1000;
  const near = (text: string) => times.some((at) => isNear(text, at));
  return [
    ...words.filter((word) => word !== '' && all.toLowerCase().includes(word.toLowerCase())),
    ...all
      .split('\n')
      .flatMap((line) => (line.match(moment) ?? []).filter(near).map((time) => `${time} in ${line.slice(0, 300)}`)),
  ];
}
