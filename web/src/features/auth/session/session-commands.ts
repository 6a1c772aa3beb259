import { register, resendVerification, restoreAccount, verifyEmail } from '#contract/auth/auth.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/call.ts';
import { errorTexts } from '../../../api/error-texts.ts';
import { keepSession } from '../../../api/session/stored-session.ts';
import { beginCommand, doorText, failCommand } from './command-status.ts';
import { useSession } from './session.ts';

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
