import * as z from 'zod/mini';

/** The staff roles. */
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
/** The name of a staff role. */
export const staffRoleSchema = z.enum(staffRoles);
