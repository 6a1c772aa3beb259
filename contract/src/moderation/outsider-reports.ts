import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { reportTextMaxLength, staffLimitMax } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { emailSchema, idSchema, queryInteger, skippedWhenEmpty, text, timeSchema, trimmedText } from '../text.ts';
import { appealReasonsMax, appealReasonsMin, appealRightSchema, appealTextMax } from './decisions.ts';
import { mayBeAnonymous, outsiderTypeNames } from './outsider-types.ts';
import { said } from '../said.ts';

const shortText = 500;
export const outsiderTextMin = 20;
export const outsiderNameMax = 120;

/** Leading zero bits of the digest that a browser has to find: about half a second on a phone. */
export const proofBits = 13;
export const proofMinutes = 20;

const token = text(1, 200);

const outsiderFields = z.object({
  type: z.enum(outsiderTypeNames, said(msg`Choose what it is about`)),
  /** The address of a profile or a picture. */
  address: skippedWhenEmpty(trimmedText(1, shortText)),
  /** The name or a description of the person. */
  person: skippedWhenEmpty(trimmedText(1, shortText)),
  where: skippedWhenEmpty(trimmedText(1, shortText)),
  text: trimmedText(outsiderTextMin, reportTextMaxLength),
  name: skippedWhenEmpty(trimmedText(1, outsiderNameMax)),
  email: skippedWhenEmpty(emailSchema),
  isGoodFaith: z.literal(true, said(msg`Confirm that what you write is true as far as you know`)),
});
export type OutsiderFields = z.output<typeof outsiderFields>;

/**
 * Rejects a report in which a field is missing that depends on other fields. These are checked together with the others, so that a form
 * shows everything missing at once.
 */
const isComplete = z.superRefine<OutsiderFields>(
  ({ type, address, person, name, email }, { addIssue }) => {
    const miss = (field: string, text: MessageDescriptor) =>
      addIssue({ code: 'custom', path: [field], message: said(text).error() });
    if (address === undefined && person === undefined)
      miss('address', msg`Give an address, a name or a description, so that we can find it`);
    if (mayBeAnonymous(type)) return;
    if (name === undefined) miss('name', msg`Give your name`);
    if (email === undefined) miss('email', msg`Give your email address, so that we can answer`);
  },
  { when: ({ value }) => typeof value === 'object' && value !== null },
);

/** What the author of an outsider report fills in. */
export const outsiderFieldsSchema = outsiderFields.check(isComplete);

const proof = z.object({ challenge: token, counter: z.int().check(z.minimum(0), z.maximum(4_294_967_295)) });
/** The fields with a challenge and the number that solves it. */
const givenOutsiderReportSchema = z.extend(outsiderFields, { proof }).check(isComplete);
export type GivenOutsiderReport = z.output<typeof givenOutsiderReportSchema>;

export const getOutsiderChallenge = endpoint({
  method: 'GET',
  path: '/notices/challenge',
  summary:
    'Get a challenge for a notice: find a number so that the SHA-256 of `challenge.number` begins with `bits` zero bits. It is valid once, for 20 minutes.',
  access: 'everyone',
  part: 'notices',
  response: answer({ data: z.object({ challenge: z.string(), bits: z.int() }) }),
  errors: ['PART_OFF'],
});

export const fileOutsiderReport = endpoint({
  method: 'POST',
  path: '/notices',
  part: 'notices',
  summary:
    'Tell us about something illegal or against the rules without being a member. The answer and the email are the same whether or not what was named exists.',
  access: 'everyone',
  writes: true,
  creates: true,
  status: 201,
  limit: 'notice',
  body: givenOutsiderReportSchema,
  response: answer({ data: z.object({}) }),
  errors: ['INVALID_INPUT', 'CHALLENGE_EXPIRED', 'TOO_MANY_REQUESTS', 'PART_OFF'],
});

/** The result of an outsider report. `unsaid`: the author gave no address, so the result is not shown. */
export const outsiderOutcomes = ['acted', 'not_acted', 'unsaid'] as const;
export type OutsiderOutcome = (typeof outsiderOutcomes)[number];

const ownOutsiderReportSchema = z.object({
  _id: z.string(),
  type: z.enum(outsiderTypeNames),
  text: z.string(),
  at: timeSchema,
  /** Null while nothing is decided. */
  outcome: z.nullable(z.enum(outsiderOutcomes)),
  decidedAt: z.nullable(timeSchema),
  /** Null unless the decision was not to act. */
  right: z.nullable(appealRightSchema),
});
export type OwnOutsiderReport = z.output<typeof ownOutsiderReportSchema>;

