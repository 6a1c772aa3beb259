import { sql } from 'kysely';
import type { Gender } from '#contract/profiles/profile-details.ts';
import type { Db } from '#platform/db/db.ts';
import { readMarketStats } from '../deck/market.reads.ts';
import { gendersOf } from '../deck/people.reads.ts';
import { applyEvent, daysFrom, gather, type TrainingEvent } from './learn.ts';
import { decidedDays, keptAfterADay } from './learning.ts';

const people: Record<Gender, string> = { woman: 'women', man: 'men', 'non-binary': 'non-binary people' };
/** Log-odds from the first number on are a small difference, from the second on a large one. */
const [noticeable, large] = [0.25, 0.75];

/** Finer figures would change with a single decision and reveal whose it was. */
const [steps, tens] = [0.25, 10];
const roundedTo = (step: number, figure: number) => Math.round(figure / step) * step;

function howOften(logOdds: number): string {
  if (Math.abs(logOdds) < noticeable) return 'about as often as';
  const much = Math.abs(logOdds) < large ? 'somewhat' : 'much';
  return `${much} ${logOdds > 0 ? 'more' : 'less'} often than`;
}

type OwnDecision = Omit<TrainingEvent, 'id'> & { decided_at: Date };

/** A member's decisions that nothing was learned from: those in the queue, and likes that a hold of theirs withholds. */
async function notLearned(db: Db, accountId: string): Promise<OwnDecision[]> {
  const { rows } = await sql<OwnDecision>`
    select viewer_id, target_id, liked, decided_at from training_event where viewer_id = ${accountId}::uuid
    union all
    select d.viewer_id, d.target_id, true, d.decided_at from decision d
      join account_hold h on h.id = d.hold_id and h.account_id = d.viewer_id
    where d.viewer_id = ${accountId}::uuid and d.kind in ('held', 'dropped') and not exists (
      select from trained_pair t where t.viewer_id = d.viewer_id and t.target_id = d.target_id)
    order by decided_at, target_id`.execute(db);
  return rows;
}

/**
 * What is learned from a member's own decisions, as shown to them. It includes what discovery has not learned yet: a held like must be
 * included, although nothing that others see may depend on it.
 */
async function learnedWithAll(db: Db, accountId: string, now: Date) {
  const decisions = await notLearned(db, accountId);
  const batch = await gather(db, [accountId, ...decisions.map(({ target_id }) => target_id)], now);
  const market = await readMarketStats(db);
  let decided = batch.people.get(accountId)?.cards_decided ?? 0;
  for (const decision of decisions) {
    applyEvent({ ...batch, now: decision.decided_at }, decision, market);
    decided += keptAfterADay(decidedDays) ** Math.floor(daysFrom(decision.decided_at, now));
  }
  const towards = [...batch.learned].flatMap(([key, { selectivity }]) => {
    const [id, gender = ''] = key.split(' ');
    return id === accountId && selectivity.weight > 0
      ? [{ gender: Number(gender), selectivity: selectivity.value }]
      : [];
  });
  return { decided, towards: towards.sort((one, other) => one.gender - other.gender) };
}

/**
 * What was learned from a member's own decisions, for their data export: per gender of the other person, as rounded log-odds and as text,
 * with the approximate number of decisions behind it. What was learned from decisions about them is left out, because it contains other
 * people's data: two exports before and after a visit would reveal that someone passed.
 */
export async function learnedData(db: Db, accountId: string, now: Date) {
  const { decided, towards } = await learnedWithAll(db, accountId, now);
  const replies = await db
    .selectFrom('reply_count')
    .select(['received', 'answered'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return {
    about:
      'What we learned from your decisions in order to rank cards; it fades within a month. We also learn from what others decide about you. That is left out, because it would reveal their decisions.',
    decisionsOfYours: roundedTo(tens, decided),
    firstMessagesToYou: Math.round(replies?.received ?? 0),
    ofTheseYouAnswered: Math.round(replies?.answered ?? 0),
    towards: towards.flatMap(({ gender, selectivity }) => {
      const [name] = gendersOf(gender);
      if (name === undefined) return [];
      return [
        {
          whom: people[name],
          selectivity: roundedTo(steps, selectivity),
          selectivityInWords: `When ${people[name]} are shown to you, you like them ${howOften(selectivity)} others do.`,
        },
      ];
    }),
  };
}
