import type { StaffRole } from '#contract/staff-roles.ts';
import type { ProfileDetails } from '#contract/profiles/profile-details.ts';

export type DemoGender = 'woman' | 'man' | 'non-binary';

/** The region that a name mostly comes from, which decides how its bearers are drawn. */
export type Origin = 'europe' | 'middle-east' | 'south-asia' | 'east-asia' | 'africa';

export interface DemoPlace {
  city: string;
  country: string;
  latitude: number;
  longitude: number;
}

/** Everything about a generated member that is written to the database or drawn. */
export interface DemoMember {
  id: string;
  email: string;
  passwordHash: string | null;
  createdAt: Date;
  emailVerifiedAt: Date | null;
  staffRole: StaffRole | null;
  isVip: boolean;
  deactivatedAt: Date | null;
  deactivationReason: string | null;
  leavingSince: Date | null;
  firstName: string | null;
  lastName: string | null;
  gender: DemoGender | null;
  genderText: string | null;
  /** What their picture shows: the gender of their first name if they state none, and an origin that fits their names, or any. */
  looks: { gender: DemoGender; origin: Origin | null };
  /** `YYYY-MM-DD`. */
  birthDate: string | null;
  bio: string | null;
  seeking: DemoGender[];
  place: DemoPlace | null;
  details: Partial<ProfileDetails>;
  showLastActive: boolean;
  /** Null if they were never active. */
  lastActiveAt: Date | null;
  online: boolean;
}
