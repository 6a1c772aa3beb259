import { scoreStep } from '#contract/compatibility/compatibility.ts';
import type { Db } from '../../platform/db/db.ts';
import { countedAnswers } from './queries.ts';
import { toAnswers } from './reads.ts';
import { compatibilityScore, satisfaction } from './score.ts';

/** How two people's answers fit: how far each one's satisfy the other (0…1), and the displayed score. */
export interface AnswerFit {
  fit: { viewerSatisfied: number | null; candidateSatisfied: number | null; common: number };
  score: number | null;
}

/**
 * How an account's answers fit those of others, by account id; others without answers are left out. Answers given today count from
 * tomorrow, and scores are displayed in steps, so that no answer can be inferred from a change.
 */
export async function fitOfAnswers(
  db: Db,
  accountId: string,
  others: string[],
  now: Date,
): Promise<Map<string, AnswerFit>> {
  const counted = await countedAnswers(db, [accountId, ...others], now);
  const own = toAnswers(counted.get(accountId) ?? {});
  const fits = new Map<string, AnswerFit>();
  if (own.length === 0) return fits;
  for (const id of others) {
    const kept = counted.get(id);
    if (kept === undefined || id === accountId) continue;
    const theirs = toAnswers(kept);
    const [there, back] = [satisfaction(own, theirs), satisfaction(theirs, own)];
    const score = compatibilityScore(own, theirs);
    fits.set(id, {
      fit: { viewerSatisfied: there.share, candidateSatisfied: back.share, common: there.common },
      score: score === null ? null : Math.round(score / scoreStep) * scoreStep,
    });
  }
  return fits;
}
