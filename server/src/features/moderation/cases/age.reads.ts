import { sql } from 'kysely';
import type { CaseAge } from '#contract/moderation/age.ts';
import type { Deps } from '../../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { ageOf } from '../../profiles/public.ts';

async function mayBeMinor(db: Db, caseId: string): Promise<boolean> {
  const { rows } = await sql`select from report where case_id = ${caseId}::uuid and deleted_at is null and may_be_minor
    and status in ('pending', 'in_progress') limit 1`.execute(db);
  return rows.length > 0;
}

interface OfCase {
  id: string;
  person_id: string | null;
}

/** What is known about the age of a case's person; null without an account. */
export async function caseAge(
  { tx, deps, now }: { tx: Db; deps: Pick<Deps, 'age'>; now: Date },
  { id, person_id }: OfCase,
): Promise<CaseAge | null> {
  if (person_id === null) return null;
  const age = await ageOf(tx, person_id, now);
  const isAskable = age.state !== 'assured' && age.askedOn === null && (await mayBeMinor(tx, id));
  return { ...age, canAsk: deps.age !== null && (age.state === 'failed' || isAskable) };
}
