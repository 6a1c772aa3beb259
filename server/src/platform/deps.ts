import type pg from 'pg';
import type { FastifyBaseLogger } from 'fastify';
import type { AccessTokens } from './access-token.ts';
import type { Clock } from './clock.ts';
import type { Config } from './config.ts';
import type { Db } from './db.ts';
import type { Identities } from './identity/choose.ts';
import type { Limits } from './limits.ts';
import type { MediaAddresses } from './media-address.ts';
import type { Metrics } from './metrics.ts';
import type { Payments } from './payments/choose.ts';
import type { PictureViews } from './pictures.ts';
import type { Push } from './push.ts';
import type { Realtime } from './realtime/realtime.ts';
import type { Storage } from './storage.ts';
import type { ActivityLog } from './activity.ts';

/** What every feature is given: the seams to the world outside, and nothing else. */
export interface Deps extends Payments {
  config: Config;
  pool: pg.Pool;
  db: Db;
  clock: Clock;
  tokens: AccessTokens;
  limits: Limits;
  /** What the digests of refused addresses are keyed with. */
  addressKey: string;
  /** What second factors are sealed with, and recovery codes hashed. */
  factorKey: string;
  /** What ends mails without signing in is signed with. */
  unsubscribeKey: string;
  metrics: Metrics;
  activity: ActivityLog;
  realtime: Realtime;
  push: Push;
  storage: Storage;
  mediaAddresses: MediaAddresses;
  pictures: PictureViews;
  identities: Identities;
  log: FastifyBaseLogger;
}
