import { demoAccounts } from '../accounts.ts';
import { before, between, dayMs, hourMs, latest } from '../calendar.ts';
import { ageOn } from '#platform/process/clock.ts';
import { forAccounts, usualAges, type AccountLikes, type Comment, type Conversation } from './accounts.ts';
import type { DemoMember } from '../members/demo-member.ts';
import { demoPictures } from '../pictures/rows.ts';
import { randomOf, type Random } from '../random.ts';

const stream = 19;
/** Members who were inactive for longer than this appear on no card. */
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

/** Comments on a picture or the whole profile, and comments on a prompt. */
const notes = [
  'Your smile in the second picture made my Monday.',
  'What are you reading at the moment?',
  'Tea or coffee? There is a right answer.',
  'Hello from two streets away.',
];
const promptNotes = [
  'Same. Exactly the same.',
  'I have questions about this one.',
  'This made me laugh out loud on the bus.',
  'You had me at this line.',
];

/** A decision of one demo member about another. */
export interface DemoDecision {
  viewer: DemoMember;
  target: DemoMember;
  kind: 'like' | 'pass';
  decidedAt: Date;
  note: string | null;
  likedPrompt: string | null;
  isPending: boolean;
  /** Their conversation after the match; null for none, undefined for a random one. */
  conversation?: Conversation | null;
}

/** Two demo members who like each other. */
export interface DemoMatch {
  one: DemoMember;
  other: DemoMember;
  matchedAt: Date;
  /** Their conversation; null for none, undefined for a random one. */
  conversation?: Conversation | null;
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

interface Numbered {
  member: DemoMember;
  number: number;
}

/** The decisions so far, at most one for each direction of a pair. */
class Decisions {
  readonly made = new Map<string, DemoDecision>();
  readonly #now: Date;

  constructor(now: Date) {
    this.#now = now;
  }

