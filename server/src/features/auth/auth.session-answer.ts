import type { OwnUser } from '#contract/user.ts';
import { loadNewCaller } from '../../platform/caller.ts';
import type { Db } from '../../platform/db.ts';
import type { Deps } from '../../platform/deps.ts';
import { deviceName } from '../../platform/device.ts';
import { openSteps, toOwnUser, type OpenSteps } from '../../platform/own-user.ts';
import { openSession, type TokenPair } from '../../platform/sessions.ts';

/** Where a request comes from, as a session keeps it. */
export interface Origin {
  userAgent: string | undefined;
  network: string;
}

/** What a device is told when it is signed in. */
export type SignedIn = TokenPair & OpenSteps & { user: OwnUser };

/** Opens a session for an account and tells the device who it is and what is still to do. */
export async function signDeviceIn(
  deps: Deps,
  tx: Db,
  account: { id: string; staff_role: string | null },
  origin: Origin,
  now: Date,
): Promise<SignedIn> {
  const device = { name: deviceName(origin.userAgent), network: origin.network };
  const { sessionId, token, refreshToken } = await openSession(
    tx,
    deps.tokens,
    { id: account.id, isStaff: account.staff_role !== null },
    device,
    now,
  );
  const caller = await loadNewCaller(tx, sessionId, account.id, now);
  return { token, refreshToken, user: toOwnUser(caller, now, deps.pictures), ...openSteps(caller) };
}
