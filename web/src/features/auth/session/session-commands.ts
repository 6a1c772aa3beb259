import { leaveService, register, resendVerification, restoreAccount, verifyEmail } from '#contract/auth/auth.ts';
import { login } from '#contract/auth/session.ts';
import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import { ApiError } from '../../../api/api-error.ts';
import { errorTexts } from '../../../api/error-texts.ts';
import { resetStatus, useSession } from './session.ts';
import { call, endSessionOnServer } from '../../../api/call.ts';
import { clearSession, keepSession, type StoredUser } from '../../../api/session/stored-session.ts';

/** A command on the session is under way. */
function beginCommand(): void {
  useSession.setState({ status: 'loading', error: null });
}

/** A command on the session has failed, in these words. */
export function failCommand(text: string): void {
  useSession.setState({ status: 'failed', error: text });
}

/** The text of a failure at the doors: sign-in and join name a missing answer in their own words. */
function doorText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  return error.isUnanswered ? errorTexts.doorUnreachable : error.message;
}

type Credentials = BodyInput<typeof login>;

/** What a failed sign-in means for the person: a text with its code, and the way back for somebody who is leaving. */
interface SignInRefusal {
  text: string;
  code: string | null;
  restoreToken: string | null;
}

/** Signed in, asked for a code, refused, or at the wrong door. */
export type SignInOutcome =
  | { user: StoredUser; requiresSecondFactor?: boolean | undefined }
  | { challenge: string }
  | { refused: SignInRefusal }
  | { notAdmin: true };

/** Whether signing in goes on from here, with something else than address and password. */
export const isUnderWay = (outcome: SignInOutcome | null) =>
  outcome !== null && ('challenge' in outcome || 'user' in outcome);

type SignInAnswer = Pick<AnswerOf<typeof login>, 'data'>;

/**
 * Signs in by whatever `ask` shows the server, and keeps the session; with `staffOnly` somebody without the admin flag gets
 * none, here or on the server. Where a second factor is asked for there is none yet.
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
    const text = doorText(error, errorTexts.loginFailed);
    failCommand(text);
    const { code = null, data } = error instanceof ApiError ? error : {};
    return { refused: { text, code, restoreToken: data?.restoreToken ?? null } };
  }
}

/** Signs in with address and password. */
export function signIn(credentials: Credentials, options?: { staffOnly: boolean }): Promise<SignInOutcome> {
  return enter(() => call(login, { body: credentials }), options);
}

/** Joins and keeps the session; throws the `ApiError` after its text is in the store, for the fields it names. */
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
    failCommand(isServerFault ? errorTexts.emailTaken : doorText(error, errorTexts.unknown));
    throw error;
  }
}

/** Verifies the address by link token, by handle and code, or by code alone when signed in. */
export async function verify(proof: { token: string } | { code: string }): Promise<boolean> {
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
    failCommand(error instanceof ApiError ? error.message : errorTexts.verificationFailed);
    return false;
  }
}

/** Asks for a new code and link; somebody not signed in names the address. */
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

/** Takes a leaving account back with the handle a sign-in or a mail gave. */
export async function restore(token: string): Promise<boolean> {
  beginCommand();
  try {
    await call(restoreAccount, { body: { token } });
    useSession.setState({ status: 'idle' });
    return true;
  } catch (error) {
    failCommand(error instanceof ApiError ? error.message : errorTexts.unknown);
    return false;
  }
}

/** Leaves the service: the session ends here, and the door says until when the way back is open. Throws the `ApiError`. */
export async function leave(password?: string): Promise<void> {
  const { data } = await call(leaveService, { body: password === undefined ? {} : { password } });
  clearSession('signedOut');
  useSession.setState({ restoreUntil: data.restoreUntil });
}
