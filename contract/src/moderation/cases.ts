import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema, queryInteger, skippedWhenEmpty, text, trimmedText } from '../text.ts';
import { caseFileSchema, caseLineSchema, caseSchema, caseTimesSchema, caseViews } from './case.ts';
import { reportPriorities } from './report.ts';

const oneCase = z.object({ id: idSchema });
const theCase = answer({ data: z.object({ case: caseSchema }) });
const caseLimitMax = 100;

export const listCases = endpoint({
  method: 'GET',
  path: '/admin/cases',
  summary:
    'List cases for staff, the least time left first (decided ones newest first), with the size of each list, counted up to 100, of the overdue ones up to 1,000.',
  access: 'cases.list',
  query: z.object({
    view: skippedWhenEmpty(z.enum(caseViews)),
    cursor: z.optional(text(1, 200)),
    limit: z.optional(queryInteger(1, caseLimitMax)),
  }),
  response: answer({
    data: z.object({
      cases: z.array(caseLineSchema),
      counts: z.record(z.enum(caseViews), z.int()),
      /** How many appeals are overdue, counted up to 1,000. */
      lateAppeals: z.int(),
      nextCursor: z.nullable(z.string()),
      /** At least two people may review appeals: no one reviews a decision of their own. */
      hasSecondReviewer: z.boolean(),
    }),
  }),
});

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
  summary: 'Claim a case for ten minutes; 409 with its holder while a colleague has it. Audited.',
  access: 'cases.handle',
  params: oneCase,
  response: theCase,
  errors: ['NOT_FOUND', 'CASE_CLAIMED', 'ILLEGAL_STEP'],
});

export const renewClaim = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/heartbeat',
  summary: 'Renew my claim on a case for another ten minutes.',
  access: 'cases.handle',
  params: oneCase,
  response: theCase,
  errors: ['NOT_FOUND', 'CASE_CLAIMED', 'ILLEGAL_STEP'],
});

/** The steps other than a claim and a decision. */
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
    'Release, assign, escalate, pause, resume or reopen a case. Escalating, referring to an authority and reopening need a reason; only administrators assign to others. Audited.',
  access: 'cases.handle',
  params: oneCase,
  body: z.object({
    step: z.enum(handlingSteps),
    reason: z.optional(trimmedText(1, reasonMaxLength)),
    /** Who it is assigned to; the caller by default. */
    assigneeId: z.optional(idSchema),
  }),
  response: theCase,
  errors: ['NOT_FOUND', 'CASE_CLAIMED', 'ILLEGAL_STEP', 'INVALID_INPUT', 'FORBIDDEN'],
});
