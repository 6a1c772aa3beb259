import type { Generated, Selectable } from 'kysely';
import type { Pose, SelfieState } from '#contract/photo-verification.ts';
import type { MaybeMoment, Moment } from '#platform/db/schema.ts';

/** One attempt to be photo verified. The storage keys are null once the selfies are deleted. */
interface SelfieCheckTable {
  id: Generated<string>;
  account_id: string;
  pose: Pose;
  /** How many poses were drawn for this attempt. */
  poses: Generated<number>;
  state: Generated<SelfieState>;
  front_key: Generated<string | null>;
  posed_key: Generated<string | null>;
  asked_at: Moment;
  sent_at: MaybeMoment;
  decided_at: MaybeMoment;
  decided_by_name: Generated<string | null>;
  reason: Generated<string | null>;
}

declare module '#platform/db/schema.ts' {
  interface Database {
    selfie_check: SelfieCheckTable;
  }
}

export type SelfieCheckRow = Selectable<SelfieCheckTable>;

/** Clearing the keys makes the database schedule the deletion of the bytes. */
export const withoutSelfies = { front_key: null, posed_key: null };
