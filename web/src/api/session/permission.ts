import { useSyncExternalStore } from 'react';
import { may, type Permission } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { onSessionChange, readSession, type StoredUser } from './stored-session.ts';

/** The role of a staff account, which is administrator unless another role is set. Null for members and visitors. */
export function roleOf(user: Pick<StoredUser, 'isAdmin' | 'staffRole'> | null): StaffRole | null {
  return user?.isAdmin === true ? (user.staffRole ?? 'admin') : null;
}

/** The role of the signed-in user. */
export function useOwnRole(): StaffRole | null {
  return useSyncExternalStore(onSessionChange, () => roleOf(readSession().user));
}

/** Whether the signed-in user has a permission, so that screens can leave out what the server would refuse. */
export function useMay(permission: Permission): boolean {
  return may(useOwnRole(), permission);
}
