import type { Role } from './people.ts';
import type { CallRequest, Scene } from './requests.ts';

/** The status for each role of a call's regular request. */
export type Cells = Record<Role, number>;

export interface Row {
  cells: Cells;
  /** A member's call about another member's data. */
  others?: { status: number; request: (scene: Scene) => CallRequest | Promise<CallRequest> };
}

/** The same for every role. */
export const everyone = (status: number): Cells => ({
  visitor: status,
  member: status,
  unverified: status,
  incomplete: status,
  vip: status,
  moderator: status,
  administrator: status,
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
export const administrator = (status: number): Cells => ({ ...signedIn(403), administrator: status });
export const staff = (status: number): Cells => ({ ...administrator(status), moderator: status });

export const memberOnly = (status: number): Cells => ({ ...signedIn(status), moderator: 403, administrator: 403 });
