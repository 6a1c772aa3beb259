import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/runtime-macro';
import { profileCompletionFields } from '#contract/profiles/profiles.ts';
import { may, mayGive, outranks } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { addressMask } from '#contract/text.ts';
import { AppError, type InvalidField } from '#platform/http/app-error.ts';
import { type Involvement, isLastRuler, mayActOn } from '#platform/session/access.policy.ts';

/** The recipient of a response, as far as it determines which data they may see. */
export interface Viewer {
  accountId: string;
  staffRole: StaffRole | null;
  showLastActive: boolean;
  /** Whether addresses stay masked for every role, as on the pages of cases, where they are revealed one by one. */
  isMasked?: boolean;
}

/** A viewer from the staff, and the people they may not act on. */
export interface StaffViewer extends Viewer, Involvement {}

const firstLetters = (text: string) => `${[...text][0] ?? ''}${addressMask}`;

/** A masked address that its owner recognizes and to which no one can write: `ada@heartwood.test` becomes `a•••@h•••.test`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const host = email.slice(at + 1);
  const dot = host.lastIndexOf('.');
  const end = dot === -1 ? '' : host.slice(dot);
  return `${firstLetters(email.slice(0, at))}@${firstLetters(host)}${end}`;
}

/** The address as the viewer's role may see it: only administrators see all of it. */
export function shownEmail(viewer: Viewer, email: string): string {
  return may(viewer.staffRole, 'users.seePrivate') && viewer.isMasked !== true ? email : maskEmail(email);
}

/** Whether the viewer sees a person's private data. Not if the viewer is a party in their case; then it can't be revealed either. */
export const seesPrivate = (viewer: Viewer & Involvement, personId: string): boolean =>
  may(viewer.staffRole, 'users.seePrivate') && (personId === viewer.accountId || !viewer.involvedWith.has(personId));

/** A viewer from the staff, and the people whose addresses an answer shows them. */
export interface AddressViewer extends StaffViewer {
  shownAddresses: ReadonlySet<string>;
}

/** A person's address as an answer shows it to a colleague: masked also for administrators who are a party in the person's case. */
export const emailFor = (viewer: AddressViewer, personId: string, email: string): string =>
  seesPrivate(viewer, personId) && viewer.shownAddresses.has(personId) ? shownEmail(viewer, email) : maskEmail(email);

/** Whether the viewer may know when a person was last active. Hiding is mutual, and doesn't apply to staff. */
export function maySeeActivity(viewer: Viewer, theyShowIt: boolean): boolean {
  return viewer.staffRole !== null || (viewer.showLastActive && theyShowIt);
}

/** What the viewer may do with a user. */
export interface Can {
  /** Whether the viewer may do anything at all: not if they are a party, and not with people who rank above them. */
  act: boolean;
  edit: boolean;
  activate: boolean;
  deactivate: boolean;
  changeRole: boolean;
}

type Role = StaffRole | null;

/**
 * Whether someone with this role may deactivate an account. For a colleague's account, they need the right to change roles and at least the
 * same rank.
 */
export function mayDeactivate(own: Role, other: Role): boolean {
  return other === null ? may(own, 'sanctions.long') : may(own, 'roles.assign') && !outranks(other, own);
}

/** What staff may change: what their role allows, on people they may act on; on themselves only their own profile. */
export function permissionsOn(viewer: StaffViewer, user: { id: string; is_active: boolean; staff_role: Role }): Can {
  const act = mayActOn(viewer, user);
  return {
    act,
    edit: (act || user.id === viewer.accountId) && may(viewer.staffRole, 'users.edit'),
    activate: act && may(viewer.staffRole, 'sanctions.revoke') && !user.is_active,
    deactivate: act && mayDeactivate(viewer.staffRole, user.staff_role) && user.is_active,
    changeRole: act && mayGive(viewer.staffRole, user.staff_role),
  };
}

/** The facts about an account that are needed to check a change of role or state. */
export interface AdministratorState {
  id: string;
  staff_role: Role;
  is_active: boolean;
  leaving_since: Date | null;
}

const notAllowed = () => new AppError('FORBIDDEN', msg`You are not allowed to do this`);

/**
 * Rejects a role for, or the deactivation of, the target: for oneself and beyond the actor's own rank and permissions (403), and if it
 * would leave no owner or no administrator (409). `locked` are the actor, the target and all administrators and owners, with locked rows.
 */
export function checkPowerChange(
  locked: AdministratorState[],
  actorId: string,
  targetId: string,
  to: Role | 'inactive',
): void {
  if (actorId === targetId) throw new AppError('FORBIDDEN', msg`You can't remove your own permissions`);
  const inOffice = locked.filter((each) => each.is_active && each.leaving_since === null);
  const actor = inOffice.find(({ id }) => id === actorId)?.staff_role ?? null;
  const before = locked.find(({ id }) => id === targetId)?.staff_role ?? null;
  const isAllowed = to === 'inactive' ? mayDeactivate(actor, before) : mayGive(actor, before) && mayGive(actor, to);
  // If the target is the last administrator, an actor who has just lost their role gets that error first.
  if (actor !== null && !isAllowed) throw notAllowed();
  if (isLastRuler(inOffice, targetId, to === 'inactive' ? null : to))
    throw new AppError('LAST_ADMINISTRATOR', msg`This is the last administrator`);
  if (!isAllowed) throw notAllowed();
}

const missingTexts: Record<(typeof profileCompletionFields)[number], MessageDescriptor> = {
  firstName: msg`Tell us your first name`,
  birthDate: msg`Tell us your birth date`,
  gender: msg`Choose your gender`,
  seeking: msg`Choose who you would like to meet`,
  location: msg`Tell us where you live`,
  pictures: msg`Add a picture of yourself`,
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
}): InvalidField[] {
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

/**
 * Letters that look like a Latin one, and digits and signs that are written instead of one. Each group begins with the letter it counts as.
 */
const lookAlikes = new Map(
  [
    'aаα4@ɑ',
    'bвβ8',
    'cс',
    'eеε3€',
    'gɡ',
    'hн',
    'iіιl1|ӏ',
    'jј',
    'kкκ',
    'mм',
    'oоο0',
    'pрρ',
    'sѕ5$',
    'tтτ7',
    'uυ',
    'vν',
    'xхχ',
    'yу',
  ].flatMap(([letter = '', ...others]) => others.map((other): [string, string] => [other, letter])),
);
// Marks of all scripts, except the two that turn a kana into another one.
const accents = /(?!\u3099|\u309a)\p{Script=Inherited}/gu;

/**
 * The form that all spellings of the same text share: one form of each character (Unicode NFKD, without accents and case), look-alikes
 * replaced by the letter they imitate, and no spaces, punctuation, symbols or invisible characters. Text that would become empty
 * stays as it is.
 */
export function plainForm(text: string): string {
  const folded = text.normalize('NFKD').replaceAll(accents, '').toUpperCase().toLowerCase();
  const letters = Array.from(folded, (one) => lookAlikes.get(one) ?? one).join('');
  const plain = letters.replaceAll(/[^\p{L}\p{M}\p{N}]|\p{Default_Ignorable_Code_Point}/gu, '');
  return plain === '' ? text.normalize('NFKC') : plain;
}
