import * as z from 'zod/mini';
import { reasonMaxLength, reportTextMaxLength, searchMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { caseAgeSchema } from './age.ts';
import { appealLineSchema } from './appeals.ts';
import {
  caseIsStale,
  decisionOutcomes,
  decisionSchema,
  decisionSources,
  factsMaxLength,
  givenContentSchema,
  recommendationSchema,
  sanctionDaysMax,
  sanctionKinds,
  sanctionSchema,
  sanctionsMax,
} from './decisions.ts';
import { caseSafetySchema } from './emergencies.ts';
import { heldBackSchema, holdSchema } from './holds.ts';
import { evidenceSchema } from './report-file.ts';
import { reportPriorities, type ReportPriority, reportTypes } from './reports.ts';
import { leaseSchema, reportPersonSchema, staffReportSchema } from './staff-reports.ts';
import { personSchema } from '../profiles/user.ts';
import { staffRoles } from '../staff-roles.ts';
import { idSchema, skippedWhenEmpty, text, timeSchema, trimmedText } from '../text.ts';
import { filledText } from './templates.ts';

/** The stages of a case; the reports in it keep their own status. */
export const caseStages = [
  'open',
  'claimed',
  'assigned',
  'escalated',
  'waiting_reporter',
  'waiting_authority',
  'decided',
] as const;
export type CaseStage = (typeof caseStages)[number];

/** The steps staff can take on a case: the stages each step starts from, and the one it leads to. */
export const caseSteps = {
  claim: { from: ['open', 'claimed', 'assigned', 'escalated'], to: 'claimed' },
  release: { from: ['claimed', 'assigned'], to: 'open' },
  assign: { from: ['open', 'claimed', 'assigned', 'escalated'], to: 'assigned' },
  escalate: { from: ['open', 'claimed', 'assigned'], to: 'escalated' },
  waitForReporter: { from: ['claimed', 'assigned'], to: 'waiting_reporter' },
  waitForAuthority: { from: ['claimed', 'assigned', 'escalated'], to: 'waiting_authority' },
  resume: { from: ['waiting_reporter', 'waiting_authority'], to: 'assigned' },
  decide: {
    from: ['open', 'claimed', 'assigned', 'escalated', 'waiting_reporter', 'waiting_authority'],
    to: 'decided',
  },
  reopen: { from: ['decided'], to: 'assigned' },
} as const satisfies Record<string, { from: readonly CaseStage[]; to: CaseStage }>;
export type CaseStep = keyof typeof caseSteps;

/** All step names, in the order of the table. */
export const caseStepNames = Object.keys(caseSteps) as CaseStep[];

/** Whether a step is allowed in a stage. */
export function mayTakeStep(stage: CaseStage, step: CaseStep): boolean {
  return (caseSteps[step].from as readonly CaseStage[]).includes(stage);
}

/** How long a claim lasts without activity, and how often the page renews it. */
export const leaseMinutes = 10;
export const heartbeatSeconds = 60;
/** How many cases one colleague has claimed at the same time, so that no one keeps the queue from the others. */
export const claimsMax = 20;

/** Deadlines in hours after a case is opened: for the first human response and for the decision. */
export const caseHours: Record<ReportPriority, { response: number; decision: number }> = {
  critical: { response: 1, decision: 4 },
  high: { response: 4, decision: 24 },
  medium: { response: 24, decision: 72 },
  other: { response: 72, decision: 168 },
};

/** Why a case is critical and cannot be closed with one click. */
export const criticalReasons = ['minor', 'second_reporter', 'confirmed_before', 'raised'] as const;
export type CriticalReason = (typeof criticalReasons)[number];

/** Durations, excluding pauses; null if no case was counted. `late` counts those that missed their deadline. */
const durationsSchema = z.object({
  count: z.int(),
  late: z.int(),
  averageMs: z.nullable(z.int()),
  medianMs: z.nullable(z.int()),
  p90Ms: z.nullable(z.int()),
});

/** How long first human responses and decisions took. */
export const caseTimesSchema = z.object({ response: durationsSchema, decision: durationsSchema });

/** What an account can have in common with a banned person's, ordered by how strongly it suggests the same person. */
export const linkKinds = ['address', 'identity', 'card', 'picture'] as const;
export type LinkKind = (typeof linkKinds)[number];
export const linkStrengths = ['strong', 'medium', 'weak'] as const;
export type LinkStrength = (typeof linkStrengths)[number];

/** A case as the queue shows it. */
export const caseLineSchema = z.object({
  _id: z.string(),
  person: reportPersonSchema,
  stage: z.enum(caseStages),
  priority: z.enum(reportPriorities),
  /** Why one click cannot close the case; null if it can. */
  criticalBecause: z.nullable(z.enum(criticalReasons)),
  reportCount: z.int(),
  openReports: z.int(),
  /** Links to banned people that staff have not judged yet. */
  openLinks: z.int(),
  /** The types of its open reports, or of all reports if none is open. */
  types: z.array(z.enum(reportTypes)),
  /** Its evidence may be hard to look at. */
  isSensitive: z.boolean(),
  openedAt: timeSchema,
  updatedAt: timeSchema,
  /** The next deadline; null when the case is decided or paused. */
  due: z.nullable(z.object({ at: timeSchema, what: z.enum(['response', 'decision']) })),
  isBreached: z.boolean(),
  isPaused: z.boolean(),
  holder: z.nullable(leaseSchema),
  /** Whether what the person sends to new people is held back. */
  hold: z.nullable(holdSchema),
});

/** A case as shown on its page. */
export const caseSchema = z.extend(caseLineSchema, {
  /** When staff first answered or decided; null until then. */
  respondedAt: z.nullable(timeSchema),
  decidedAt: z.nullable(timeSchema),
  /** The caller is handling the case. */
  isMine: z.boolean(),
  can: z.object({ steps: z.array(z.enum(caseStepNames)), assignOthers: z.boolean() }),
});

export const caseEventKinds = [
  'opened',
  'claimed',
  'released',
  'lease_expired',
  'assigned',
  'escalated',
  'waiting_reporter',
  'waiting_authority',
  'resumed',
  'raised_critical',
  'closed',
  'reopened',
  'decided',
  'sanction_revoked',
  'sanction_ended',
  'appeal_submitted',
  'appeal_reviewed',
  'appeal_decided',
  'appeal_withdrawn',
  'linked',
  'searched',
  'held',
  'hold_ended',
  'rule_hit',
  'rule_undone',
  'emergency',
  'restriction_ended',
  'referred',
  'legal_hold_set',
  'legal_hold_released',
  'age_asked',
  'age_answered',
] as const;

/** One event in the timeline of a case or of a report in it. */
export const caseMomentSchema = z.object({
  _id: z.string(),
  at: timeSchema,
  actor: z.object({ name: z.string(), role: z.enum([...staffRoles, 'reporter', 'system', 'member']) }),
  /** A kind of event from the report or case timeline. */
  kind: z.string(),
  reportId: z.nullable(z.string()),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});

/** Someone who reported the person. */
export const casePartySchema = z.object({
  person: reportPersonSchema,
  /** How many reports about this person they filed, and how many reports in total. */
  reportsHere: z.int(),
  reportsFiled: z.int(),
});

/** Another account that may belong to the same person. */
export const caseLinkSchema = z.object({
  kind: z.enum(linkKinds),
  strength: z.enum(linkStrengths),
  foundAt: timeSchema,
  bannedAt: timeSchema,
  /** The ban has been revoked. */
  isRevoked: z.boolean(),
  /** True: the other account was created after this person was banned. False: the other account is banned. */
  isReturn: z.boolean(),
  caseId: z.nullable(z.string()),
  person: reportPersonSchema,
});

/** A case with everything needed to decide it. */
export const caseFileSchema = z.object({
  case: caseSchema,
  joinedAt: z.nullable(timeSchema),
  reports: z.array(staffReportSchema),
  parties: z.array(casePartySchema),
  /** Linked accounts, the most certain first. */
  links: z.array(caseLinkSchema),
  /** What is known about the person's age; null without an account. */
  age: z.nullable(caseAgeSchema),
  safety: caseSafetySchema,
  /** What is held back; null while the person is not held. */
  heldBack: z.nullable(heldBackSchema),
  /**
   * The held person and the one to compare them with: the reporter of the newest open report or, without one, the person who would receive most
   * of what is held back. Empty while the person is not held.
   */
  comparedPeople: z.array(
    z.extend(z.omit(personSchema, { isOnline: true, lastActive: true }), { joinedAt: timeSchema }),
  ),
  evidence: z.array(z.object({ reportId: z.string(), items: z.array(evidenceSchema) })),
  timeline: z.array(caseMomentSchema),
  decisions: z.array(decisionSchema),
  appeals: z.array(appealLineSchema),
  /** All sanctions of the person, newest first. */
  sanctions: z.array(sanctionSchema),
  /** The next sanction that their strikes suggest; null if the account was deleted. */
  recommendation: z.nullable(recommendationSchema),
  /** Whether the caller may revoke sanctions of this person. */
  canRevoke: z.boolean(),
});

export type Durations = z.output<typeof durationsSchema>;
export type CaseTimes = z.output<typeof caseTimesSchema>;
export type CaseLine = z.output<typeof caseLineSchema>;
export type StaffCase = z.output<typeof caseSchema>;
export type CaseMoment = z.output<typeof caseMomentSchema>;
export type CaseLink = z.output<typeof caseLinkSchema>;
export type CaseParty = z.output<typeof casePartySchema>;
export type CaseFile = z.output<typeof caseFileSchema>;

const oneCase = z.object({ id: idSchema });
const theCase = answer({ data: z.object({ case: caseSchema }) });
/** How many cases can be requested by id. */
export const caseIdsMax = 50;

export const getCaseTimes = endpoint({
  method: 'GET',
  path: '/admin/case-times',
  summary: 'Get how long first answers and decisions took in the last 30 days, in all and by priority.',
  access: 'cases.list',
  response: answer({
    data: z.extend(caseTimesSchema, { byPriority: z.record(z.enum(reportPriorities), caseTimesSchema) }),
  }),
});

export const getCase = endpoint({
  method: 'GET',
  path: '/admin/cases/{id}',
  summary: 'Get a case with its reports, people, evidence and timeline. Access is audited.',
  access: 'cases.list',
  params: oneCase,
  response: answer({ data: caseFileSchema }),
  errors: ['NOT_FOUND'],
});

export const claimCase = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/claim',
  summary:
    'Claim a case for ten minutes; 409 with its holder while a colleague has it, and with 20 other cases claimed. Audited.',
  access: 'cases.handle',
  writes: true,
  params: oneCase,
  response: theCase,
  errors: ['NOT_FOUND', 'CASE_CLAIMED', 'ILLEGAL_STEP', 'CONFLICT'],
  stale: caseIsStale,
});

