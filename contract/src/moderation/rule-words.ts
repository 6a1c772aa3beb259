import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { inOneSentence } from '../said.ts';
import type { ReportPriority, ReportType } from './reports.ts';

/** What conditions can compare: facts that exist about every account. */
export const ruleFacts = [
  'accountAgeHours',
  'likesPerHour',
  'sameTextSenders',
  'sameTextSent',
  'warnedTextSenders',
  'warnedTexts',
  'firstTexts',
  'reporters',
  'banTraces',
  'pictureDuplicates',
  'countryChanges',
] as const;
export type RuleFact = (typeof ruleFacts)[number];

/** The highest value of each fact: some are not counted further, so that no one can make them expensive. */
export const ruleFactMost: Record<RuleFact, number> = {
  accountAgeHours: 100_000,
  likesPerHour: 1000,
  sameTextSenders: 50,
  sameTextSent: 10_000,
  warnedTextSenders: 50,
  warnedTexts: 10_000,
  firstTexts: 1000,
  reporters: 10_000,
  banTraces: 100,
  pictureDuplicates: 9,
  countryChanges: 1000,
};

/**
 * A condition is met by a person who joined less than `value` hours ago, or who has at least `value` of any other fact. A dry run keeps the
 * lowest age of a day and the highest value of everything else, so it misses no one.
 */
export interface RuleCondition {
  fact: RuleFact;
  value: number;
}

/** The facts of an account at one moment. */
export type RuleFactValues = Readonly<Record<RuleFact, number>>;

interface WordedActions {
  problem_type: ReportType;
  priority: ReportPriority;
  hold: boolean;
  tagName: string | null;
}

/** Texts with fewer words are never compared, because many people greet each other with the same few words. */
export const comparedWords = 12;

/** The names of the facts in the form. */
export const ruleFactNames: Record<RuleFact, MessageDescriptor> = {
  accountAgeHours: msg`Hours since joining`,
  likesPerHour: msg`Likes within an hour`,
  sameTextSenders: msg`Accounts that sent the same text, within 30 days`,
  sameTextSent: msg`Times the person sent the same text, within 30 days`,
  warnedTextSenders: msg`Accounts that sent the same text, which gets a warning, within 30 days`,
  warnedTexts: msg`First texts with a warning, within 30 days`,
  firstTexts: msg`First texts within a day`,
  reporters: msg`Different people who reported, within 30 days`,
  banTraces: msg`Strong links to banned people that no one has judged`,
  pictureDuplicates: msg`Pictures that are also on other accounts`,
  countryChanges: msg`Changes of country, within 30 days`,
};

const clauses: Record<RuleFact, MessageDescriptor> = {
  accountAgeHours: msg({ message: 'they joined {comparison} {value, plural, one {# hour} other {# hours}} ago' }),
  likesPerHour: msg({ message: 'they sent {comparison} {value, plural, one {# like} other {# likes}} within an hour' }),
  sameTextSenders: msg({
    message: '{comparison} {value, plural, one {# account} other {# accounts}}, theirs included, sent the same text',
  }),
  sameTextSent: msg({ message: 'they sent the same text {comparison} {value, plural, one {# time} other {# times}}' }),
  warnedTextSenders: msg({
    message:
      '{comparison} {value, plural, one {# account} other {# accounts}}, theirs included, sent the same text, which gets a warning',
  }),
  warnedTexts: msg({ message: '{comparison} {value} of their first texts got a warning' }),
  firstTexts: msg({
    message: 'they sent {comparison} {value, plural, one {# first text} other {# first texts}} within a day',
  }),
  reporters: msg({ message: '{comparison} {value, plural, one {# person} other {# different people}} reported them' }),
  banTraces: msg({
    message: 'they have {comparison} {value, plural, one {# strong link} other {# strong links}} to banned people',
  }),
  pictureDuplicates: msg({ message: '{comparison} {value} of their pictures are also on other accounts' }),
  countryChanges: msg({
    message: 'they changed their country {comparison} {value, plural, one {# time} other {# times}}',
  }),
};

/** The comparison of a fact, as the form and the sentence show it. */
export const comparisonWord = (fact: RuleFact): MessageDescriptor =>
  fact === 'accountAgeHours' ? msg`less than` : msg`at least`;

/** Returns a text in the reader's language, with its placeholders filled in. */
type Say = (text: MessageDescriptor, values: Record<string, string | number>) => string;

/** The conditions of a rule as a part of a sentence. */
export function conditionWords(conditions: readonly RuleCondition[], say: Say): string {
  return inOneSentence(
    conditions.map(({ fact, value }) => say(clauses[fact], { comparison: say(comparisonWord(fact), {}), value })),
  );
}

/** A rule as one sentence: who it hits, and what it does. */
export function ruleSentence(
  conditions: readonly RuleCondition[],
  { problem_type, priority, hold, tagName }: WordedActions,
  say: Say,
): string {
  const acts = [
    say(msg({ message: 'open a case under “{problem_type}” with the priority “{priority}”' }), {
      problem_type,
      priority,
    }),
    ...(tagName === null ? [] : [say(msg({ message: 'tag the person “{tagName}”' }), { tagName })]),
    ...(hold ? [say(msg`hold their likes, notes and first messages for up to 72 hours`, {})] : []),
  ];
  return say(msg({ message: 'If {conditions}: {acts}.' }), {
    conditions: conditionWords(conditions, say),
    acts: inOneSentence(acts),
  });
}

/** The facts that the conditions compared, with their values, as shown to staff in a case. */
export function factWords(conditions: readonly RuleCondition[], facts: RuleFactValues, say: Say): string {
  const named = new Set(conditions.map(({ fact }) => fact));
  return [...named].map((fact) => `${say(ruleFactNames[fact], {})}: ${facts[fact]}`).join('; ');
}
