import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { daySchema, idSchema, nameText, timeSchema, trimmedText, uuidSchema } from '../text.ts';
import { reportPriorities, reportTypes } from './reports.ts';
import { type RuleCondition, type RuleFact, ruleFactMost, ruleFacts } from './rule-words.ts';
import { said } from '../said.ts';

/** How many rules there are at most. */
export const automaticRulesMax = 50;
/** A rule ends by itself after at most this many days, so that someone reviews it again. */
export const ruleDaysMax = 365;
/** What a rule did is undone after this many hours unless a person has reviewed it. */
export const ruleHitHours = 72;
/**
 * How many people one rule can hold within an hour, which is as many as a team can review. It opens cases about others without holding
 * them.
 */
export const ruleHoldsPerHour = 60;
/** Facts are kept for this many days, which a dry run examines. A rule hits the same person at most once in this time. */
export const ruleFactDays = 30;
/** For how many days after a dry run a rule can be switched on, because members' behaviour changes. */
export const dryRunDays = 7;
/** How many people a dry run shows by name. */
export const dryRunExamples = 5;

/**
 * A group is affected unevenly if it has this many people and hits, and is hit this many times as often as everyone else. Such a rule needs
 * a reason before it can be switched on.
 */
export const unevenGroup = { people: 200, hits: 10, times: 1.5 } as const;
export const unevenReasonMin = 20;

const conditionSchema = z
  .object({
    fact: z.enum(ruleFacts),
    value: z.int().check(z.minimum(1)),
  })
  .check(z.refine(({ fact, value }) => value <= ruleFactMost[fact], said(msg`No one reaches this value`)));

const actionsSchema = z.object({
  /** The label: a tag that is in use. */
  tagId: z.nullable(uuidSchema),
  /** The queue: the type of problem under which the case is listed. */
  problem_type: z.enum(reportTypes),
  priority: z.enum(reportPriorities),
  /** Whether likes, notes and first messages wait until a person has decided. */
  hold: z.boolean(),
});
export type RuleActions = z.output<typeof actionsSchema>;

/** Every fact is compared once, so that a rule reads as one sentence. */
const isOnce = (conditions: readonly RuleCondition[]) =>
  new Set(conditions.map(({ fact }) => fact)).size === conditions.length;

const holdsIfCritical = ({ priority, hold }: RuleActions) => priority !== 'critical' || hold;

/**
 * Facts that can never hold a person alone: one is true of every newcomer, and the pictures of someone who joins later may have been
 * uploaded by someone else.
 */
const innocentFacts: readonly RuleFact[] = ['accountAgeHours', 'pictureDuplicates'];
const hasReasonToHold = ({ conditions, actions }: { conditions: RuleCondition[]; actions: RuleActions }) =>
  !actions.hold || conditions.some(({ fact }) => !innocentFacts.includes(fact));
const needsReasonToHold = {
  ...said(msg`Someone else may have uploaded their pictures first. Add another fact, or hold no one.`),
  path: ['actions', 'hold'],
};

const ruleFields = z.object({
  name: nameText(1, 60),
  conditions: z
    .array(conditionSchema)
    .check(
      z.minLength(1, said(msg`Add a condition`)),
      z.maxLength(ruleFacts.length),
      z.refine(isOnce, said(msg`Compare each fact once`)),
    ),
  actions: actionsSchema.check(z.refine(holdsIfCritical, said(msg`A critical case always holds the account`))),
  /** The last day on which it applies, in UTC. */
  expiresOn: daySchema,
});

const ruleBody = ruleFields.check(z.refine(hasReasonToHold, needsReasonToHold));

export const dryRunDimensions = ['gender', 'age', 'country'] as const;
export type DryRunDimension = (typeof dryRunDimensions)[number];

/** A group of people in a dry run: all with facts, and those the rule would have hit. */
const groupSchema = z.object({
  by: z.enum(dryRunDimensions),
  /** Empty for people who didn't state the property. */
  group: z.string(),
  people: z.int(),
  hits: z.int(),
  isUneven: z.boolean(),
});
export type DryRunGroup = z.output<typeof groupSchema>;

const dryRunSchema = z.object({
  isDone: z.boolean(),
  /** The number of people examined so far, and of all people. */
  examined: z.int(),
  total: z.int(),
  hits: z.int(),
  startedAt: timeSchema,
  finishedAt: z.nullable(timeSchema),
  examples: z.array(z.object({ _id: z.string(), name: z.nullable(z.string()) })),
  /** Groups with at least ten people. */
  groups: z.array(groupSchema),
  /** A group of any size is hit unevenly, so switching on needs a reason. */
  needsReason: z.boolean(),
});
export type DryRun = z.output<typeof dryRunSchema>;

