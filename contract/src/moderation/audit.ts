import * as z from 'zod/mini';
import { reasonMaxLength } from '../constants.ts';
import { answer, endpoint } from '../endpoint.ts';
import { dayFilter, type Ranges } from '../filters.ts';
import { pageQuery, paginationSchema } from '../paging.ts';
import { idSchema, text, timeSchema, trimmedText } from '../text.ts';

/** Every kind of audit event. */
export const auditActions = [
  'user.read',
  'user.edited',
  'user.activated',
  'user.deactivated',
  'role.changed',
  'role.kept',
  // Written by releases in which roles had no ranks.
  'user.roleChanged',
  'user.written',
  'user.factorsReset',
  'user.sessionsEnded',
  'user.fileRead',
  'user.noted',
  'user.noteChanged',
  'user.tagged',
  'user.untagged',
  'tag.added',
  'tag.renamed',
  'tag.merged',
  'tag.retired',
  'help.confirmationSent',
  'help.resetLinkSent',
  'help.addressCorrected',
  'help.addressRefused',
  'help.correctionStopped',
  'help.signInUnlocked',
  'help.exportStarted',
  'help.restoreLinkSent',
  'users.exported',
  'users.downloaded',
  'users.bulk',
  'users.bulkCanceled',
  'approval.requested',
  'approval.decided',
  'users.lookedUp',
  'users.listed',
  'users.addressesShown',
  'access.denied',
  'pii.revealed',
  'user.viewedAsMember',
  'user.visibilityExplained',
  'matching.explained',
  'audit.read',
  'audit.exported',
  'audit.downloaded',
  'audit.checked',
  'administrator.created',
  'staff.signedIn',
  'staff.linked',
  'report.read',
  'report.statusChanged',
  'report.statusUndone',
  'report.priorityChanged',
  'report.replied',
  'report.noted',
  'report.deleted',
  'case.opened',
  'case.read',
  'case.claimed',
  'case.released',
  'case.assigned',
  'case.escalated',
  'case.paused',
  'case.resumed',
  'case.reopened',
  'case.holdReleased',
  'case.emergency',
  'case.restrictionEnded',
  'case.referred',
  'legalHold.set',
  'legalHold.releaseRequested',
  'legalHold.released',
  'legalHold.copyRead',
  'case.ageAsked',
  'case.decided',
  'cases.exported',
  'cases.downloaded',
  'notices.read',
  'notice.closed',
  'notice.assigned',
  'sanction.revoked',
  'appeal.reviewed',
  'appeal.decided',
  'rule.changed',
  'automaticRule.added',
  'automaticRule.changed',
  'automaticRule.retired',
  'automaticRule.dryRun',
  'automaticRule.switched',
  'automaticRule.hit',
  'automaticRule.undone',
  'helpLine.added',
  'helpLine.changed',
  'helpLine.removed',
  'template.added',
  'template.changed',
  'template.retired',
  'view.shared',
  'view.changed',
  'view.deleted',
  'pictures.read',
  'picture.approved',
  'picture.rejected',
  'selfies.read',
  'selfie.approved',
  'selfie.again',
  'selfie.rejected',
  'subscription.read',
  'premium.granted',
  'premium.grantRevoked',
  'jobs.retried',
  'mail.retried',
  'transparency.requested',
  'transparency.made',
  'secondLook.judged',
  'goldenCase.added',
  'goldenCase.retired',
  'service.changed',
  'service.textPublished',
  'invitation.made',
  'invitation.revoked',
] as const;

const auditEventSchema = z.object({
  _id: z.string(),
  at: timeSchema,
  actor: z.object({ _id: z.nullable(z.string()), name: z.string(), role: z.string() }),
  action: z.enum(auditActions),
  target: z.object({ type: z.string(), id: z.nullable(z.string()) }),
  reason: z.optional(z.string()),
  /** Each changed field with its value before and after. */
  changes: z.optional(z.record(z.string(), z.object({ from: z.unknown(), to: z.unknown() }))),
});

export type AuditAction = (typeof auditActions)[number];
export type AuditEventView = z.output<typeof auditEventSchema>;

/** The filters of the audit trail. Days are in UTC, and ranges include both ends. */
export const auditFilters = {
  action: z.optional(z.enum(auditActions)),
  targetId: z.optional(idSchema),
  actorId: z.optional(idSchema),
  from: dayFilter,
  to: dayFilter,
};
export const auditRanges: Ranges<keyof typeof auditFilters> = [['from', 'to']];

export const listAudit = endpoint({
  method: 'GET',
  path: '/admin/audit',
  summary: 'List what staff did and read, newest first. Reading it is audited too.',
  access: 'audit.view',
  query: z.object({ ...pageQuery, ...auditFilters, cursor: z.optional(text(1, 512)) }),
  response: answer({ data: z.object({ events: z.array(auditEventSchema), pagination: paginationSchema }) }),
});

export const exportAudit = endpoint({
  method: 'GET',
  path: '/admin/audit/export',
  summary:
    'Export the events that a search finds as CSV, streamed, newest first, as the caller sees them. Needs a reason; audited, at the end with the rows and the hash of the file.',
  access: 'audit.view',
  limit: 'export',
  query: z.object({ ...auditFilters, reason: trimmedText(1, reasonMaxLength) }),
  streams: 'text/csv; charset=utf-8',
});

const auditCheckSchema = z.object({
  startedAt: timeSchema,
  /** Null while the check is running. */
  finishedAt: z.nullable(timeSchema),
  /** Sealed batches that were found intact, and their events. */
  batches: z.number(),
  events: z.number(),
  /**
   * The first batch that differs from its seal, with the time of its latest event; the time is null if the seal is
   * missing.
   */
  firstBad: z.nullable(z.object({ batch: z.number(), until: z.nullable(timeSchema) })),
});

export type AuditCheck = z.output<typeof auditCheckSchema>;

export const getAuditCheck = endpoint({
  method: 'GET',
  path: '/admin/audit/check',
  summary: 'Read the newest seal of the audit trail and the last comparison of the trail with its seals.',
  access: 'audit.view',
  response: answer({
    data: z.object({
      newest: z.nullable(z.object({ batch: z.number(), hash: z.string() })),
      /** The last finished check. */
      check: z.nullable(auditCheckSchema),
      running: z.nullable(auditCheckSchema),
    }),
  }),
});

export const requestAuditCheck = endpoint({
  method: 'POST',
  path: '/admin/audit/check',
  summary: 'Compare the whole audit trail with its seals, in the background.',
  access: 'audit.verify',
  writes: true,
  response: answer({}),
  stale: ['/admin/audit/check'],
});
