import type { Language } from '#contract/languages.ts';
import { noDetails, type ProfileDetails } from '#contract/profiles/profile-details.ts';
import type { OwnPicture } from '#contract/media.ts';
import type { AdminUser, Measure } from '#contract/profiles/user.ts';
import { may } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { ageOn } from '#platform/process/clock.ts';
import { asTwoKeys, fullName, placeInWords } from '#platform/session/own-user.ts';
import type { PictureViews, StoredPicture } from '#platform/session/pictures.ts';
import type { ProfileRow } from './profiles.ts';
import {
  type AddressViewer,
  emailFor,
  maySeeActivity,
  permissionsOn,
  seesPrivate,
  type StaffViewer,
  type Viewer,
} from './policy.ts';

/** Account, profile and presence of one user, from which the views are built. */
export interface UserRow extends ProfileRow {
  id: string;
  email: string;
  created_at: Date;
  email_verified_at: Date | null;
  staff_role: StaffRole | null;
  is_vip: boolean;
  is_active: boolean;
  deactivated_at: Date | null;
  deactivation_reason: string | null;
  leaving_since: Date | null;
  language: Language;
  show_last_active: boolean;
  paused_at: Date | null;
  photo_verified_at: Date | null;
  verified_contact_only: boolean;
  pictures: StoredPicture[];
  complete: boolean;
  last_active_at: Date | number;
  online: boolean;
  verification_sent: boolean;
}

/** When a user was last active, or null for never. */
const lastActiveOf = ({ last_active_at: at }: Pick<UserRow, 'last_active_at'>) => (at instanceof Date ? at : null);

/** What lists for staff are built from. */
export type ListedRow = Omit<
  UserRow,
  | 'seeking'
  | 'latitude'
  | 'longitude'
  | 'details'
  | 'paused_at'
  | 'verified_contact_only'
  | 'deactivated_at'
  | 'deactivation_reason'
  | 'leaving_since'
  | 'language'
>;

/** What views for other members are built from. */
export type PublicRow = Pick<
  UserRow,
  | 'id'
  | 'first_name'
  | 'gender'
  | 'gender_text'
  | 'birth_date'
  | 'bio'
  | 'city'
  | 'country'
  | 'details'
  | 'photo_verified_at'
  | 'pictures'
  | 'show_last_active'
  | 'online'
  | 'last_active_at'
>;

function sharedPart(row: Omit<PublicRow, 'details'>, now: Date) {
  return {
    _id: row.id,
    firstName: row.first_name,
    gender: row.gender,
    genderText: row.gender_text,
    age: row.birth_date === null ? null : ageOn(row.birth_date, now),
    bio: row.bio,
    location: placeInWords(row),
    isPhotoVerified: row.photo_verified_at !== null,
    photoVerifiedAt: row.photo_verified_at,
  };
}

const detailsOf = (row: Pick<UserRow, 'details'>): ProfileDetails => ({ ...noDetails, ...row.details });

/** What the short view of a member is built from. */
export type PersonRow = Pick<
  PublicRow,
  | 'id'
  | 'first_name'
  | 'birth_date'
  | 'city'
  | 'country'
  | 'photo_verified_at'
  | 'pictures'
  | 'show_last_active'
  | 'online'
  | 'last_active_at'
>;

/** A member in another member's lists. */
export function toPerson(row: PersonRow, viewer: Viewer, now: Date, views: PictureViews) {
  const isSeen = maySeeActivity(viewer, row.show_last_active);
  const [picture] = views.shown(viewer.accountId, row.id, row.pictures, now);
  return {
    _id: row.id,
    firstName: row.first_name,
    name: row.first_name,
    age: row.birth_date === null ? null : ageOn(row.birth_date, now),
    location: placeInWords(row),
    isPhotoVerified: row.photo_verified_at !== null,
    profilePicture: picture?.url ?? null,
    isOnline: isSeen ? row.online : null,
    lastActive: isSeen ? lastActiveOf(row) : null,
  };
}

/** A member as other members see them. */
export function toPublicUser(row: PublicRow, viewer: Viewer, now: Date, views: PictureViews) {
  const isSeen = maySeeActivity(viewer, row.show_last_active);
  const pictures = views.shown(viewer.accountId, row.id, row.pictures, now);
  return {
    ...sharedPart(row, now),
    ...detailsOf(row),
    ...asTwoKeys(pictures, (picture) => picture === pictures[0]),
    pictures,
    name: row.first_name,
    isOnline: isSeen ? row.online : null,
    lastActive: isSeen ? lastActiveOf(row) : null,
  };
}

function staffPart(row: ListedRow, viewer: AddressViewer, now: Date, pictures: OwnPicture[]) {
  return {
    ...sharedPart(row, now),
    ...asTwoKeys(pictures, ({ isProfilePicture }) => isProfilePicture),
    lastName: row.last_name,
    name: fullName(row.first_name, row.last_name),
    email: emailFor(viewer, row.id, row.email),
    createdAt: row.created_at,
    lastActive: lastActiveOf(row),
    isActive: row.is_active,
    isVIP: row.is_vip,
    isOnline: row.online,
    isEmailVerified: row.email_verified_at !== null,
    emailVerificationSent: row.verification_sent,
    profileComplete: row.complete,
    settings: { showLastActive: row.show_last_active },
    isAdmin: row.staff_role !== null,
    staffRole: row.staff_role,
  };
}

/** A member as staff see them in lists. */
export function toListedUser(row: ListedRow, viewer: AddressViewer, now: Date, pictures: OwnPicture[]) {
  const { changeRole: _, ...can } = permissionsOn(viewer, row);
  return { ...staffPart(row, viewer, now, pictures), can };
}

/** The actions of moderation on a person, and whether they are finished. */
export interface Standing {
  kind: Measure['kind'] | null;
  since: Date | null;
  until: Date | null;
  open_case_id: string | null;
}

/** Empty for colleagues who are involved, and without the case for roles that don't see cases. */
function standingPart({ kind, since, until, open_case_id }: Standing, viewer: StaffViewer, personId: string) {
  if (viewer.involvedWith.has(personId)) return {};
  return {
    measure: kind === null || since === null ? null : { kind, since, until },
    ...(may(viewer.staffRole, 'cases.list') && { openCaseId: open_case_id }),
  };
}

/** A member as staff see them in detail; the birth date is for administrators. */
export function toAdminUser(
  row: UserRow,
  viewer: AddressViewer,
  now: Date,
  { pictures, sessionCount, standing }: Pick<AdminUser, 'pictures' | 'sessionCount'> & { standing: Standing },
) {
  return {
    ...staffPart(row, viewer, now, pictures),
    pictures,
    ...detailsOf(row),
    birthDate: seesPrivate(viewer, row.id) ? row.birth_date : null,
    language: row.language,
    // The genders a member seeks are not shown to staff, who don't need them.
    seeking: seesPrivate(viewer, row.id) ? row.seeking : [],
    deactivationReason: row.deactivation_reason,
    deactivatedAt: row.deactivated_at,
    leavingSince: row.leaving_since,
    pausedAt: row.paused_at,
    sessionCount,
    ...standingPart(standing, viewer, row.id),
    can: permissionsOn(viewer, row),
  };
}