export const hitOutcomes = ['confirmed', 'cleared', 'expired'] as const;
export type HitOutcome = (typeof hitOutcomes)[number];

const automaticRuleSchema = z.object({
  _id: z.string(),
  name: z.string(),
  version: z.int(),
  conditions: z.array(conditionSchema),
  actions: z.extend(actionsSchema, { tagName: z.nullable(z.string()) }),
  expiresOn: daySchema,
  isOn: z.boolean(),
  /** The rule only records who it would hit, and does nothing to them. */
  isWatching: z.boolean(),
  isExpired: z.boolean(),
  changedAt: timeSchema,
  changedBy: z.string(),
  /** Who switched it on or off last, and why; null for a rule that never was. */
  switched: z.nullable(z.object({ at: timeSchema, by: z.string(), reason: z.nullable(z.string()) })),
  /** The dry run of this version. */
  dryRun: z.nullable(dryRunSchema),
  /** What happened to the people it hit, and how many are still waiting for a review. */
  hits: z.object({ open: z.int(), confirmed: z.int(), cleared: z.int(), expired: z.int() }),
  /** How many people it would have hit in the last 30 days, while it was watching. */
  sightings: z.int(),
});
export type AutomaticRule = z.output<typeof automaticRuleSchema>;

const oneRule = z.object({ id: idSchema });
const theRule = answer({ data: z.object({ rule: automaticRuleSchema }) });
const access = 'rules.edit';

export const listAutomaticRules = endpoint({
  method: 'GET',
  path: '/admin/automatic-rules',
  summary: 'List the automatic rules by name, with the dry run of each and what became of the people it hit.',
  access,
  response: answer({ data: z.object({ rules: z.array(automaticRuleSchema) }) }),
});

export const addAutomaticRule = endpoint({
  method: 'POST',
  path: '/admin/automatic-rules',
  summary: 'Add an automatic rule, switched off. 409 for a name in use and with 50 rules. Audited.',
  access,
  writes: true,
  status: 201,
  creates: true,
  body: ruleBody,
  response: theRule,
  errors: ['CONFLICT', 'INVALID_INPUT'],
  stale: ['/admin/automatic-rules'],
});

export const changeAutomaticRule = endpoint({
  method: 'PUT',
  path: '/admin/automatic-rules/{id}',
  summary:
    'Change an automatic rule: it gets a new version, is switched off and needs another dry run. 409 if a colleague has just changed it. Audited.',
  access,
  writes: true,
  params: oneRule,
  body: z
    .extend(ruleFields, {
      /** The version that the change is based on. */
      version: z.int(),
    })
    .check(z.refine(hasReasonToHold, needsReasonToHold)),
  response: theRule,
  errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_INPUT'],
  stale: ['/admin/automatic-rules'],
});

export const retireAutomaticRule = endpoint({
  method: 'DELETE',
  path: '/admin/automatic-rules/{id}',
  summary: 'Remove an automatic rule for good. What it did waits for a person as before. Audited.',
  access,
  writes: true,
  params: oneRule,
  response: answer({}),
  errors: ['NOT_FOUND'],
  stale: ['/admin/automatic-rules'],
});

export const startDryRun = endpoint({
  method: 'POST',
  path: '/admin/automatic-rules/{id}/dry-run',
  summary: 'Count, in the background, who a rule would have hit in the last 30 days. Nothing happens to them. Audited.',
  access,
  writes: true,
  params: oneRule,
  response: theRule,
  errors: ['NOT_FOUND'],
  stale: ['/admin/automatic-rules'],
});

export const switchAutomaticRule = endpoint({
  method: 'POST',
  path: '/admin/automatic-rules/{id}/switch',
  summary:
    'Switch a rule on or off, or let it watch only. Switching on takes a dry run of this version that examined someone in the last seven days and held few people (409), and a reason of 20 characters if it hits a group unevenly (400). Audited.',
  access,
  writes: true,
  params: oneRule,
  body: z.object({
    isOn: z.boolean(),
    isWatching: z.optional(z.boolean()),
    reason: z.optional(trimmedText(0, reasonMaxLength)),
  }),
  response: theRule,
  errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_INPUT'],
  stale: ['/admin/automatic-rules'],
});
