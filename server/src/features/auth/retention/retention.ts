import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type { restoreAccount } from '#contract/auth/auth.ts';
import type { Proof } from '#contract/auth/factors.ts';
import { formerAddressDays, restoreDays } from '#contract/constants.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import type { Deps } from '../../../deps.ts';
import type { Emit } from '../../../events.ts';
import { hashToken } from '#platform/config/secrets.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { isPreserved } from '#platform/db/preservation.ts';
import { AppError } from '#platform/http/app-error.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { queueMail } from '#platform/notify/mail.ts';
import { forgetAccounts, isFree } from '#platform/people/forget.ts';
import { dayOf, secondsAfter } from '#platform/process/clock.ts';
import type { CommandContext, CallContext } from '#platform/http/mount.ts';
import { endSessions } from '#platform/session/sessions.ts';
import { giveInvitationsBack } from '../../service/public.ts';
import { mailboxOf, refuseAddresses } from '../accounts.ts';
import { formerAddresses } from '../address/changes.ts';
import {
  judgeFactor,
  judgeProof,
  type JudgedProof,
  requireFactor,
  requireProof,
  type ShownFactor,
} from '../password/proof.ts';
import { newRestoreHandle, restoreUntil } from '../session/challenges.ts';
import type { ArrivalContext } from '../session/sessions.ts';
import { recordAct } from './ledger.ts';

const linkIsOver = () => new AppError('INVALID_CODE', msg`This link is no longer valid.`);

/** Checks the proof for deleting the account; 403 for staff, who can't delete their own account. */
export async function prepareLeaving(context: CallContext, proof: Proof): Promise<JudgedProof> {
  if (context.caller.staffRole !== null)
    throw new AppError('FORBIDDEN', msg`Staff accounts are removed by another administrator`);
  return await judgeProof(context, proof);
}

/** Hides the caller, ends every session and emails a link that restores the account; returns until when it works. */
export async function leave(context: CommandContext, proof: JudgedProof): Promise<Date> {
  const { tx, now } = context;
  const until = restoreUntil(now);
  const account = await requireProof(context, proof);
  await tx.updateTable('account').set({ leaving_since: now }).where('id', '=', account.id).execute();
  await endSessions(tx, account.id);
  await addJob(tx, 'account.leaving', { accountId: account.id }, { jobKey: `account.leaving ${account.id}` });
  await recordAct(tx, account.id, { act: 'left' }, now);
  const token = await newRestoreHandle(tx, account.id, now, now);
  await queueMail(
    tx,
    {
      ...mailboxOf(account),
      template: 'leaving',
      data: { token, until: dayOf(until) },
      expiresAt: until,
    },
    now,
  );
  for (const to of await formerAddresses(tx, account.id, formerAddressDays, now))
    await queueMail(tx, { to, accountId: account.id, template: 'leavingElsewhere', data: {} }, now);
  return until;
}

interface Restoring {
  accountId: string;
  factor: ShownFactor;
}

/** The account of a restore handle, and the second factor or passkey it requires; 400 for an unknown, used or expired handle. */
export async function prepareRestoring(
  context: CallContext<unknown>,
  { token, ...shown }: BodyOf<typeof restoreAccount>,
): Promise<Restoring> {
  const handle = await context.deps.db
    .selectFrom('restore_handle')
    .select('account_id')
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', context.now)
    .executeTakeFirst();
  if (handle === undefined) throw linkIsOver();
  return { accountId: handle.account_id, factor: await judgeFactor(context, handle.account_id, shown) };
}

