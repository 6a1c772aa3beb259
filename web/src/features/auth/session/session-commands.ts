import {
  agreeToTerms,
  leaveService,
  register,
  resendVerification,
  restoreAccount,
  undoRegister,
  verifyEmail,
} from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import type { ErrorBody } from '#contract/error-body.ts';
import { ApiError, errorTexts } from '../../../api/api-error.ts';
import { call, endSessionOnServer } from '../../../api/call.ts';
import { clearSession, keepSession, type StoredUser } from '../../../api/session/stored-session.ts';
import type { Proof } from '#contract/auth/factors.ts';
import { resetStatus, signOut, useSession } from './session.ts';

/** Marks the session command as running. */
function beginCommand(): void {
  useSession.setState({ status: 'loading', error: null });
}

/** Marks the session command as failed, with the text to show. */
export function failCommand(text: string): void {
  useSession.setState({ status: 'failed', error: text });
}

/**
 * The text for a failed sign-in or registration, with special texts for a missing answer and for one without a message.
 */
function signInText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  if (error.isUnanswered) return errorTexts.signInUnreachable();
  return statedText(error, fallback);
}

/** The text that the server sent with a refusal, or `fallback` if it sent none. */
const statedText = (error: ApiError, fallback: string) =>
  error.stated === null && error.status !== null && error.status < 500 ? fallback : error.message;

type Credentials = BodyInput<typeof login>;

/** A failed sign-in: the text to show, the error code, and the token with which a deleted account can be restored. */
interface SignInRefusal {
  text: string;
  code: string | null;
  restoreToken: string | null;
}

/** The result of signing in: signed in, a code or a passkey is required, refused, or not an administrator on the staff page. */
export type SignInOutcome =
  | { user: StoredUser; requiresSecondFactor?: boolean | undefined }
  | { challenge: string; passkeyRequired?: true }
  | { refused: SignInRefusal }
  | { notAdmin: true };

/** Whether signing in continues with a step other than email and password. */
export const hasNextStep = (outcome: SignInOutcome | null) =>
  outcome !== null && ('challenge' in outcome || 'user' in outcome);

type SignInAnswer = Pick<AnswerOf<typeof login>, 'data'>;

/**
 * Signs in with the request that `ask` sends, and stores the session. With `staffOnly`, people without the admin flag
 * get no session, on this device or on the server. If a code or a passkey is required, there is no session yet.
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
    const text = signInText(error, errorTexts.loginFailed());
    failCommand(text);
    const { code = null, data } = error instanceof ApiError ? error : {};
    return { refused: { text, code, restoreToken: data?.restoreToken ?? null } };
  }
}

/** Signs in with email and password. */
export function signIn(credentials: Credentials, options?: { staffOnly: boolean }): Promise<SignInOutcome> {
  return enter(() => call(login, { body: credentials }), options);
}

/**
 * Registers and stores the session. On failure the text is in the store, and the `ApiError` is thrown for the fields
 * that it names.
 */
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
    failCommand(isServerFault ? errorTexts.emailTaken() : signInText(error, errorTexts.unknown()));
    throw error;
  }
}

/**
 * Signs out of an account whose address is wrong, which frees the used invitation. Without an answer, the member stays signed in and can
 * try again.
 */
export async function undoJoining(): Promise<void> {
  try {
    await call(undoRegister);
    clearSession('signedOut');
  } catch (error) {
    // The address was confirmed meanwhile, or the session has ended.
    if (!(error instanceof ApiError) || (error.status !== 409 && error.status !== 401)) throw error;
    signOut();
  }
}

/** What a mailed link still requires; nothing if it was refused for good. */
export type LinkProof = NonNullable<NonNullable<ErrorBody['data']>['proof']>;

type VerifyProof = ({ token: string } | { code: string }) & { password?: string; newPassword?: string };

/**
 * Verifies the email address: with the code when signed in; otherwise with the link's token, or the code and
 * `verificationToken`, together with a proof that the account is theirs. Returns whether the address is verified, or
 * what is still required.
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
      error instanceof ApiError ? statedText(error, errorTexts.verificationFailed()) : errorTexts.verificationFailed(),
    );
    return false;
  }
}

/** Requests a new code and link; visitors pass their email address. */
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
      error: error instanceof ApiError ? error.message : errorTexts.unknown(),
    });
    return false;
  }
}

/**
 * Restores an account that is about to be deleted, with the token from a sign-in or an email, and the second factor if
 * it has one. Throws an `ApiError` on failure.
 */
export async function restore(token: string, proof: Pick<Proof, 'code' | 'passkey'> = {}): Promise<void> {
  resetStatus();
  await call(restoreAccount, { body: { ...proof, token } });
}

/**
 * Deletes the account and ends the session. The sign-in page then shows until when it can be restored. Throws an
 * `ApiError` on failure.
 */
export async function deleteAccount(proof: BodyInput<typeof leaveService>): Promise<void> {
  const { data } = await call(leaveService, { body: proof });
  clearSession('signedOut');
  useSession.setState({ restoreUntil: data.restoreUntil });
}

/**
 * Accepts the terms in the version that the member was shown, and shows the page again that `reopen` leads to. Throws
 * an `ApiError` on failure.
 */
export async function agree(version: string, reopen: () => unknown): Promise<void> {
  await call(agreeToTerms, { body: { version } });
  await reopen();
  useSession.setState({ requiresTerms: false });
}
