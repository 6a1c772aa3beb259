import * as z from 'zod/mini';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema, timeSchema, trimmedText } from '../text.ts';

/** The answers that a step in a case makes stale: the case, and the lists that show it. */
export const caseIsStale = [
  '/admin/cases/{id}',
  '/admin/cases',
  '/admin/queue',
  '/admin/appeals',
  '/admin/notices',
  '/reports/reports',
  '/admin/audit',
] as const;

/** The states of an appeal: the first two are open, the others final. */
export const appealStates = [
  'submitted',
  'under_review',
  'upheld',
  'overturned',
  'partly_overturned',
  'inadmissible',
  'withdrawn',
] as const;
export type AppealState = (typeof appealStates)[number];

/** The outcomes of a review. */
export const appealOutcomes = ['upheld', 'overturned', 'partly_overturned', 'inadmissible'] as const;
export type AppealOutcome = (typeof appealOutcomes)[number];

/** Who may appeal: the person a decision acts on, or someone whose report was not acted on. */
export const appealParties = ['person', 'reporter'] as const;
export type AppealParty = (typeof appealParties)[number];

/** How long after a decision people may appeal, and how long a review may take. */
export const appealDays = 183;
export const appealReviewDays = 7;
export const appealTextMax = 3000;
/** The reasons of a review need at least this many characters. */
export const appealReasonsMin = 40;
export const appealReasonsMax = 3000;

/** Whether an appeal is still undecided. */
export function isOpenAppeal(state: AppealState): boolean {
  return state === 'submitted' || state === 'under_review';
}

/** An appeal as its author sees it. */
export const ownAppealSchema = z.object({
  _id: z.string(),
  state: z.enum(appealStates),
  text: z.string(),
  at: timeSchema,
  /** The latest time for a decision. */
  dueAt: timeSchema,
  /** The reviewer's reasons; null until the appeal is decided. */
  answer: z.nullable(z.string()),
  answeredAt: z.nullable(timeSchema),
});

/** Whether the viewer may appeal a decision, until when, and their newest appeal. */
export const appealRightSchema = z.object({
  decisionId: z.string(),
  until: timeSchema,
  mayAppeal: z.boolean(),
  appeal: z.nullable(ownAppealSchema),
});

export type OwnAppeal = z.input<typeof ownAppealSchema>;
export type AppealRight = z.output<typeof appealRightSchema>;

/** What a decision finds: a violation that was acted on, a problem that was fixed, or no violation. */
export const decisionOutcomes = ['actioned', 'fixed', 'no_violation', 'unfounded'] as const;
export type DecisionOutcome = (typeof decisionOutcomes)[number];

/** `quick` is a one-click change of a report's status, without reasons; `interim` restricts someone until the decision. */
export const decisionKinds = ['full', 'quick', 'interim'] as const;

/** How the problem came to light. */
export const decisionSources = ['notice', 'own_initiative', 'authority'] as const;
export type DecisionSource = (typeof decisionSources)[number];

/** Sanctions from mildest to most severe. */
export const sanctionKinds = ['warn', 'remove_content', 'limit_messaging', 'hide_profile', 'suspend', 'ban'] as const;
export type SanctionKind = (typeof sanctionKinds)[number];

/**
 * What a decision can remove: a picture, a prompt answer, a profile text, a message, the note of a like, or the badge
 * "Photo verified".
 */
export const contentKinds = ['picture', 'prompt', 'text', 'message', 'note', 'badge'] as const;
export type ContentKind = (typeof contentKinds)[number];

/** More measures than this require several decisions. */
export const sanctionsMax = 12;

/** The facts of a decision with sanctions need at least this many characters. */
export const factsMinLength = 40;
export const factsMaxLength = 5000;
export const sanctionDaysMax = 365;
/** How long a moderator may restrict an account at most; longer or permanent restrictions need `sanctions.long`. */
export const moderatorSanctionDays = 7;
/** How long a strike counts, in days. */
export const strikeDays = 365;

/** How many strikes a sanction counts for. */
export const strikesOf: Record<SanctionKind, number> = {
  warn: 1,
  remove_content: 1,
  limit_messaging: 1,
  hide_profile: 2,
  suspend: 3,
  ban: 6,
};

/** One version of a clause of the community rules. */
export const ruleSchema = z.object({
  _id: z.string(),
  clause: z.string(),
  version: z.int(),
  title: z.string(),
  text: z.string(),
  createdAt: timeSchema,
  createdBy: z.string(),
});

/** Profile fields with text in the member's own words that a decision can remove; prompts are a separate kind. */
export const removableTexts = ['bio', 'genderText'] as const;
export type RemovableText = (typeof removableTexts)[number];

/**
 * A part of the frozen evidence: the picture with this `publicId`, the answer to this prompt, one of `removableTexts`,
 * the message with this sequence number, the note of the like sent at this time, or the badge given at this time.
 */
const contentFields = { type: z.enum(contentKinds), key: z.string().check(z.maxLength(64)) };
export const givenContentSchema = z.object({
  evidenceId: idSchema,
  ...contentFields,
  /**
   * For pictures: no one receives a copy again, not even the owner. Always set if the picture may show a minor or an
   * authority reported it.
   */
  isWithheld: z.optional(z.boolean()),
});

