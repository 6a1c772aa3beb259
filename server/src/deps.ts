import type pg from 'pg';
import type { FastifyBaseLogger } from 'fastify';
import type { AgeProvider } from './features/profiles/age/provider.ts';
import type { AccessTokens } from '#platform/session/access-tokens.ts';
import type { ActivityLog } from '#platform/session/activity.ts';
import type { Clock } from '#platform/process/clock.ts';
import type { Config } from '#platform/config/config.ts';
import type { Db } from '#platform/db/db.ts';
import type { Emit } from './events.ts';
import type { House } from './features/auth/house/provider.ts';
import type { Nonces } from './features/auth/identity/providers/google.ts';
import type { FacebookIdentities, GoogleIdentities } from './features/auth/identity/providers/provider.ts';
import type { Limits } from '#platform/http/limits.ts';
import type { MediaAddresses, PictureViews } from '#platform/session/pictures.ts';
import type { Metrics } from '#platform/process/metrics.ts';
import type { PaymentProvider } from './features/subscriptions/providers/provider.ts';
import type { Push } from '#platform/notify/push.ts';
import type { Reads } from '#platform/db/replicas.ts';
import type { Service } from '#platform/service/settings.ts';
import type { Realtime } from '#platform/realtime/realtime.ts';
import type { Storage } from './features/media/storage/storage.ts';

/** The sign-in providers; null if not configured. */
export interface Identities {
  google: GoogleIdentities | null;
  facebook: FacebookIdentities | null;
  nonces: Nonces;
}

/** What every feature receives: the configuration and the connections to external services. */
export interface Deps {
  config: Config;
  pool: pg.Pool;
  db: Db;
  reads: Reads;
  clock: Clock;
  emit: Emit;
  tokens: AccessTokens;
  limits: Limits;
  /** The key for hashes of blocked addresses. */
  addressKey: string;
  /** The key that encrypts second factors and hashes recovery codes. */
  factorKey: string;
  /** The key that signs unsubscribe links. */
  unsubscribeKey: string;
  /** The key that signs the links in emails about decisions, which allow an appeal without signing in. */
  appealKey: string;
  /** Seals the cursors of members' searches. */
  searchKey: string;
  /** The key for hashes of the data that identifies banned people. */
  banKey: string;
  metrics: Metrics;
  activity: ActivityLog;
  realtime: Realtime;
  /** The settings that the owner changed. */
  service: Service;
  push: Push;
  storage: Storage;
  mediaAddresses: MediaAddresses;
  pictures: PictureViews;
  identities: Identities;
  /** The provider of the house's accounts; null if staff sign in with passwords only. */
  house: House | null;
  /** Null if premium can't be bought. */
  payments: PaymentProvider | null;
  /** Null if the age of members can't be checked. */
  age: AgeProvider | null;
  log: FastifyBaseLogger;
}
