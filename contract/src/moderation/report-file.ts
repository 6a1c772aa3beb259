import * as z from 'zod/mini';
import { dateStates } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { pictureSchema } from '../media.ts';
import { messageMediaKinds, messageVoiceSchema } from '../messages/message-parts.ts';
import { reportPriorities, reportStatuses, reportTypes } from './reports.ts';
import { reportPersonSchema, staffReportSchema } from './staff-reports.ts';
import { detailsSchema } from '../profiles/profile-details.ts';
import { locationSchema } from '../profiles/user.ts';
import { staffRoles } from '../staff-roles.ts';
import { idSchema, timeSchema } from '../text.ts';

/** A message as it was when reported. The author is identified only by their role in the report. */
export const frozenMessageSchema = z.object({
  /** The sequence number of the message. */
  seq: z.int(),
  by: z.enum(['reporter', 'reported']),
  /** The reported message; the others are context. */
  isReported: z.boolean(),
  /** Null if deleted. */
  text: z.nullable(z.string()),
  sentAt: timeSchema,
  editedAt: z.nullable(timeSchema),
  deletedAt: z.nullable(timeSchema),
  readAt: z.nullable(timeSchema),
  /** Earlier versions and until when each was current, oldest first. */
  before: z.array(z.object({ text: z.string(), until: timeSchema })),
  /** How many of those versions, from the middle, are missing from the copy. */
  leftOut: z.int(),
  /** What it had besides its text; absent if nothing. */
  media: z.optional(
    z.array(
      z.object({
        kind: z.enum(messageMediaKinds),
        /** The id of its frozen file; null for the reporter's own, which are not copied. */
        id: z.nullable(z.string()),
        isOnce: z.boolean(),
        /** Since when neither of the two could see it, such as after it was deleted or opened. */
        withdrawnAt: z.nullable(timeSchema),
      }),
    ),
  ),
});

/** The note of a like to the reporter, and what was liked. The picture itself is not in the copy. */
export const frozenNoteSchema = z.object({
  text: z.string(),
  likedAt: timeSchema,
  on: z.nullable(
    z.union([
      z.object({ kind: z.literal('picture') }),
      z.object({ kind: z.literal('prompt'), prompt: z.string(), answer: z.nullable(z.string()) }),
    ]),
  ),
});

/** A plan of a date with the reporter, as it was when reported. */
export const frozenPlanSchema = z.object({
  by: z.enum(['reporter', 'reported']),
  place: z.string(),
  at: timeSchema,
  zone: z.string(),
  note: z.nullable(z.string()),
  state: z.enum(dateStates),
});

/** The reported content, frozen when the report was filed. */
export const evidenceSchema = z.object({
  _id: z.string(),
  type: z.enum(['profile', 'picture', 'message', 'note', 'date']),
  capturedAt: timeSchema,
  /** The SHA-256 hash of the copy, in hexadecimal. */
  hash: z.string(),
  /** For messages copied from the evidence of another report: that report. */
  copiedFrom: z.optional(z.string()),
  /** The copy still matches its hash. */
  isIntact: z.boolean(),
  /** Null unless a profile was reported. */
  profile: z.nullable(
    z.object({
      firstName: z.nullable(z.string()),
      gender: z.nullable(z.string()),
      genderText: z.nullable(z.string()),
      age: z.nullable(z.int()),
      bio: z.nullable(z.string()),
      location: z.nullable(locationSchema),
      /** Since when the person was photo verified; older copies lack it. */
      photoVerifiedAt: z.optional(z.nullable(timeSchema)),
      /** Copies from before a detail existed lack it. */
      details: z.optional(z.partial(detailsSchema)),
    }),
  ),
  /** The frozen pictures: those of the profile, the reported one, or those in the messages of the reported person. They are kept when the owner deletes theirs. */
  pictures: z.array(pictureSchema),
  /** The frozen voice notes of the reported person; absent if there are none. */
  voices: z.optional(z.array(messageVoiceSchema)),
  /** The frozen messages of a conversation, in order. */
  messages: z.array(frozenMessageSchema),
  /** The note of a reported like. */
  note: z.optional(frozenNoteSchema),
  /** The dates planned in a reported conversation. */
  plans: z.optional(z.array(frozenPlanSchema)),
});

export const timelineKinds = ['filed', 'raised', 'status', 'undone', 'priority', 'reply', 'note'] as const;

/** One event of a report, for staff. */
export const timelineSchema = z.object({
  _id: z.string(),
  at: timeSchema,
  actor: z.object({ name: z.string(), role: z.enum([...staffRoles, 'reporter', 'system']) }),
  kind: z.enum(timelineKinds),
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  reason: z.nullable(z.string()),
});

const reportLineSchema = z.object({
  _id: z.string(),
  problem_type: z.enum(reportTypes),
  priority: z.enum(reportPriorities),
  status: z.enum(reportStatuses),
  createdAt: timeSchema,
});

/** Earlier reports of one kind: how many, and the newest ten. */
const earlierSchema = z.object({ total: z.int(), newest: z.array(reportLineSchema) });

/** What staff should know about a person before deciding. */
export const reportHistorySchema = z.object({
  person: reportPersonSchema,
  joinedAt: z.nullable(timeSchema),
  filed: earlierSchema,
  about: earlierSchema,
  /** Staff actions on the account, newest first. */
  sanctions: z.array(
    z.object({
      at: timeSchema,
      action: z.enum(['user.deactivated', 'user.activated']),
      by: z.string(),
      reason: z.nullable(z.string()),
    }),
  ),
});
export type Evidence = z.output<typeof evidenceSchema>;
export type FrozenNote = z.output<typeof frozenNoteSchema>;
export type FrozenPlan = z.output<typeof frozenPlanSchema>;
export type FrozenMessage = z.output<typeof frozenMessageSchema>;
export type TimelineEntry = z.output<typeof timelineSchema>;
export type ReportLine = z.output<typeof reportLineSchema>;
export type ReportHistory = z.output<typeof reportHistorySchema>;

export const getReportFile = endpoint({
  method: 'GET',
  path: '/admin/reports/{id}',
  summary: 'Get a report with evidence, timeline and the history of both people. Access is audited.',
  access: 'reports.list',
  params: z.object({ id: idSchema }),
  response: answer({
    data: z.object({
      report: staffReportSchema,
      evidence: z.array(evidenceSchema),
      timeline: z.array(timelineSchema),
      reporter: reportHistorySchema,
      reported: z.nullable(reportHistorySchema),
    }),
  }),
  errors: ['NOT_FOUND'],
});
