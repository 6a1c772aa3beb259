import type pg from 'pg';
import { type Importance, questions, type Question } from '#contract/compatibility.ts';
import { termsVersion } from '#contract/constants.ts';
import { copyRows } from '#platform/db/copy-rows.ts';
import type { KeptAnswer, KeptAnswers } from '#platform/db/json.ts';
import type { ProfileRow } from '../../server/src/features/profiles/profiles.ts';
import { demoAccounts } from '../accounts.ts';
import { randomOf, type Random } from '../random.ts';
import type { DemoMember } from './demo-member.ts';
import { kindredOf } from './details.ts';

/**
 * Writes `members`; those `entitled` have premium. A trigger on `profile` creates the directory's row from account and
 * presence, so the profile comes last.
 */
export async function copyMembers(
  client: pg.ClientBase,
  members: readonly DemoMember[],
  entitled: ReadonlySet<string>,
): Promise<void> {
  const account = members.map((member) => ({
    id: member.id,
    email: member.email,
    password_hash: member.passwordHash,
    password_suits_staff: member.passwordHash !== null,
    created_at: member.createdAt,
    email_verified_at: member.emailVerifiedAt,
    staff_role: member.staffRole,
    is_vip: entitled.has(member.id),
    is_active: member.deactivatedAt === null,
    deactivated_at: member.deactivatedAt,
    deactivation_reason: member.deactivationReason,
    leaving_since: member.leavingSince,
  }));
  const presence = members.map((member) => ({
    account_id: member.id,
    last_active_at: member.lastActiveAt ?? '-infinity',
    online: member.online,
    is_active: member.deactivatedAt === null,
    is_vip: member.isVip,
    is_verified: member.emailVerifiedAt !== null,
  }));
  const profile = members.map((member) => ({
    account_id: member.id,
    first_name: member.firstName,
    last_name: member.lastName,
    gender: member.gender,
    gender_text: member.genderText,
    birth_date: member.birthDate,
    bio: member.bio,
    seeking: member.seeking,
    city: member.place?.city ?? null,
    country: member.place?.country ?? null,
    latitude: member.place?.latitude ?? null,
    longitude: member.place?.longitude ?? null,
    show_last_active: member.showLastActive,
    details: JSON.stringify(member.details),
    // Large demos have no pictures, but complete profiles; in others the pictures' trigger counts.
    picture_count: member.seeking.length > 0 ? 1 : 0,
  }));
  const consent = members.map(({ id, createdAt }) => ({
    account_id: id,
    kind: 'terms',
    version: termsVersion,
    accepted_at: createdAt,
  }));
  // Listed here, so that the compiler finds a column that the demo leaves empty.
  profile satisfies Record<keyof ProfileRow, unknown>[];
  for (const [table, rows] of Object.entries({ account, presence, profile, consent })) {
    await copyRows(client, table, rows);
  }
}

const answerStream = 13;
/** Demo accounts answer enough questions to share some with most members. */
const answersOfAccounts = 26;
/** The importance of answers, with weights. */
const importances: readonly (readonly [weight: number, Importance])[] = [
  [1, 'irrelevant'],
  [2, 'a-little'],
  [3, 'somewhat'],
  [2, 'very'],
  [1, 'mandatory'],
];

function answerTo({ options }: Question, random: Random): KeptAnswer {
  const own = random.pick(options).id;
  const likesOwn = random.chance(0.9);
  const others = options.filter(() => random.chance(0.35)).map(({ id }) => id);
  const importance = random.weighted(importances);
  const wanted = options.map(({ id }) => id).filter((id) => (id === own ? likesOwn : others.includes(id)));
  if (importance === 'irrelevant') return [own, [], importance];
  return [own, wanted.length === 0 ? [own] : wanted, importance];
}

/** How often people with much in common with an account give the same answer. */
const sameAnswerShare = 0.8;

/** The answers of member `number`, always the same: up to 40 questions, none for every fourth member. */
export function demoAnswers(number: number): KeptAnswers {
  const random = randomOf(number, answerStream);
  const drawn = random.chance(0.25) ? 0 : random.below(questions.length + 1);
  const count = number < demoAccounts.length ? answersOfAccounts : drawn;
  const unanswered = [...questions];
  const kindred = kindredOf(number);
  const answers: KeptAnswers = {};
  for (const [id, answer] of Object.entries(kindred === null ? {} : demoAnswers(kindred)))
    if (drawn > 4 && random.chance(sameAnswerShare)) answers[id] = answer;
  for (let asked = 0; asked < count; asked += 1) {
    const [question] = unanswered.splice(random.below(unanswered.length), 1);
    if (question !== undefined) answers[question.id] ??= answerTo(question, random);
  }
  return answers;
}

/** Writes the compatibility answers of `members`, which are in the order of their numbers; staff have none. */
export async function copyAnswers(client: pg.ClientBase, members: readonly DemoMember[]): Promise<void> {
  const sheets = members.flatMap((member, number) => {
    const answers = demoAnswers(number);
    if (member.staffRole !== null || Object.keys(answers).length === 0) return [];
    const updatedAt = member.lastActiveAt ?? member.createdAt;
    return [{ account_id: member.id, answers: JSON.stringify(answers), updated_at: updatedAt }];
  });
  await copyRows(client, 'answer_sheet', sheets);
}
