import { sql } from 'kysely';
import { type Formula, type FormulaEstimates, formulaNames } from '#contract/discovery/matching.ts';
import type { Deps } from '../../../deps.ts';
import { type Db, inTransaction } from '../../../platform/db/db.ts';
import { addJob } from '../../../platform/jobs/jobs.ts';
import { deleteWhere } from '../../../platform/jobs/due-rows.ts';
import { deckRules, pageRules } from '../deck/page.ts';
import { logRules } from '../deck/log.ts';
import type { DeckLogTable } from '../tables.ts';
import {
  calibrated,
  estimateOf,
  type Group,
  type Known,
  type Models,
  type Option,
  type Value,
  valueOf,
} from './estimator.ts';

const dayMs = 86_400_000;
/** A card counts as decided while its deck lasts, and its match if it happens within this many days after. */
const matchDays = 7;
const decksPerBatch = 10;
/** What estimates rest on at least: decks of the sample, and matches of their cards. */
export const estimateNeeds = { decks: 200, matches: 20 } as const;

/** What became of a card that was dealt by its rank: null where nothing was decided, or the card has no chance. */
interface Outcome {
  liked: boolean | null;
  matched: boolean | null;
}
const outcome = sql`d.kind <> 'pass' as liked, d.kind = 'unmatch' or m.id is not null as matched`;
const decided = sql`
  left join decision d on l.dealt_chance is not null and d.viewer_id = l.viewer_id and d.target_id = l.person_id
    and d.decided_at >= l.dealt_at
    and (d.kind = 'unmatch' or d.decided_at < l.dealt_at + make_interval(days => ${deckRules.keptDays}))
  left join match m on m.low_id = least(l.viewer_id, l.person_id) and m.high_id = greatest(l.viewer_id, l.person_id)
    and m.matched_at <= d.decided_at + make_interval(days => ${matchDays})`;

/** A job's payload: decks before this moment count, and the formula that is next. */
interface Walk {
  until: string;
  next: number;
}

/** What a night learns from all logged decks. */
interface Learned {
  models: Models;
  decks: number;
  matches: number;
  /** Of the cards on a deck's first, second and third page, those that were decided: few see the last. */
  pageShares: Map<number, number>;
}

async function learnAll(db: Db, until: string): Promise<Learned> {
  type Row = Outcome & Pick<DeckLogTable, 'likes_viewer' | 'chance_there' | 'chance_back'>;
  const { rows } = await sql<Row>`
    select l.likes_viewer, l.chance_there, l.chance_back, ${outcome}
    from deck_log l ${decided} where l.dealt_at <= ${until}::timestamptz and d.kind is not null`.execute(db);
  const { rows: pages } = await sql<{ page: number; decks: number; share: number }>`
    select (l.place - 1) / ${pageRules.size}::int as page, count(distinct l.viewer_id)::int as decks, count(d.kind)::float8 / count(*) as share
    from deck_log l ${decided} where l.dealt_at <= ${until}::timestamptz and l.dealt_chance is not null group by 1`.execute(
    db,
  );
  const answered = rows.filter(({ liked, likes_viewer }) => liked === true && !likes_viewer);
  const models = {
    there: calibrated(rows.map(({ chance_there, liked }) => ({ p: chance_there, isYes: liked === true }))),
    back: calibrated(answered.map(({ chance_back, matched }) => ({ p: chance_back, isYes: matched === true }))),
    // Answers are known only of people the viewer liked, so these count for everyone the viewer would like.
    backCounts: () => 1,
  };
  return {
    models,
    decks: Math.max(0, ...pages.map(({ decks }) => decks)),
    matches: rows.filter(({ matched }) => matched === true).length,
    pageShares: new Map(pages.map(({ page, share }) => [page, share])),
  };
}

type LoggedRow = Outcome & Omit<DeckLogTable, 'dealt_at'>;

/** A deck's candidates by the group in which they compete, with what is known of their decisions. */
function groupsOf(rows: readonly LoggedRow[], pageShares: Learned['pageShares']): Group[] {
  const groups = Map.groupBy(rows, ({ likes_viewer, is_decoy }) => `${likes_viewer} ${is_decoy}`);
  return [...groups.values()].map((members) => ({
    options: members.map((row): Option => {
      const seen = pageShares.get(Math.floor(((row.place ?? 1) - 1) / pageRules.size)) ?? 1;
      const chance = ((row.dealt_chance ?? 0) / 1000) * seen;
      const known = (likes: boolean | null): Known | null => (likes === null ? null : { likes, chance });
      return {
        ...{ person: row.person_id, likesViewer: row.likes_viewer, bonus: row.bonus },
        ...{ chanceThere: row.chance_there, chanceBack: row.chance_back },
        rank: row.rest + Math.log(row.chance_there) + Math.log(row.chance_back),
        own: known(row.liked),
        back: row.liked === true ? known(row.matched) : null,
      };
    }),
    places: members.filter(({ dealt_chance }) => dealt_chance !== null).length,
  }));
}

