import type { Generated } from 'kysely';

declare module '../../../platform/db/schema.ts' {
  interface Database {
    // What staff note about people, and the tags they give them.
    staff_note: {
      id: Generated<string>;
      account_id: string;
      author_id: string | null;
      author_name: string;
      author_role: string;
      text: string;
      created_at: Moment;
      edited_at: MaybeMoment;
    };
    user_tag: {
      id: Generated<string>;
      name: string;
      retired_at: MaybeMoment;
      /** The tag that everyone with this one has instead. */
      merged_into: Generated<string | null>;
    };
    account_tag: {
      account_id: string;
      tag_id: string;
      added_at: Moment;
      added_by: string | null;
      added_by_name: string;
      added_by_role: string;
    };
  }
}
