import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import { verificationLinkTtlHours } from '#contract/constants.ts';
import type { Language } from '#contract/languages.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import type { Db } from '#platform/db/db.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { noteAccount, presentLanguage } from '#platform/process/log.ts';
import { keyedHash, hashToken } from '#platform/config/secrets.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { unauthenticated, AppError } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import type { Caller } from '#platform/session/caller.ts';

/** The account columns needed to sign in or to verify an address. */
export interface AccountRow {
  id: string;
  email: string;
  password_hash: string | null;
  email_verified_at: Date | null;
  staff_role: StaffRole | null;
  is_active: boolean;
  deactivation_reason: string | null;
  leaving_since: Date | null;
  factor_removal_at: Date | null;
  address_restore_at: Date | null;
  reset_held_until: Date | null;
  language: Language;
  first_name: string | null;
  last_name: string | null;
}

const columns =
  sql.raw(`account.id, account.email, account.password_hash, account.email_verified_at, account.staff_role,
  account.is_active, account.deactivation_reason, account.leaving_since, account.factor_removal_at, account.address_restore_at, account.reset_held_until, account.language, profile.first_name, profile.last_name`);

/** The recipient of an account's emails. */
export const mailboxOf = ({ id, email }: { id: string; email: string }) => ({ to: email, accountId: id });

/** Whether staff recently corrected the address, so that its mailbox alone can't reset the password. */
export const isResetHeld = ({ reset_held_until: until }: Pick<AccountRow, 'reset_held_until'>, now: Date): boolean =>
  until !== null && until > now;

/** The language of an account; English if it has been deleted. */
export async function languageOf(db: Db, accountId: string | null): Promise<Language> {
  const row = await db.selectFrom('account').select('language').where('id', '=', accountId).executeTakeFirst();
  return row?.language ?? 'en';
}

