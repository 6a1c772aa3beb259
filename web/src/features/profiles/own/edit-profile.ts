import type { BodyInput } from '#contract/endpoint.ts';
import { editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { call } from '../../../api/call.ts';

/** What a part of the profile needs of whoever shows it. */
export interface OwnPart {
  user: OwnUser;
  /** The member as the server has them after a change. */
  onUser: (user: OwnUser) => void;
}

/** How a form sends its part. */
export function sendPart(onUser: (user: OwnUser) => void) {
  return async (body: BodyInput<typeof editProfile>): Promise<void> => {
    onUser((await call(editProfile, { body })).update.user);
  };
}

/** A choice that may be none. */
export const orNull = (value: string) => (value === '' ? null : value);
