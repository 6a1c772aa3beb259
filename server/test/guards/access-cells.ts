import { may, type Permission } from '#contract/roles.ts';
import { eachStaff, type Role } from './people.ts';
import type { CallRequest, Scene } from './requests.ts';

/** The status that each role gets for an endpoint's regular request. */
export type Cells = Record<Role, number>;

export interface Row {
  cells: Cells;
  /** A member's request about another member's data. */
  others?: { status: number; request: (scene: Scene) => CallRequest | Promise<CallRequest> };
}

/** The same status for every staff role. */
export const allStaff = (status: number) => eachStaff(() => status);

/** The same status for every role. */
export const everyone = (status: number): Cells => ({
  visitor: status,
  member: status,
  unverified: status,
  incomplete: status,
  vip: status,
  ...allStaff(status),
  deactivated: status,
  leaving: status,
});
export const signedIn = (status: number): Cells => ({
  ...everyone(status),
  visitor: 401,
  deactivated: 401,
  leaving: 401,
});
export const completed = (status: number): Cells => ({ ...signedIn(status), unverified: 403, incomplete: 403 });

/** `status` for staff whose role has the permission; `refused` for everyone else. */
export const permitted = (permission: Permission, status: number): Cells => ({
  ...signedIn(403),
  ...staffWith(permission, status, 403),
});

/** One status for staff with a permission, another for those without. */
export const staffWith = (permission: Permission, status: number, refused: number) =>
  eachStaff((role) => (may(role, permission) ? status : refused));

export const memberOnly = (status: number): Cells => ({ ...signedIn(status), ...allStaff(403) });
