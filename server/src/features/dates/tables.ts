import type { Generated } from 'kysely';
import type { DateState } from '#contract/constants.ts';

declare module '#platform/db/schema.ts' {
  interface Database {
    date_plan: {
      id: Generated<string>;
      conversation_id: string;
      /** Null once the account is deleted, if the other person shares the date. */
      proposed_by: string | null;
      proposed_to: string | null;
      place: string;
      at: Moment;
      zone: string;
      note: string | null;
      state: DateState;
      created_at: Moment;
      decided_at: MaybeMoment;
      /** Null for dates from before they had one: their own id is used. */
      calendar_id: Generated<string | null>;
      agreed_at: MaybeMoment;
    };
    date_share: { id: Generated<string>; plan_id: string; account_id: string; created_at: Moment; name: string | null };
    date_check_in: {
      plan_id: string;
      account_id: string;
      due_at: Moment;
      asked_at: MaybeMoment;
      name: string;
      report_id: Generated<string | null>;
    };
  }
}
