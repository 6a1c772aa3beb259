import type { BodyOf } from '#contract/endpoint.ts';
import type { register } from '#contract/auth/auth.ts';
import { AppError } from '../../../platform/http/app-error.ts';
import { refusedConstraint, type Db } from '../../../platform/db/db.ts';
import type { Deps } from '../../../deps.ts';
import { hashPassword } from '../password/hashing.ts';
import { hashToken, newToken } from '../../../platform/config/secrets.ts';
import { checkAge, checkPassword, suitsStaff } from '../policy.ts';
import { insertAccount, isRefused } from '../accounts.ts';
import { signDeviceIn, type Origin, type SignedIn } from '../session/sessions.ts';
import { openVerification } from './mailed-codes.ts';
import { noteTakenAddress } from './taken-address.ts';
import { recordConsent } from './terms.ts';

const lastNameOf = ({ lastName }: BodyOf<typeof register>) =>
  lastName === undefined || lastName === '' ? null : lastName;
const addressTaken = () => new AppError('EMAIL_TAKEN', 'User already exists');

/**
 * Creates a member: account, profile, consent, session and the email that verifies the address, all or nothing.
 * 409 when the address is in use (five times an hour per network, then 429 for every try) and, indistinguishably, when it is
 * blocked; its owner is mailed a way back if they are leaving. 422 for a refused password or a person under 18.
 */
export async function join(
  deps: Deps,
  once: <T extends object>(work: (tx: Db) => Promise<T>) => Promise<T>,
  body: BodyOf<typeof register>,
  origin: Origin,
  now: Date,
): Promise<SignedIn & { verificationToken: string }> {
  if (body.birthDate !== undefined) checkAge(body.birthDate, now);
  checkPassword(body.password, { email: body.email, names: [body.firstName, lastNameOf(body)], isStaff: false });
  const passwordHash = await hashPassword(body.password);
  return await deps.limits.reserve('addressInUse', origin.network, async (keep) => {
    try {
      return await once((tx) => addMember(tx, deps, body, passwordHash, origin, now));
    } catch (error) {
      const answer = refusedConstraint(error) === 'account_email_key' ? addressTaken() : error;
      if (answer instanceof AppError && answer.code === 'EMAIL_TAKEN') {
        keep();
        await noteTakenAddress(deps.db, body.email);
      }
      throw answer;
    }
  });
}

async function addMember(
  tx: Db,
  deps: Deps,
  body: BodyOf<typeof register>,
  passwordHash: string,
  origin: Origin,
  now: Date,
): Promise<SignedIn & { message: string; verificationToken: string }> {
  if (await isRefused(tx, deps.addressKey, body.email, now)) throw addressTaken();
  const id = await insertMember(
    tx,
    {
      email: body.email,
      passwordHash,
      passwordSuitsStaff: suitsStaff(body.password),
      emailVerifiedAt: null,
      firstName: body.firstName,
      lastName: lastNameOf(body),
      birthDate: body.birthDate ?? null,
      gender: body.gender ?? null,
    },
    now,
  );
  const handle = newToken();
  const request = {
    email: body.email,
    purpose: 'join' as const,
    askedBy: 'join' as const,
    handleHash: hashToken(handle),
  };
  await openVerification(tx, { id }, request, now);
  const signedIn = await signDeviceIn(deps, tx, { id, staff_role: null }, origin, now, { isNew: true });
  return { message: 'Welcome. Please confirm your email address.', ...signedIn, verificationToken: handle };
}

/** Creates a member's account with its profile and records that they accepted the terms. */
export async function insertMember(
  tx: Db,
  account: Omit<Parameters<typeof insertAccount>[1], 'staffRole'>,
  now: Date,
): Promise<string> {
  const id = await insertAccount(tx, { ...account, staffRole: null }, now);
  await recordConsent(tx, id, now);
  return id;
}
