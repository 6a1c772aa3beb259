import type { Generated, Selectable } from 'kysely';
import type { OutsiderType } from '#contract/moderation/outsider-notices.ts';
import type { MaybeMoment, Moment } from '../../../platform/db/schema.ts';

/** What someone who is not a member told us. */
interface OutsiderNoticeTable {
  id: Generated<string>;
  type: OutsiderType;
  address: string | null;
  names_address: boolean;
  person: string | null;
  place: string | null;
  body: string;
  name: string | null;
  email: string | null;
  digest: Buffer;
  at: Moment;
  times: Generated<number>;
  checked_at: MaybeMoment;
  report_id: Generated<string | null>;
  receipt_at: MaybeMoment;
  confirmed_at: MaybeMoment;
  told_at: MaybeMoment;
  closed_at: MaybeMoment;
  closed_by: Generated<string | null>;
  closed_by_name: Generated<string | null>;
  plea: Generated<string | null>;
  plea_at: MaybeMoment;
  plea_answer: Generated<string | null>;
  plea_answered_at: MaybeMoment;
  appeal_id: Generated<string | null>;
}

declare module '../../../platform/db/schema.ts' {
  interface Database {
    outsider_notice: OutsiderNoticeTable;
  }
}

export type OutsiderNotice = Selectable<OutsiderNoticeTable>;