export const renewClaim = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/heartbeat',
  summary: 'Renew my claim on a case for another ten minutes.',
  access: 'cases.handle',
  writes: true,
  params: oneCase,
  response: theCase,
  errors: ['NOT_FOUND', 'CASE_CLAIMED', 'ILLEGAL_STEP'],
});

export const noteOnCase = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/notes',
  summary: 'Leave an internal note on the newest report of a case; 409 for a case without reports. Audited.',
  access: 'cases.handle',
  writes: true,
  status: 201,
  creates: true,
  params: oneCase,
  body: z.object({ text: trimmedText(1, reportTextMaxLength) }),
  response: theCase,
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
});

const colleagueSchema = z.object({ _id: z.string(), name: z.string(), role: z.enum(staffRoles) });
export type Colleague = z.output<typeof colleagueSchema>;

export const listColleagues = endpoint({
  method: 'GET',
  path: '/admin/colleagues',
  summary: 'List active staff who may handle cases, by name, up to 50; `search` is a part of the name.',
  access: 'cases.lead',
  query: z.object({ search: skippedWhenEmpty(text(1, searchMaxLength)) }),
  response: answer({ data: z.object({ colleagues: z.array(colleagueSchema), isMore: z.boolean() }) }),
});

/** The steps other than claiming and deciding. */
export const handlingSteps = [
  'release',
  'assign',
  'escalate',
  'waitForReporter',
  'waitForAuthority',
  'resume',
  'reopen',
] as const;
export type HandlingStep = (typeof handlingSteps)[number];

