import { compatibilityBand } from '#contract/compatibility/compatibility.ts';
import type { CardView } from '#contract/discovery/discovery.ts';
import type { MatchReason, ReasonKind } from '#contract/discovery/match-reasons.ts';
import type { Caller } from '../../../platform/session/caller.ts';
import type { PictureViews } from '../../../platform/session/pictures.ts';
import { fitOfAnswers } from '../../compatibility/public.ts';
import { pointOf, shownDistance, toPublicUser, usersByIds } from '../../profiles/public.ts';
import type { DeckMaker } from '../deck/deck.ts';
import { candidateOf } from './people.reads.ts';
import { reasonsFor, type FoundReason } from './reasons.ts';
import type { ServedCard } from './serving.reads.ts';
import { viewerOf, type ViewerRow } from '../deck/viewer.reads.ts';

/** Cards as the viewer sees them now: a deck may be old, but the data on its cards must not be. */
export async function cardViews(
  maker: DeckMaker,
  caller: Caller,
  row: ViewerRow,
  cards: ServedCard[],
  now: Date,
  views: PictureViews,
): Promise<CardView[]> {
  if (cards.length === 0) return [];
  const { db } = maker;
  const ids = cards.map(({ id }) => id);
  const [around, users, answers] = await Promise.all([
    maker.around.read(db),
    usersByIds(db, ids),
    fitOfAnswers(db, caller.accountId, ids, now),
  ]);
  const viewer = viewerOf(row, now);
  const userOf = new Map(users.map((user) => [user.id, user]));
  return cards.flatMap((served) => {
    const user = userOf.get(served.id);
    if (user === undefined) return [];
    const { fit = null, score = null } = answers.get(user.id) ?? {};
    const candidate = { ...candidateOf(served.row, now), answers: fit };
    const found = reasonsFor(viewer, candidate, around, served.card.isExploration);
    return [
      {
        user: toPublicUser(user, caller, now, views),
        // From the viewer's search location, which premium may have changed.
        ...shownDistance(pointOf(row), pointOf(user)),
        compatibilityScore: score,
        compatibilityBand: compatibilityBand(score),
        commonAnswers: fit?.common ?? 0,
        reasons: stillTrue(served.card.reasons, found),
      },
    ];
  });
}

/** The reasons of these kinds as of now; reasons that no longer hold are left out. */
function stillTrue(kinds: ReasonKind[], found: FoundReason[]): MatchReason[] {
  return kinds.flatMap((kind) => found.flatMap(({ reason }) => (reason.kind === kind ? [reason] : [])));
}