  decide(
    [viewer, target]: readonly [DemoMember, DemoMember],
    kind: 'like' | 'pass',
    random: Random,
    given: { hoursAgo?: number; comment?: Comment; conversation?: Conversation | null } = {},
  ): void {
    const key = `${viewer.id} ${target.id}`;
    if (this.made.has(key)) return;
    const answered = this.made.get(`${target.id} ${viewer.id}`);
    const since = before(this.#now, decidedWithinDays * dayMs);
    const from = latest(viewer.createdAt, target.createdAt, since, answered?.decidedAt ?? since);
    const drawn = between(from, before(this.#now, hourMs), random.next());
    const decidedAt = given.hoursAgo === undefined ? drawn : before(this.#now, given.hoursAgo * hourMs);
    const [likedPrompt, note] = kind === 'like' ? (given.comment ?? drawComment(target, random)) : [null, null];
    const isPending = kind === 'like' && answered === undefined;
    if (answered !== undefined) answered.isPending = false;
    const { conversation } = given;
    this.made.set(key, {
      ...{ viewer, target, kind, note, likedPrompt, isPending, decidedAt: latest(decidedAt, from) },
      ...(conversation !== undefined && { conversation }),
    });
  }
}

function drawComment({ details }: DemoMember, random: Random): Comment {
  if (!random.chance(noteShare)) return [null, null];
  const { prompts = [] } = details;
  return prompts.length === 0 ? [null, random.pick(notes)] : [random.pick(prompts).prompt, random.pick(promptNotes)];
}

/** The decisions of demo members about each other, always the same. `members` are in the order of their numbers. */
export function demoDecisions(members: readonly DemoMember[], now: Date): DemoDecision[] {
  const decisions = new Decisions(now);
  const shown = members.map((member, number) => ({ member, number })).filter(({ member }) => isOnCards(member, now));
  const crowd = shown.filter(({ number }) => number >= demoAccounts.length);
  const accounts = shown.filter(({ number }) => number < demoAccounts.length);
  const byCity = Map.groupBy(crowd, ({ member }) => member.place?.city);
  for (const { member, number } of crowd) {
    const random = randomOf(number, stream);
    if (!random.chance(decidesShare)) continue;
    // Members in sparsely populated places also decide about people who live further away.
    const others = Array.from({ length: triesFarAway }, () => random.pick(crowd));
    const near = [...new Set([...(byCity.get(member.place?.city) ?? []), ...others])].filter((each) =>
      fitEachOther(member, each.member),
    );
    for (let left = 1 + random.below(mostDecisions); left > 0 && near.length > 0; left -= 1) {
      const [{ member: other } = { member }] = near.splice(random.below(near.length), 1);
      decisions.decide([member, other], random.chance(likeShare) ? 'like' : 'pass', random);
      if (random.chance(answeredShare))
        decisions.decide([other, member], random.chance(answeredByLikeShare) ? 'like' : 'pass', random);
    }
  }
  for (const { member, number } of accounts)
    fillAccount(decisions, member, { likes: forAccounts[member.email], random: randomOf(number, stream), crowd, now });
  const [one, other] = accounts.map(({ member }) => member);
  if (one !== undefined && other !== undefined && fitEachOther(one, other)) {
    const conversation = forAccounts[one.email]?.together;
    decisions.decide([other, one], 'like', randomOf(1, stream), { hoursAgo: 80 });
    decisions.decide([one, other], 'like', randomOf(0, stream), {
      hoursAgo: 76,
      ...(conversation && { conversation }),
    });
  }
  return [...decisions.made.values()];
}

/** Gives a demo account received likes, matches and own likes, and leaves cards to decide on. */
function fillAccount(
  decisions: Decisions,
  member: DemoMember,
  { likes, random, crowd, now }: { likes: AccountLikes | undefined; random: Random; crowd: Numbered[]; now: Date },
): void {
  if (likes === undefined) return;
  const people = crowd
    .filter((other) => fitEachOther(member, other.member))
    .map((other) => ({ other: other.member, rank: rankFor(member, other, now) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ other }) => other);
  const next = (count: number) => people.splice(0, count);
  const { matches, comments } = likes;
  for (const [at, other] of next(matches.length).entries()) {
    const { matchedHoursAgo: hoursAgo = 1, conversation = null } = matches[at] ?? {};
    decisions.decide([member, other], 'like', random, { hoursAgo: hoursAgo + 5 });
    decisions.decide([other, member], 'like', random, { hoursAgo, conversation });
  }
  for (const [at, other] of next(comments.length).entries())
    decisions.decide([other, member], 'like', random, { hoursAgo: 2 + at * 7, comment: comments[at] ?? [null, null] });
  for (const other of next(likes.liked)) decisions.decide([member, other], 'like', random);
  for (const other of next(likes.passed)) decisions.decide([member, other], 'pass', random);
}

/** The rank of a person for an account: people who are near, of similar age, with a portrait, a full profile and a Latin name come first. */
function rankFor(member: DemoMember, { member: other, number }: Numbered, now: Date) {
  const age = other.birthDate === null ? 0 : ageOn(other.birthDate, now);
  const misses = [
    other.place?.country !== member.place?.country,
    age < usualAges.min || age > usualAges.max,
    other.createdAt > before(now, decidedWithinDays * dayMs),
    !/^\p{Script=Latin}+$/u.test(other.firstName ?? ''),
    (other.details.prompts?.length ?? 0) < 2,
    other.bio === null,
    demoPictures(number, other, now)[0]?.state !== 'approved',
  ];
  return misses.filter(Boolean).length;
}

/** The matches that follow from decisions. */
export function demoMatches(decisions: readonly DemoDecision[]): DemoMatch[] {
  const likes = decisions.filter(({ kind }) => kind === 'like');
  const byPair = new Map(likes.map((each) => [`${each.viewer.id} ${each.target.id}`, each]));
  return likes.flatMap((like) => {
    const { viewer, target, decidedAt } = like;
    const back = byPair.get(`${target.id} ${viewer.id}`);
    if (back === undefined || viewer.id > target.id) return [];
    const { conversation } = like.conversation === undefined ? back : like;
    const matchedAt = latest(decidedAt, back.decidedAt);
    return [{ one: viewer, other: target, matchedAt, ...(conversation !== undefined && { conversation }) }];
  });
}
