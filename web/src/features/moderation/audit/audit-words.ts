import type { AuditAction } from '#contract/moderation/audit.ts';
import { stageWords } from '../cases/case-words.ts';
import { pictureStateWords } from '../pictures/picture-data.ts';
import { priorityWords, statusWords } from '../reports/report-words.ts';
import { t } from '../../../ui/text/text.ts';
import { roleNames } from '#contract/roles.ts';

/** The label of each action in the filter. */
export const actionNames: Record<AuditAction, string> = {
  'user.read': 'User viewed',
  'user.edited': 'User edited',
  'user.activated': 'User activated',
  'user.deactivated': 'User deactivated',
  'role.changed': 'Role changed',
  'access.denied': 'Access denied',
  'pii.revealed': 'Private data revealed',
  'matching.explained': 'Matching explained',
  'user.roleChanged': 'Role changed (before ranks)',
  'user.written': 'Member written to',
  'user.factorsReset': 'Two-step verification reset',
  'user.sessionsEnded': 'Signed out everywhere',
  'user.fileRead': 'File viewed',
  'user.noted': 'Note added',
  'user.noteChanged': 'Note changed',
  'user.tagged': 'User tagged',
  'user.untagged': 'Tag removed',
  'tag.added': 'Tag created',
  'tag.renamed': 'Tag renamed',
  'tag.merged': 'Tags merged',
  'tag.retired': 'Tag retired',
  'users.exported': 'Users exported',
  'users.downloaded': 'Export downloaded',
  'users.bulk': 'Acted on many users',
  'approval.requested': 'Approval requested',
  'approval.decided': 'Approval decided',
  'users.lookedUp': 'Users looked up',
  'audit.read': 'Audit trail read',
  'audit.checked': 'Audit trail check started',
  'administrator.created': 'Administrator created',
  'report.read': 'Report viewed',
  'report.statusChanged': 'Report status changed',
  'report.statusUndone': 'Report status change undone',
  'report.priorityChanged': 'Report priority changed',
  'report.replied': 'Report replied to',
  'report.noted': 'Note on report added',
  'report.deleted': 'Report deleted',
  'case.opened': 'Case opened',
  'case.read': 'Case viewed',
  'case.claimed': 'Case claimed',
  'case.released': 'Case released',
  'case.assigned': 'Case assigned',
  'case.escalated': 'Case escalated',
  'case.paused': 'Case paused',
  'case.resumed': 'Case resumed',
  'case.reopened': 'Case reopened',
  'case.decided': 'Case decided',
  'sanction.revoked': 'Sanction revoked',
  'appeal.reviewed': 'Appeal taken into review',
  'appeal.decided': 'Appeal decided',
  'rule.changed': 'Rule changed',
  'template.added': 'Reply template added',
  'template.changed': 'Reply template changed',
  'template.retired': 'Reply template retired',
  'view.shared': 'List of cases shared',
  'view.changed': 'Shared list of cases changed',
  'view.deleted': 'Shared list of cases deleted',
  'pictures.read': 'Pictures viewed',
  'picture.approved': 'Picture approved',
  'picture.rejected': 'Picture rejected',
  'subscription.read': 'Subscriptions viewed',
  'jobs.retried': 'Failed jobs retried',
};

