import { login } from '#contract/auth/session.ts';
import type { AnswerOf, BodyInput } from '#contract/endpoint.ts';
import { ApiError } from '../../../api/api-error.ts';
import { call, endSessionOnServer } from '../../../api/call.ts';
import { errorTexts } from '../../../api/error-texts.ts';
import { keepSession, type StoredUser } from '../../../api/session/stored-session.ts';
import { beginCommand, doorText, failCommand } from '../session/command-status.ts';
import { resetStatus, useSession } from '../session/session.ts';

export type Credentials = BodyInput<typeof login>;

/** What a failed sign-in means for the person: a text with its code, and the way back for somebody who is leaving. */
export interface SignInRefusal {
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
