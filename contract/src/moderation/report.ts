import { staffRoles } from '../profiles/user.ts';
import * as z from 'zod/mini';
import { pictureSchema } from '../media/picture.ts';
import { detailsSchema } from '../profiles/profile-details.ts';
import { locationSchema } from '../profiles/user.ts';
import { timeSchema } from '../text.ts';

/** Who has a case in hand, and until when where that is a claim. */
export const holderSchema = z.object({
  _id: z.nullable(z.string()),
  name: z.string(),
  until: z.nullable(timeSchema),
});

export const reportTypes = [
  'Technical Issue',
  'Bug Report',
  'Inappropriate Content',
  'Harassment',
  'Account Issue',
  'Payment Problem',
  'Other',
] as const;
export type ReportType = (typeof reportTypes)[number];

/** From most to least urgent. */
export const reportPriorities = ['critical', 'high', 'medium', 'other'] as const;
export type ReportPriority = (typeof reportPriorities)[number];

/** Over how many days, today included, the times of answers and decisions are shown, of reports and of cases. */
export const responseTimesDays = 30;

export const reportStatuses = ['pending', 'in_progress', 'resolved', 'closed', 'rejected'] as const;
export type ReportStatus = (typeof reportStatuses)[number];

/** The legal steps from each status; the same status again is not a step. */
export const reportTransitions: Record<ReportStatus, readonly ReportStatus[]> = {
  pending: ['in_progress', 'resolved', 'closed', 'rejected'],
  in_progress: ['resolved', 'closed', 'rejected', 'pending'],
  resolved: ['closed', 'in_progress'],
  closed: ['in_progress'],
  rejected: ['closed', 'in_progress'],
};

/** Whether a report may go from one status to another. */
export function mayBecome(from: ReportStatus, to: ReportStatus): boolean {
  return reportTransitions[from].includes(to);
}

/** The initial priority of a type. */
export const priorityOfType: Record<ReportType, ReportPriority> = {
  'Technical Issue': 'other',
  'Bug Report': 'other',
  'Inappropriate Content': 'high',
  Harassment: 'high',
  'Account Issue': 'medium',
  'Payment Problem': 'high',
  Other: 'other',
};

/** Deadline for the first human response, in hours. */
export const answerWithinHours: Record<ReportPriority, number> = { critical: 1, high: 4, medium: 24, other: 72 };

export const replySchema = z.object({
  _id: z.string(),
  message: z.string(),
  /** An internal note; members never receive one. */
  isInternal: z.boolean(),
  /** To a member, staff are 'Support team'. */
  repliedBy: z.object({ name: z.string() }),
  repliedAt: timeSchema,
});

export type ReportReply = z.output<typeof replySchema>;

const sharedFields = {
  _id: z.string(),
  problem_type: z.enum(reportTypes),
  description: z.string(),
  priority: z.enum(reportPriorities),
  status: z.enum(reportStatuses),
  createdAt: timeSchema,
  updatedAt: timeSchema,
  /** The newest fifty, oldest first. */
  replies: z.array(replySchema),
  /** The number of replies without internal notes. */
  replyCount: z.int(),
};

/** A report as its reporter sees it; the priority is the initial one, because history reveals something about others. */
export const ownReportSchema = z.object({
  ...sharedFields,
  user: z.object({ _id: z.string(), name: z.string(), email: z.string() }),
  /** The reported person; the name as visible to the reporter at the time. */
  reportedUser: z.nullable(z.object({ _id: z.string(), name: z.nullable(z.string()) })),
  /** There is an update the reporter hasn't seen. */
  isUnread: z.boolean(),
});

/** A person in a report for staff; `_id` is null once the account is deleted. */
export const reportPersonSchema = z.object({
  _id: z.nullable(z.string()),
  name: z.string(),
  email: z.nullable(z.string()),
  isActive: z.boolean(),
});

