import type { DecisionOutcome } from '#contract/moderation/decisions.ts';
import type { ReportType } from '#contract/moderation/reports.ts';
import type { ColumnType, Generated } from 'kysely';

declare module '../../../platform/db/schema.ts' {
  interface Database {
    golden_case: {
      id: Generated<string>;
      problem_type: ReportType;
      story: string;
      outcome: DecisionOutcome;
      clause: string;
      added_at: Moment;
      added_by: string;
      added_by_name: string;
      retired_at: MaybeMoment;
    };
    second_look: {
      id: Generated<string>;
      decision_id: string | null;
      golden_id: string | null;
      drawn_at: Moment;
      reviewer_id: ColumnType<string | null, string | null | undefined, string | null>;
      taken_at: MaybeMoment;
      judged_at: MaybeMoment;
      outcome: ColumnType<DecisionOutcome | null, undefined, DecisionOutcome>;
      clause: ColumnType<string | null, undefined, string>;
      is_agreed: ColumnType<boolean | null, undefined, boolean>;
    };
  }
}
