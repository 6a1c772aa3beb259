import { AsyncLocalStorage } from 'node:async_hooks';

/** Whose account a request acts for, as the log names it. */
export interface Acting {
  /** The caller's; of a call without a session, the account it turned out to be about. */
  accountId: string | null;
  signedIn: boolean;
}

const current = new AsyncLocalStorage<Acting>();

/** Runs `work`, a request without a session included, so that `noteAccount` within it fills `acting`. */
export const actingAs = <T>(acting: Acting, work: () => T): T => current.run(acting, work);

/** Records the account a running request is about; the caller stays, and outside requests nothing happens. */
export function noteAccount(accountId: string, { signedIn = false } = {}): void {
  const acting = current.getStore();
  if (acting === undefined) return;
  acting.accountId ??= accountId;
  acting.signedIn ||= signedIn;
}
