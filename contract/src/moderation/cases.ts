import * as z from 'zod/mini';
import { reasonMaxLength, reportTextMaxLength, searchMaxLength, staffLimitMax } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { idSchema, nameText, queryInteger, skippedWhenEmpty, text, trimmedText, wordList } from '../text.ts';
import {
  caseFileSchema,
  caseLineSchema,
  caseOrders,
  caseSchema,
  caseTimesSchema,
  caseViewNameMax,
  caseViews,
  givenCaseFiltersSchema,
  savedCaseViewSchema,
} from './case.ts';
import { reportPriorities, reportTypes } from './report.ts';
import { staffRoles } from '../profiles/user.ts';

const oneCase = z.object({ id: idSchema });
const theCase = answer({ data: z.object({ case: caseSchema }) });
/** How many cases can be asked for by their ids. */
export const caseIdsMax = 50;

export const listCases = endpoint({
  method: 'GET',
  path: '/admin/cases',
  summary:
    'List cases for staff, the least time left first (decided ones newest first), with the size of each list, counted up to 100, of the overdue ones up to 1,000. `view` is a list or the id of a saved one, whose filters then apply. Only lists of open cases take filters, of which `priority` and `type` may name several, separated by commas, and an order. `ids` asks for the named cases instead, in whatever stage.',
  access: 'cases.list',
  query: z.object({
    view: skippedWhenEmpty(z.union([z.enum(caseViews), z.uuid()], 'Use a list or the id of a saved one')),
    priority: skippedWhenEmpty(wordList(z.enum(reportPriorities), reportPriorities.length)),
    type: skippedWhenEmpty(wordList(z.enum(reportTypes), reportTypes.length)),
    order: skippedWhenEmpty(z.enum(caseOrders)),
    /** Up to 50 ids, separated by commas: those cases instead of a list. */
    ids: skippedWhenEmpty(wordList(idSchema, caseIdsMax)),
    cursor: z.optional(text(1, 200)),
    limit: z.optional(queryInteger(1, staffLimitMax)),
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
  errors: ['NOT_FOUND'],
});

const oneView = z.object({ view: savedCaseViewSchema });
const viewBody = {
  name: nameText(1, caseViewNameMax),
  filters: givenCaseFiltersSchema,
  isShared: z.optional(z.boolean()),
};

export const listCaseViews = endpoint({
  method: 'GET',
  path: '/admin/case-views',
  summary: 'List my saved lists of cases and those the team shares, each with its size, counted up to 100.',
  access: 'cases.list',
  response: answer({ data: z.object({ views: z.array(savedCaseViewSchema) }) }),
});

export const saveCaseView = endpoint({
  method: 'POST',
  path: '/admin/case-views',
  summary:
    'Save filters and order of open cases under a name. Only senior moderators and administrators share them with the team, which is audited. 409 for a name in use, and with 20 lists saved or 30 shared.',
  access: 'cases.list',
  writes: true,
  status: 201,
  creates: true,
  body: z.object(viewBody),
  response: answer({ data: oneView }),
  errors: ['CONFLICT', 'FORBIDDEN'],
});

export const changeCaseView = endpoint({
  method: 'PUT',
  path: '/admin/case-views/{id}',
  summary:
    'Change a saved list: my own or, as a senior moderator or administrator, any shared one. Changes of shared ones are audited. 409 if it has changed since the named version.',
  access: 'cases.list',
  writes: true,
  params: oneCase,
  body: z.object({ ...viewBody, version: z.optional(z.int()) }),
  response: answer({ data: oneView }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
});

export const deleteCaseView = endpoint({
  method: 'DELETE',
  path: '/admin/case-views/{id}',
  summary: 'Delete a saved list: my own or, as a senior moderator or administrator, any shared one. Audited if shared.',
  access: 'cases.list',
  writes: true,
  params: oneCase,
  response: answer({}),
  errors: ['NOT_FOUND', 'FORBIDDEN'],
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
  writes: true,
  params: oneCase,
  response: theCase,
  errors: ['NOT_FOUND', 'CASE_CLAIMED', 'ILLEGAL_STEP'],
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
  writes: true,
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
