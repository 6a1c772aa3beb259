import { randomBytes } from 'node:crypto';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import type { Clock } from '../../server/src/platform/process/clock.ts';
import type { Db } from '../../server/src/platform/db/db.ts';

/** The dependencies of the sandbox. */
export interface SandboxParts {
  db: Db;
  clock: Clock;
  prices: Record<Plan, Money>;
  /** The secret that signs its deliveries. */
  webhookSecret: string;
}

type IdKind = 'cus' | 'sub' | 'pi' | 'seti' | 'pm' | 'in' | 'evt';

/** An unguessable id with a prefix for what it names. */
export function newId(kind: IdKind): string {
  return `${kind}_${randomBytes(12).toString('hex')}`;
}
