import type { ColumnType } from 'kysely';
import type { IdentityProvider } from '#contract/auth/identities.ts';

type Moment = ColumnType<Date, Date | string, Date | string>;

/** Who members are at Google and Facebook. */
export interface IdentityTables {
  identity: { provider: IdentityProvider; subject: string; account_id: string; linked_at: Moment };
  identity_claim: {
    token_hash: Buffer;
    purpose: 'link' | 'join';
    provider: IdentityProvider;
    subject: string;
    email: string | null;
    email_proven: boolean;
    first_name: string | null;
    last_name: string | null;
    expires_at: Moment;
  };
  used_token: { token_hash: Buffer; expires_at: Moment };
}
