import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { AnswerInput, BodyOf } from '#contract/endpoint.ts';
import type { register } from '#contract/auth/auth.ts';
import { inWords } from '#contract/service/words.ts';
import { AppError, committed } from '#platform/http/app-error.ts';
import type { CommandContext, PreparationContext } from '#platform/http/mount.ts';
import type { Db } from '#platform/db/db.ts';
import { isPreserved } from '#platform/db/preservation.ts';
import { endSessions } from '#platform/session/sessions.ts';
import type { Deps } from '../../../deps.ts';
import { presentLanguage } from '#platform/process/log.ts';
import { currentTerms } from '#platform/service/published-texts.ts';
import { refuseTeamNames } from '#platform/service/team-names.ts';
import { hashPassword } from '../password/hashing.ts';
import { hashToken, newToken } from '#platform/config/secrets.ts';
import { checkAge, checkPassword, suitsStaff } from '../policy.ts';
import { insertAccount, isRefused, lockAccount } from '../accounts.ts';
import { deleteAccounts } from '../retention/retention.ts';
import { signDeviceIn, type ArrivalContext } from '../session/sessions.ts';
import { checkInvitation, isInvited, takeInvitation } from '../../service/public.ts';
import { openVerification } from './mailed-codes.ts';
import { countToldAddress, noteTakenAddress } from './taken-address.ts';

type Given = BodyOf<typeof register>;

const lastNameOf = ({ lastName }: Given) => (lastName === undefined || lastName === '' ? null : lastName);

const isByInvitation = ({ service }: Pick<Deps, 'service'>) =>
  service.now().settings.registration.mode === 'invitation';

/**
 * Rejects new members while the owner has closed registration, with the owner's sentence, and people without an invitation while one is
 * required: 403. It runs before anything is stored.
 */
export function requireOpenDoor({ service }: Pick<Deps, 'service'>, invitation?: string): void {
  const { mode, sentence } = service.now().settings.registration;
  if (mode === 'open' || (mode === 'invitation' && invitation !== undefined)) return;
  // An identity carries no invitation, so invited people are told how to use theirs.
  if (mode === 'invitation')
    throw new AppError(
      'REGISTRATION_CLOSED',
      msg`You can join with an invitation. Open the link that you got, and join with an email address and a password.`,
    );
  const reason = inWords(sentence, presentLanguage());
  throw new AppError(
    'REGISTRATION_CLOSED',
    reason === '' ? msg`No one can join at the moment. Please come back later.` : msg`${{ reason }}`,
  );
}

interface Prepared {
  passwordHash: string;
  /** Counts the request as one that revealed that an address is in use. */
  keepCount: () => void;
}

/**
 * Checks age and password, hashes the password, and counts the request until it is known whether it reveals that an
 * address is in use. 403 while no one may join, 422 for a rejected invitation or password or a person who is too young, 429 for too many such requests from a network.
 */
export async function prepareJoin(context: PreparationContext<unknown>, given: Given): Promise<Prepared> {
  requireOpenDoor(context.deps, given.invitation);
  if (isByInvitation(context.deps) && given.invitation !== undefined)
    await checkInvitation(context.deps.db, given.invitation, context.now);
  const { minimumAge: minimum } = context.deps.service.now().settings.registration;
  if (given.birthDate !== undefined) checkAge(given.birthDate, context.now, { minimum });
  refuseTeamNames({ firstName: given.firstName, lastName: lastNameOf(given) });
  checkPassword(given.password, { email: given.email, names: [given.firstName, lastNameOf(given)], isStaff: false });
  const passwordHash = await hashPassword(given.password);
  return { passwordHash, keepCount: await countToldAddress(context) };
}

/**
 * Creates a member: account, profile, consent, session and the email that verifies the address. 409 if the address is
 * in use (five times an hour per client and 50 times per network, then 429 for every attempt) and, indistinguishably, if it is blocked. If the
 * owner of the address is leaving, they are emailed a link to restore their account.
 */
