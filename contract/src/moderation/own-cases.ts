import { msg } from '@lingui/core/runtime-macro';
import * as z from 'zod/mini';
import { idSchema, trimmedText } from '../text.ts';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { caseSchema } from './cases.ts';
import { reportTypes } from './reports.ts';
import { said } from '../said.ts';

/** The reason of a case on one's own initiative needs at least this many characters. */
export const ownCaseReasonMin = 20;
/** How many days the figures of own cases cover, and the number of decided cases from which a share is shown. */
export const ownCaseDays = 90;
export const ownCaseShareFrom = 5;

const linksMax = 20;

/** A message in copied evidence: the report it was copied with, and its sequence number there. */
const messageLinkSchema = z.object({
  reportId: idSchema,
  seq: z.int().check(z.minimum(1), z.maximum(2_147_483_647)),
});
export type MessageLink = z.output<typeof messageLinkSchema>;

export const openCase = endpoint({
  method: 'POST',
  path: '/admin/users/{id}/cases',
  summary:
    "Open a person's case on one's own initiative, or add to it, with a reason. Copies the profile, the named pictures of it, and messages of the person that the evidence of a report has. Who opens it claims it unless someone handles it, and may decide it, but never reviews an appeal. Audited.",
  access: 'cases.handle',
  writes: true,
  status: 201,
  creates: true,
  params: z.object({ id: idSchema }),
  body: z.object({
    problem_type: z.enum(reportTypes, said(msg`Choose one of the types`)),
    reason: trimmedText(ownCaseReasonMin, reasonMaxLength),
    /** As in a report: the case is critical. */
    mayBeMinor: z.optional(z.boolean()),
    /** The `publicId` of pictures that are on the profile. */
    pictures: z.optional(z.array(idSchema).check(z.maxLength(linksMax))),
    messages: z.optional(z.array(messageLinkSchema).check(z.maxLength(linksMax))),
  }),
  response: answer({ data: z.object({ case: caseSchema, reportId: z.string() }) }),
  errors: ['NOT_FOUND', 'INVALID_INPUT', 'FORBIDDEN', 'CONFLICT'],
  stale: ['/admin/queue', '/admin/cases', '/admin/appeals', '/admin/notices'],
});

const openerSchema = z.object({
  _id: z.string(),
  name: z.string(),
  opened: z.int(),
  decided: z.int(),
  /** Of the decided cases: those with nothing to act on, or with a reversed decision. Null for fewer than five decided. */
  withoutAction: z.nullable(z.int()),
});
export type CaseOpener = z.output<typeof openerSchema>;

export const listOwnCases = endpoint({
  method: 'GET',
  path: '/admin/own-cases',
  summary:
    'Count the cases that each colleague opened on their own initiative in the last 90 days, the most first, without those in which the caller is a party.',
  access: 'cases.lead',
  response: answer({ data: z.object({ openers: z.array(openerSchema) }) }),
});
