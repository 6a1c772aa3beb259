import { endSessionOnServer } from '../../../api/call.ts';
import { clearSession, readSession } from '../../../api/session/stored-session.ts';

/** Signs out: gone from the device at once, offline too; the server hears of it when it can be reached. */
export function signOut(): void {
  const { token, refreshToken } = readSession();
  clearSession('signedOut');
  if (token !== null) void endSessionOnServer({ token, refreshToken });
}
