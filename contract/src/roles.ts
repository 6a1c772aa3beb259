import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import type { StaffRole } from './staff-roles.ts';

/**
 * What each staff role may do, defined only here. `isAdmin` opens the back office and these lists narrow it. Endpoints
 * name one of the permissions as their `access`; `docs/roles.csv` explains them, and a test compares the two.
 */
export const permissions = {
  'dashboard.view': ['analyst', 'support', 'moderator', 'senior', 'billing', 'auditor', 'admin', 'owner'],
  'revenue.view': ['analyst', 'senior', 'billing', 'auditor', 'admin', 'owner'],
  'safety.view': ['analyst', 'moderator', 'senior', 'auditor', 'admin', 'owner'],
  'users.list': ['support', 'moderator', 'senior', 'billing', 'auditor', 'admin', 'owner'],
  'users.seePrivate': ['admin', 'owner'],
  'users.reveal': ['support', 'moderator', 'senior', 'billing', 'admin', 'owner'],
  'users.edit': ['support', 'senior', 'admin', 'owner'],
  'users.export': ['admin', 'owner'],
  'users.secure': ['admin', 'owner'],
  'users.visibility': ['support', 'moderator', 'senior', 'admin', 'owner'],
  'users.note': ['support', 'moderator', 'senior', 'billing', 'admin', 'owner'],
  'users.help': ['support', 'senior', 'admin', 'owner'],
  'tags.manage': ['senior', 'admin', 'owner'],
  'pictures.review': ['moderator', 'senior', 'admin', 'owner'],
  'reports.list': ['support', 'moderator', 'senior', 'billing', 'auditor', 'admin', 'owner'],
  'reports.handle': ['support', 'moderator', 'senior', 'billing', 'admin', 'owner'],
  'reports.delete': ['admin', 'owner'],
  'cases.list': ['moderator', 'senior', 'auditor', 'admin', 'owner'],
  'cases.handle': ['moderator', 'senior', 'admin', 'owner'],
  'cases.lead': ['senior', 'admin', 'owner'],
  'evidence.view': ['moderator', 'senior', 'admin', 'owner'],
  'sanctions.long': ['senior', 'admin', 'owner'],
  'sanctions.revoke': ['senior', 'admin', 'owner'],
  'appeals.decide': ['senior', 'admin', 'owner'],
  'rules.edit': ['senior', 'admin', 'owner'],
  'subscriptions.view': ['support', 'senior', 'billing', 'auditor', 'admin', 'owner'],
  'payments.change': ['billing', 'admin', 'owner'],
  'premium.grant': ['support', 'senior', 'billing', 'admin', 'owner'],
  'audit.view': ['auditor', 'admin', 'owner'],
  'audit.verify': ['admin', 'owner'],
  'matching.view': ['analyst', 'admin', 'owner'],
  'matching.explain': ['admin', 'owner'],
  'operations.view': ['auditor', 'admin', 'owner'],
  'operations.retry': ['admin', 'owner'],
  'team.view': ['auditor', 'admin', 'owner'],
  'roles.assign': ['admin', 'owner'],
  'service.edit': ['admin', 'owner'],
} as const satisfies Record<string, readonly StaffRole[]>;

export type Permission = keyof typeof permissions;

/** Whether an endpoint's `access` is a staff permission. */
export function isPermission(access: string): access is Permission {
  return Object.hasOwn(permissions, access);
}

/** Whether a role, or null for a member, has a permission. */
export function may(role: StaffRole | null, permission: Permission): boolean {
  const roles: readonly StaffRole[] = permissions[permission];
  return role !== null && roles.includes(role);
}

/** The role names shown on screens. */
export const roleNames: Record<StaffRole, MessageDescriptor> = {
  analyst: msg`Analyst`,
  support: msg`Support`,
  moderator: msg`Moderator`,
  senior: msg`Senior moderator`,
  billing: msg`Billing`,
  auditor: msg`Auditor`,
  admin: msg`Administrator`,
  owner: msg`Owner`,
};

/** Whether a word names a role. */
export function isStaffRole(word: string): word is StaffRole {
  return Object.hasOwn(roleNames, word);
}

/** How many members' private data a person may reveal in an hour. */
export const revealsPerHour: Record<StaffRole, number> = {
  analyst: 0,
  support: 10,
  moderator: 20,
  senior: 50,
  billing: 10,
  auditor: 0,
  admin: 50,
  owner: 50,
};

/**
 * How many people a person may look up by address in an hour, found or not. Roles that see addresses anyway have no limit, and their
 * look-ups are only audited.
 */
export const lookupsPerHour: Record<StaffRole, number> = {
  analyst: 0,
  support: 60,
  moderator: 60,
  senior: 120,
  billing: 60,
  auditor: 0,
  admin: 0,
  owner: 0,
};

/** How many days of premium a role may give: in one grant, and in total to one person within a year. */
export const premiumGrantDays: Record<StaffRole, number> = {
  analyst: 0,
  support: 7,
  moderator: 0,
  senior: 31,
  billing: 31,
  auditor: 0,
  admin: 366,
  owner: 366,
};

/** Which reports a role may see, if it may see reports: support sees none about safety, billing only those about payments. */
export type ReportScope = 'all' | 'nonSafety' | 'payment';

export const reportScopes: Partial<Record<StaffRole, ReportScope>> = { support: 'nonSafety', billing: 'payment' };

/** The kinds of entries in a person's file, and the permission each needs: other roles see neither the entries nor the filter. */
export const fileKinds = {
  report: 'reports.list',
  reported: 'reports.list',
  message: 'reports.list',
  case: 'cases.list',
  decision: 'cases.list',
  sanction: 'cases.list',
  appeal: 'cases.list',
  link: 'cases.list',
  picture: 'pictures.review',
  subscription: 'subscriptions.view',
  payment: 'subscriptions.view',
  mail: 'users.help',
  signIn: 'users.help',
  help: 'users.help',
  note: 'users.list',
  tag: 'users.list',
  profile: 'users.list',
  read: 'audit.view',
} as const satisfies Record<string, Permission>;
export type FileKind = keyof typeof fileKinds;

/** Every kind, in the order of the table. */
export const fileKindNames = Object.keys(fileKinds) as FileKind[];

const ranks: Record<StaffRole, number> = {
  analyst: 1,
  support: 1,
  billing: 1,
  auditor: 1,
  moderator: 1,
  senior: 2,
  admin: 3,
  owner: 4,
};

const rankOf = (role: StaffRole | null) => (role === null ? 0 : ranks[role]);

/** Whether `of` outranks `over`; a member (null) is below every role. */
export function outranks(of: StaffRole | null, over: StaffRole | null): boolean {
  return rankOf(of) > rankOf(over);
}

/**
 * Whether a colleague may give or remove a role: it must be below their own and include no permission that they lack.
 */
export function mayGive(own: StaffRole | null, role: StaffRole | null): boolean {
  if (!may(own, 'roles.assign') || !outranks(own, role)) return false;
  return (Object.keys(permissions) as Permission[]).every((each) => !may(role, each) || may(own, each));
}
