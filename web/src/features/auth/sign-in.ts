import { login } from '#contract/session.ts';
import type { BodyInput } from '#contract/endpoint.ts';
import { ApiError } from '../../api/api-error.ts';
import { call, endSessionOnServer } from '../../api/call.ts';
import { errorTexts } from '../../api/error-texts.ts';
import { keepSession, type StoredUser } from '../../api/stored-session.ts';
import { beginCommand, doorText, failCommand } from './command-status.ts';
import { useSession } from './session.ts';

export type Credentials = BodyInput<typeof login>;

/** What a failed sign-in means for the person: a text, and the way back for somebody who is leaving. */
export interface SignInRefusal {
  text: string;
  restoreToken: string | null;
}

export type SignInOutcome = { user: StoredUser } | { refused: SignInRefusal } | { notAdmin: true };

/** Signs in and keeps the session; with `staffOnly` somebody without the admin flag gets none, here or on the server. */
export async function signIn(credentials: Credentials, { staffOnly = false } = {}): Promise<SignInOutcome> {
  beginCommand();
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
    failCommand(text);
    const restoreToken = error instanceof ApiError && error.code === 'ACCOUNT_LEAVING' ? error.data.restoreToken : null;
    return { refused: { text, restoreToken: restoreToken ?? null } };
  }
}
