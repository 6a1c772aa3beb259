import * as z from 'zod/mini';
import { staffLimitMax } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { moneySchema } from '../subscriptions/plan.ts';
import { subscriptionSchema, withdrawalRefundSchema } from '../subscriptions/subscriptions.ts';
import {
  appealOutcomes,
  appealParties,
  appealReasonsMax,
  appealReasonsMin,
  appealRightSchema,
  appealStates,
  appealTextMax,
  decisionOutcomes,
  decisionSchema,
  statementSchema,
  sanctionKinds,
  sanctionsMax,
} from './decisions.ts';
import { evidenceSchema } from './report-file.ts';
import { reportPersonSchema, staffReportSchema } from './staff-reports.ts';
import { emailSchema, idSchema, queryInteger, skippedWhenEmpty, text, timeSchema, trimmedText } from '../text.ts';

/** The lists of appeals that staff can open. */
export const appealViews = ['open', 'mine', 'decided'] as const;
export type AppealView = (typeof appealViews)[number];

/** An appeal as a line in a staff list. */
export const appealLineSchema = z.object({
  _id: z.string(),
  caseId: z.string(),
  state: z.enum(appealStates),
  party: z.enum(appealParties),
  /** The person who appeals. */
  appellant: reportPersonSchema,
  /** The appealed outcome; null for a one-click decision without reasons. */
  outcome: z.nullable(z.enum(decisionOutcomes)),
  sanctions: z.array(z.enum(sanctionKinds)),
  decidedBy: z.string(),
  submittedAt: timeSchema,
  /** When the appeal has to be decided; null once it is. */
  dueAt: z.nullable(timeSchema),
  isBreached: z.boolean(),
  reviewer: z.nullable(z.object({ _id: z.string(), name: z.string() })),
  answeredAt: z.nullable(timeSchema),
  /** Whether the caller may review it: an administrator who did not make the decision. */
  canReview: z.boolean(),
});

/** An appeal with everything needed to decide it. */
export const appealFileSchema = z.object({
  appeal: z.extend(appealLineSchema, { text: z.string(), answer: z.nullable(z.string()) }),
  /** The person the case is about. */
  person: reportPersonSchema,
  decision: decisionSchema,
  reports: z.array(staffReportSchema),
  evidence: z.array(z.object({ reportId: z.string(), items: z.array(evidenceSchema) })),
});

export type AppealLine = z.output<typeof appealLineSchema>;
export type AppealFile = z.output<typeof appealFileSchema>;

const oneOf = z.object({ id: idSchema });
const plea = trimmedText(1, appealTextMax);
const token = text(1, 200);
const ownRight = answer({ data: z.object({ right: appealRightSchema }) });
const theFile = answer({ data: appealFileSchema });

