import type pg from 'pg';
import type { Importance } from '#contract/compatibility/compatibility.ts';
import { type Question, questions } from '#contract/compatibility/questions.ts';
import type { KeptAnswer, KeptAnswers } from '../platform/db/schema.ts';
import { copyRows, type TableRows } from './copy-rows.ts';
import { demoAccounts } from './demo-accounts.ts';
import type { DemoMember } from './demo-member.ts';
import { randomOf, type Random } from './random.ts';

const stream = 13;
/** A demo of a million members is for measuring lists of members; nobody reads what each of them answered. */
const mostWithAnswers = 10_000;
const chunkSize = 5000;
/** How many questions those who can sign in answered: enough to have some in common with most. */
const answersToSignInTo = 26;

/** As people choose: most things matter somewhat, few are a must. */
const importances: readonly Importance[] = [
  'irrelevant',
  'a-little',
  'a-little',
  'somewhat',
  'somewhat',
  'somewhat',
  'very',
  'very',
  'mandatory',
];

function answerTo({ options }: Question, random: Random): KeptAnswer {
  const own = random.pick(options).id;
  const likesOwn = random.chance(0.9);
  const others = options.filter(() => random.chance(0.35)).map(({ id }) => id);
  const importance = random.pick(importances);
  const wanted = options.map(({ id }) => id).filter((id) => (id === own ? likesOwn : others.includes(id)));
  if (importance === 'irrelevant') return [own, [], importance];
  return [own, wanted.length === 0 ? [own] : wanted, importance];
}

/** What member `number` answered: always the same, 0 to 40 questions, for every fourth none. */
export function demoAnswers(number: number): KeptAnswers {
  const random = randomOf(number, stream);
  const drawn = random.chance(0.25) ? 0 : random.below(questions.length + 1);
  const count = number < demoAccounts.length ? answersToSignInTo : drawn;
  const unanswered = [...questions];
  const answers: KeptAnswers = {};
  for (let asked = 0; asked < count; asked += 1) {
    const [question] = unanswered.splice(random.below(unanswered.length), 1);
    if (question !== undefined) answers[question.id] = answerTo(question, random);
  }
  return answers;
}

interface Sheet {
  member: DemoMember;
  answers: KeptAnswers;
}

const answerSheet: TableRows<Sheet> = {
  table: 'answer_sheet',
  columns: ['account_id', 'answers', 'updated_at'],
  cells: ({ member, answers }) => [member.id, JSON.stringify(answers), member.lastActiveAt ?? member.createdAt],
};

/** Writes what the demo members answered, those of staff aside; nothing for a demo of very many. */
export async function copyAnswers(
  client: pg.ClientBase,
  members: number,
  make: (number: number) => DemoMember,
): Promise<void> {
  if (members > mostWithAnswers) return;
  for (let from = 0; from < members; from += chunkSize) {
    const sheets = Array.from({ length: Math.min(chunkSize, members - from) }, (_, index) => ({
      member: make(from + index),
      answers: demoAnswers(from + index),
    }));
    await copyRows(
      client,
      answerSheet,
      sheets.filter(({ member, answers }) => member.staffRole === null && Object.keys(answers).length > 0),
    );
  }
}
