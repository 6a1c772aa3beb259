import { msg } from '@lingui/core/runtime-macro';
import { type Selectable, sql, type UpdateObject } from 'kysely';
import { noDetails, type ProfileDetails } from '#contract/profiles/profile-details.ts';
import { keyedHash } from '#platform/config/secrets.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import type { StoredPicture } from '#platform/session/pictures.ts';
import type { Database } from '#platform/db/schema.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { type ContentKind, removableTexts, type RemovableText } from '#contract/moderation/decisions.ts';
import type { changeLocation, editProfile } from '#contract/profiles/profiles.ts';
import type { OwnUser } from '#contract/profiles/user.ts';
import { AppError, invalid } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { requireOffered } from '#platform/service/lists.ts';
import { refuseTeamNames } from '#platform/service/team-names.ts';
import type { CallerProfile, Owner } from '#platform/session/caller.ts';
import { placeInWords } from '#platform/session/own-user.ts';
import { checkAge } from '../auth/public.ts';
import { countMove, type GivenPlace, isOtherPlace, noPlace, placeFrom } from './place/place.ts';
import { noteOwnChange } from './own-changes.ts';
import { requireAge } from './age/check.ts';
import { missingParts, plainForm } from './policy.ts';

/** The columns of a profile that its owner or an administrator writes. */
export const profileColumns = [
  'first_name',
  'last_name',
  'gender',
  'gender_text',
  'birth_date',
  'bio',
  'seeking',
  'city',
  'country',
  'latitude',
  'longitude',
  'details',
] as const satisfies readonly (keyof Database['profile'])[];

export type ProfileRow = Pick<Selectable<Database['profile']>, (typeof profileColumns)[number]>;

/** Some of `profileColumns`. */
export type ProfileChange = Partial<ProfileRow>;

/** Includes the columns that only the picture calls change. */
interface WholeProfileRow extends ProfileRow {
  pictures: StoredPicture[];
  picture_count: number;
}

/** A profile, locked until the transaction ends, so that moves and birth dates are checked one after another. */
export function lockProfile(tx: Db, accountId: string): Promise<WholeProfileRow> {
  return tx
    .selectFrom('profile')
    .select([...profileColumns, 'pictures', 'picture_count'])
    .where('account_id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/** Updates the changed columns of a profile, if any. */
export async function updateProfile(tx: Db, accountId: string, change: ProfileChange): Promise<void> {
  if (Object.keys(change).length === 0) return;
  const { details, ...others } = change;
  const columns: UpdateObject<Database, 'profile'> = {
    ...others,
    ...(details === undefined ? {} : { details: JSON.stringify(details) }),
  };
  await tx.updateTable('profile').set(columns).where('account_id', '=', accountId).execute();
}

/** Whether a change includes a different name. */
export const isRenamed = (before: Pick<ProfileRow, 'first_name' | 'last_name'>, change: ProfileChange): boolean =>
  (['first_name', 'last_name'] as const).some((part) => change[part] !== undefined && change[part] !== before[part]);

type GivenProfile = BodyOf<typeof editProfile>;

/** Blank text counts as no text. */
export const textOrNone = <T extends string | null | undefined>(text: T) => (text === '' ? null : text);

/** Birth date, place and details are checked and merged by separate functions. */
type PlainColumn = Exclude<keyof ProfileRow, 'birth_date' | 'details' | keyof typeof noPlace>;

function changeOf({ firstName, lastName, gender, genderText, seeking, bio }: GivenProfile): ProfileChange {
  // Lists every column, so that the compiler reports a field that is accepted and not saved.
  const columns: { [Column in PlainColumn]: ProfileRow[Column] | undefined } = {
    first_name: firstName,
    last_name: textOrNone(lastName),
    gender,
    gender_text: textOrNone(genderText),
    seeking: seeking === undefined ? undefined : [...new Set(seeking ?? [])],
    bio: textOrNone(bio),
  };
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined));
}

/** The details merged with the given ones; null clears one. */
function detailsChange(before: ProfileRow, given: GivenProfile): ProfileChange {
  const said = (Object.keys(noDetails) as (keyof ProfileDetails)[]).filter((key) => given[key] !== undefined);
  if (said.length === 0) return {};
  const cleared = new Set(said.filter((key) => given[key] === null));
  const details = { ...before.details, ...Object.fromEntries(said.map((key) => [key, given[key]])) };
  return { details: Object.fromEntries(Object.entries(details).filter(([key]) => !cleared.has(key as never))) };
}

