import type { AdminUser } from '#contract/profiles/user.ts';

/** What the dialog of an act is given. */
export interface ActProps {
  user: AdminUser;
  name: string;
  /** Closes the dialog, and shows what was done. */
  onDone: (text: string) => void;
  onClose: () => void;
}
