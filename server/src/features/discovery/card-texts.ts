import * as z from 'zod/mini';
import type { FastifyReply } from 'fastify';
import { bandScores, type CompatibilityAnswer } from '#contract/compatibility/compatibility.ts';
import type { MatchReason, ReasonKind } from '#contract/discovery/discovery.ts';
import { publicUserSchema } from '#contract/profiles/user.ts';
import type { Caller } from '../../platform/session/caller.ts';
import { type PictureViews, unsigned } from '../../platform/session/pictures.ts';
import { serializerSchema } from '../../platform/http/mount.ts';
import { bytesOf, createMemory, keep, type UnsignedText } from '../../platform/http/ready-answer.ts';
import type { Db } from '../../platform/db/db.ts';
import { answersCounted, compatibilityBand, toSharedAnswers } from '../compatibility/public.ts';
import { distanceKm, maySeeActivity, type Point, pointOf, shownDistance, toShared } from '../profiles/public.ts';
import { candidateOf, viewerOf, viewerRow, type ViewerRow } from './deck/people.reads.ts';
import { type Page, type PageCard, peopleOf, type PersonRow } from './page.reads.ts';
import type { Candidate, MarketStats, Viewer } from './score/people.ts';
import { type FoundReason, reasonsFor } from './score/reasons.ts';

/** What a person takes besides the text. */
const bytesBeside = 2200;
const viewersMost = 10_000;

/** All of a card's user that is the same for each viewer. */
const userSchema = serializerSchema(z.omit(publicUserSchema, { isOnline: true, lastActive: true }));

interface Person {
  version: string;
  /** Without what depends on the viewer. */
  candidate: Candidate;
  place: Point | null;
  showsLastActive: boolean;
  answers: CompatibilityAnswer[];
  user: UnsignedText;
}

/** A viewer as their cards need them. */
interface KnownViewer {
  version: string;
  row: ViewerRow;
  stated: Viewer;
  answers: CompatibilityAnswer[];
}

/**
 * People's data and ready-made JSON text for their cards. Each entry is used only under the version that the same request read from the
 * database together with its check of who may be shown; so no entry shows anyone, or anything, that has changed since. Learned scores,
 * which only affect reasons, may be a day old, as they may be in decks.
 */
export interface CardTexts {
  /** The viewer of a page; undefined if they have just left. */
  viewerOf(db: Db, page: Page, now: Date): Promise<KnownViewer | undefined>;
  /**
   * The cards as the viewer sees them now, as JSON texts in order, a character per UTF-8 byte: a deck may be old, but the data on its cards
   * must not be.
   */
  textsFor(request: CardRequest): Promise<string[]>;
}

interface CardRequest {
  db: Db;
  caller: Caller;
  viewer: KnownViewer;
  /** Of the page's cards, those to show. */
  cards: PageCard[];
  market: MarketStats;
  now: Date;
  /** Lists each picture once. */
  picturesOnce: boolean;
  reply: FastifyReply;
}