/** A birth date can be set once; setting the same one again changes nothing, even if members must be older meanwhile. */
function birthDateChange(
  { deps, now }: CommandContext,
  before: ProfileRow,
  birthDate: string | undefined,
): ProfileChange {
  if (birthDate === undefined || before.birth_date === birthDate) return {};
  const { minimumAge: minimum } = deps.service.now().settings.registration;
  checkAge(birthDate, now, { longitude: before.longitude, minimum });
  if (before.birth_date === null) return { birth_date: birthDate };
  throw invalid('birthDate', msg`Your birth date is set and cannot be changed`, 'BIRTH_DATE_SET');
}

async function locationChange(context: CommandContext, before: ProfileRow, given: GivenPlace | null) {
  const { tx, caller, now } = context;
  const after = given === null ? noPlace : await placeFrom(tx, given, before);
  if (!isOtherPlace(before, after)) return {};
  // A profile is complete, and shown, only with a place.
  if (given !== null) await requireAge(context, 'joining', after.country);
  await countMove(tx, caller.accountId, before, now);
  return after;
}

/** A digest that recognises an account's removed text, however it is spelled, without storing it; hexadecimal. */
export const removedTextHash = (addressKey: string, accountId: string, text: string): string =>
  keyedHash(addressKey, `removed text ${accountId} ${plainForm(text)}`).toString('hex');

/** Throws 400 for text that a decision removed as one of these kinds, however it is spelled, while the decision is in force. */
export async function refuseRemovedTexts(
  tx: Db,
  { addressKey, accountId }: Record<'addressKey' | 'accountId', string>,
  kinds: readonly ContentKind[],
  texts: readonly { field: string; text: string | null | undefined }[],
): Promise<void> {
  const written = texts.flatMap(({ field, text }) =>
    typeof text === 'string' ? [{ field, hash: removedTextHash(addressKey, accountId, text) }] : [],
  );
  if (written.length === 0) return;
  const { rows } = await sql<{ hash: string }>`
    select content ->> 'textHash' as hash from sanction
    where account_id = ${accountId}::uuid and kind = 'remove_content' and revoked_at is null
      and content ->> 'type' = any (${kinds}::text[])`.execute(tx);
  const refused = written.find(({ hash }) => rows.some((row) => row.hash === hash));
  if (refused !== undefined) throw invalid(refused.field, msg`A decision removed this text. See Support.`);
}

/** The column of each text that a decision can remove. */
export const textColumns = { bio: 'bio', genderText: 'gender_text' } as const satisfies Record<
  RemovableText,
  keyof ProfileRow
>;

/** The texts that a change writes; unchanged ones are null. */
function textsOf(before: ProfileRow, change: ProfileChange) {
  const { details } = change;
  const answers = before.details.prompts ?? [];
  return [
    ...removableTexts.map((field) => {
      const column = textColumns[field];
      return { field, text: change[column] === before[column] ? null : change[column] };
    }),
    ...(details?.prompts ?? []).map(({ prompt, answer }, index) => ({
      field: `prompts.${index}.answer`,
      text: answers.some((one) => one.prompt === prompt && one.answer === answer) ? null : answer,
    })),
  ];
}

/** Throws 400 for an interest or a prompt that isn't offered and wasn't chosen before. */
function refuseUnoffered(deps: CommandContext['deps'], before: ProfileRow['details'], given: GivenProfile): void {
  const interests = (given.interests ?? []).map((key, index): [string, string] => [`interests.${index}`, key]);
  const prompts = (given.prompts ?? []).map(({ prompt }, index): [string, string] => [
    `prompts.${index}.prompt`,
    prompt,
  ]);
  requireOffered(deps, 'interest', interests, before.interests);
  requireOffered(
    deps,
    'prompt',
    prompts,
    before.prompts?.map(({ prompt }) => prompt),
  );
}

