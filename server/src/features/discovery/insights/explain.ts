import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { type FilterName, filterNames, type CardExplanation, type explainCard } from '#contract/discovery.ts';
import type { AnswerInput, BodyOf } from '#contract/endpoint.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import { invalid } from '#platform/http/app-error.ts';
import type { Caller } from '#platform/session/caller.ts';
import { fullName } from '#platform/session/own-user.ts';
import { bandsOfAnswers, requirements } from '../../compatibility/public.ts';
import { revealTo, unblocked, type UserRow } from '../../profiles/public.ts';
import { type DeckMaker, dailyTerm } from '../deck/deck.ts';
import { rankedFor } from '../deck/page.ts';
import {
  candidateColumns,
  candidateOf,
  type CandidateRow,
  learnedOfCandidate,
  viewerOf,
  viewerRow,
} from '../deck/people.reads.ts';
import { preferenceBonus } from '../preferences.ts';
import { isBefore, likesTheViewer, theirDecision } from '../score/fit.ts';
import { silentDaysMax } from '../score/people.ts';
import { absenceTerm, capacity, inboxPenalty, scoreOf } from '../score/score.ts';
import type { KeptCard } from '#platform/db/json.ts';
import { dayOf } from '#platform/process/clock.ts';

type Given = BodyOf<typeof explainCard>;

/** Two members, in the order of a card. */
interface Pair {
  viewerId: string;
  personId: string;
}

/**
 * Explains why the viewer was or was not shown the person: every condition of a card in order, then its place in the deck and its current
 * rank. Only for staff who give a reason. It is audited, and counts as revealing the data of both. Contains no place and no compatibility
 * answer. Throws 400 if both are the same person, and the errors of `revealTo`.
 */
export async function explain(
  maker: DeckMaker,
  caller: Caller,
  { viewerId, personId, reason }: Given,
  now: Date,
): Promise<AnswerInput<typeof explainCard>['data']> {
  if (viewerId === personId) throw invalid('personId', msg`Choose two different members`);
  const pair = { viewerId, personId };
  const changes = { shown: { from: null, to: personId }, shownTo: { from: null, to: viewerId } };
  const { users, remaining } = await inTransaction(maker.db, (tx) =>
    revealTo({ tx, caller, now }, [viewerId, personId], { action: 'matching.explained', reason, changes }),
  );
  const named = (user: UserRow | undefined, _id: string) => ({
    _id,
    name: user === undefined ? null : fullName(user.first_name, user.last_name),
  });
  const checked = await check(maker.db, pair, now);
  const ranks = await ranksOf(maker, pair, checked, now);
  const { place, made_at, targets, cards, outdated } = checked;
  const terms = ranks.get(personId) ?? null;
  // People who like the viewer, decoys and everyone else compete only among themselves.
  const competes = (id: string, card: KeptCard | undefined) =>
    terms?.likesViewer === true ? ranks.get(id)?.likesViewer === true : card?.isApart !== true;
  const ranked = targets
    .filter((id, index) => cards[index]?.isExploration === false && competes(id, cards[index]))
    .flatMap((id) => ranks.get(id)?.rank ?? []);
  const at = place === null ? null : place - 1;
  return {
    viewer: named(users[0], viewerId),
    person: named(users[1], personId),
    takesPart: checked.takes_part,
    isViewerPaused: checked.viewer_paused,
    isPersonPaused: checked.person_paused,
    isVisible: checked.visible,
    isActive: checked.active,
    isIncognito: checked.incognito,
    isBlocked: checked.blocked,
    viewerRefuses: filterNames.filter((name) => checked[`viewer_${name}`] === false),
    personRefuses: filterNames.filter((name) => checked[`person_${name}`] === false),
    decided:
      checked.kind === null || checked.decided_at === null ? null : { kind: checked.kind, at: checked.decided_at },
    hasPassed: checked.passed,
    deck:
      made_at === null
        ? null
        : {
            madeAt: made_at,
            cards: targets.length,
            isOutdated: outdated,
            place,
            isExploration: at !== null && cards[at]?.isExploration === true,
            cut: ranked.length === 0 ? null : rounded(Math.min(...ranked)),
          },
    terms,
    remaining,
  };
}

const rounded = (value: number) => Math.round(value * 100) / 100;

type Met = Record<`${'viewer' | 'person'}_${FilterName}`, boolean | null>;

interface Checked extends Met {
  takes_part: boolean;
  viewer_paused: boolean;
  person_paused: boolean;
  visible: boolean;
  active: boolean;
  incognito: boolean;
  blocked: boolean;
  kind: 'like' | 'pass' | 'unmatch' | null;
  decided_at: Date | null;
  passed: boolean;
  made_at: Date | null;
  outdated: boolean;
  targets: string[];
  cards: KeptCard[];
  place: number | null;
}

