import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { daySchema, idSchema, timeSchema, trimmedText } from '../text.ts';
import { factsMaxLength, factsMinLength } from './decisions.ts';

/** Dangers that don't wait for a decision. */
export const emergencyKinds = ['threat_to_life', 'minor', 'sexual_violence', 'extortion'] as const;
export type EmergencyKind = (typeof emergencyKinds)[number];

/** A temporary restriction ends by itself after this many days, or with the decision. */
export const restrictionDays = 7;

const referralFields = {
  authority: trimmedText(1, 200),
  handedOver: trimmedText(1, 2000),
  legalBasis: trimmedText(1, 500),
};

/** What the page of a case shows apart from the case itself. */
export const caseSafetySchema = z.object({
  emergencies: z.array(
    z.object({
      kind: z.enum(emergencyKinds),
      at: timeSchema,
      /** Null if a report said so, not one of the staff. */
      by: z.nullable(z.string()),
      /** When the people on call were reached by mail or the pager; null until then. */
      pagedAt: z.nullable(timeSchema),
      /** Until when the person is hidden and can't start conversations; null if they can. */
      restrictedUntil: z.nullable(timeSchema),
    }),
  ),
  referrals: z.array(
    z.object({
      _id: z.string(),
      authority: z.string(),
      handedOver: z.string(),
      legalBasis: z.string(),
      on: z.string(),
      at: timeSchema,
      by: z.string(),
    }),
  ),
  /** Null if data of the person may be deleted. */
  legalHold: z.nullable(
    z.object({
      at: timeSchema,
      by: z.string(),
      reason: z.string(),
      /** Who has asked for its release, until someone else decides. */
      releaseAskedBy: z.nullable(z.string()),
    }),
  ),
  can: z.object({ mark: z.boolean(), endRestriction: z.boolean(), refer: z.boolean(), hold: z.boolean() }),
});
export type CaseSafety = z.output<typeof caseSafetySchema>;

const oneCase = z.object({ id: idSchema });
const theSafety = answer({ data: z.object({ safety: caseSafetySchema }) });

export const getCaseSafety = endpoint({
  method: 'GET',
  path: '/admin/cases/{id}/safety',
  summary: 'Get the emergencies, referrals and legal hold of a case.',
  access: 'cases.list',
  params: oneCase,
  response: theSafety,
  errors: ['NOT_FOUND'],
});

export const markEmergency = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/emergency',
  summary:
    'Mark a case as an emergency: it is critical, the people on call are paged, and the person is hidden and can start no conversations for seven days or until the decision. They are told and may appeal. 409 for a decided case, and once they are restricted. Audited.',
  access: 'cases.handle',
  writes: true,
  params: oneCase,
  body: z.object({
    kind: z.enum(emergencyKinds),
    /** The rule that is probably broken. */
    ruleId: idSchema,
    /** What the person reads; it must not name a reporter. */
    facts: trimmedText(factsMinLength, factsMaxLength),
  }),
  response: theSafety,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CASE_CLAIMED', 'CONFLICT', 'INVALID_INPUT'],
});

export const endRestriction = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/emergency/end',
  summary: 'End the temporary restriction of an emergency, with a reason. 409 without one in force. Audited.',
  access: 'cases.handle',
  writes: true,
  params: oneCase,
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: theSafety,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CASE_CLAIMED', 'CONFLICT'],
});

export const recordReferral = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/referrals',
  summary: 'Record what was handed to which authority, on what legal basis and when. Kept for two years. Audited.',
  access: 'cases.lead',
  writes: true,
  creates: true,
  status: 201,
  params: oneCase,
  body: z.object({ ...referralFields, on: daySchema }),
  response: theSafety,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'INVALID_INPUT'],
});

export const setLegalHold = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/legal-hold',
  summary:
    'Stop every deletion of data about the person of a case, apart from selfies. 409 if it is stopped already. Audited.',
  access: 'cases.lead',
  writes: true,
  params: oneCase,
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: theSafety,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
});

export const askForHoldRelease = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/legal-hold/release',
  summary:
    'Ask an administrator to release a legal hold, with a reason: two people release it. 409 without one, or while a request waits. Audited.',
  access: 'cases.lead',
  writes: true,
  params: oneCase,
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: theSafety,
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
});
