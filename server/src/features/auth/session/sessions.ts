import { lacksSecondFactor, loadOwner } from '#platform/session/caller.ts';
import type { Db } from '#platform/db/db.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { deviceName, type HouseStamp, openSession, type TokenPair, type Device } from '#platform/session/sessions.ts';
import { openSteps, toOwnUser, type OpenSteps } from '#platform/session/own-user.ts';
import { audit } from '#platform/db/audit.ts';
import { noteAccount } from '#platform/process/log.ts';
import { sql } from 'kysely';
import { knownDeviceDays, freshSignInMinutes } from '#contract/constants.ts';
import { unauthenticated } from '#platform/http/app-error.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { accountById, mailboxOf } from '../accounts.ts';

/** The context of a command that signs someone in, for a caller who is signed out or signed in as someone else. */
export type ArrivalContext = Omit<CommandContext, 'caller'>;

/** What a device receives when it is signed in. */
export type SignedIn = TokenPair & OpenSteps & { user: ReturnType<typeof toOwnUser>; requiresSecondFactor: boolean };

interface SigningIn {
  secondFactor?: boolean;
  isNew?: boolean;
  house?: HouseStamp | undefined;
}

/**
 * Opens a session for an account and returns the user and the steps they still have to complete. The owner is emailed if the device is new,
 * unless the account is new as well. Set `secondFactor` if more than a password or an identity was checked, and `house` if staff used the
 * house's account, which is audited.
 */
export async function signDeviceIn(
  { tx, deps, now, userAgent, network }: ArrivalContext,
  account: { id: string; staff_role: string | null },
  { secondFactor = false, isNew = false, house }: SigningIn = {},
): Promise<SignedIn> {
  const device = { name: deviceName(userAgent), network };
  const owner = { id: account.id, isStaff: account.staff_role !== null, hasSecondFactor: secondFactor, house };
  const { sessionId, token, refreshToken } = await openSession(tx, owner, device, { tokens: deps.tokens, now });
  if (!(await noteDevice(tx, account.id, device, now)) && !isNew) await warnOfDevice(tx, account, device, now);
  const caller = await loadOwner(tx, sessionId, account.id, now);
  if (caller === null) throw new Error('a session just opened cannot be read');
  if (house !== undefined) await audit({ tx, caller, now }, { type: 'user', id: account.id }, 'staff.signedIn');
  noteAccount(account.id, { signedIn: true });
  return {
    token,
    refreshToken,
    user: toOwnUser(caller, now, deps.pictures),
    ...openSteps(caller),
    requiresSecondFactor: lacksSecondFactor(deps.config, caller),
  };
}

/** Records the device an account signs in on; returns whether it was used within the last ninety days. */
async function noteDevice(tx: Db, accountId: string, { name, network }: Device, now: Date): Promise<boolean> {
  const { rows } = await sql<{ last_seen_at: Date | null; is_first: boolean }>`
    with before as (
      select last_seen_at from known_device
      where account_id = ${accountId} and device = ${name} and network = ${network ?? ''} for update
    ), seen as (
      -- After the row above is locked: the aggregate reads it first.
      insert into known_device as d (account_id, device, network, last_seen_at)
        select ${accountId}::uuid, ${name}::text, ${network ?? ''}::text, ${now}::timestamptz from (select count(*) from before) locked
        on conflict (account_id, device, network) do update set last_seen_at = excluded.last_seen_at
        returning d.xmax = 0 as is_first
    )
    select is_first, (select last_seen_at from before) as last_seen_at from seen`.execute(tx);
  const [seen] = rows;
  if (seen === undefined || seen.is_first) return false;
  // If there is no time, another sign-in has just recorded the device.
  return seen.last_seen_at === null || seen.last_seen_at > secondsAfter(now, -knownDeviceDays * 86_400);
}

/** Emails the owner of an account that a new device signed in. */
async function warnOfDevice(
  tx: Db,
  account: { id: string; staff_role: string | null },
  device: Device,
  now: Date,
): Promise<void> {
  const data = {
    device: device.name,
    network: device.network ?? '',
    at: now,
    settings: account.staff_role === null ? '/app/settings' : '/settings',
  };
  await queueMail(tx, { ...mailboxOf(await accountById(tx, account.id)), template: 'newDevice', data }, now);
}

/**
 * When the owner of a session last signed in, or confirmed it with a linked identity; 401 for a session that has ended.
 */
export async function freshSince(db: Db, sessionId: string): Promise<Date> {
  const session = await db
    .selectFrom('session')
    .select(['created_at', 'confirmed_at'])
    .where('id', '=', sessionId)
    .executeTakeFirst();
  if (session === undefined) throw unauthenticated();
  const { created_at, confirmed_at } = session;
  return confirmed_at !== null && confirmed_at > created_at ? confirmed_at : created_at;
}

/** Whether the sign-in is recent enough to skip another confirmation. */
export async function isFresh(db: Db, sessionId: string, now: Date): Promise<boolean> {
  return (await freshSince(db, sessionId)) > secondsAfter(now, -freshSignInMinutes * 60);
}
