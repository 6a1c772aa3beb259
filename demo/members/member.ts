import type { ProfileDetails } from '#contract/profiles/profile-details.ts';
import { demoAccounts } from '../accounts.ts';
import { awkwardMembers } from './awkward.ts';
import { ordinaryMember, signInMember, steadyMember } from './ordinary.ts';

export type DemoGender = 'woman' | 'man' | 'non-binary';

export interface DemoPlace {
  city: string;
  country: string;
  latitude: number;
  longitude: number;
}

/** Everything that is written to the database about one generated member. */
export interface DemoMember {
  id: string;
  email: string;
  passwordHash: string | null;
  createdAt: Date;
  emailVerifiedAt: Date | null;
  staffRole: 'admin' | 'moderator' | null;
  isVip: boolean;
  deactivatedAt: Date | null;
  deactivationReason: string | null;
  leavingSince: Date | null;
  firstName: string | null;
  lastName: string | null;
  gender: DemoGender | null;
  genderText: string | null;
  /** `YYYY-MM-DD`. */
  birthDate: string | null;
  bio: string | null;
  seeking: DemoGender[];
  place: DemoPlace | null;
  details: Partial<ProfileDetails>;
  showLastActive: boolean;
  /** Null: never. */
  lastActiveAt: Date | null;
  online: boolean;
}

/** How many members are not drawn at random: the demo accounts, then the awkward cases. */
export const namedMemberCount = demoAccounts.length + awkwardMembers.length;

/**
 * Member `number` (from 0): always the same, with times counted back from `now`. `passwordHashes` are those of the demo
 * accounts, in their order; no other member can sign in.
 */
export function demoMember(number: number, now: Date, passwordHashes: readonly string[] = []): DemoMember {
  const account = demoAccounts[number];
  if (account !== undefined) return signInMember(number, account.email, passwordHashes[number] ?? '', now);
  const awkward = awkwardMembers[number - demoAccounts.length];
  if (awkward === undefined) return ordinaryMember(number, now);
  return { ...steadyMember(number, now), ...awkward(now) };
}