/** Saves the given parts of the caller's profile, all or nothing, and returns the profile. */
async function writeProfile(context: CommandContext, given: GivenProfile): Promise<WholeProfileRow> {
  const { tx, deps, caller } = context;
  const before = await lockProfile(tx, caller.accountId);
  refuseUnoffered(deps, before.details, given);
  const { location, birthDate } = given;
  const moved = location === undefined ? {} : await locationChange(context, before, location);
  const change = {
    ...changeOf(given),
    ...detailsChange(before, given),
    ...birthDateChange(context, { ...before, ...moved }, birthDate),
    ...moved,
  };
  const author = { addressKey: deps.addressKey, accountId: caller.accountId };
  await refuseRemovedTexts(tx, author, ['text', 'prompt'], textsOf(before, change));
  if (caller.staffRole === null && isRenamed(before, change))
    refuseTeamNames({ firstName: change.first_name ?? before.first_name, lastName: change.last_name ?? null });
  await updateProfile(tx, caller.accountId, change);
  await noteOwnChange(context, before, change);
  if (isRenamed(before, change)) await deps.emit(tx, 'renamed', { accountId: caller.accountId });
  return { ...before, ...change };
}

/** The caller with the saved profile, read from the write, because their session may have ended. */
function withProfile(caller: Owner, profile: WholeProfileRow): Owner {
  const saved: CallerProfile = {
    firstName: profile.first_name,
    lastName: profile.last_name,
    gender: profile.gender,
    genderText: profile.gender_text,
    birthDate: profile.birth_date,
    bio: profile.bio,
    seeking: profile.seeking,
    city: profile.city,
    country: profile.country,
    latitude: profile.latitude,
    longitude: profile.longitude,
    details: profile.details,
    pictures: profile.pictures,
    profileComplete: missingParts(profile).length === 0,
  };
  return { ...caller, ...saved };
}

/**
 * Changes the caller's profile: absent fields are kept, null clears one. Throws 422 for a second birth date or that of someone too young, 429 for a
 * sixth move.
 */
export async function editOwnProfile(context: CommandContext<Owner>, given: GivenProfile): Promise<Owner> {
  return withProfile(context.caller, await writeProfile(context, given));
}

/** Like `editOwnProfile`, but throws 422 with what is still missing; everything given is saved. */
export async function completeOwnProfile(
  context: Omit<CommandContext<Owner>, 'tx'>,
  given: GivenProfile,
): Promise<Owner> {
  // Uses a separate transaction, which commits although the answer may be an error.
  const profile = await inTransaction(context.deps.db, (tx) => writeProfile({ ...context, tx }, given));
  const missing = missingParts(profile);
  if (missing.length > 0) {
    throw new AppError('PROFILE_FIELDS_MISSING', missing[0]?.msg ?? msg`Something is still missing`, {
      errors: missing,
    });
  }
  return withProfile(context.caller, profile);
}

/** The genders a member seeks, changed to `seeking` if given. Locks the profile row until the transaction ends. */
export async function setSeeking(
  tx: Db,
  accountId: string,
  seeking: ProfileRow['seeking'] | null | undefined,
): Promise<ProfileRow['seeking']> {
  const before = await lockProfile(tx, accountId);
  if (seeking === undefined) return before.seeking;
  const after = [...new Set(seeking ?? [])];
  await updateProfile(tx, accountId, { seeking: after });
  return after;
}

/** Turns incognito off, or on if they have premium. An incognito member is visible only to people they like. */
export async function setIncognito(tx: Db, accountId: string, incognito: boolean): Promise<void> {
  await tx.updateTable('profile').set({ incognito }).where('account_id', '=', accountId).execute();
}

/** Pauses a profile from now on, or resumes it. Pausing again keeps the time at which the pause began. */
export async function setPaused(tx: Db, accountId: string, isPaused: boolean, now: Date): Promise<void> {
  await tx
    .updateTable('profile')
    .set({ paused_at: isPaused ? now : null })
    .where('account_id', '=', accountId)
    .where('paused_at', isPaused ? 'is' : 'is not', null)
    .execute();
}

/** Shows or hides the caller's last activity. */
export async function setShowLastActive({ tx, caller }: CommandContext, showLastActive: boolean): Promise<void> {
  await tx
    .updateTable('profile')
    .set({ show_last_active: showLastActive })
    .where('account_id', '=', caller.accountId)
    .where('show_last_active', '!=', showLastActive)
    .execute();
}

/** Changes the caller's place and returns it as text. Throws 429 for a sixth move within 24 hours. */
export async function move(
  context: CommandContext,
  given: BodyOf<typeof changeLocation>,
): Promise<OwnUser['location']> {
  const { tx, caller } = context;
  const before = await lockProfile(tx, caller.accountId);
  const change = await locationChange(context, before, given);
  await updateProfile(tx, caller.accountId, change);
  await noteOwnChange(context, before, change);
  return placeInWords({ ...before, ...change });
}