const ownOutsiderReports = answer({ data: z.object({ notices: z.array(ownOutsiderReportSchema) }) });

export const openOutsiderLink = endpoint({
  method: 'POST',
  path: '/notices/link',
  summary:
    'Read what became of the notices from one email address, with the token of a mail to it. Confirms that someone reads the mailbox.',
  access: 'everyone',
  writes: true,
  body: z.object({ token }),
  response: ownOutsiderReports,
  errors: ['NOT_FOUND'],
});

export const appealOutsiderReport = endpoint({
  method: 'POST',
  path: '/notices/link/appeal',
  summary: 'Appeal a decision not to act on a notice, once within 183 days, with the token of a mail.',
  access: 'everyone',
  writes: true,
  creates: true,
  status: 201,
  limit: 'mailRequest',
  body: z.object({ token, noticeId: idSchema, text: trimmedText(1, appealTextMax) }),
  response: ownOutsiderReports,
  errors: ['NOT_FOUND', 'CONFLICT'],
});

export const forgetOutsider = endpoint({
  method: 'POST',
  path: '/notices/link/forget',
  summary:
    'Erase the name and the email address of the author from all notices from one address, with the token of a mail. Ends answers and appeals, and the link.',
  access: 'everyone',
  writes: true,
  limit: 'mailRequest',
  body: z.object({ token }),
  response: answer({ data: z.object({}) }),
  errors: ['NOT_FOUND'],
});

/** The lists of outsider reports: with a confirmed address or none, with an unconfirmed address, and done. */
export const outsiderViews = ['waiting', 'unconfirmed', 'done'] as const;
export type OutsiderView = (typeof outsiderViews)[number];

const outsiderLineSchema = z.object({
  _id: z.string(),
  type: z.enum(outsiderTypeNames),
  isUrgent: z.boolean(),
  at: timeSchema,
  /** How often the same content was sent about the same profile. */
  times: z.int(),
  address: z.nullable(z.string()),
  person: z.nullable(z.string()),
  where: z.nullable(z.string()),
  text: z.string(),
  /** The author's; the email address is masked. Null for anonymous reports, and once the author was erased. */
  name: z.nullable(z.string()),
  email: z.nullable(z.string()),
  /** The appeal against closing it, and the colleague who closed it and may not do so again. */
  plea: z.nullable(z.string()),
  closedBy: z.nullable(z.string()),
  canClose: z.boolean(),
  /** The case that it was added to. */
  caseId: z.nullable(z.string()),
});
export type OutsiderLine = z.output<typeof outsiderLineSchema>;

export const listOutsiderReports = endpoint({
  method: 'GET',
  path: '/admin/notices',
  summary:
    'List notices by people who are not members, urgent ones first, then those waiting longest (done: the newest first), with the size of each list, counted up to 100. Audited.',
  access: 'cases.list',
  query: z.object({
    view: skippedWhenEmpty(z.enum(outsiderViews)),
    cursor: z.optional(text(1, 200)),
    limit: z.optional(queryInteger(1, staffLimitMax)),
  }),
  response: answer({
    data: z.object({
      notices: z.array(outsiderLineSchema),
      counts: z.record(z.enum(outsiderViews), z.int()),
      nextCursor: z.nullable(z.string()),
    }),
  }),
  errors: ['INVALID_INPUT'],
});

const oneOf = z.object({ id: idSchema });

export const closeOutsiderReport = endpoint({
  method: 'POST',
  path: '/admin/notices/{id}/close',
  summary:
    'Close a notice, and those with the same content, because nothing was found to act on. After an appeal by someone else, with reasons for its author. Audited.',
  access: 'cases.handle',
  writes: true,
  params: oneOf,
  body: z.object({ answer: skippedWhenEmpty(trimmedText(appealReasonsMin, appealReasonsMax)) }),
  response: answer({ data: z.object({ closed: z.int() }) }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'INVALID_INPUT'],
  stale: ['/admin/queue', '/admin/cases', '/admin/appeals', '/admin/notices'],
});

export const assignOutsiderReport = endpoint({
  method: 'POST',
  path: '/admin/notices/{id}/case',
  summary: 'Make a notice a part of the case of the person it is about, which is opened if there is none. Audited.',
  access: 'cases.handle',
  writes: true,
  params: oneOf,
  body: z.object({ userId: idSchema }),
  response: answer({ data: z.object({ caseId: z.string() }) }),
  errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN'],
  stale: ['/admin/queue', '/admin/cases', '/admin/appeals', '/admin/notices'],
});
