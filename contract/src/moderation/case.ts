import { staffRoles } from '../profiles/user.ts';
import * as z from 'zod/mini';
import { appealLineSchema } from './staff-appeal.ts';
import { decisionSchema, recommendationSchema, sanctionSchema } from './decision.ts';
import {
  evidenceSchema,
  holderSchema,
  reportPersonSchema,
  reportPriorities,
  type ReportPriority,
  reportTypes,
  staffReportSchema,
} from './report.ts';
import { timeSchema } from '../text.ts';

/** Where a case is in its handling; the reports in it keep their own status. */
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

/** What staff do with a case: the stages a step starts from, and the one it leads to. */
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

/** Every step, in the order of the table. */
export const caseStepNames = Object.keys(caseSteps) as CaseStep[];

/** Whether a step may be taken in a stage. */
export function mayTakeStep(stage: CaseStage, step: CaseStep): boolean {
  return (caseSteps[step].from as readonly CaseStage[]).includes(stage);
}

/** How long a claim lasts without a sign of life, and how often the page gives one. */
export const leaseMinutes = 10;
export const heartbeatSeconds = 60;

/** Deadlines from opening a case, in hours: for the first human response and for the decision. */
export const caseHours: Record<ReportPriority, { response: number; decision: number }> = {
  critical: { response: 1, decision: 4 },
  high: { response: 4, decision: 24 },
  medium: { response: 24, decision: 72 },
  other: { response: 72, decision: 168 },
};

/** Why a case is critical and cannot be closed with one click. */
export const criticalReasons = ['minor', 'second_reporter', 'confirmed_before', 'raised'] as const;
export type CriticalReason = (typeof criticalReasons)[number];

/** How long something took, without pauses; null without any. `late` counts those after their deadline. */
const durationsSchema = z.object({
  count: z.int(),
  late: z.int(),
  averageMs: z.nullable(z.int()),
  medianMs: z.nullable(z.int()),
  p90Ms: z.nullable(z.int()),
});

/** First human responses and decisions. */
export const caseTimesSchema = z.object({ response: durationsSchema, decision: durationsSchema });

/** What an account can have in common with a banned person, and how sure it is that it is the same person. */
export const linkKinds = ['address', 'identity', 'card', 'picture'] as const;
export type LinkKind = (typeof linkKinds)[number];
export const linkStrengths = ['strong', 'medium', 'weak'] as const;
export type LinkStrength = (typeof linkStrengths)[number];

/** The lists of open cases, which can be filtered, ordered and saved. */
export const openCaseViews = ['open', 'mine', 'unclaimed', 'due_soon', 'breached', 'escalated', 'waiting'] as const;
/** The lists of the queue. */
export const caseViews = [...openCaseViews, 'appealed', 'decided'] as const;
export type CaseView = (typeof caseViews)[number];

/** Overdue cases and appeals are counted up to this many, the other lists up to 100. */
export const lateCountMost = 1000;

/** How much time cases that are due soon have left at most, in hours. */
export const dueSoonHours = 4;

/** The orders of open cases: the least time left first, or by when they were opened. */
export const caseOrders = ['due', 'newest', 'oldest'] as const;
export type CaseOrder = (typeof caseOrders)[number];

/** Which open cases a list has, and in which order. */
export const caseFiltersSchema = z.object({
  list: z.enum(openCaseViews),
  /** Any of these. */
  priority: z.optional(z.array(z.enum(reportPriorities))),
  /** The type of an open report: any of these. */
  type: z.optional(z.array(z.enum(reportTypes))),
  order: z.enum(caseOrders),
});

/** One or more different words; a single one may come without a list, as lists were saved earlier. */
function oneOrMore<T extends string>(words: readonly T[]) {
  return z.optional(
    z.union([
      z.array(z.enum(words)).check(
        z.minLength(1),
        z.maxLength(words.length),
        z.refine((given) => new Set(given).size === given.length, 'Name each once'),
      ),
      z.pipe(
        z.enum(words),
        z.transform((word: T) => [word]),
      ),
    ]),
  );
}

