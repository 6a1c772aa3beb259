import {
  cardsMax,
  type EmptyDeck,
  type FilterName,
  filterNames,
  type getCards,
  noPreferences,
} from '#contract/discovery/discovery.ts';
import type { FastifyReply } from 'fastify';
import { sql } from 'kysely';
import type { AnswerOf, QueryOf } from '#contract/endpoint.ts';
import type { Deps } from '../../deps.ts';
import { countRows, type Db } from '../../platform/db/db.ts';
import { answerOf, type ReadyAnswer } from '../../platform/http/ready-answer.ts';
import { addJob } from '../../platform/jobs/jobs.ts';
import { type Caller, requireMember } from '../../platform/session/caller.ts';
import { likesLeft, remainingLikes } from '../connections/public.ts';
import { pointOf } from '../profiles/public.ts';
import { type CardTexts } from './card-texts.ts';
import { type DeckMaker, makeDeck } from './deck/deck.ts';
import { deckRules } from './deck/page.ts';
import type { ViewerRow } from './deck/people.reads.ts';
import { type Page, readPage } from './page.reads.ts';
import { preferencesOf } from './preferences.ts';
import { fitsBut, meets, requirements, theirDecision } from './score/fit.ts';

const cellsLookedAt = 400;

/** What serving cards needs. */
export interface Cards {
  deps: Deps;
  maker: DeckMaker;
  texts: CardTexts;
}

const nothingDealt: EmptyDeck = { perFilter: [], decided: 0, isUsedUp: false };

/**
 * The next cards for the caller. Builds a deck if there is none; if no one is left, says why. None while the caller's profile is paused.
 * 403 for staff.
 */
export async function cardsFor(
  { deps, maker, texts }: Cards,
  caller: Caller,
  { limit = cardsMax, pictures }: QueryOf<typeof getCards>,
  now: Date,
  reply: FastifyReply,
): Promise<ReadyAnswer> {
  requireMember(caller);
  if (caller.pausedAt !== null) return await noCards(deps.db, caller, now);
  const page = await nextPage(deps, maker, caller.accountId, limit, now);
  const served = page?.cards ?? [];
  const seen = page?.seen;
  const shown = seen == null ? served : served.filter(({ id }) => seen.includes(id));
  const viewer = page === undefined ? undefined : await texts.viewerOf(deps.db, page, now);
  const cards =
    viewer === undefined
      ? []
      : await texts.textsFor({
          db: deps.db,
          caller,
          viewer,
          cards: shown,
          market: await maker.marketStats(deps.db),
          now,
          picturesOnce: pictures === 'once',
          reply,
        });
  const isUsedUp = served.length > shown.length;
  const rest = {
    remainingLikes: page === undefined ? await remainingLikes(deps.db, caller, now) : likesLeft(caller, page.likesSent),
    order: viewer?.row.wanted_order ?? noPreferences.order,
    empty: cards.length === 0 ? await explain(maker, viewer?.row, caller.accountId, isUsedUp, now) : null,
    isPaused: false,
  };
  return cardsAnswer(cards, rest);
}

function cardsAnswer(cards: string[], rest: Omit<AnswerOf<typeof getCards>['data'], 'cards'>): ReadyAnswer {
  return answerOf([`{"cards":[${cards.join(',')}],${JSON.stringify(rest).slice(1)}`]);
}

/** What a member gets while their profile is paused. */
async function noCards(db: Db, caller: Caller, now: Date): Promise<ReadyAnswer> {
  const [left, { order }] = await Promise.all([remainingLikes(db, caller, now), preferencesOf(db, caller)]);
  return cardsAnswer([], { remainingLikes: left, order, empty: nothingDealt, isPaused: true });
}

async function nextPage(
  deps: Deps,
  maker: DeckMaker,
  accountId: string,
  limit: number,
  now: Date,
): Promise<Page | undefined> {
  const read = () => readPage(deps.db, accountId, { limit, lowWater: deckRules.lowWater, now });
  const page = await read();
  if (page === undefined) return undefined;
  if (page.deckMadeAt === null || page.cards === null) {
    await makeDeck(maker, accountId, now);
    return await read();
  }
  const isOld = now.getTime() - page.deckMadeAt.getTime() > deckRules.hours * 3_600_000;
  if (page.fitting < deckRules.lowWater || isOld)
    await addJob(deps.db, 'discovery.refill', { accountId }, { jobKey: `deck:${accountId}`, maxAttempts: 2 });
  return page;
}

async function explain(maker: DeckMaker, row: ViewerRow | undefined, accountId: string, isUsedUp: boolean, now: Date) {
  if (isUsedUp) return { perFilter: [], decided: 0, isUsedUp };
  const centre = row === undefined ? null : pointOf(row);
  const cells = (await maker.cells(maker.db, centre, null)).slice(0, cellsLookedAt);
  return { ...(await whyEmpty(maker.db, accountId, cells, now)), isUsedUp };
}

/** How many of the nearest members are examined; farther ones are excluded for the same reasons. */
const lookedAtMost = 10_000;
const countedMost = 500;

/**
 * Why a deck is empty: how many of the nearest ten thousand members each of the viewer's filters excludes on its own, most first, and
 * how many fitting members were already decided on; both counted up to 500. One pass for all filters.
 */
async function whyEmpty(db: Db, accountId: string, cells: number[], now: Date): Promise<Omit<EmptyDeck, 'isUsedUp'>> {
  const day = now.toISOString().slice(0, 10);
  const own = requirements(sql.ref('v'), sql.ref('t'), day);
  const met = sql.join(filterNames.map((name) => sql`coalesce(${own[name]}, false) as ${sql.ref(`meets_${name}`)}`));
  const failed = sql.join(
    filterNames.map((name) => sql`(not ${sql.ref(`meets_${name}`)})::int`),
    sql` + `,
  );
  const alone = sql.join(
    filterNames.map(
      (name) =>
        sql`least(count(*) filter (where not ${sql.ref(`meets_${name}`)}), ${countedMost}::int)::int as ${sql.ref(name)}`,
    ),
  );
  const { rows } = await sql<Record<FilterName, number>>`
    select ${alone} from (
      select ${met} from discovery_row v
        cross join lateral (
          select near.* from unnest(${cells}::int[]) with ordinality as c (cell, place)
            cross join lateral (select * from discovery_row r where r.cell = c.cell and r.visible limit ${lookedAtMost}) near
          limit ${lookedAtMost}
        ) t ${theirDecision}
      where v.account_id = ${accountId}::uuid and ${fitsBut({ viewerId: accountId, day })}
    ) looked where ${failed} = 1`.execute(db);
  const [counts] = rows;
  const perFilter = filterNames
    .map((filter) => ({ filter, removed: counts?.[filter] ?? 0 }))
    .filter(({ removed }) => removed > 0)
    .sort((one, other) => other.removed - one.removed);
  return { perFilter, decided: await countDecided(db, accountId, day) };
}

/** How many decided people could be shown again; an ended match isn't only the viewer's decision. */
async function countDecided(db: Db, accountId: string, day: string): Promise<number> {
  const decided = sql`
    decision d join discovery_row v on v.account_id = d.viewer_id join discovery_row t on t.account_id = d.target_id
    where d.viewer_id = ${accountId}::uuid and d.kind <> 'unmatch' and ${meets({ viewerId: accountId, day })}`;
  return await countRows(db, decided, countedMost);
}
