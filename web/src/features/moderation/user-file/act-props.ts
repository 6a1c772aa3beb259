import type { AdminUser } from '#contract/profiles/user.ts';

/** The props of an act's dialog. */
export interface ActProps {
  user: AdminUser;
  name: string;
  /** Closes the dialog, and shows the result. */
  onDone: (text: string) => void;
  onClose: () => void;
}