/** An empty memory of card texts of up to `mostBytes`; pictures are shown by `views`. */
export function createCardTexts(views: PictureViews, mostBytes: number): CardTexts {
  const people = createMemory<Person>(mostBytes);
  const viewers = new Map<string, KnownViewer>();
  const dayOf = (now: Date) => now.toISOString().slice(0, 10);

  /** The people on cards; what is not known under its version is read again. */
  async function known({ db, viewer, cards, now, picturesOnce, reply }: CardRequest): Promise<(Person | undefined)[]> {
    const { gender } = viewer.row;
    // Learned values are per gender of the viewer, ages and counted answers per day.
    const keyOf = ({ id }: PageCard) => `${id} ${gender} ${picturesOnce}`;
    const day = dayOf(now);
    const versionOf = ({ version }: PageCard) => `${version} ${day}`;
    // Not looked up again after waiting: another request may have put back an older version by then.
    const kept = cards.map((card) => {
      const person = people.get(keyOf(card));
      return person?.version === versionOf(card) ? person : undefined;
    });
    const ids = cards.flatMap(({ id }, index) => (kept[index] === undefined ? [id] : []));
    if (ids.length === 0) return kept;
    const rows = new Map((await peopleOf(db, ids, gender, now)).map((row) => [row.account_id, row]));
    return cards.map((card, index) => {
      const row = rows.get(card.id);
      if (row === undefined) return kept[index];
      const person: Person = {
        version: versionOf(card),
        candidate: candidateOf({ ...row, km: null, likes_viewer: false }, now),
        place: pointOf(row),
        showsLastActive: row.show_last_active,
        answers: row.answers === null ? [] : toSharedAnswers(row.answers),
        user: userText(row, now, views, picturesOnce, reply),
      };
      people.put(keyOf(card), person, bytesFor(person));
      return person;
    });
  }

  return {
    async viewerOf(db, { accountId, version: own }, now) {
      const version = `${own} ${dayOf(now)}`;
      const before = viewers.get(accountId);
      if (before?.version === version) return before;
      const [row, answers] = await Promise.all([viewerRow(db, accountId), answersCounted(db, [accountId], now)]);
      if (row === undefined) return undefined;
      const viewer = { version, row, stated: viewerOf(row, now), answers: answers.get(accountId) ?? [] };
      keep(viewers, accountId, viewer, viewersMost);
      return viewer;
    },
    async textsFor(request) {
      const { caller, cards, market, now } = request;
      if (cards.length === 0) return [];
      const persons = await known(request);
      const { row, stated: viewer, answers: own } = request.viewer;
      const mine = pointOf(row);
      return cards.flatMap((card, index) => {
        const person = persons[index];
        if (person === undefined) return [];
        const { place: theirs } = person;
        const band = compatibilityBand(own, person.answers);
        const candidate = {
          ...person.candidate,
          distanceKm: mine === null || theirs === null ? null : distanceKm(mine, theirs),
          likesViewer: card.likesViewer,
          decisionsReceived: card.decisionsReceived,
          answers: band,
        };
        const found = reasonsFor(viewer, candidate, market, card.kept.isExploration);
        const rest = {
          // From the viewer's search location, which premium may have changed.
          ...shownDistance(mine, theirs),
          compatibilityScore: band === null ? null : bandScores[band],
          compatibilityBand: band,
          reasons: stillTrue(card.kept.reasons, found),
        };
        const user = person.user.join(views.signed(caller.accountId, card.id, now));
        const activity = activityText(card, maySeeActivity(caller, person.showsLastActive));
        return [`{"user":${user},${activity}},${bytesOf(JSON.stringify(rest).slice(1))}`];
      });
    },
  };
}

const bytesFor = ({ user }: Person): number => user.reduce((sum, part) => sum + part.length, bytesBeside);

/** The user of a card, without what depends on the viewer. */
function userText(
  row: PersonRow,
  now: Date,
  views: PictureViews,
  picturesOnce: boolean,
  reply: FastifyReply,
): UnsignedText {
  const user = toShared({ ...row, id: row.account_id, gender: row.gender_name }, now, views.unsigned(row.pictures));
  const shown = picturesOnce ? { ...user, more_pictures: [] } : user;
  const text = String(reply.compileSerializationSchema(userSchema)(shown));
  return bytesOf(text.slice(0, -1)).split(unsigned);
}

function activityText({ online, lastActive }: PageCard, isSeen: boolean): string {
  const at = isSeen && lastActive !== null ? `"${new Date(lastActive).toISOString()}"` : 'null';
  return `"isOnline":${isSeen ? String(online) : 'null'},"lastActive":${at}`;
}

/** The reasons of these kinds as of now; reasons that no longer hold are left out. */
function stillTrue(kinds: ReasonKind[], found: FoundReason[]): MatchReason[] {
  return kinds.flatMap((kind) => found.flatMap(({ reason }) => (reason.kind === kind ? [reason] : [])));
}
