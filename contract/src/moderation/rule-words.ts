import type { ReportPriority, ReportType } from './reports.ts';

/** What conditions can compare: facts that exist about every account. */
export const ruleFacts = [
  'accountAgeHours',
  'likesPerHour',
  'sameTextSenders',
  'sameTextSent',
  'warnedTextSenders',
  'warnedTexts',
  'reporters',
  'banTraces',
  'pictureDuplicates',
  'countryChanges',
] as const;
export type RuleFact = (typeof ruleFacts)[number];

/** The highest value that each fact has: some are not counted further, so that no one can make them costly. */
export const ruleFactMost: Record<RuleFact, number> = {
  accountAgeHours: 100_000,
  likesPerHour: 1000,
  sameTextSenders: 50,
  sameTextSent: 10_000,
  warnedTextSenders: 50,
  warnedTexts: 10_000,
  reporters: 10_000,
  banTraces: 100,
  pictureDuplicates: 9,
  countryChanges: 1000,
};

/**
 * A person is hit who joined less than `value` hours ago, or who has at least `value` of any other fact. A dry run knows
 * the lowest age of a day and the highest value of everything else, so it misses no one.
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

/** Texts of fewer words are never compared: many people greet each other with the same few words. */
export const comparedWords = 12;

/** The facts as the form names them. */
export const ruleFactNames: Record<RuleFact, string> = {
  accountAgeHours: 'Hours since joining',
  likesPerHour: 'Likes within an hour',
  sameTextSenders: 'Accounts that sent the same text, within 30 days',
  sameTextSent: 'Times the person sent the same text, within 30 days',
  warnedTextSenders: 'Accounts that sent the same text, which gets a warning, within 30 days',
  warnedTexts: 'First texts with a warning, within 30 days',
  reporters: 'Different people who reported, within 30 days',
  banTraces: 'Links to banned people that no one has judged',
  pictureDuplicates: 'Pictures that are also on other accounts',
  countryChanges: 'Changes of country, within 30 days',
};

const clauses: Record<RuleFact, (amount: string) => string> = {
  accountAgeHours: (amount) => `they joined ${amount} hours ago`,
  likesPerHour: (amount) => `they sent ${amount} likes within an hour`,
  sameTextSenders: (amount) => `${amount} accounts, theirs included, sent the same text`,
  sameTextSent: (amount) => `they sent the same text ${amount} times`,
  warnedTextSenders: (amount) => `${amount} accounts, theirs included, sent the same text, which gets a warning`,
  warnedTexts: (amount) => `${amount} of their first texts got a warning`,
  reporters: (amount) => `${amount} different people reported them`,
  banTraces: (amount) => `they have ${amount} links to banned people`,
  pictureDuplicates: (amount) => `${amount} of their pictures are also on other accounts`,
  countryChanges: (amount) => `they changed their country ${amount} times`,
};

const inOneSentence = new Intl.ListFormat('en', { type: 'conjunction' });

/** How a fact is compared, as the form and the sentence say it. */
export const comparisonWord = (fact: RuleFact): string => (fact === 'accountAgeHours' ? 'less than' : 'at least');

/** The conditions of a rule as a part of a sentence. */
export function conditionWords(conditions: readonly RuleCondition[]): string {
  return inOneSentence.format(conditions.map(({ fact, value }) => clauses[fact](`${comparisonWord(fact)} ${value}`)));
}

/** A rule as one sentence: who it hits, and what it does. */
export function ruleSentence(
  conditions: readonly RuleCondition[],
  { problem_type, priority, hold, tagName }: WordedActions,
): string {
  const acts = [
    `open a case under “${problem_type}” with the priority “${priority}”`,
    ...(tagName === null ? [] : [`tag the person “${tagName}”`]),
    ...(hold ? ['hold their likes, notes and first messages for up to 72 hours'] : []),
  ];
  return `If ${conditionWords(conditions)}: ${inOneSentence.format(acts)}.`;
}

/** The facts that conditions compared, with their values, as staff read them in a case. */
export function factWords(conditions: readonly RuleCondition[], facts: RuleFactValues): string {
  const named = new Set(conditions.map(({ fact }) => fact));
  return [...named].map((fact) => `${ruleFactNames[fact]}: ${facts[fact]}`).join('; ');
}
