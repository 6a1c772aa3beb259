import type { AgeCheck } from '#contract/age-check.ts';
import type { CaseAge } from '#contract/moderation/age.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { dayOf } from '#platform/process/clock.ts';
import type { Caller } from '#platform/session/caller.ts';
import { canStartCheck, ruleFor } from './policy.ts';

/**
 * What is known about a member's age; a check that was started and can no longer be finished has expired. Days only, because a time could
 * tell what made the team ask for a check.
 */
export async function ageOf(db: Db, accountId: string, now: Date): Promise<Omit<CaseAge, 'canAsk'>> {
  const row = await db.selectFrom('age_check').selectAll().where('account_id', '=', accountId).executeTakeFirst();
  if (row === undefined) return { state: 'declared', since: null, askedOn: null };
  const { at, open_until: until } = row;
  // A team that asks again after a check has expired starts over.
  const hasExpired = until !== null && at < until && until <= now;
  return {
    state: hasExpired ? 'expired' : row.state,
    since: dayOf(hasExpired ? until : at),
    askedOn: row.asked_at && dayOf(row.asked_at),
  };
}

/** The state as shown to the member. */
export async function ownAgeCheck(
  db: Db,
  { accountId, country }: Pick<Caller, 'accountId' | 'country'>,
  { age, config, now }: Pick<Deps, 'age' | 'config'> & { now: Date },
): Promise<AgeCheck> {
  const { state, since, askedOn } = await ageOf(db, accountId, now);
  return {
    state,
    since,
    isAsked: askedOn !== null,
    rule: ruleFor(config.age.required, country),
    provider: age?.name ?? null,
    canStart: age !== null && canStartCheck(state),
  };
}
