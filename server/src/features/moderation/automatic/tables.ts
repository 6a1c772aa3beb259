import type { ColumnType, Generated } from 'kysely';
import type { DryRunDimension, HitOutcome, RuleActions } from '#contract/moderation/automatic-rules.ts';
import type { RuleCondition, RuleFactValues } from '#contract/moderation/rule-words.ts';

/** A group of people in a dry run. */
export interface GroupCount {
  by: DryRunDimension;
  group: string;
  people: number;
  hits: number;
}

/** How far a dry run has come. */
export interface DryRunState {
  /** Tells this run from one that was started later. */
  run: string;
  startedAt: string;
  finishedAt: string | null;
  total: number;
  examined: number;
  hits: number;
  groups: GroupCount[];
  /** The last person who was examined, until it has finished. */
  after?: string;
}

declare module '#platform/db/schema.ts' {
  interface Database {
    automatic_rule: {
      id: Generated<string>;
      name: string;
      version: Generated<number>;
      conditions: ColumnType<RuleCondition[], string, string>;
      actions: ColumnType<RuleActions, string, string>;
      expires_on: string;
      is_on: Generated<boolean>;
      changed_at: Moment;
      changed_by_name: string;
      switched_at: MaybeMoment;
      switched_by_name: ColumnType<string | null, undefined, string>;
      switch_reason: ColumnType<string | null, undefined, string | null>;
      dry_run: ColumnType<DryRunState | null, undefined, string | null>;
      retired_at: MaybeMoment;
    };
    dry_run_example: { rule_id: string; account_id: string };
    rule_fact: {
      account_id: string;
      day: string;
      country: string | null;
      moves: number;
      warned: number;
      facts: ColumnType<RuleFactValues, string, string>;
    };
    text_print: {
      print: string;
      account_id: string;
      seq: Generated<string>;
      receiver_id: string | null;
      sent: number;
      is_warned: boolean;
      at: Moment;
    };
    rule_hit: {
      id: Generated<string>;
      rule_id: string;
      version: number;
      account_id: string;
      case_id: string;
      report_id: string;
      tag_id: string | null;
      hit_at: Moment;
      judged_at: MaybeMoment;
      outcome: HitOutcome | null;
    };
  }
}
