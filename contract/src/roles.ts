import * as z from 'zod/mini';

/** The roles of staff. */
export const staffRoles = [
  'analyst',
  'support',
  'moderator',
  'senior',
  'billing',
  'auditor',
  'admin',
  'owner',
] as const;
export type StaffRole = (typeof staffRoles)[number];
export const staffRoleSchema = z.enum(staffRoles);

/**
 * What each role of staff may do: the only place that says so. `isAdmin` opens the back office and these lists narrow it. Endpoints
 * name one of the permissions as their `access`; `docs/roles.md` explains them, and a test compares the two.
 */
export const permissions = {
  'dashboard.view': ['analyst', 'support', 'moderator', 'senior', 'billing', 'auditor', 'admin', 'owner'],
  'revenue.view': ['analyst', 'senior', 'billing', 'auditor', 'admin', 'owner'],
  'users.list': ['support', 'moderator', 'senior', 'billing', 'auditor', 'admin', 'owner'],
  'users.seePrivate': ['admin', 'owner'],
  'users.reveal': ['support', 'moderator', 'senior', 'billing', 'admin', 'owner'],
  'users.edit': ['support', 'senior', 'admin', 'owner'],
  'users.export': ['admin', 'owner'],
  'users.secure': ['admin', 'owner'],
  'users.help': ['support', 'senior', 'admin', 'owner'],
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
} as const satisfies Record<string, readonly StaffRole[]>;

export type Permission = keyof typeof permissions;

/** Whether an endpoint's `access` names a permission of staff. */
export function isPermission(access: string): access is Permission {
  return Object.hasOwn(permissions, access);
}

/** Whether a role, or null for a member, has a permission. */
export function may(role: StaffRole | null, permission: Permission): boolean {
  const roles: readonly StaffRole[] = permissions[permission];
  return role !== null && roles.includes(role);
}

/** The roles as screens name them. */
export const roleNames: Record<StaffRole, string> = {
  analyst: 'Analyst',
  support: 'Support',
  moderator: 'Moderator',
  senior: 'Senior moderator',
  billing: 'Billing',
  auditor: 'Auditor',
  admin: 'Administrator',
  owner: 'Owner',
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

/** How many days of premium a role may give: in one grant, and to bring one person's grants of a year to. */
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

/** The reports a role may see, if it sees reports: support none about safety, billing only those about payments. */
export type ReportScope = 'all' | 'nonSafety' | 'payment';

export const reportScopes: Partial<Record<StaffRole, ReportScope>> = { support: 'nonSafety', billing: 'payment' };

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

/** Whether `of` ranks above `over`; a member (null) is below every role. */
export function outranks(of: StaffRole | null, over: StaffRole | null): boolean {
  return rankOf(of) > rankOf(over);
}

/** Whether a member of staff may give a role to someone, or take it: it is below their own and holds no permission that they lack. */
export function mayGive(own: StaffRole | null, role: StaffRole | null): boolean {
  if (!may(own, 'roles.assign') || !outranks(own, role)) return false;
  return (Object.keys(permissions) as Permission[]).every((each) => !may(role, each) || may(own, each));
}