/** How many emails of one kind an account has been sent since a given time. */
export async function mailsSince(db: Db, accountId: string, template: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('mail')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('account_id', '=', accountId)
    .where('template', '=', template)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function accountWhere(
  db: Db,
  condition: RawBuilder<unknown>,
  locking: RawBuilder<unknown> = sql``,
): Promise<AccountRow | undefined> {
  const { rows } = await sql<AccountRow>`
    select ${columns} from account join profile on profile.account_id = account.id where ${condition} ${locking}`.execute(
    db,
  );
  return rows[0];
}

/** Throws 401 if the account was deleted permanently during its owner's request. */
function existing(account: AccountRow | undefined): AccountRow {
  if (account === undefined) throw unauthenticated();
  return account;
}

/** The account with an address, or undefined. */
export const accountByEmail = (db: Db, email: string): Promise<AccountRow | undefined> =>
  accountWhere(db, sql`account.email = ${email}`);

/** The account with this id; 401 if it was deleted in the meantime. */
export const accountById = async (db: Db, id: string): Promise<AccountRow> =>
  existing(await accountWhere(db, sql`account.id = ${id}::uuid`));

/**
 * Like `accountById`, and locks the account's row until the transaction ends. The lock does not block rows that refer
 * to the account: people who like or block it hold its key while they wait for a pair's lock, and would deadlock with
 * its owner.
 */
export async function lockAccount(tx: Db, id: string): Promise<AccountRow> {
  noteAccount(id);
  return existing(await accountWhere(tx, sql`account.id = ${id}::uuid`, sql`for no key update of account`));
}

/**
 * Creates an account with its profile; null if the address is in use. The presence row comes first, so that the read
 * models are filled only once.
 */
export async function insertAccount(
  tx: Db,
  account: {
    email: string;
    passwordHash: string | null;
    passwordSuitsStaff: boolean;
    staffRole: StaffRole | null;
    emailVerifiedAt: Date | null;
    firstName: string | null;
    lastName: string | null;
    birthDate: string | null;
    gender: 'woman' | 'man' | 'non-binary' | null;
  },
  now: Date,
): Promise<string | null> {
  const created = await tx
    .insertInto('account')
    .values({
      email: account.email,
      password_hash: account.passwordHash,
      password_suits_staff: account.passwordSuitsStaff,
      created_at: now,
      email_verified_at: account.emailVerifiedAt,
      staff_role: account.staffRole,
      language: presentLanguage(),
      deactivated_at: null,
      deactivation_reason: null,
      leaving_since: null,
    })
    .onConflict((conflict) => conflict.constraint('account_email_key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (created === undefined) return null;
  const { id } = created;
  const isHere = account.staffRole === null;
  await tx
    .insertInto('presence')
    .values({ account_id: id, last_active_at: isHere ? now : '-infinity', online: isHere })
    .execute();
  await tx
    .insertInto('profile')
    .values({
      account_id: id,
      first_name: account.firstName,
      last_name: account.lastName,
      birth_date: account.birthDate,
      gender: account.gender,
      gender_text: null,
      bio: null,
      city: null,
      country: null,
      latitude: null,
      longitude: null,
    })
    .execute();
  return id;
}

/** Sets the language of the caller's mails, push notifications and data exports. */
export async function chooseLanguage(
  { tx, caller }: Pick<CommandContext, 'tx' | 'caller'>,
  language: Language,
): Promise<void> {
  await tx.updateTable('account').set({ language }).where('id', '=', caller.accountId).execute();
}

/**
 * Call after adding something that identifies its owner to an account: a job compares it with the data kept about
 * banned people.
 */
export async function noteTrace(tx: Db, accountId: string, now: Date): Promise<void> {
  await sql`insert into ban_comparison (account_id, due_since) values (${accountId}::uuid, ${now}::timestamptz)
    on conflict (account_id) do update set due_since = least(ban_comparison.due_since, excluded.due_since)`.execute(tx);
  await addJob(tx, 'bans.compare', { accountId }, { jobKey: `bans.compare ${accountId}` });
}

const refusedYears = 2;

/** Blocks these addresses for two years. Only hashes keyed with `key` are stored. */
export async function refuseAddresses(tx: Db, key: string, emails: readonly string[], now: Date): Promise<void> {
  if (emails.length === 0) return;
  const refused_until = sql<Date>`${now}::timestamptz + make_interval(years => ${refusedYears})`;
  await tx
    .insertInto('refused_address')
    .values(emails.map((email) => ({ address_hash: keyedHash(key, email), refused_until })))
    .onConflict((conflict) => conflict.column('address_hash').doUpdateSet({ refused_until }))
    .execute();
}

/** Whether an address is blocked, or staff corrected it and its mailbox can still restore it. */
export async function isRefused(db: Db, key: string, email: string, now: Date): Promise<boolean> {
  const blocked = db
    .selectFrom('refused_address')
    .select('refused_until as until')
    .where('address_hash', '=', keyedHash(key, email))
    .where('refused_until', '>', now);
  const reserved = db
    .selectFrom('verification')
    .select('created_at as until')
    .where('corrected_from', '=', email)
    .where('cancel_hash', 'is not', null)
    .where('created_at', '>', secondsAfter(now, -verificationLinkTtlHours * 3600));
  return (await blocked.unionAll(reserved).executeTakeFirst()) !== undefined;
}

/**
 * Locks and returns the account whose announced change is being stopped: with the emailed link (400 if it is no longer
 * valid), or on a signed-in device (401 without one).
 */
export async function accountToStop(
  tx: Db,
  table: 'factor_removal' | 'address_restore',
  caller: Caller | null,
  token: string | undefined,
): Promise<AccountRow> {
  if (token === undefined) {
    if (caller === null) throw unauthenticated();
    return await lockAccount(tx, caller.accountId);
  }
  const row = await tx
    .selectFrom(table)
    .select('account_id')
    .where('stop_hash', '=', hashToken(token))
    .executeTakeFirst();
  if (row === undefined) throw new AppError('INVALID_CODE', msg`This link is no longer valid.`);
  return await lockAccount(tx, row.account_id);
}
