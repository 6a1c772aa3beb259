import type { ColumnType, Generated } from 'kysely';

type Moment = ColumnType<Date, Date | string, Date | string>;

/** What accounts prove themselves with besides a password. */
export interface FactorTables {
  totp_factor: {
    account_id: string;
    sealed_secret: Buffer;
    since: Moment;
    /** A bigint, as the driver reads it. */
    last_step: ColumnType<string, number, number>;
  };
  totp_setup: { account_id: string; sealed_secret: Buffer; expires_at: Moment };
  recovery_code: { account_id: string; code_hash: Buffer };
  sign_in_challenge: { token_hash: Buffer; account_id: string; tries: Generated<number>; expires_at: Moment };
  factor_removal: {
    account_id: string;
    link_hash: Buffer | null;
    link_expires_at: Moment | null;
    stop_hash: Buffer | null;
  };
  passkey: {
    id: Generated<string>;
    account_id: string;
    credential_id: Buffer;
    public_key: Buffer;
    sign_count: ColumnType<string, number, number>;
    name: string;
    synced: boolean;
    created_at: Moment;
    last_used_at: Moment | null;
  };
  passkey_challenge: { challenge_hash: Buffer; account_id: string | null; expires_at: Moment };
  known_device: { account_id: string; device: string; network: string; last_seen_at: Moment };
}
