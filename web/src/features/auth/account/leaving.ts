import { leaveService } from '#contract/auth/auth.ts';
import { call } from '../../../api/call.ts';
import { clearSession } from '../../../api/session/stored-session.ts';
import { useSession } from '../session/session.ts';

/** Leaves the service: the session ends here, and the door says until when the way back is open. Throws the `ApiError`. */
export async function leave(password?: string): Promise<void> {
  const { data } = await call(leaveService, { body: password === undefined ? {} : { password } });
  clearSession('signedOut');
  useSession.setState({ restoreUntil: data.restoreUntil });
}