export const submitAppeal = endpoint({
  method: 'POST',
  path: '/appeals',
  summary:
    'Appeal a decision that acts on me, or one not to act on my report, within 183 days. Someone else decides within 7 days.',
  access: 'signedIn',
  writes: true,
  status: 201,
  creates: true,
  body: z.object({ decisionId: idSchema, text: plea }),
  response: ownRight,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const getReportAppeal = endpoint({
  method: 'GET',
  path: '/appeals/report/{id}',
  summary: 'Get my right to appeal the newest decision on my report; null unless the decision was not to act.',
  access: 'signedIn',
  params: oneOf,
  response: answer({ data: z.object({ right: z.nullable(appealRightSchema) }) }),
  errors: ['NOT_FOUND'],
});

export const withdrawAppeal = endpoint({
  method: 'POST',
  path: '/appeals/{id}/withdraw',
  summary: 'Withdraw my appeal while nothing has been decided about it.',
  access: 'signedIn',
  writes: true,
  params: oneOf,
  response: ownRight,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

/** The unused days of the paid period, and their value. */
const refundSchema = z.object({
  days: z.int(),
  amount: moneySchema,
  state: z.enum(['offered', 'started', 'paid']),
});

/** What someone who can't sign in may still do with the link; null once they can. */
const lockedAccountSchema = z.object({
  reason: z.nullable(z.string()),
  /** Null if nothing was paid for days to come. */
  refund: z.nullable(refundSchema),
  /** The contract they can withdraw from, with their name and address; absent or null without that right. */
  withdrawal: z.optional(
    z.nullable(z.object({ name: z.string(), email: z.string(), subscription: subscriptionSchema })),
  ),
  /** Their address was confirmed, so their data may be sent to it. */
  mayExport: z.boolean(),
});

export type LinkedRefund = z.output<typeof refundSchema>;
export type LockedAccount = z.output<typeof lockedAccountSchema>;

const linkSummary = 'with the token of its mail, which does nothing else and lasts as long as the right to appeal.';

export const openAppealLink = endpoint({
  method: 'POST',
  path: '/appeals/link/decision',
  summary: `Read a decision about me without signing in, ${linkSummary}`,
  access: 'everyone',
  body: z.object({ token }),
  response: answer({
    data: z.object({
      /** Null if the account was closed without a case. */
      notice: z.nullable(statementSchema),
      locked: z.nullable(lockedAccountSchema),
    }),
  }),
  errors: ['NOT_FOUND'],
});

export const requestAppealLink = endpoint({
  method: 'POST',
  path: '/appeals/link/request',
  summary:
    'Mail the owner of a suspended or closed account the link to its decision, their data and a refund. The response never reveals whether there is one.',
  access: 'everyone',
  writes: true,
  limit: 'mailRequest',
  body: z.object({ email: emailSchema }),
  response: answer({ data: z.object({}) }),
});

export const refundByLink = endpoint({
  method: 'POST',
  path: '/appeals/link/refund',
  summary:
    'End the premium of an account that can’t sign in and pay back its unused days, once. Repeating it returns the same refund.',
  access: 'everyone',
  writes: true,
  limit: 'mailRequest',
  body: z.object({ token }),
  response: answer({ data: z.object({ refund: refundSchema }) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const withdrawByLink = endpoint({
  method: 'POST',
  path: '/appeals/link/withdraw',
  summary: 'Withdraw from the contract of an account that can’t sign in, as its owner could. 409 later or twice.',
  access: 'everyone',
  writes: true,
  limit: 'mailRequest',
  body: z.object({ token }),
  response: answer({ data: z.object({ refund: withdrawalRefundSchema }) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const appealByLink = endpoint({
  method: 'POST',
  path: '/appeals/link',
  summary: `Appeal a decision about me without signing in, ${linkSummary}`,
  access: 'everyone',
  writes: true,
  status: 201,
  creates: true,
  body: z.object({ token, text: plea }),
  response: answer({ data: z.object({ notice: statementSchema }) }),
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const listAppeals = endpoint({
  method: 'GET',
  path: '/admin/appeals',
  summary:
    'List appeals for staff, the least time left first (decided ones newest first), with the size of each list, counted up to 100.',
  access: 'cases.list',
  query: z.object({
    view: skippedWhenEmpty(z.enum(appealViews)),
    cursor: z.optional(text(1, 200)),
    limit: z.optional(queryInteger(1, staffLimitMax)),
  }),
  response: answer({
    data: z.object({
      appeals: z.array(appealLineSchema),
      counts: z.record(z.enum(appealViews), z.int()),
      nextCursor: z.nullable(z.string()),
    }),
  }),
  errors: ['INVALID_INPUT'],
});

export const getAppeal = endpoint({
  method: 'GET',
  path: '/admin/appeals/{id}',
  summary: 'Get an appeal with the decision it is about and the evidence behind it. Audited.',
  access: 'cases.list',
  params: oneOf,
  response: theFile,
  errors: ['NOT_FOUND'],
});

export const reviewAppeal = endpoint({
  method: 'POST',
  path: '/admin/appeals/{id}/review',
  summary:
    'Start reviewing an appeal, or take it over from a colleague. The database refuses the person who made the decision. Audited.',
  access: 'appeals.decide',
  writes: true,
  params: oneOf,
  response: theFile,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ILLEGAL_STEP'],
});

export const decideAppeal = endpoint({
  method: 'POST',
  path: '/admin/appeals/{id}/decision',
  summary:
    'Decide an appeal with reasons: overturning revokes the measures and their strikes, and reopens a case that was not acted on; all or nothing. Audited.',
  access: 'appeals.decide',
  writes: true,
  status: 201,
  creates: true,
  params: oneOf,
  body: z.object({
    outcome: z.enum(appealOutcomes),
    /** Shown to the author of the appeal. */
    reasons: trimmedText(appealReasonsMin, appealReasonsMax),
    /** The sanctions to revoke when the decision is only partly overturned. */
    sanctionIds: z.optional(z.array(idSchema).check(z.minLength(1), z.maxLength(sanctionsMax))),
  }),
  response: theFile,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'ILLEGAL_STEP', 'CONFLICT', 'INVALID_INPUT'],
});
