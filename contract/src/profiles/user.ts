import * as z from 'zod/mini';
import { languageSchema } from '../languages.ts';
import { detailsSchema, genderOutSchema } from './profile-details.ts';
import { ownPictureSchema, pictureSchema } from '../media.ts';
import { staffRoleSchema } from '../staff-roles.ts';
import { timeSchema } from '../text.ts';

export const locationSchema = z.object({ city: z.nullable(z.string()), country: z.nullable(z.string()) });
export const settingsSchema = z.object({ showLastActive: z.boolean() });

/** The fields that every viewer of a user receives. */
const sharedFields = {
  _id: z.string(),
  firstName: z.nullable(z.string()),
  gender: z.nullable(genderOutSchema),
  genderText: z.nullable(z.string()),
  age: z.nullable(z.int()),
  bio: z.nullable(z.string()),
  location: z.nullable(locationSchema),
  /** Staff compared selfies with the pictures, and the date. Not the address: that is `isEmailVerified`. */
  isPhotoVerified: z.boolean(),
  photoVerifiedAt: z.nullable(timeSchema),
  /** The URL of the profile picture, 400 × 500 px; the other pictures are in `pictures` or `more_pictures`. */
  profilePicture: z.nullable(z.string()),
  more_pictures: z.array(pictureSchema),
};

const accountFields = {
  lastName: z.nullable(z.string()),
  /** First and last name joined; null if there are none. */
  name: z.nullable(z.string()),
  email: z.string(),
  createdAt: timeSchema,
  lastActive: z.nullable(timeSchema),
  isActive: z.boolean(),
  isVIP: z.boolean(),
  isOnline: z.boolean(),
  isEmailVerified: z.boolean(),
  emailVerificationSent: z.boolean(),
  profileComplete: z.boolean(),
  settings: settingsSchema,
  isAdmin: z.boolean(),
  staffRole: z.nullable(staffRoleSchema),
};

/** A member as they see themselves. */
export const ownUserSchema = z.object({
  ...sharedFields,
  ...accountFields,
  ...detailsSchema.shape,
  birthDate: z.nullable(z.string()),
  language: languageSchema,
  seeking: z.array(genderOutSchema),
  /** All my pictures: the profile picture first, rejected ones last. */
  pictures: z.array(ownPictureSchema),
});

/** A member in the staff list; moderators get a masked email address. */
export const listedUserSchema = z.object({
  ...sharedFields,
  ...accountFields,
  /**
   * What the caller may do with this user. `act`: any action at all, because they aren't involved and outrank the user.
   */
  can: z.object({ act: z.boolean(), edit: z.boolean(), activate: z.boolean(), deactivate: z.boolean() }),
});

/** A measure that restricts a member as long as it is in force. */
const measureSchema = z.object({
  kind: z.enum(['ban', 'suspend', 'hide_profile', 'limit_messaging']),
  since: timeSchema,
  until: z.nullable(timeSchema),
});

/** A member as staff see them in detail. */
export const adminUserSchema = z.object({
  ...sharedFields,
  ...accountFields,
  ...detailsSchema.shape,
  birthDate: z.nullable(z.string()),
  language: languageSchema,
  seeking: z.array(genderOutSchema),
  deactivationReason: z.nullable(z.string()),
  deactivatedAt: z.nullable(timeSchema),
  leavingSince: z.nullable(timeSchema),
  /** Since when the profile has been paused. */
  pausedAt: z.nullable(timeSchema),
  sessionCount: z.int(),
  /** The most severe measure in force; left out for colleagues who are involved. */
  measure: z.optional(z.nullable(measureSchema)),
  /** Their case that is still open; left out for colleagues who are involved or see no cases. */
  openCaseId: z.optional(z.nullable(z.string())),
  pictures: z.array(ownPictureSchema),
  can: z.object({
    act: z.boolean(),
    edit: z.boolean(),
    activate: z.boolean(),
    deactivate: z.boolean(),
    changeRole: z.boolean(),
  }),
});

/** A member as other members see them: no last name, email, birth date, exact place or hidden times. */
export const publicUserSchema = z.object({
  ...sharedFields,
  ...detailsSchema.shape,
  name: z.nullable(z.string()),
  /** All pictures visible to me, the profile picture first. */
  pictures: z.array(pictureSchema),
  /** Null if either side hides last-active. */
  isOnline: z.nullable(z.boolean()),
  lastActive: z.nullable(timeSchema),
});

/** A member in the viewer's lists of likes, matches and conversations. The rest is in their profile. */
export const personSchema = z.object({
  _id: z.string(),
  firstName: z.nullable(z.string()),
  name: z.nullable(z.string()),
  age: z.nullable(z.int()),
  location: z.nullable(locationSchema),
  isPhotoVerified: z.boolean(),
  /** The URL of the profile picture, 400 × 500 px. */
  profilePicture: z.nullable(z.string()),
  /** Null if either side hides last-active. */
  isOnline: z.nullable(z.boolean()),
  lastActive: z.nullable(timeSchema),
});

export type OwnUser = z.output<typeof ownUserSchema>;
export type ListedUser = z.output<typeof listedUserSchema>;
export type Measure = z.output<typeof measureSchema>;
export type AdminUser = z.output<typeof adminUserSchema>;
export type Person = z.output<typeof personSchema>;
export type PublicUser = z.output<typeof publicUserSchema>;
