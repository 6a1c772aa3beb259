import { bandScores, type CompatibilityAnswer } from '#contract/compatibility.ts';
import type { CardView, MatchReason, ReasonKind } from '#contract/discovery.ts';
import type { Caller } from '../../platform/session/caller.ts';
import type { PictureViews } from '../../platform/session/pictures.ts';
import { compatibilityBand } from '../compatibility/public.ts';
import { distanceKm, type Point, shownDistance, toPublicUser } from '../profiles/public.ts';
import type { PageCard, Person } from './cards.reads.ts';
import type { MarketStats, Viewer } from './score/people.ts';
import { type FoundReason, reasonsFor } from './score/reasons.ts';

/** The member who sees cards, and what the cards need to know about the viewer. */
export interface CardViewer {
  caller: Caller;
  /** The place around which they search; with premium it can be another city. */
  place: Point | null;
  stated: Viewer;
  answers: CompatibilityAnswer[];
  market: MarketStats;
  views: PictureViews;
}

/** A card of the viewer's deck with the person's current data. Reasons that no longer hold are left out. */
export function toCard(viewer: CardViewer, card: PageCard, person: Person, now: Date): CardView {
  const [mine, theirs] = [viewer.place, person.place];
  const band = compatibilityBand(viewer.answers, person.answers);
  const { likesViewer, decisionsReceived, online, lastActive } = card;
  const km = mine === null || theirs === null ? null : distanceKm(mine, theirs);
  const candidate = { ...person.candidate, distanceKm: km, likesViewer, decisionsReceived, answers: band };
  const found = reasonsFor(viewer.stated, candidate, viewer.market, card.kept.isExploration);
  const profile = { ...person.profile, online, last_active_at: lastActive === null ? -Infinity : new Date(lastActive) };
  return {
    user: toPublicUser(profile, viewer.caller, now, viewer.views),
    ...shownDistance(mine, theirs),
    compatibilityScore: band === null ? null : bandScores[band],
    compatibilityBand: band,
    reasons: stillTrue(card.kept.reasons, found),
  };
}

/** The current reasons of these kinds. */
function stillTrue(kinds: ReasonKind[], found: FoundReason[]): MatchReason[] {
  return kinds.flatMap((kind) => found.flatMap(({ reason }) => (reason.kind === kind ? [reason] : [])));
}
