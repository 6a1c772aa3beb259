import { type AdminUser, adminUserSchema, type ListedUser, listedUserSchema } from '#contract/profiles/user.ts';
import { completed } from '../../api/completed.ts';
import { emptyOf } from '../../api/empty.ts';

// Without an answer, a user counts as inactive, and no actions are offered.
const email = '—';
const listed: ListedUser = { ...emptyOf(listedUserSchema), email };
const alone: AdminUser = { ...emptyOf(adminUserSchema), email };

type Given<T> = Partial<T> & { username?: string };

/** Fills in missing fields of a user in the list, so that screens can rely on them. */
export function completeListed(user: Given<ListedUser> | null): ListedUser {
  return completed({ ...user, name: user?.name ?? user?.username }, listed);
}

/** Fills in missing fields of a single user; `id` is used if the answer has none. */
export function completeAlone(user: Given<AdminUser> | null | undefined, id: string): AdminUser {
  return completed({ ...user, name: user?.name ?? user?.username }, { ...alone, _id: id });
}