/** The filters of a list as they are given, and as they were saved at any time. */
export const givenCaseFiltersSchema = z.extend(caseFiltersSchema, {
  priority: oneOrMore(reportPriorities),
  type: oneOrMore(reportTypes),
});

export const caseViewNameMax = 40;
/** How many lists one member of staff can save, and how many the team shares. */
export const ownCaseViewsMax = 20;
export const sharedCaseViewsMax = 30;

/** A list that was saved under a name. */
export const savedCaseViewSchema = z.object({
  _id: z.string(),
  name: z.string(),
  filters: caseFiltersSchema,
  isShared: z.boolean(),
  /** Who shared it; null for the viewer's own lists, and once the account is gone. */
  sharedBy: z.nullable(z.string()),
  /** Grows with each change. */
  version: z.int(),
  /** The viewer may change and delete it. */
  canChange: z.boolean(),
  /** How many cases it has, counted up to 100. */
  count: z.int(),
  /** Counted among the most urgent open cases only, of which there are more. */
  isAtLeast: z.boolean(),
});
export type CaseFilters = z.output<typeof caseFiltersSchema>;
export type SavedCaseView = z.output<typeof savedCaseViewSchema>;

/** A case as the queue shows it. */
export const caseLineSchema = z.object({
  _id: z.string(),
  person: reportPersonSchema,
  stage: z.enum(caseStages),
  priority: z.enum(reportPriorities),
  /** Why one click cannot close it; null if it can. */
  criticalBecause: z.nullable(z.enum(criticalReasons)),
  reportCount: z.int(),
  openReports: z.int(),
  /** What it has in common with banned people, not decided about yet. */
  openLinks: z.int(),
  /** The types of its open reports, or of all when none is open. */
  types: z.array(z.enum(reportTypes)),
  openedAt: timeSchema,
  updatedAt: timeSchema,
  /** What is due next and when; null once decided and while paused. */
  due: z.nullable(z.object({ at: timeSchema, what: z.enum(['response', 'decision']) })),
  isBreached: z.boolean(),
  isPaused: z.boolean(),
  holder: z.nullable(holderSchema),
});

/** A case that is open on a page. */
export const caseSchema = z.extend(caseLineSchema, {
  /** Null until staff have answered, or decided. */
  respondedAt: z.nullable(timeSchema),
  decidedAt: z.nullable(timeSchema),
  /** The caller has it in hand. */
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
] as const;

/** One moment of a case: of a report in it, or of the case itself. */
export const caseMomentSchema = z.object({
  _id: z.string(),
  at: timeSchema,
  actor: z.object({ name: z.string(), role: z.enum([...staffRoles, 'reporter', 'system', 'member']) }),
  /** A kind of the timeline of a report or of a case. */
  kind: z.string(),
  reportId: z.nullable(z.string()),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});

/** Someone who reported the person. */
export const casePartySchema = z.object({
  person: reportPersonSchema,
  /** How many reports about this person are theirs, and how many they filed in all. */
  reportsHere: z.int(),
  reportsFiled: z.int(),
});

/** Another account that may belong to the same person. */
export const caseLinkSchema = z.object({
  kind: z.enum(linkKinds),
  strength: z.enum(linkStrengths),
  foundAt: timeSchema,
  bannedAt: timeSchema,
  /** The ban was taken back since. */
  isRevoked: z.boolean(),
  /** True: the other account came after the ban of this person. False: the other one is banned. */
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
  /** Linked accounts, the surest first. */
  links: z.array(caseLinkSchema),
  evidence: z.array(z.object({ reportId: z.string(), items: z.array(evidenceSchema) })),
  timeline: z.array(caseMomentSchema),
  decisions: z.array(decisionSchema),
  appeals: z.array(appealLineSchema),
  /** All sanctions of the person, newest first. */
  sanctions: z.array(sanctionSchema),
  /** What their strikes suggest; null once the account is gone. */
  recommendation: z.nullable(recommendationSchema),
  /** The caller may revoke sanctions of this person. */
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
