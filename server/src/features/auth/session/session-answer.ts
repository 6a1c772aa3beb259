import type { OwnUser } from '#contract/profiles/user.ts';
import { lacksSecondFactor, loadNewCaller } from '../../../platform/session/caller.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { deviceName } from '../../../platform/session/device.ts';
import { openSteps, toOwnUser, type OpenSteps } from '../../../platform/session/own-user.ts';
import { watchDevice } from './devices.ts';
import { openSession, type TokenPair } from '../../../platform/session/sessions.ts';

/** Where a request comes from, as a session keeps it. */
export interface Origin {
  userAgent: string | undefined;
  network: string;
}

/** What a device is told when it is signed in. */
export type SignedIn = TokenPair & OpenSteps & { user: OwnUser; requiresSecondFactor: boolean };

/**
 * Opens a session for an account and tells the device who it is and what is still to do; its owner is mailed when they were
 * never seen on it, unless the account is new. `secondFactor` says that more than a password or an identity was shown.
 */
export async function signDeviceIn(
  deps: Deps,
  tx: Db,
  account: { id: string; staff_role: string | null },
  origin: Origin,
  now: Date,
  { secondFactor = false, isNew = false }: { secondFactor?: boolean; isNew?: boolean } = {},
): Promise<SignedIn> {
  const device = { name: deviceName(origin.userAgent), network: origin.network };
  const { sessionId, token, refreshToken } = await openSession(
    tx,
    deps.tokens,
    { id: account.id, isStaff: account.staff_role !== null },
    device,
    now,
    secondFactor,
  );
  await watchDevice(tx, account, device, now, isNew);
  const caller = await loadNewCaller(tx, sessionId, account.id, now);
  return {
    token,
    refreshToken,
    user: toOwnUser(caller, now, deps.pictures),
    ...openSteps(caller),
    requiresSecondFactor: lacksSecondFactor(deps.config, caller),
  };
}