/** The next decks of the log after a viewer's. */
async function readDecks(db: Db, until: string, after: string): Promise<LoggedRow[][]> {
  const { rows } = await sql<LoggedRow>`
    with batch as materialized (
      select distinct viewer_id from deck_log
      where viewer_id > ${after}::uuid and dealt_at <= ${until}::timestamptz order by viewer_id limit ${decksPerBatch}
    )
    select l.viewer_id, l.person_id, l.likes_viewer, l.is_decoy, l.chance_there, l.chance_back, l.rest, l.bonus, l.place,
      l.dealt_chance, ${outcome}
    from batch join deck_log l using (viewer_id) ${decided} order by l.viewer_id`.execute(db);
  return [...Map.groupBy(rows, ({ viewer_id }) => viewer_id).values()];
}

/** Stores the estimate of a formula; without `values` that there is too little for any. */
async function store(
  db: Db,
  formula: Formula,
  decks: number,
  values: readonly Value[] | null,
  now: Date,
): Promise<void> {
  const found = values === null ? null : estimateOf(values);
  const row = {
    ...{ formula, decks, estimated_at: now },
    ...{ matches: found?.middle ?? null, low: found && Math.max(0, found.low), high: found?.high ?? null },
  };
  await inTransaction(db, async (tx) => {
    await tx
      .deleteFrom('matching_estimate')
      .where((where) => (found === null ? where.lit(true) : where('formula', '=', formula)))
      .execute();
    await tx.insertInto('matching_estimate').values(row).execute();
  });
}

/**
 * Estimates what a formula would have brought, from the logged decks whose matches are known by now, and queues a job for the next one, so
 * that a restart loses one formula at most. Reads a replica if there is one, a few decks at a time.
 */
export async function estimate({ db, reads, clock }: Deps, payload: Partial<Walk>): Promise<void> {
  const now = clock.now();
  const lastDays = deckRules.keptDays + matchDays;
  const { until = new Date(now.getTime() - lastDays * dayMs).toISOString(), next = 0 } = payload;
  const formula = formulaNames[next];
  if (formula === undefined) return;
  const { models, decks, matches, pageShares } = await reads.from((replica) => learnAll(replica, until));
  if (decks < estimateNeeds.decks || matches < estimateNeeds.matches) return await store(db, formula, decks, null, now);
  const values: Value[] = [];
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const from = after;
    const batch = await reads.from((replica) => readDecks(replica, until, from));
    for (const groups of batch.map((rows) => groupsOf(rows, pageShares))) {
      if (groups.some(({ places }) => places > 0)) values.push(valueOf(groups, formula, models));
    }
    after = batch.at(-1)?.[0]?.viewer_id ?? after;
    if (batch.length < decksPerBatch) break;
  }
  await store(db, formula, values.length, values, now);
  const rest: Walk = { until, next: next + 1 };
  if (rest.next < formulaNames.length) await addJob(db, 'discovery.estimate', rest, { jobKey: 'discovery.estimate' });
}

const rounded = (value: number | null) => Math.round((value ?? 0) * 100) / 100;

/** What the formulas are estimated to bring, in their order. */
export async function readEstimates(db: Db): Promise<FormulaEstimates> {
  const rows = await db.selectFrom('matching_estimate').selectAll().execute();
  const of = new Map(rows.map((row) => [row.formula, row]));
  const shipped = of.get('shipped');
  return {
    needs: estimateNeeds,
    decks: shipped?.decks ?? 0,
    formulas: formulaNames.flatMap((formula) => {
      const row = of.get(formula);
      if (row === undefined || row.matches === null) return [];
      return [{ formula, matches: rounded(row.matches), low: rounded(row.low), high: rounded(row.high) }];
    }),
    estimatedAt: shipped?.estimated_at.toISOString() ?? null,
  };
}

/** Deletes logged decks after 30 days. */
export async function dropOldLogs(db: Db, now: Date): Promise<void> {
  await deleteWhere(db, 'deck_log', sql`dealt_at < ${new Date(now.getTime() - logRules.keptDays * dayMs)}`);
}
