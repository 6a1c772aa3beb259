import { randomBytes, randomUUID } from 'node:crypto';
import { type AccessTokens, createAccessTokens } from '#platform/session/access-tokens.ts';
import { openSession } from '#platform/session/sessions.ts';
import { installationSecret } from '#platform/config/secrets.ts';
import type { Gender, ProfileDetails } from '#contract/profiles/profile-details.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import type { TestApp } from './harness.ts';
import { bareUpload } from './pictures.ts';
import { setEntitlement } from '../src/features/subscriptions/subscriptions.ts';
import { emit } from '../src/features.ts';
import { deleteAccounts as endAccounts } from '../src/features/auth/retention/retention.ts';
import { inTransaction } from '#platform/db/db.ts';

export interface MemberOptions {
  /** Random by default. */
  id?: string;
  email?: string;
  passwordHash?: string | null;
  firstName?: string | null;
  lastName?: string | null;
  gender?: Gender | null;
  seeking?: Gender[];
  birthDate?: string | null;
  bio?: string | null;
  city?: string | null;
  country?: string | null;
  latitude?: number | null;
  longitude?: number | null;
  showLastActive?: boolean;
  verified?: boolean;
  staffRole?: StaffRole | null;
  vip?: boolean;
  createdAt?: Date;
  lastActiveAt?: Date | null;
  online?: boolean;
  /** The reason if the account is deactivated. */
  deactivated?: string;
  leaving?: boolean;
  /** Optional profile details. */
  details?: Partial<ProfileDetails>;
  /** Set to create the member without an approved picture. */
  pictureless?: boolean;
}

export interface TestMember {
  id: string;
  email: string;
  sessionId: string;
  token: string;
  refreshToken: string;
}

let counter = 0;

/** An approved profile picture without bytes, and the columns that the profile shows of it. */
function approvedPicture(accountId: string, now: Date) {
  const handle = randomBytes(16).toString('base64url');
  const upload = bareUpload(handle, `without-bytes-${handle}`, now);
  const { public_id, object_key, name, size, width, height, placeholder } = upload;
  const place = { id: randomUUID(), state: 'approved' as const, place: 0 };
  return {
    row: { ...upload, ...place, account_id: accountId, claimed_at: now, decided_at: now },
    // The same value as `logic.refresh_pictures` writes, which then changes nothing; otherwise creating a member would
    // cost twice as much.
    shown: { ...place, publicId: public_id, key: object_key, name, size, width, height, placeholder },
  };
}

/** A member with a verified address, a complete profile and a live session by default. */
export async function makeMember(test: TestApp, options: MemberOptions = {}): Promise<TestMember> {
  counter += 1;
  const now = test.clock.now();
  const email = options.email ?? `member${counter}@example.test`;
  const pick = <K extends keyof MemberOptions>(key: K, fallback: MemberOptions[K]) =>
    key in options ? options[key] : fallback;
  const id = options.id ?? randomUUID();
  const picture = options.pictureless === true ? null : approvedPicture(id, now);
  // A single statement, because the tests create about ten thousand members.
  const insertion = test.db
    .with('new_account', (db) =>
      db.insertInto('account').values({
        id,
        email,
        password_hash: options.passwordHash ?? null,
        created_at: options.createdAt ?? now,
        email_verified_at: options.verified === false ? null : now,
        staff_role: options.staffRole ?? null,
        is_active: options.deactivated === undefined,
        deactivated_at: options.deactivated === undefined ? null : now,
        deactivation_reason: options.deactivated ?? null,
        leaving_since: options.leaving === true ? now : null,
      }),
    )
    .with('new_presence', (db) =>
      db.insertInto('presence').values({
        account_id: id,
        last_active_at: options.lastActiveAt ?? '-infinity',
        online: options.online ?? false,
      }),
    )
    // The tests' device is known, so no sign-in email is sent.
    .with('new_device', (db) =>
      db
        .insertInto('known_device')
        .values({ account_id: id, device: 'Unknown device', network: '127.0.0.0/24', last_seen_at: now }),
    );
  const insertionWithPicture =
    picture === null ? insertion : insertion.with('new_picture', (db) => db.insertInto('picture').values(picture.row));
  await insertionWithPicture
    .insertInto('profile')
    .values({
      account_id: id,
      first_name: pick('firstName', `Member${counter}`) ?? null,
      last_name: pick('lastName', 'Testperson') ?? null,
      gender: pick('gender', 'woman') ?? null,
      gender_text: null,
      birth_date: pick('birthDate', '1990-05-05') ?? null,
      bio: pick('bio', null) ?? null,
      seeking: options.seeking ?? ['woman', 'man', 'non-binary'],
      city: pick('city', 'Prague') ?? null,
      country: pick('country', 'Czechia') ?? null,
      latitude: pick('latitude', null) ?? null,
      longitude: pick('longitude', null) ?? null,
      show_last_active: options.showLastActive ?? true,
      details: JSON.stringify(options.details ?? {}),
      ...(picture === null ? {} : { pictures: JSON.stringify([picture.shown]), picture_count: 1 }),
    })
    .execute();
  if (options.vip === true) {
    const until = new Date('2099-01-01T00:00:00Z');
    await setEntitlement(test.db, id, until);
  }
  const session = await signIn(test, id, options.staffRole !== undefined && options.staffRole !== null);
  return { id, email, ...session };
}

/** Deletes accounts as retention does. */
export async function deleteAccounts(test: TestApp, ...ids: string[]): Promise<void> {
  await inTransaction(test.db, (tx) => endAccounts(tx, emit, ids));
}

const knownTokens = new WeakMap<TestApp, Promise<AccessTokens>>();

/** The signer of an app's access tokens; its secret is read once. */
function tokensOf(test: TestApp): Promise<AccessTokens> {
  const known = knownTokens.get(test) ?? installationSecret(test.db, 'jwt', null).then(createAccessTokens);
  knownTokens.set(test, known);
  return known;
}

/** Creates a session of a member that starts now. */
export async function signIn(test: TestApp, id: string, isStaff = false): Promise<Omit<TestMember, 'id' | 'email'>> {
  const device = { name: 'Firefox on Linux', network: '192.0.2.0/24' };
  return await openSession(test.db, { id, isStaff }, device, { tokens: await tokensOf(test), now: test.clock.now() });
}

/** Creates a signed-in administrator. */
export const makeAdministrator = (test: TestApp, options: MemberOptions = {}): Promise<TestMember> =>
  makeMember(test, { staffRole: 'admin', ...options });

/** Creates a signed-in moderator. */
export const makeModerator = (test: TestApp, options: MemberOptions = {}): Promise<TestMember> =>
  makeMember(test, { staffRole: 'moderator', ...options });