/** A report as staff see it. */
export const staffReportSchema = z.object({
  ...sharedFields,
  user: reportPersonSchema,
  reportedUser: z.nullable(reportPersonSchema),
  mayBeMinor: z.boolean(),
  /** When the first human response is due. */
  dueAt: timeSchema,
  /** No human response yet, and the deadline has passed. */
  isOverdue: z.boolean(),
  firstRespondedAt: z.nullable(timeSchema),
  /** The last public reply is the reporter's. */
  awaitsStaff: z.boolean(),
  /** The case of the reported person; absent without one. */
  case: z.optional(
    z.object({
      _id: z.string(),
      /** The colleague who has it in hand right now. */
      handledBy: z.nullable(z.string()),
      /** Why one click can't resolve or reject the report; null if it can. */
      needsDecision: z.nullable(z.string()),
    }),
  ),
  can: z.object({
    /** The statuses it may become. */
    status: z.array(z.enum(reportStatuses)),
    delete: z.boolean(),
    /** Until when the caller's own last step can be undone. */
    undoUntil: z.nullable(timeSchema),
  }),
});

/** A message as it was when reported. The author is identified by their role in the report only. */
const frozenMessageSchema = z.object({
  /** Its sequence number. */
  seq: z.int(),
  by: z.enum(['reporter', 'reported']),
  /** It was reported; the others are context. */
  isReported: z.boolean(),
  /** Null if deleted. */
  text: z.nullable(z.string()),
  sentAt: timeSchema,
  editedAt: z.nullable(timeSchema),
  deletedAt: z.nullable(timeSchema),
  readAt: z.nullable(timeSchema),
  /** Earlier versions, and until when they were valid, oldest first. */
  before: z.array(z.object({ text: z.string(), until: timeSchema })),
  /** How many of those, from the middle, aren't in the copy. */
  leftOut: z.int(),
});

/** The note of a like to the reporter, and what they liked: the picture itself is not in the copy. */
const frozenNoteSchema = z.object({
  text: z.string(),
  likedAt: timeSchema,
  on: z.nullable(
    z.union([
      z.object({ kind: z.literal('picture') }),
      z.object({ kind: z.literal('prompt'), prompt: z.string(), answer: z.nullable(z.string()) }),
    ]),
  ),
});

/** What was reported, frozen at filing. */
export const evidenceSchema = z.object({
  _id: z.string(),
  type: z.enum(['profile', 'picture', 'message', 'note']),
  capturedAt: timeSchema,
  /** SHA-256 of the copy, hexadecimal. */
  hash: z.string(),
  /** The copy still matches its hash. */
  isIntact: z.boolean(),
  /** Null for all but a profile. */
  profile: z.nullable(
    z.object({
      firstName: z.nullable(z.string()),
      gender: z.nullable(z.string()),
      genderText: z.nullable(z.string()),
      age: z.nullable(z.int()),
      bio: z.nullable(z.string()),
      location: z.nullable(locationSchema),
      details: z.optional(detailsSchema),
    }),
  ),
  /** The frozen pictures: the profile's, or the one that was reported. They stay when the owner deletes theirs. */
  pictures: z.array(pictureSchema),
  /** The frozen messages of a conversation, in their order. */
  messages: z.array(frozenMessageSchema),
  /** Of a reported like. */
  note: z.optional(frozenNoteSchema),
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

/** Earlier reports of one kind: the number, and the newest ten. */
const earlierSchema = z.object({ total: z.int(), newest: z.array(reportLineSchema) });

/** What staff should know about a person before they decide. */
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

export type OwnReport = z.output<typeof ownReportSchema>;
export type StaffReport = z.output<typeof staffReportSchema>;
export type ReportPerson = z.output<typeof reportPersonSchema>;
export type Evidence = z.output<typeof evidenceSchema>;
export type FrozenNote = z.output<typeof frozenNoteSchema>;
export type FrozenMessage = z.output<typeof frozenMessageSchema>;
export type TimelineEntry = z.output<typeof timelineSchema>;
export type ReportLine = z.output<typeof reportLineSchema>;
export type ReportHistory = z.output<typeof reportHistorySchema>;
