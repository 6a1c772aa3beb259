import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { daySchema, idSchema, skippedWhenEmpty, timeSchema, trimmedText } from '../text.ts';
import { caseIsStale, factsMaxLength, factsMinLength } from './decisions.ts';

/** Dangers that don't wait for a decision. */
export const emergencyKinds = ['threat_to_life', 'minor', 'sexual_violence', 'extortion'] as const;
export type EmergencyKind = (typeof emergencyKinds)[number];

/** A temporary restriction ends by itself after this many days, or with the decision. */
export const restrictionDays = 7;

/** After how many days senior moderators are asked whether a legal hold is still needed, unless they choose another day; at most 180. */
export const preservationReviewDays = 90;
export const preservationReviewDaysMax = 180;

/** The emergencies, referrals and legal hold of a case. */
export const caseSafetySchema = z.object({
  emergencies: z.array(
    z.object({
      kind: z.enum(emergencyKinds),
      at: timeSchema,
      /** Null if a report said so, and no colleague. */
      by: z.nullable(z.string()),
      /** When the people on call were reached by mail or the pager; null until then. */
      pagedAt: z.nullable(timeSchema),
    }),
  ),
  /** Whether emergencies reach anyone by mail or a pager. */
  isPagerSet: z.boolean(),
  /** Until when the person is hidden and can't start conversations; null if they can. */
  restrictedUntil: z.nullable(timeSchema),
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
      /** When senior moderators are asked whether it is still needed. */
      reviewOn: daySchema,
      /** Who has requested its release, until someone else decides. */
      releaseAskedBy: z.nullable(z.string()),
    }),
  ),
});
export type CaseSafety = z.output<typeof caseSafetySchema>;

const oneCase = z.object({ id: idSchema });

export const markEmergency = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/emergency',
  summary:
    'Mark a case as an emergency: it is critical, the people on call are paged, and the person is hidden and can start no conversations for seven days or until the decision. They are told and may appeal. A danger that is new is paged also while they are restricted. 409 for a decided case, and for a known danger if they are restricted or I restricted them before; 429 after ten within an hour, or 30 for those who lead. Audited.',
  access: 'cases.handle',
  writes: true,
  params: oneCase,
  body: z.object({
    kind: z.enum(emergencyKinds),
    /** The rule that is probably broken. Required, like the facts, unless the person is restricted already. */
    ruleId: skippedWhenEmpty(idSchema),
    /** What the person reads; it must not name a reporter nor have links to other sites. */
    facts: skippedWhenEmpty(trimmedText(factsMinLength, factsMaxLength)),
  }),
  response: answer({}),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'INVALID_INPUT', 'TOO_MANY_REQUESTS'],
  stale: caseIsStale,
});

export const endRestriction = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/emergency/end',
  summary: 'End the temporary restriction of an emergency, with a reason. 409 without one in force. Audited.',
  access: 'cases.handle',
  writes: true,
  params: oneCase,
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: answer({}),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  stale: caseIsStale,
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
  body: z.object({
    authority: trimmedText(1, 200),
    handedOver: trimmedText(1, 2000),
    legalBasis: trimmedText(1, 500),
    on: daySchema,
  }),
  response: answer({}),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'INVALID_INPUT'],
  stale: caseIsStale,
});

export const setPreservation = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/legal-hold',
  summary:
    'Keep the reports of a case and all data about its person, apart from selfies, from being deleted. If they are kept already, this sets the day of the next review, which is at most 180 days ahead. Audited.',
  access: 'cases.lead',
  writes: true,
  params: oneCase,
  body: z.object({ reason: trimmedText(1, reasonMaxLength), reviewOn: daySchema }),
  response: answer({}),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'INVALID_INPUT'],
  stale: caseIsStale,
});

export const askForPreservationRelease = endpoint({
  method: 'POST',
  path: '/admin/cases/{id}/legal-hold/release',
  summary:
    'Ask an administrator to release a legal hold, with a reason: two people release it. 409 without one, or while a request waits. Audited.',
  access: 'cases.lead',
  writes: true,
  params: oneCase,
  body: z.object({ reason: trimmedText(1, reasonMaxLength) }),
  response: answer({}),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
  stale: caseIsStale,
});

/** What a legal hold keeps a copy of. */
export const preservedCopyKinds = ['conversation', 'note', 'heldMessage', 'auditEvent'] as const;
export type PreservedCopyKind = (typeof preservedCopyKinds)[number];
const preservedCopySchema = z.object({ kind: z.enum(preservedCopyKinds), at: timeSchema, data: z.unknown() });
export type PreservedCopy = z.output<typeof preservedCopySchema>;

export const getPreservedCopies = endpoint({
  method: 'GET',
  path: '/admin/cases/{id}/legal-hold/copy',
  summary:
    'Get what a legal hold kept of rows that are gone, oldest first: conversations with and notes of people whose accounts were deleted, texts of messages that were never delivered, and old audit events. 409 without a hold. Audited.',
  access: 'cases.lead',
  params: oneCase,
  response: answer({ data: z.object({ copies: z.array(preservedCopySchema) }) }),
  errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT'],
});