export async function join(
  context: ArrivalContext,
  given: Given & Prepared,
): Promise<Omit<AnswerInput<typeof register>, 'success'>> {
  const { tx, deps, now } = context;
  const id = (await isRefused(tx, deps.addressKey, given.email, now)) ? null : await addMember(context, given);
  if (id === null) {
    context.after(given.keepCount);
    await noteTakenAddress(tx, given.email);
    throw committed(new AppError('EMAIL_TAKEN', msg`User already exists`));
  }
  const handle = newToken();
  const request = {
    email: given.email,
    purpose: 'join' as const,
    askedBy: 'join' as const,
    handleHash: hashToken(handle),
  };
  await openVerification(tx, { id }, request, now);
  const signedIn = await signDeviceIn(context, { id, staff_role: null }, { isNew: true });
  return { message: 'Welcome. Please confirm your email address.', ...signedIn, verificationToken: handle };
}

/**
 * Ends the sessions of a caller who joined with a wrong address; 409 once it is confirmed. An account that used an invitation is deleted at
 * once, unless it is under a legal hold. Others stay until they expire, because an address that becomes free at once could be mailed
 * without limit.
 */
export async function undoJoining({ tx, deps, caller }: CommandContext): Promise<void> {
  const account = await lockAccount(tx, caller.accountId);
  if (account.email_verified_at !== null) throw new AppError('CONFLICT', msg`This address is already confirmed.`);
  await endSessions(tx, account.id);
  const { rows: places } =
    await sql`select from account a where a.id = ${account.id}::uuid and ${isInvited('a.id')}`.execute(tx);
  if (places.length > 0 && !(await isPreserved(tx, account.id))) await deleteAccounts(tx, deps.emit, [account.id]);
}

const addMember = (context: ArrivalContext, given: Given & Prepared): Promise<string | null> =>
  insertMember(
    context,
    {
      email: given.email,
      passwordHash: given.passwordHash,
      passwordSuitsStaff: suitsStaff(given.password),
      emailVerifiedAt: null,
      firstName: given.firstName,
      lastName: lastNameOf(given),
      birthDate: given.birthDate ?? null,
      gender: given.gender ?? null,
    },
    given.invitation,
  );

/**
 * Creates a member's account with its profile and records that they accepted the terms; null if the address is in use. Every registration
 * goes through here: 403 while no one may join.
 */
export async function insertMember(
  { tx, deps, now }: Pick<ArrivalContext, 'tx' | 'deps' | 'now'>,
  account: Omit<Parameters<typeof insertAccount>[1], 'staffRole'>,
  invitation?: string,
): Promise<string | null> {
  requireOpenDoor(deps, invitation);
  const id = await insertAccount(tx, { ...account, staffRole: null }, now);
  if (id !== null) await recordConsent(tx, { accountId: id }, now);
  if (id !== null && invitation !== undefined && isByInvitation(deps)) await takeInvitation(tx, invitation, id, now);
  return id;
}

/** Records once that an account agreed to a text, by default the current terms; earlier versions stay recorded. */
export async function recordConsent(
  db: Db,
  {
    accountId,
    kind = 'terms',
    version = currentTerms(),
  }: { accountId: string; kind?: 'terms' | 'selfies'; version?: string },
  now: Date,
): Promise<void> {
  await db
    .insertInto('consent')
    .values({ account_id: accountId, kind, version, accepted_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Records that the caller accepted the terms they were shown; 409 if there are newer ones. */
export async function agreeToTerms(
  { tx, caller, now }: CommandContext,
  { version }: { version: string },
): Promise<void> {
  if (version !== currentTerms())
    throw new AppError('CONFLICT', msg`These terms have changed again. Please reload the page to read them.`);
  await recordConsent(tx, { accountId: caller.accountId }, now);
}
