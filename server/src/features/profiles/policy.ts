import { administratorLimitMax, defaultPageLimit, memberLimitMax, moderatorLimitMax } from '#contract/constants.ts';
import type { FieldError } from '#contract/errors.ts';
import { profileCompletionFields } from '#contract/profiles/profiles.ts';
import type { StaffRole } from '#contract/profiles/user.ts';
import { AppError, invalid } from '../../platform/http/app-error.ts';

/** What decides which data the recipient of a response may see. */
export interface Viewer {
  accountId: string;
  staffRole: StaffRole | null;
  showLastActive: boolean;
}

/** The requested page size, or 20; 400 above the maximum of the viewer's role. */
export function pageLimit(viewer: Viewer, asked: number | undefined): number {
  const most =
    viewer.staffRole === 'admin'
      ? administratorLimitMax
      : viewer.staffRole === 'moderator'
        ? moderatorLimitMax
        : memberLimitMax;
  const limit = asked ?? defaultPageLimit;
  if (limit > most) throw invalid('limit', `Use ${most} or less`);
  return limit;
}

const firstLetters = (text: string) => `${[...text][0] ?? ''}•••`;

/**
 * A masked address that its owner recognizes and no one can write to: `ada@heartwood.test` becomes `a•••@h•••.test`.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1);
  const dot = host.lastIndexOf('.');
  const end = dot === -1 ? '' : host.slice(dot);
  return `${firstLetters(email.slice(0, at))}@${firstLetters(host)}${end}`;
}

/** The address as the viewer may see it: only administrators see all of it. */
export function shownEmail(viewer: Viewer, email: string): string {
  return viewer.staffRole === 'admin' ? email : maskEmail(email);
}

/** Whether the viewer may know when someone was last active: hiding is mutual, and doesn't apply to staff. */
export function maySeeActivity(viewer: Viewer, theyShowIt: boolean): boolean {
  return viewer.staffRole !== null || (viewer.showLastActive && theyShowIt);
}

/** What the viewer may do with a user. */
export interface Can {
  edit: boolean;
  activate: boolean;
  deactivate: boolean;
  changeRole: boolean;
}

/** Administrators can change everyone except their own role or state, so that one always remains. */
export function permissionsOn(viewer: Viewer, user: { id: string; is_active: boolean }): Can {
  const edit = viewer.staffRole === 'admin';
  const isOther = user.id !== viewer.accountId;
  return {
    edit,
    activate: edit && !user.is_active,
    deactivate: edit && isOther && user.is_active,
    changeRole: edit && isOther,
  };
}

/** What must be known about an administrator to check a change of role or state. */
export interface AdministratorState {
  id: string;
  staff_role: string | null;
  is_active: boolean;
  leaving_since: Date | null;
}

/**
 * Refuses changes that would leave no administrator (409), by someone who is no longer one (403), or to oneself (403).
 * `administrators` are all of them, with locked rows.
 */
export function checkPowerChange(administrators: AdministratorState[], actorId: string, targetId: string): void {
  const inOffice = administrators.filter((a) => a.staff_role === 'admin' && a.is_active && a.leaving_since === null);
  if (actorId === targetId) throw new AppError('FORBIDDEN', "You can't remove your own permissions");
  if (inOffice.length === 1 && inOffice[0]?.id === targetId) {
    throw new AppError('LAST_ADMINISTRATOR', 'This is the last administrator');
  }
  if (!inOffice.some(({ id }) => id === actorId)) throw new AppError('FORBIDDEN', 'You are not allowed to do this');
}

const missingTexts: Record<(typeof profileCompletionFields)[number], string> = {
  firstName: 'Tell us your first name',
  birthDate: 'Tell us your birth date',
  gender: 'Choose your gender',
  seeking: 'Choose who you would like to meet',
  location: 'Tell us where you live',
  pictures: 'Add a picture of yourself',
};

/** One entry per missing part of a complete profile, in the order of the form. */
export function missingParts(profile: {
  first_name: string | null;
  birth_date: string | null;
  gender: string | null;
  seeking: string[];
  city: string | null;
  latitude: number | null;
  picture_count: number;
}): FieldError[] {
  const isThere = {
    firstName: profile.first_name !== null,
    birthDate: profile.birth_date !== null,
    gender: profile.gender !== null,
    seeking: profile.seeking.length > 0,
    location: profile.city !== null || profile.latitude !== null,
    pictures: profile.picture_count > 0,
  };
  return profileCompletionFields
    .filter((field) => !isThere[field])
    .map((field) => ({ field, msg: missingTexts[field] }));
}
