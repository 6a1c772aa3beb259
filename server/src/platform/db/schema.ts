import type { ColumnType, Generated, GeneratedAlways } from 'kysely';
import type { Language } from '#contract/languages.ts';

/** A timestamp: read as a Date, written as a Date or ISO text. */
export type Moment = ColumnType<Date, Date | string, Date | string>;
/** A timestamp that may be null. */
export type MaybeMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;

/** A timestamp with a default. */
type DefaultedMoment = ColumnType<Date, Date | string | undefined, Date | string>;

/**
 * The database as Kysely sees it; `server/schema` is authoritative. Each feature adds its tables, most in its own
 * `tables.ts`. Read models are written only by triggers.
 */
export interface Database {
  secret: { name: string; value: string; created_at: Generated<Date> };
  installation: { name: string; value: unknown };
  mail: {
    id: Generated<string>;
    account_id: string | null;
    recipient: string;
    template: string;
    /** The recipient's, unless there is an account, which has its own. */
    language: Generated<Language>;
    data: unknown;
    status: Generated<'waiting' | 'sent' | 'dead'>;
    /** When it may be tried next. */
    try_at: DefaultedMoment;
    /** When the code or link in it ends; null if nothing in it does. */
    expires_at: MaybeMoment;
    /** When it was queued, or queued again after it was given up. */
    waiting_since: DefaultedMoment;
    attempts: Generated<number>;
    last_error: string | null;
    created_at: Moment;
    sent_at: Moment | null;
  };
  idempotency: {
    scope: string;
    key_hash: Buffer;
    body_hash: Buffer;
    status: number;
    /** Null until there is an answer. */
    sealed_answer: Buffer | null;
    created_at: Moment;
  };
  audit_event: {
    id: GeneratedAlways<string>;
    at: Moment;
    actor_id: string | null;
    actor_name: string;
    actor_role: string;
    action: string;
    target_type: string;
    target_id: string | null;
    reason: string | null;
    changes: unknown;
  };
  statistic: { kind: string; key: string; value: string };
  statistic_delta: { kind: string; key: string; delta: string };
}