/** The steps that need a reason. */
export const stepsWithReason: readonly HandlingStep[] = ['escalate', 'waitForAuthority', 'reopen'];

export const handleCase = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/steps',
  summary:
    'Release, assign, escalate, pause, resume or reopen a case. Escalating, referring to an authority and reopening need a reason; only administrators assign to others. While a colleague has a claim, only senior colleagues release or assign the case, with a reason. Audited.',
  access: 'cases.handle',
  writes: true,
  params: oneCase,
  body: z.object({
    step: z.enum(handlingSteps),
    reason: z.optional(trimmedText(1, reasonMaxLength)),
    /** The assignee; the caller by default. */
    assigneeId: z.optional(idSchema),
  }),
  response: theCase,
  errors: ['NOT_FOUND', 'CASE_CLAIMED', 'ILLEGAL_STEP', 'INVALID_INPUT', 'FORBIDDEN'],
  stale: caseIsStale,
});

export const decideCase = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/decisions',
  summary:
    'Decide a case with reasons: closes its open reports, answers their reporters, applies sanctions and notifies the person, all or nothing. Sanctions need a rule, and facts of at least 40 characters that do not name a reporter. Audited.',
  access: 'cases.handle',
  writes: true,
  status: 201,
  creates: true,
  params: z.object({ id: idSchema }),
  body: z.object({
    outcome: z.enum(decisionOutcomes),
    ruleId: z.optional(idSchema),
    facts: z.optional(filledText(factsMaxLength)),
    source: z.optional(z.enum(decisionSources)),
    isDetectionAutomated: z.optional(z.boolean()),
    sanctions: z.optional(
      z
        .array(
          z.object({
            kind: z.enum(sanctionKinds),
            /** What `remove_content` removes; each item is a part of the evidence. */
            content: z.optional(givenContentSchema),
            /** Without it the sanction has no end; suspensions require it. */
            days: z.optional(z.int().check(z.minimum(1), z.maximum(sanctionDaysMax))),
          }),
        )
        .check(z.maxLength(sanctionsMax)),
    ),
    /** The answer to the reporters; a standard text by default. */
    answer: z.optional(filledText(reportTextMaxLength)),
  }),
  response: answer({ data: z.object({ case: caseSchema, decision: decisionSchema }) }),
  errors: ['NOT_FOUND', 'CASE_CLAIMED', 'ILLEGAL_STEP', 'INVALID_INPUT', 'FORBIDDEN'],
  stale: caseIsStale,
});

export const releaseHold = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/release-hold',
  summary:
    'Deliver what the person of a case sent while held, with a reason, without deciding the case; 409 if they are not held. The same cause holds them again only after a decision. Audited.',
  access: 'cases.handle',
  writes: true,
  params: oneCase,
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: theCase,
  errors: ['NOT_FOUND', 'CONFLICT'],
  stale: caseIsStale,
});

export const revokeSanction = endpoint({
  method: 'POST',
  path: '/admin/sanctions/{id}/revoke',
  summary: 'Revoke a sanction, with a reason: its effect ends at once, and its strikes no longer count. Audited.',
  access: 'sanctions.revoke',
  writes: true,
  params: z.object({ id: idSchema }),
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: answer({ data: z.object({ sanction: sanctionSchema }) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});
