import { type RawBuilder, sql } from 'kysely';
import { hashToken } from '#platform/config/secrets.ts';
import { inTransaction } from '#platform/db/db.ts';
import { AppError, unauthenticated } from '#platform/http/app-error.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Deps } from '../../../deps.ts';
import { sealSecret, unsealSecret } from '../factors/factors.ts';
import { fromProvider } from '../identity/arrival.ts';
import { RefusedToken } from '../identity/providers/provider.ts';
import { giveRole, lockPerson, requireHouse } from './people.ts';
import type { HousePerson, Known } from './provider.ts';

/** Until then, another request is checking or has just checked. */
const askedSeconds = 10;
/** The job runs every five minutes, and no one works for longer than fifteen without a check. */
const dueSeconds = 600;

/** A running session opened with the house's account, and its person. */
interface Running {
  account_id: string;
  house_grant: Buffer | null;
  issuer: string;
  subject: string;
}

/** Reserves for checking the running sessions that `which` selects and that no one else is checking. */
async function takeOn({ db }: Deps, which: RawBuilder<unknown>, now: Date): Promise<Running[]> {
  const { rows } = await sql<Running>`
    update session s set house_asked_at = ${now} from house_person p
    where p.account_id = s.account_id and s.house_confirmed_at is not null and ${which}
      and s.house_asked_at <= ${secondsAfter(now, -askedSeconds)} and least(s.idle_expires_at, s.expires_at) > ${now}
    returning s.account_id, s.house_grant, p.issuer, p.subject`.execute(db);
  return rows;
}

/**
 * Checks a session with the house's provider by its refresh token, if it was opened with the house's account. 401 if the person may not
 * continue: the session has then ended, and with a changed role all of their sessions. While the provider gives no answer nothing changes;
 * the session ends by itself an hour after the last answer.
 */
export async function confirmSession(deps: Deps, refreshToken: string, now: Date): Promise<void> {
  if (deps.house === null) return;
  const which = sql`s.id = (select session_id from refresh_token where token_hash = ${hashToken(refreshToken)})`;
  for (const running of await takeOn(deps, which, now))
    if ((await ask(deps, running, now)) === 'ended') throw unauthenticated();
}

/** The job that checks sessions whose devices sleep, until the provider stops answering. */
export async function confirmSessions(deps: Deps, now: Date): Promise<void> {
  if (deps.house === null) return;
  const which = sql`s.house_confirmed_at <= ${secondsAfter(now, -dueSeconds)}`;
  for (const running of await takeOn(deps, which, now)) if ((await ask(deps, running, now)) === 'unanswered') return;
}

async function ask(deps: Deps, running: Running, now: Date): Promise<'confirmed' | 'ended' | 'unanswered'> {
  try {
    return await settle(deps, running, await askProvider(deps, running), now);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'UNAVAILABLE') return 'unanswered';
    const { account_id, house_grant } = running;
    await sql`delete from session where account_id = ${account_id}::uuid and house_confirmed_at is not null
      and house_grant is not distinct from ${house_grant}`.execute(deps.db);
    deps.log.info({ accountId: account_id }, 'a session ended, because the house no longer confirms it');
    return 'ended';
  }
}

async function askProvider(deps: Deps, running: Running): Promise<HousePerson> {
  const house = requireHouse(deps);
  return await fromProvider(deps, { id: 'house', name: house.name }, 'UNAUTHENTICATED', async () => {
    const known = knownIn(deps, running);
    if (known === null) throw new RefusedToken('no grant');
    return await house.askAgain(known);
  });
}

/** The person of a session with the grant to check it; null without one, with another provider, and once the key has changed. */
export function knownIn(deps: Deps, { account_id, house_grant, issuer, subject }: Running): Known | null {
  if (house_grant === null || issuer !== requireHouse(deps).issuer) return null;
  try {
    return { subject, grant: unsealSecret(deps.factorKey, account_id, house_grant) };
  } catch {
    return null;
  }
}

/**
 * Stores the provider's answer. A changed role ends all sessions of the account. An answer for a session that has ended meanwhile changes
 * nothing, because it may be older than the answer that ended the session and would restore a role.
 */
async function settle(deps: Deps, { account_id, house_grant }: Running, person: HousePerson, now: Date) {
  return await inTransaction(deps.db, async (tx) => {
    const account = await lockPerson(tx, person);
    if (account?.id !== account_id) throw unauthenticated();
    const grant = person.grant === null ? null : sealSecret(deps.factorKey, account_id, person.grant);
    const running = await tx
      .updateTable('session')
      .set({ house_confirmed_at: now, house_grant: grant })
      .where('account_id', '=', account_id)
      .where('house_grant', '=', house_grant)
      .returning('id')
      .executeTakeFirst();
    if (running === undefined) throw unauthenticated();
    const role = await giveRole({ tx, deps, now }, account, person.role);
    return role === account.staff_role ? 'confirmed' : 'ended';
  });
}
