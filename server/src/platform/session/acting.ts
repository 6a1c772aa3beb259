import { AsyncLocalStorage } from 'node:async_hooks';

/** The account a request acts for, as the log names it. */
export interface Acting {
  /** The caller's; for a call without a session, the account it turned out to concern. */
  accountId: string | null;
  signedIn: boolean;
}

const current = new AsyncLocalStorage<Acting>();

/** Runs `work`, such as a request without a session, so that `noteAccount` within it fills `acting`. */
export const actingAs = <T>(acting: Acting, work: () => T): T => current.run(acting, work);

/** Records the account a running request concerns. A caller is kept, and outside requests it does nothing. */
export function noteAccount(accountId: string, { signedIn = false } = {}): void {
  const acting = current.getStore();
  if (acting === undefined) return;
  acting.accountId ??= accountId;
  acting.signedIn ||= signedIn;
}
