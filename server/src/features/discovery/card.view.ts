import { bandScores, type CompatibilityAnswer } from '#contract/compatibility/compatibility.ts';
import type { CardView, MatchReason, ReasonKind } from '#contract/discovery/discovery.ts';
import type { Caller } from '../../platform/session/caller.ts';
import type { PictureViews } from '../../platform/session/pictures.ts';
import { compatibilityBand, toAnswers } from '../compatibility/public.ts';
import { distanceKm, type Point, pointOf, shownDistance, toPublicUser } from '../profiles/public.ts';
import type { PageCard, PersonRow } from './cards.reads.ts';
import { candidateOf } from './deck/people.reads.ts';
import type { MarketStats, Viewer } from './score/people.ts';
import { type FoundReason, reasonsFor } from './score/reasons.ts';

/** The member who sees cards, and what the cards show of the two together. */
export interface CardViewer {
  caller: Caller;
  /** Where they search, which premium may have changed. */
  place: Point | null;
  stated: Viewer;
  answers: CompatibilityAnswer[];
  market: MarketStats;
  views: PictureViews;
}

/** A card of the viewer's deck, with the person as they are now; reasons that no longer hold are left out. */
export function toCard(viewer: CardViewer, card: PageCard, person: PersonRow, now: Date): CardView {
  const [mine, theirs] = [viewer.place, pointOf(person)];
  const band = person.answers === null ? null : compatibilityBand(viewer.answers, toAnswers(person.answers));
  const km = mine === null || theirs === null ? null : distanceKm(mine, theirs);
  const candidate = { ...candidateOf({ ...person, ...card, km }, now), answers: band };
  const found = reasonsFor(viewer.stated, candidate, viewer.market, card.kept.isExploration);
  const last_active_at = card.last_active_at === null ? -Infinity : new Date(card.last_active_at);
  const profile = { ...person, ...card, gender: person.gender_name, last_active_at };
  return {
    user: toPublicUser(profile, viewer.caller, now, viewer.views),
    ...shownDistance(mine, theirs),
    compatibilityScore: band === null ? null : bandScores[band],
    compatibilityBand: band,
    reasons: stillTrue(card.kept.reasons, found),
  };
}

/** The reasons of these kinds as of now. */
function stillTrue(kinds: ReasonKind[], found: FoundReason[]): MatchReason[] {
  return kinds.flatMap((kind) => found.flatMap(({ reason }) => (reason.kind === kind ? [reason] : [])));
}
