import { randomBytes } from 'node:crypto';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import type { Clock } from '../../server/src/platform/process/clock.ts';
import type { Db } from '../../server/src/platform/db/db.ts';

/** What the sandbox is made of. */
export interface SandboxParts {
  db: Db;
  clock: Clock;
  prices: Record<Plan, Money>;
  /** What its deliveries are signed with. */
  webhookSecret: string;
}

type IdKind = 'cus' | 'sub' | 'pi' | 'seti' | 'pm' | 'in' | 'evt';

/** An id that nobody guesses, and that says what it names. */
export function newId(kind: IdKind): string {
  return `${kind}_${randomBytes(12).toString('hex')}`;
}