/** An event as a sentence; `{actor}` did it, and `{target}` is the user or report. */
export const actionSentences: Record<AuditAction, string> = {
  'user.read': '{actor} viewed user {target}',
  'user.edited': '{actor} edited user {target}',
  'user.activated': '{actor} activated user {target}',
  'user.deactivated': '{actor} deactivated user {target}',
  'role.changed': '{actor} changed the role of user {target}',
  'access.denied': '{actor} was kept from {target}',
  'pii.revealed': '{actor} revealed private data of user {target}',
  'matching.explained': '{actor} looked up why user {target} was matched or not',
  'user.roleChanged': '{actor} changed the role of user {target}',
  'user.written': '{actor} wrote to user {target}',
  'user.factorsReset': '{actor} reset two-step verification for user {target}',
  'user.sessionsEnded': '{actor} signed out {target} everywhere',
  'user.fileRead': '{actor} viewed the file of user {target}',
  'user.noted': '{actor} wrote a note about user {target}',
  'user.noteChanged': '{actor} changed a note about user {target}',
  'user.tagged': '{actor} added a tag to user {target}',
  'user.untagged': '{actor} removed a tag from user {target}',
  'tag.added': '{actor} created a tag {target}',
  'tag.renamed': '{actor} renamed a tag {target}',
  'tag.merged': '{actor} merged a tag {target}',
  'tag.retired': '{actor} retired a tag {target}',
  'users.exported': '{actor} exported users',
  'users.downloaded': '{actor} downloaded an export to its end',
  'users.bulk': '{actor} started to act on many users',
  'approval.requested': '{actor} asked for approval of an export',
  'approval.decided': '{actor} decided on an export of a colleague',
  'users.lookedUp': '{actor} looked users up by address',
  'audit.read': '{actor} read the audit trail',
  'audit.checked': '{actor} started a check of the audit trail',
  'administrator.created': '{actor} created the staff account {target}',
  'report.read': '{actor} viewed report {target}',
  'report.statusChanged': '{actor} changed the status of report {target}',
  'report.statusUndone': '{actor} undid a status change of report {target}',
  'report.priorityChanged': '{actor} changed the priority of report {target}',
  'report.replied': '{actor} replied to report {target}',
  'report.noted': '{actor} left an internal note on report {target}',
  'report.deleted': '{actor} deleted report {target}',
  'case.opened': '{actor} opened case {target} on their own initiative',
  'case.read': '{actor} viewed case {target}',
  'case.claimed': '{actor} claimed case {target}',
  'case.released': '{actor} released case {target}',
  'case.assigned': '{actor} assigned case {target}',
  'case.escalated': '{actor} escalated case {target}',
  'case.paused': '{actor} paused case {target}',
  'case.resumed': '{actor} resumed case {target}',
  'case.reopened': '{actor} reopened case {target}',
  'case.decided': '{actor} decided case {target}',
  'sanction.revoked': '{actor} revoked a sanction: {target}',
  'appeal.reviewed': '{actor} took an appeal into review: case {target}',
  'appeal.decided': '{actor} decided an appeal: case {target}',
  'rule.changed': '{actor} changed a community rule {target}',
  'template.added': '{actor} added a reply template {target}',
  'template.changed': '{actor} changed a reply template {target}',
  'template.retired': '{actor} retired a reply template {target}',
  'view.shared': '{actor} shared a list of cases {target}',
  'view.changed': '{actor} changed a shared list of cases {target}',
  'view.deleted': '{actor} deleted a shared list of cases {target}',
  'pictures.read': '{actor} viewed the picture queue',
  'picture.approved': '{actor} approved a picture of user {target}',
  'picture.rejected': '{actor} rejected a picture of user {target}',
  'subscription.read': '{actor} viewed the subscriptions of user {target}',
  'jobs.retried': '{actor} retried failed jobs',
};

const fieldNames: Record<string, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  gender: 'Gender',
  genderText: 'Custom gender',
  birthDate: 'Birth date',
  bio: 'Bio',
  location: 'Location',
  isActive: 'Active',
  staffRole: 'Role',
  search: 'Search',
  kinds: 'Kinds',
  tag: 'Tag',
  name: 'Name',
  text: 'Text',
  title: 'Title',
  status: 'Status',
  state: 'State',
  stage: 'Stage',
  outcome: 'Outcome',
  sanctions: 'Sanctions',
  type: 'Type',
  priority: 'Priority',
  sortBy: 'Sorted by',
  sortOrder: 'Order',
  columns: 'Columns',
  people: 'Users',
  bulk: 'Act',
  rows: 'Rows',
  sha256: 'SHA-256',
  approval: 'Approval',
  verdict: 'Decision',
  email: 'Email',
  shown: 'Shown',
  shownTo: 'Shown to',
};

/** The label of a changed field; a field without a label keeps its technical name. */
export function fieldName(field: string): string {
  return fieldNames[field] ?? field;
}

/** Labels of values, by field. */
const namedValues: Record<string, Record<string, string>> = {
  staffRole: roleNames,
  status: statusWords,
  priority: priorityWords,
  state: pictureStateWords,
  stage: stageWords,
};

/** A value before or after a change as text; an em dash if there is none. */
export function valueWords(field: string, value: unknown): string {
  if (value === null || value === undefined || value === '') return field === 'staffRole' ? t('Member') : '—';
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'string') {
    const words = namedValues[field]?.[value];
    return words === undefined ? value : t(words);
  }
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map((item) => valueWords('', item)).join(', ') || '—';
  const parts = Object.entries(value);
  // The server shortens long lists to their length.
  if (parts.length === 1 && parts[0]?.[0] === 'length') return t('{count} entries', { count: Number(parts[0][1]) });
  if (field === 'location') return parts.map(([, part]) => valueWords('', part)).join(', ');
  return parts.map(([name, part]) => `${name}: ${valueWords('', part)}`).join(', ') || '—';
}
