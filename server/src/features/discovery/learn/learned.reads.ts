import type { Gender } from '#contract/profiles/gender.ts';
import type { Db } from '../../../platform/db/db.ts';
import { gendersOf } from '../deck/people.reads.ts';

const people: Record<Gender, string> = { woman: 'women', man: 'men', 'non-binary': 'non-binary people' };
/** Log-odds below the first are a small difference, from the second on a large one. */
const [noticeable, large] = [0.25, 0.75];

/** Finer figures would move with a single decision and reveal whose it was. */
const [steps, tens] = [0.25, 10];
const roundedTo = (step: number, figure: number) => Math.round(figure / step) * step;

function howOften(logOdds: number): string {
  if (Math.abs(logOdds) < noticeable) return 'about as often as';
  const much = Math.abs(logOdds) < large ? 'somewhat' : 'much';
  return `${much} ${logOdds > 0 ? 'more' : 'less'} often than`;
}

/**
 * What was learned from a member's own decisions, for their data export: per gender of the other person, as rounded
 * log-odds and as text, with the approximate number of decisions behind it. What was learned from decisions about them
 * is other people's: two exports around one visit would tell that someone passed.
 */
export async function learnedData(db: Db, accountId: string) {
  const rows = await db
    .selectFrom('standing')
    .select(['gender', 'selectivity'])
    .where('account_id', '=', accountId)
    .where('selectivity_weight', '>', 0)
    .orderBy('gender')
    .execute();
  const counted = await db
    .selectFrom('discovery_row')
    .select('cards_decided')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const replies = await db
    .selectFrom('reply_count')
    .select(['received', 'answered'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return {
    about:
      'What we learned from your decisions in order to rank cards; it fades within a month. We also learn from what others decide about you. That is left out, because it would reveal their decisions.',
    decisionsOfYours: roundedTo(tens, counted?.cards_decided ?? 0),
    firstMessagesToYou: Math.round(replies?.received ?? 0),
    ofTheseYouAnswered: Math.round(replies?.answered ?? 0),
    towards: rows.flatMap(({ gender, selectivity }) => {
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