export const sanctionSchema = z.object({
  _id: z.string(),
  kind: z.enum(sanctionKinds),
  /**
   * What `remove_content` removed. `isGone`: the author had already changed or deleted it. `isLost`: it could not be
   * restored because the copy with its text was deleted.
   */
  content: z.optional(
    z.object({
      evidenceId: z.string(),
      ...contentFields,
      /** Null for a picture and the badge. */
      text: z.nullable(z.string()),
      isGone: z.boolean(),
      isLost: z.optional(z.boolean()),
      isWithheld: z.optional(z.boolean()),
    }),
  ),
  startsAt: timeSchema,
  /** Null if the sanction has no end. */
  endsAt: z.nullable(timeSchema),
  isLive: z.boolean(),
  reason: z.string(),
  by: z.string(),
  acknowledgedAt: z.nullable(timeSchema),
  revokedAt: z.nullable(timeSchema),
  revokeReason: z.nullable(z.string()),
  /** How many strikes it still counts for. */
  strikes: z.int(),
});

/** A decision as staff see it. */
export const decisionSchema = z.object({
  _id: z.string(),
  kind: z.enum(decisionKinds),
  /** Null for a quick decision and an interim one. */
  outcome: z.nullable(z.enum(decisionOutcomes)),
  rule: z.nullable(ruleSchema),
  facts: z.nullable(z.string()),
  source: z.enum(decisionSources),
  isDetectionAutomated: z.boolean(),
  /** The answer that reporters received. */
  answer: z.nullable(z.string()),
  by: z.string(),
  at: timeSchema,
  isUndone: z.boolean(),
  reportIds: z.array(z.string()),
  sanctions: z.array(sanctionSchema),
});

/** The next step that the strikes suggest, and why. */
export const recommendationSchema = z.object({
  kind: z.enum(sanctionKinds),
  days: z.nullable(z.int()),
  strikes: z.int(),
});

/** A decision as the affected person sees it, without the reporters and the decider. */
export const statementSchema = z.object({
  _id: z.string(),
  at: timeSchema,
  rule: z.nullable(z.object({ clause: z.string(), version: z.int(), title: z.string(), text: z.string() })),
  facts: z.string(),
  isDetectionAutomated: z.boolean(),
  measures: z.array(
    z.object({
      _id: z.string(),
      kind: z.enum(sanctionKinds),
      /** What was removed; pictures have no text. */
      content: z.optional(
        z.object({
          ...contentFields,
          text: z.nullable(z.string()),
          /** The content could not be restored because its text is no longer stored. */
          isLost: z.optional(z.boolean()),
          /**
           * While the evidence is stored: the position of the picture, and a small copy for its owner when signed in.
           */
          picture: z.optional(z.object({ place: z.int(), count: z.int(), thumbnailUrl: z.nullable(z.string()) })),
        }),
      ),
      endsAt: z.nullable(timeSchema),
      isLive: z.boolean(),
      isRevoked: z.boolean(),
      /** A warning that the member has not acknowledged yet. */
      needsAcknowledgement: z.boolean(),
    }),
  ),
  appeal: appealRightSchema,
});

export type GivenContent = z.output<typeof givenContentSchema>;
export type Rule = z.output<typeof ruleSchema>;
export type Sanction = z.output<typeof sanctionSchema>;
export type Decision = z.output<typeof decisionSchema>;
export type Recommendation = z.output<typeof recommendationSchema>;
export type Statement = z.output<typeof statementSchema>;

const ruleTitleMax = 120;
const ruleTextMax = 2000;
const oneOf = z.object({ id: idSchema });

export const listRules = endpoint({
  method: 'GET',
  path: '/admin/rules',
  summary: 'List the community rules, each in its current version.',
  access: 'cases.list',
  response: answer({ data: z.object({ rules: z.array(ruleSchema) }) }),
});

export const changeRule = endpoint({
  method: 'PUT',
  path: '/admin/rules/{id}',
  summary: 'Change a rule: it gets a new version, and earlier decisions keep theirs. Audited.',
  access: 'rules.edit',
  writes: true,
  params: oneOf,
  body: z.object({ title: trimmedText(1, ruleTitleMax), text: trimmedText(1, ruleTextMax) }),
  response: answer({ data: z.object({ rule: ruleSchema }) }),
  errors: ['NOT_FOUND', 'CONFLICT', 'INVALID_INPUT'],
  stale: ['/admin/rules'],
});

export const listStatements = endpoint({
  method: 'GET',
  path: '/notices',
  summary: 'List decisions about me, newest first, with what they mean for me.',
  access: 'signedIn',
  response: answer({ data: z.object({ notices: z.array(statementSchema) }) }),
});

export const acknowledgeWarning = endpoint({
  method: 'POST',
  path: '/notices/{id}/acknowledge',
  summary: 'Acknowledge a warning.',
  access: 'signedIn',
  writes: true,
  params: oneOf,
  response: answer({ data: z.object({ notices: z.array(statementSchema) }) }),
  errors: ['NOT_FOUND'],
});