/** Restores a leaving account and emails its owner. The handle stays valid until every required proof was shown. */
export async function restore(
  context: ArrivalContext,
  { token, accountId, factor }: Restoring & { token: string },
): Promise<void> {
  const { tx, now } = context;
  const account = await requireFactor(context, accountId, factor);
  const used = await tx
    .deleteFrom('restore_handle')
    .where('account_id', '=', account.id)
    .returning('token_hash')
    .execute();
  if (!used.some(({ token_hash }) => token_hash.equals(hashToken(token)))) throw linkIsOver();
  await tx.updateTable('account').set({ leaving_since: null }).where('id', '=', account.id).execute();
  await recordAct(tx, account.id, { act: 'returned' }, now);
  await queueMail(tx, { ...mailboxOf(account), template: 'accountRestored', data: {} }, now);
}

const day = 86_400;
const unverifiedDays = 30;
const inactiveMonths = 24;
const warnedDays = 30;
const readAtOnce = 500;
/**
 * An approximate limit: thousands of emails at once, to people who have forgotten the service, would be treated as
 * spam.
 */
const warnedADay = 5000;
const noId = '00000000-0000-0000-0000-000000000000';

/** Which accounts `a` a rule deletes; `spare` may still exclude one under the account's lock. */
interface Ending {
  name: string;
  tables: RawBuilder<unknown>;
  isDue: RawBuilder<unknown>;
  spare?: (tx: Db, id: string) => Promise<boolean>;
}

/** Deletes leaving accounts after their 14 days. */
export async function endLeaving(deps: Deps, now: Date): Promise<void> {
  // Waits until the act is stored outside the database.
  const isDue = sql`a.leaving_since <= ${secondsAfter(now, -restoreDays * day)} and a.staff_role is null
    and not exists (select from ledger_entry l where l.account_id = a.id and not l.is_kept and l.seq is null)`;
  await endAll(deps, { name: 'leaving', tables: sql`account a`, isDue }, now);
}

/** Deletes accounts that were created 30 days ago and never verified their address, as the privacy policy says of all. */
export async function endUnverified(deps: Deps, now: Date): Promise<void> {
  // Accounts without any sign-in method are demo members.
  const isSomebody = sql`(a.password_hash is not null or exists (select from identity i where i.account_id = a.id))`;
  const isDue = sql`a.email_verified_at is null and a.created_at <= ${secondsAfter(now, -unverifiedDays * day)}
    and ${isSomebody} and a.staff_role is null and a.leaving_since is null`;
  await endAll(deps, { name: 'unverified', tables: sql`account a`, isDue }, now);
}

/** Deletes accounts that were warned 30 days ago and not used since. */
export async function endWarned(deps: Deps, now: Date): Promise<void> {
  const tables = sql`inactivity_warning w join account a on a.id = w.account_id`;
  const isDue = sql`w.warned_at <= ${secondsAfter(now, -warnedDays * day)}`;
  await endAll(deps, { name: 'warned', tables, isDue, spare: forgetWarning }, now);
}

