import { demoAccounts } from '../accounts.ts';
import { before, between, dayMs, hourMs, latest } from '../calendar.ts';
import type { DemoMember } from '../members/demo-member.ts';
import { randomOf, type Random } from '../random.ts';

const stream = 19;
/** Members inactive for longer than this appear on no card. */
const activeWithinDays = 28;
/** All decisions were made within this time. */
const decidedWithinDays = 20;
const decidesShare = 0.75;
const triesFarAway = 12;
const mostDecisions = 6;
const likeShare = 0.5;
const answeredShare = 0.4;
const answeredByLikeShare = 0.6;
const noteShare = 0.3;

/** For demo accounts: how many members like them and await an answer, matched, and were liked or passed by them. */
const forAccounts = { waiting: 8, matched: 3, liked: 3, passed: 4 };

const notes = [
  'Your smile in the second picture made my Monday.',
  'A boat shed? I have questions, and soup.',
  'Shall we enjoy a comfortable silence somewhere nice?',
  'Which ferry was the best one?',
  'I would like to see that bench.',
  'What are you reading at the moment?',
  'Tea or coffee? There is a right answer.',
  'Hello from two streets away.',
];

/** What one demo member decided about another. */
export interface DemoDecision {
  viewer: DemoMember;
  target: DemoMember;
  kind: 'like' | 'pass';
  decidedAt: Date;
  note: string | null;
  isPending: boolean;
}

/** Two demo members who like each other. */
export interface DemoMatch {
  one: DemoMember;
  other: DemoMember;
  matchedAt: Date;
}

/** Whether a member appears on other members' cards. */
export function isOnCards(member: DemoMember, now: Date): boolean {
  const { staffRole, emailVerifiedAt, deactivatedAt, leavingSince, gender, birthDate, seeking, place } = member;
  const isInOrder = staffRole === null && emailVerifiedAt !== null && deactivatedAt === null && leavingSince === null;
  const isComplete = gender !== null && birthDate !== null && seeking.length > 0 && place !== null;
  const lastActiveAt = member.lastActiveAt ?? new Date(0);
  return isInOrder && isComplete && lastActiveAt > before(now, activeWithinDays * dayMs);
}

const seeks = (one: DemoMember, other: DemoMember) => other.gender !== null && one.seeking.includes(other.gender);
const fitEachOther = (one: DemoMember, other: DemoMember) => one !== other && seeks(one, other) && seeks(other, one);

/** Everything decided so far, at most once per direction of a pair. */
class Decisions {
  readonly made = new Map<string, DemoDecision>();
  readonly #now: Date;

  constructor(now: Date) {
    this.#now = now;
  }

  decide(viewer: DemoMember, target: DemoMember, kind: 'like' | 'pass', random: Random): void {
    const key = `${viewer.id} ${target.id}`;
    if (this.made.has(key)) return;
    const answered = this.made.get(`${target.id} ${viewer.id}`);
    const since = before(this.#now, decidedWithinDays * dayMs);
    const from = latest(viewer.createdAt, target.createdAt, since, answered?.decidedAt ?? since);
    const decidedAt = between(from, before(this.#now, hourMs), random.next());
    const note = kind === 'like' && random.chance(noteShare) ? random.pick(notes) : null;
    const isPending = kind === 'like' && answered === undefined;
    if (answered !== undefined) answered.isPending = false;
    this.made.set(key, { viewer, target, kind, decidedAt: latest(decidedAt, from), note, isPending });
  }
}

/** What demo members decided about each other: always the same. `members` in the order of their numbers. */
export function demoDecisions(members: readonly DemoMember[], now: Date): DemoDecision[] {
  const decisions = new Decisions(now);
  const shown = members.map((member, number) => ({ member, number })).filter(({ member }) => isOnCards(member, now));
  const crowd = shown.filter(({ number }) => number >= demoAccounts.length);
  const accounts = shown.filter(({ number }) => number < demoAccounts.length);
  const byCity = Map.groupBy(crowd, ({ member }) => member.place?.city);
  for (const { member, number } of crowd) {
    const random = randomOf(number, stream);
    if (!random.chance(decidesShare)) continue;
    // In sparsely populated places, members look further.
    const others = Array.from({ length: triesFarAway }, () => random.pick(crowd));
    const near = [...new Set([...(byCity.get(member.place?.city) ?? []), ...others])].filter((each) =>
      fitEachOther(member, each.member),
    );
    for (let left = 1 + random.below(mostDecisions); left > 0 && near.length > 0; left -= 1) {
      const [{ member: other } = { member }] = near.splice(random.below(near.length), 1);
      decisions.decide(member, other, random.chance(likeShare) ? 'like' : 'pass', random);
      if (random.chance(answeredShare))
        decisions.decide(other, member, random.chance(answeredByLikeShare) ? 'like' : 'pass', random);
    }
  }
  for (const { member, number } of accounts) fillAccount(decisions, member, randomOf(number, stream), crowd);
  const [one, other] = accounts.map(({ member }) => member);
  if (one !== undefined && other !== undefined && fitEachOther(one, other)) {
    decisions.decide(one, other, 'like', randomOf(0, stream));
    decisions.decide(other, one, 'like', randomOf(1, stream));
  }
  return [...decisions.made.values()];
}

/** Gives a demo account likes, matches and likes of its own from the first day, and leaves cards to decide on. */
function fillAccount(decisions: Decisions, member: DemoMember, random: Random, crowd: { member: DemoMember }[]): void {
  const isFar = (other: DemoMember) => (other.place?.city === member.place?.city ? 0 : 1);
  const people = crowd
    .map((each) => each.member)
    .filter((other) => fitEachOther(member, other))
    .sort((one, other) => isFar(one) - isFar(other));
  const next = (count: number) => people.splice(0, count);
  for (const other of next(forAccounts.waiting)) decisions.decide(other, member, 'like', random);
  for (const other of next(forAccounts.matched)) {
    decisions.decide(other, member, 'like', random);
    decisions.decide(member, other, 'like', random);
  }
  for (const other of next(forAccounts.liked)) decisions.decide(member, other, 'like', random);
  for (const other of next(forAccounts.passed)) decisions.decide(member, other, 'pass', random);
}

/** The matches that follow from decisions. */
export function demoMatches(decisions: readonly DemoDecision[]): DemoMatch[] {
  const likes = decisions.filter(({ kind }) => kind === 'like');
  const byPair = new Map(likes.map((each) => [`${each.viewer.id} ${each.target.id}`, each]));
  return likes.flatMap(({ viewer, target, decidedAt }) => {
    const back = byPair.get(`${target.id} ${viewer.id}`);
    if (back === undefined || viewer.id > target.id) return [];
    return [{ one: viewer, other: target, matchedAt: latest(decidedAt, back.decidedAt) }];
  });
}