/** The conditions of `fits`, each evaluated on its own. */
async function check(db: Db, { viewerId, personId }: Pair, now: Date): Promise<Checked> {
  const day = dayOf(now);
  const [v, t] = [sql.ref('v'), sql.ref('t')];
  const [own, back] = [requirements(v, t, day), requirements(t, v, day)];
  const met = sql.join(
    filterNames.flatMap((name) => [
      sql`coalesce(${own[name]}, v.account_id is null or t.account_id is null) as ${sql.ref(`viewer_${name}`)}`,
      sql`coalesce(${back[name]}, v.account_id is null or t.account_id is null) as ${sql.ref(`person_${name}`)}`,
    ]),
  );
  const { rows } = await sql<Checked>`
    select coalesce(v.gender > 0, false) as takes_part,
      coalesce(t.visible or (pt.paused_at is not null and shown.is_shown and t.gender > 0), false) as visible,
      pv.paused_at is not null as viewer_paused, pt.paused_at is not null as person_paused,
      coalesce(t.last_active_on > ${day}::date - ${silentDaysMax}::int, false) as active,
      coalesce(t.incognito, false) and coalesce(theirs.kind <> 'like', true) as incognito,
      not ${unblocked(sql`ids.viewer`, sql`ids.person`)} as blocked,
      case when own.kind in ('held', 'dropped') then 'like' else own.kind end as kind, own.decided_at,
      coalesce(theirs.kind in ('pass', 'unmatch') and ${isBefore(sql.ref('theirs'), day)}, false) as passed,
      d.made_at, coalesce(d.changes <> d.made_for, false) as outdated, coalesce(d.targets, '{}') as targets,
      coalesce(d.cards, '[]') as cards, array_position(d.targets, ids.person) as place, ${met}
    from (select ${viewerId}::uuid as viewer, ${personId}::uuid as person) ids
      left join discovery_row v on v.account_id = ids.viewer
      left join discovery_row t on t.account_id = ids.person
      left join profile pv on pv.account_id = ids.viewer
      left join profile pt on pt.account_id = ids.person
      left join directory shown on shown.account_id = ids.person
      left join decision own on own.viewer_id = ids.viewer and own.target_id = ids.person
      left join decision theirs on theirs.viewer_id = ids.person and theirs.target_id = ids.viewer
      left join deck d on d.viewer_id = ids.viewer`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a query without tables returned no row');
  return row;
}

/** What the ranks of the person and of the deck's cards are computed from now; empty for a viewer outside discovery. */
async function ranksOf(
  { db, marketStats }: DeckMaker,
  { viewerId, personId }: Pair,
  { targets }: Pick<Checked, 'targets'>,
  now: Date,
): Promise<Map<string, NonNullable<CardExplanation['terms']>>> {
  const row = await viewerRow(db, viewerId);
  if (row === undefined) return new Map();
  const day = dayOf(now);
  const ids = [...new Set([personId, ...targets])];
  const [{ rows }, answers, market] = await Promise.all([
    sql<CandidateRow>`
      select ${candidateColumns}, ${likesTheViewer(day)} as likes_viewer
      from (select * from discovery_row where account_id = ${viewerId}::uuid) v cross join discovery_row t ${learnedOfCandidate} ${theirDecision}
      where t.account_id = any (${ids}::uuid[]) and t.gender > 0`.execute(db),
    bandsOfAnswers(db, viewerId, ids, now),
    marketStats(db),
  ]);
  const viewer = viewerOf(row, now);
  return new Map(
    rows.map((found) => {
      const candidate = { ...candidateOf(found, now), answers: answers.get(found.account_id) ?? null };
      const { chanceThere, chanceBack } = scoreOf(viewer, candidate, market);
      const [rank = 0, plain = 0] = rankedFor(viewer, [candidate, { ...candidate, isVip: false }], market).map(
        (ranked) => ranked.rank,
      );
      const preferences = preferenceBonus(row.wishes, { ...candidate, heightCm: found.height_cm });
      const daily = dailyTerm(day, viewerId, candidate.id);
      const terms = {
        rank: rounded(rank + preferences + daily),
        viewerLikes: Math.round(100 * chanceThere),
        personLikes: Math.round(100 * chanceBack),
        likesViewer: candidate.likesViewer,
        inbox: rounded(inboxPenalty(candidate.pendingLikes, capacity(candidate.readsWeekly, candidate.replyRate))),
        absence: rounded(candidate.likesViewer ? 0 : -absenceTerm(candidate.lastActiveDays)),
        premium: rounded(rank - plain),
        preferences: rounded(preferences),
        daily: rounded(daily),
      };
      return [found.account_id, terms] as const;
    }),
  );
}
