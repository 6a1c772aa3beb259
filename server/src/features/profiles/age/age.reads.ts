import type { AgeCheck, AgeRule, AgeState } from '#contract/age-check.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '../../../platform/db/db.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import { canStartCheck, ruleFor } from './policy.ts';

/** What is stored about a member's age. */
export interface StoredAge {
  state: AgeState;
  since: Date | null;
  askedAt: Date | null;
}

/** What is known about a member's age; a check that was begun and can no longer be finished has expired. */
export async function ageOf(db: Db, accountId: string, now: Date): Promise<StoredAge> {
  const row = await db.selectFrom('age_check').selectAll().where('account_id', '=', accountId).executeTakeFirst();
  if (row === undefined) return { state: 'declared', since: null, askedAt: null };
  const hasExpired = row.open_until !== null && row.open_until <= now && row.state === 'declared';
  return hasExpired
    ? { state: 'expired', since: row.open_until, askedAt: row.asked_at }
    : { state: row.state, since: row.at, askedAt: row.asked_at };
}

/** What the member sees of it. */
export async function ownAgeCheck(
  db: Db,
  { accountId, country }: Pick<Caller, 'accountId' | 'country'>,
  { age, config, now }: Pick<Deps, 'age' | 'config'> & { now: Date },
): Promise<AgeCheck> {
  const { state, since, askedAt } = await ageOf(db, accountId, now);
  const isAsked = askedAt !== null;
  const rule: AgeRule = ruleFor(config.age.required, country);
  return {
    state,
    since: since?.toISOString() ?? null,
    isAsked,
    rule,
    canStart: age !== null && canStartCheck({ state, isAsked }),
  };
}

/** What is kept about a member's age, for their data export. */
export async function ageData(db: Db, accountId: string, now: Date) {
  const { state, since, askedAt } = await ageOf(db, accountId, now);
  return { state, since, askedAt };
}
