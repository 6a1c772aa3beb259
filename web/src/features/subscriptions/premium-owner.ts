import { onSessionChange, readSession } from '../../api/session/stored-session.ts';

/** The entry under which a member's premium is kept on the device. */
export const premiumEntry = 'subscription';

const listeners = new Set<() => void>();
let owner = readSession().user?._id;
if (owner === undefined) localStorage.removeItem(premiumEntry);

onSessionChange(({ user }) => {
  if (user?._id === owner) return;
  owner = user?._id;
  localStorage.removeItem(premiumEntry);
  for (const listener of listeners) listener();
});

/** Whose premium this tab knows; undefined without a session. */
export function premiumOwner(): string | undefined {
  return owner;
}

/** Calls `listener` when what is known belongs to nobody here any more: a logout, the end of a session, another account. */
export function onOwnerChange(listener: () => void): void {
  listeners.add(listener);
}
