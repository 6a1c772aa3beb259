import type { ColumnType, Generated } from 'kysely';

type Moment = ColumnType<Date, Date | string, Date | string>;

/** Sessions, and what is mailed or counted about signing in. */
export interface SignInTables {
  session: {
    id: Generated<string>;
    account_id: string;
    created_at: Moment;
    last_used_at: Moment;
    idle_expires_at: Moment;
    expires_at: Moment;
    device: string;
    network: string | null;
    /** Opened, or raised since, by more than a password or an identity. */
    second_factor: Generated<boolean>;
    /** When its owner last showed a linked identity anew. */
    confirmed_at: Generated<Date | null>;
  };
  refresh_token: {
    token_hash: Buffer;
    session_id: string;
    issued_at: Moment;
    used_at: Moment | null;
    retry_key_hash: Buffer | null;
    sealed_answer: Buffer | null;
  };
  verification: {
    id: Generated<string>;
    account_id: string;
    email: string;
    purpose: 'join' | 'change';
    handle_hash: Buffer;
    token_hash: Buffer;
    code_hash: Buffer;
    tries: Generated<number>;
    created_at: Moment;
    code_expires_at: Moment;
    expires_at: Moment;
  };
  password_reset: { token_hash: Buffer; account_id: string; created_at: Moment; expires_at: Moment };
  restore_handle: { token_hash: Buffer; account_id: string; expires_at: Moment };
  inactivity_warning: { account_id: string; warned_at: Moment };
  refused_address: { address_hash: Buffer; refused_until: Moment };
  login_attempt: {
    subject: string;
    failures: number;
    window_started_at: Moment;
    last_at: Moment;
    blocked_until: Moment;
  };
}
