import { login, register, resendVerification, restoreAccount, verifyEmail } from '#contract/auth.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { ApiError } from '../../api/api-error.ts';
import { call, endSessionOnServer } from '../../api/call.ts';
import { errorTexts } from '../../api/error-texts.ts';
import { clearSession, keepSession, readSession, type StoredUser } from '../../api/stored-session.ts';
import { useSession } from './session.ts';

export type Credentials = BodyInput<typeof login>;

/** What a failed sign-in means for the person: a text, and the way back for somebody who is leaving. */
export interface SignInRefusal {
  text: string;
  restoreToken: string | null;
}

export type SignInOutcome = { user: StoredUser } | { refused: SignInRefusal } | { notAdmin: true };

function begin(): void {
  useSession.setState({ status: 'loading', error: null });
}

function fail(text: string): void {
  useSession.setState({ status: 'failed', error: text });
}

/** The text of a failure at the doors: sign-in and join name a missing answer in their own words. */
function doorText(error: unknown, fallback: string): string {
  if (!(error instanceof ApiError)) return fallback;
  return error.isUnanswered ? errorTexts.doorUnreachable : error.message;
}

/** Signs in and keeps the session; with `staffOnly` somebody without the admin flag gets none, here or on the server. */
export async function signIn(credentials: Credentials, { staffOnly = false } = {}): Promise<SignInOutcome> {
  begin();
  try {
    const { data } = await call(login, { body: credentials });
    if (staffOnly && !data.user.isAdmin) {
      void endSessionOnServer(data);
      useSession.setState({ status: 'idle', error: null });
      return { notAdmin: true };
    }
    keepSession(data);
    const { requiresVerification, requiresProfileCompletion, onboardingComplete } = data;
    const { isVIP } = data.user;
    useSession.setState({
      status: 'succeeded',
      isVIP,
      requiresVerification,
      requiresProfileCompletion,
      onboardingComplete,
    });
    return { user: data.user };
  } catch (error) {
    const text = doorText(error, errorTexts.loginFailed);
    fail(text);
    const restoreToken = error instanceof ApiError && error.code === 'ACCOUNT_LEAVING' ? error.data.restoreToken : null;
    return { refused: { text, restoreToken: restoreToken ?? null } };
  }
}

/** Joins and keeps the session; throws the `ApiError` after its text is in the store, for the fields it names. */
export async function join(registration: BodyInput<typeof register>): Promise<void> {
  begin();
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
    fail(isServerFault ? errorTexts.emailTaken : doorText(error, errorTexts.unknown));
    throw error;
  }
}

/** Verifies the address by link token, by handle and code, or by code alone when signed in. */
export async function verify(proof: { token: string } | { code: string }): Promise<boolean> {
  begin();
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
    fail(error instanceof ApiError ? error.message : errorTexts.verificationFailed);
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
  begin();
  try {
    await call(restoreAccount, { body: { token } });
    useSession.setState({ status: 'idle' });
    return true;
  } catch (error) {
    fail(error instanceof ApiError ? error.message : errorTexts.unknown);
    return false;
  }
}

/** Signs out: gone from the device at once, offline too; the server hears of it when it can be reached. */
export function signOut(): void {
  const { token, refreshToken } = readSession();
  clearSession('signedOut');
  if (token !== null) void endSessionOnServer({ token, refreshToken });
}
