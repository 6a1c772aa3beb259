import {
  agreeToTerms,
  leaveService,
  register,
  resendVerification,
  restoreAccount,
  verifyEmail,
} from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import { termsVersion } from '#contract/constants.ts';
import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import type { ErrorBody } from '#contract/error-body.ts';
import { ApiError, errorTexts } from '../../../api/api-error.ts';
import { call, endSessionOnServer } from '../../../api/call.ts';
import { clearSession, keepSession, type StoredUser } from '../../../api/session/stored-session.ts';
import type { Proof } from '#contract/auth/factors.ts';
import { resetStatus, useSession } from './session.ts';

/** Marks a command on the session as running. */
function beginCommand(): void {
  useSession.setState({ status: 'loading', error: null });
}

/** Marks the command on the session as failed, with the text to show. */
export function failCommand(text: string): void {
  useSession.setState({ status: 'failed', error: text });
}

/** The text of a failed sign-in or join, which have their own wording for a missing answer and for one that says nothing. */
function signInText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  if (error.isUnanswered) return errorTexts.signInUnreachable;
  return statedText(error, fallback);
}

/** What a refusal says, or `fallback` where it says nothing. */
const statedText = (error: ApiError, fallback: string) =>
  error.stated === null && error.status !== null && error.status < 500 ? fallback : error.message;

type Credentials = BodyInput<typeof login>;

/** A failed sign-in: the text to show, its code, and the token that restores an account about to be deleted. */
interface SignInRefusal {
  text: string;
  code: string | null;
  restoreToken: string | null;
}

/** Signed in, asked for a code, refused, or not an administrator on the staff page. */
export type SignInOutcome =
  | { user: StoredUser; requiresSecondFactor?: boolean | undefined }
  | { challenge: string }
  | { refused: SignInRefusal }
  | { notAdmin: true };

/** Whether signing in continues with a step other than email and password. */
export const hasNextStep = (outcome: SignInOutcome | null) =>
  outcome !== null && ('challenge' in outcome || 'user' in outcome);

type SignInAnswer = Pick<AnswerOf<typeof login>, 'data'>;

/**
 * Signs in with the request that `ask` sends, and keeps the session. With `staffOnly`, people without the admin flag get no
 * session, here or on the server. Where a code is asked for there is no session yet.
 */
export async function enter(ask: () => Promise<SignInAnswer>, { staffOnly = false } = {}): Promise<SignInOutcome> {
  beginCommand();
  try {
    const { data } = await ask();
    if ('challenge' in data) {
      resetStatus();
      return data;
    }
    const { token, refreshToken, user, ...steps } = data;
    if (staffOnly && !user.isAdmin) {
      void endSessionOnServer(data);
      resetStatus();
      return { notAdmin: true };
    }
    keepSession({ token, refreshToken, user });
    useSession.setState({ status: 'succeeded', isVIP: user.isVIP, ...steps });
    return data;
  } catch (error) {
    const text = signInText(error, errorTexts.loginFailed);
    failCommand(text);
    const { code = null, data } = error instanceof ApiError ? error : {};
    return { refused: { text, code, restoreToken: data?.restoreToken ?? null } };
  }
}

/** Signs in with email and password. */
export function signIn(credentials: Credentials, options?: { staffOnly: boolean }): Promise<SignInOutcome> {
  return enter(() => call(login, { body: credentials }), options);
}

/** Joins and keeps the session. On failure its text is in the store, and the `ApiError` is thrown for the fields it names. */
export async function join(registration: BodyInput<typeof register>): Promise<void> {
  beginCommand();
  try {
    const answer = await call(register, { body: registration });
    keepSession(answer);
    const { requiresVerification, requiresProfileCompletion, onboardingComplete, verificationToken } = answer;
    useSession.setState({
      status: 'succeeded',
      isVIP: answer.user.isVIP,
      requiresVerification,
      requiresProfileCompletion,
      onboardingComplete,
      verificationToken,
    });
  } catch (error) {
    const isServerFault = error instanceof ApiError && error.status === 500;
    failCommand(isServerFault ? errorTexts.emailTaken : signInText(error, errorTexts.unknown));
    throw error;
  }
}

/** What else a mailed link needs: nothing more where it was refused for good. */
export type LinkProof = NonNullable<NonNullable<ErrorBody['data']>['proof']>;

type VerifyProof = ({ token: string } | { code: string }) & { password?: string; newPassword?: string };

/**
 * Verifies the email address: by code, or when not signed in by the link's token, or code and `verificationToken`, with what proves
 * that the account is theirs. Returns whether it is verified, or what is still needed.
 */
export async function verify(proof: VerifyProof): Promise<boolean | LinkProof> {
  beginCommand();
  const { token, verificationToken } = useSession.getState();
  const needsHandle = 'code' in proof && token === null && verificationToken !== null;
  try {
    const answer = await call(verifyEmail, { body: needsHandle ? { ...proof, verificationToken } : proof });
    const { token: newToken, refreshToken, user } = answer;
    if (newToken && refreshToken && user) {
      keepSession({ token: newToken, refreshToken, user });
      useSession.setState({ isVIP: user.isVIP, requiresProfileCompletion: !user.profileComplete });
    }
    useSession.setState({ status: 'succeeded', requiresVerification: false, verificationToken: null });
    return true;
  } catch (error) {
    const needed = error instanceof ApiError && error.code === 'PROOF_REQUIRED' ? error.data.proof : undefined;
    if (needed !== undefined) {
      resetStatus();
      return needed;
    }
    failCommand(
      error instanceof ApiError ? statedText(error, errorTexts.verificationFailed) : errorTexts.verificationFailed,
    );
    return false;
  }
}

/** Asks for a new code and link; visitors pass their email address. */
export async function resend(email: string | null): Promise<boolean> {
  useSession.setState({ status: 'resend_loading', error: null });
  try {
    const answer = await call(resendVerification, { body: email === null ? {} : { email } });
    useSession.setState({ status: 'resend_succeeded' });
    if (answer.verificationToken) useSession.setState({ verificationToken: answer.verificationToken });
    return true;
  } catch (error) {
    useSession.setState({
      status: 'resend_failed',
      error: error instanceof ApiError ? error.message : errorTexts.unknown,
    });
    return false;
  }
}

/**
 * Restores an account that is about to be deleted, with the token from a sign-in or an email, and the second factor where it has
 * one. Throws the `ApiError`.
 */
export async function restore(token: string, proof: Pick<Proof, 'code' | 'passkey'> = {}): Promise<void> {
  resetStatus();
  await call(restoreAccount, { body: { ...proof, token } });
}

/** Deletes the account and ends the session; the sign-in page then says until when it can be restored. Throws the `ApiError`. */
export async function deleteAccount(proof: BodyInput<typeof leaveService>): Promise<void> {
  const { data } = await call(leaveService, { body: proof });
  clearSession('signedOut');
  useSession.setState({ restoreUntil: data.restoreUntil });
}

/** Agrees to the terms as this app shows them. Throws the `ApiError`. */
export async function agree(): Promise<void> {
  await call(agreeToTerms, { body: { version: termsVersion } });
  useSession.setState({ requiresTerms: false });
}