/** Deletes the warning of an account that was used since, is leaving or became staff; returns whether there was one. */
async function forgetWarning(tx: Db, id: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from inactivity_warning w using account a, presence p
    where w.account_id = ${id}::uuid and a.id = w.account_id and p.account_id = w.account_id
      and (a.staff_role is not null or a.leaving_since is not null or p.last_active_at > w.warned_at
        or exists (select from session s where s.account_id = w.account_id and s.last_used_at > w.warned_at))`.execute(
    tx,
  );
  return numAffectedRows === 1n;
}

/** Deletes the accounts that a rule matches, each in its own transaction. */
async function endAll(deps: Deps, rule: Ending, now: Date): Promise<void> {
  const due = pagesOf<{ id: string }>(async (after) => {
    const { rows } = await sql<{ id: string }>`
      select a.id from ${rule.tables} where ${rule.isDue} and ${isFree('account')} and a.id > ${after?.id ?? noId}::uuid
      order by a.id limit ${readAtOnce}`.execute(deps.db);
    return rows;
  });
  await eachInTurn(due, ({ id }) => inTransaction(deps.db, (tx) => endOne(deps, tx, rule, { id, now })), {
    round: `auth.endAccounts ${rule.name}`,
    keyOf: ({ id }) => id,
  });
}

/**
 * The account is locked first, so that no one restores it or sets a legal hold in the meantime. The address of a
 * deactivated account is blocked.
 */
async function endOne(
  { emit, addressKey }: Deps,
  tx: Db,
  { tables, isDue, spare }: Ending,
  { id, now }: { id: string; now: Date },
): Promise<void> {
  const { rows } = await sql<{ email: string; is_active: boolean }>`
    select a.email, a.is_active from ${tables} where ${isDue} and a.id = ${id}::uuid for update of a skip locked`.execute(
    tx,
  );
  const [account] = rows;
  if (account === undefined || (await isPreserved(tx, id)) || (await spare?.(tx, id)) === true) return;
  await refuseAddresses(tx, addressKey, account.is_active ? [] : [account.email], now);
  await deleteAccounts(tx, emit, [id]);
}

/**
 * Deletes accounts with all their data. Other features first delete their own; the map of data about people names the remaining tables that
 * no foreign key covers. Invitations used by people who never verified their address can be used again.
 */
export async function deleteAccounts(tx: Db, emit: Emit, accountIds: string[]): Promise<void> {
  // A like at the same time finds no one, instead of making a match after what follows from matches was removed.
  await sql`select from account where id = any (${accountIds}::uuid[]) order by id for update`.execute(tx);
  await emit(tx, 'accountsEnding', { accountIds });
  await giveInvitationsBack(tx, accountIds);
  await forgetAccounts(tx, accountIds);
  await sql`delete from account where id = any (${accountIds}::uuid[])`.execute(tx);
}

/** An account's position in the order of activity; the time is text, exact to the microsecond. */
interface Position {
  id: string;
  last_active_at: string;
}

interface Unused extends Position {
  email: string;
  is_active: boolean;
  is_due: boolean;
}

/**
 * Warns members who have been inactive for two years, once, that their account will be deleted in 30 days unless they
 * return; the longest inactive first, a few thousand a day.
 */
export async function warnUnused({ db }: Deps, now: Date): Promise<void> {
  const until = dayOf(secondsAfter(now, warnedDays * day));
  let warned = 0;
  const unused = pagesOf<Unused>(async (after) => (warned < warnedADay ? await unusedAfter(db, after, now) : []));
  const warn = async (account: Unused) => {
    if (!account.is_due) return;
    await inTransaction(db, async (tx) => {
      await tx.insertInto('inactivity_warning').values({ account_id: account.id, warned_at: now }).execute();
      const template = account.is_active ? 'unused' : 'unusedWhileDeactivated';
      await queueMail(tx, { ...mailboxOf(account), template, data: { until } }, now);
    });
    warned += 1;
  };
  await eachInTurn(unused, warn, { round: 'auth.endAccounts unused', keyOf: ({ id }) => id });
}

/**
 * The next accounts in the index of activity, least recent first; accounts that were never active count from their
 * creation.
 */
async function unusedAfter(db: Db, after: Position | undefined, now: Date): Promise<Unused[]> {
  const since = sql`${now}::timestamptz - make_interval(months => ${inactiveMonths})`;
  const { rows } = await sql<Unused>`
    with unused as (
      select account_id, last_active_at from presence
      where last_active_at <= ${since}
        and (last_active_at, account_id) > (${after?.last_active_at ?? '-infinity'}::timestamptz, ${after?.id ?? noId}::uuid)
      order by last_active_at, account_id limit ${readAtOnce}
    )
    select a.id, a.email, a.is_active, u.last_active_at::text,
      a.created_at <= ${since} and a.staff_role is null and a.leaving_since is null
        and not exists (select from inactivity_warning w where w.account_id = a.id)
        and not exists (select from session s where s.account_id = a.id and s.last_used_at > ${since}) as is_due
    from unused u join account a on a.id = u.account_id
    order by u.last_active_at, u.account_id`.execute(db);
  return rows;
}
