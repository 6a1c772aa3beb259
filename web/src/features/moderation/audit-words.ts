import type { AuditAction } from '#contract/audit.ts';

/** An action as the filter names it. */
export const actionNames: Record<AuditAction, string> = {
  'user.read': 'User viewed',
  'user.edited': 'User edited',
  'user.activated': 'User activated',
  'user.deactivated': 'User deactivated',
  'user.roleChanged': 'Role changed',
  'users.exported': 'Users exported',
  'audit.read': 'Audit trail read',
  'administrator.created': 'Administrator created',
};

/** An event as a sentence; `{actor}` and `{target}` are people. */
export const actionSentences: Record<AuditAction, string> = {
  'user.read': '{actor} viewed user {target}',
  'user.edited': '{actor} edited user {target}',
  'user.activated': '{actor} activated user {target}',
  'user.deactivated': '{actor} deactivated user {target}',
  'user.roleChanged': '{actor} changed the role of user {target}',
  'users.exported': '{actor} exported users',
  'audit.read': '{actor} read the audit trail',
  'administrator.created': '{actor} created the staff account {target}',
};

const fieldNames: Record<string, string> = {
  firstName: 'First name',
  lastName: 'Last name',
  gender: 'Gender',
  genderText: 'Gender in own words',
  birthDate: 'Birth date',
  bio: 'Bio',
  location: 'Location',
  isActive: 'Active',
  staffRole: 'Role',
  search: 'Search',
  status: 'Status',
  type: 'Type',
  sortBy: 'Sorted by',
  sortOrder: 'Order',
  email: 'Email',
};

/** A changed field's name for people; one without words keeps its own. */
export function fieldName(field: string): string {
  return fieldNames[field] ?? field;
}

/** A staff role in words; whoever is none is not in it. */
export const roleNames: Record<string, string> = { admin: 'Administrator', moderator: 'Moderator' };

/** A value before or after a change in words; what is not there is an em dash. */
export function valueWords(field: string, value: unknown, t: (text: string) => string): string {
  if (value === null || value === undefined || value === '') return field === 'staffRole' ? t('Member') : '—';
  if (typeof value === 'boolean') return value ? t('Yes') : t('No');
  if (typeof value === 'string') return field === 'staffRole' ? t(roleNames[value] ?? value) : value;
  if (typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map((item) => valueWords('', item, t)).join(', ') || '—';
  const parts = Object.entries(value);
  if (field === 'location') return parts.map(([, part]) => valueWords('', part, t)).join(', ');
  return parts.map(([name, part]) => `${name}: ${valueWords('', part, t)}`).join(', ') || '—';
}
