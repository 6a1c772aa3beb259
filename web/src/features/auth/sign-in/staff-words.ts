/** Why staff are led to a second step before anything else. */
export const staffSetUpReason =
  'Your account opens what members trust us with, so a password alone is not enough here.';
