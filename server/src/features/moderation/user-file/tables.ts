import type { ColumnType, Generated } from 'kysely';
import type { BulkAct, BulkKind, bulkStates } from '#contract/moderation/bulk.ts';

declare module '#platform/db/schema.ts' {
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
    bulk_act: {
      id: Generated<string>;
      kind: BulkKind;
      /** Without its text once it has ended. */
      payload: ColumnType<BulkAct & { of?: string }, string, BulkAct>;
      reason: string;
      made_by: string;
      state: Generated<(typeof bulkStates)[number]>;
      total: number;
      started_at: Moment;
      finished_at: MaybeMoment;
      /** Null if it started at once. */
      starts_at: MaybeMoment;
    };
    bulk_act_item: {
      act_id: string;
      position: number;
      account_id: string;
      outcome: Generated<'done' | 'failed' | null>;
      problem: Generated<string | null>;
      /** The message to this person. */
      report_id: Generated<string | null>;
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
