import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { AgeState } from '#contract/age-check.ts';
import type { Approval, approvalKinds } from '#contract/profiles/approvals.ts';
import type { ProfileDetails } from '#contract/profiles/profile-details.ts';
import type { StoredPicture } from '#platform/session/pictures.ts';

export interface ProfileTable {
  account_id: string;
  first_name: string | null;
  last_name: string | null;
  gender: 'woman' | 'man' | 'non-binary' | null;
  gender_text: string | null;
  /** `YYYY-MM-DD`. */
  birth_date: string | null;
  bio: string | null;
  seeking: Generated<('woman' | 'man' | 'non-binary')[]>;
  city: string | null;
  country: string | null;
  latitude: number | null;
  longitude: number | null;
  show_last_active: Generated<boolean>;
  /** Whether they are visible only to people they like, while they have premium. */
  incognito: Generated<boolean>;
  /** When the profile was paused; it is then visible only to people the member likes, and on no cards. */
  paused_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** Since when staff have found the member in the pictures. The database removes it when the pictures change. */
  photo_verified_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** The pictures they were compared with, the profile picture first; null if never, or if a decision removed the badge. */
  photo_verified_ids: ColumnType<string[] | null, string[] | null | undefined, string[] | null>;
  /** Whether only photo-verified people may send a note or the first message. */
  verified_contact_only: Generated<boolean>;
  /** The given parts of `ProfileDetails`; the others are absent. */
  details: ColumnType<Partial<ProfileDetails>, string | undefined, string>;
  /** Written only by the database. */
  pictures: ColumnType<StoredPicture[], string | undefined, never>;
  picture_count: ColumnType<number, number | undefined, never>;
  complete: GeneratedAlways<boolean>;
}

declare module '#platform/db/schema.ts' {
  interface Database {
    // Profiles, places, and the directory and online members that lists and searches read.
    profile: ProfileTable;
    /** Which fields their owners changed, without the values. */
    profile_change: { id: GeneratedAlways<string>; account_id: string; at: Moment; fields: string[] };
    directory: {
      account_id: string;
      created_at: Date;
      name_sort: string;
      search_text: string;
      is_active: boolean;
      is_vip: boolean;
      is_verified: boolean;
      is_complete: boolean;
      gender: string | null;
      birth_date: string | null;
      is_shown: boolean;
      shows_activity: boolean;
      first_name: string | null;
      city: string | null;
      country: string | null;
      latitude: number | null;
      longitude: number | null;
      interests: string[];
    };
    online_member: { account_id: string; created_at: Date; name_sort: string; search_text: string; is_vip: boolean };
    place: {
      id: GeneratedAlways<number>;
      name: string;
      country: string;
      latitude: number;
      longitude: number;
      population: number;
    };
    place_move: { account_id: string; moved_at: Moment };
    address_lookup: { staff_id: string; at: Moment; count: number };
    hidden_words: { account_id: string; words: string[]; pattern: string };
    age_check: {
      account_id: string;
      state: AgeState;
      at: Moment;
      open_check: ColumnType<string | null, string | null | undefined, string | null>;
      open_until: MaybeMoment;
      asked_at: MaybeMoment;
    };
    approval: {
      id: Generated<string>;
      kind: (typeof approvalKinds)[number];
      payload: ColumnType<
        Pick<Approval, 'rows' | 'columns' | 'filters' | 'caseId' | 'text' | 'actId'> & {
          ids?: string[];
          /** The ids are those of the people who fitted the filters when it was requested. */
          isByFilters?: boolean;
          holdId?: string;
        },
        string,
        never
      >;
      requested_by: string;
      requested_by_name: string;
      reason: string;
      requested_at: Moment;
      usable_from: MaybeMoment;
      decided_by: Generated<string | null>;
      decided_by_name: Generated<string | null>;
      decided_at: MaybeMoment;
      decision_reason: Generated<string | null>;
      verdict: Generated<'approved' | 'rejected' | null>;
      used_at: MaybeMoment;
    };
    listed_person: {
      staff_id: string;
      person_id: string;
      at: Moment;
      address: 'newest' | 'further' | 'revealed' | null;
    };
    pii_reveal: { id: GeneratedAlways<string>; staff_id: string; at: Moment; quota: number };
  }
}
