import * as z from 'zod/mini';
import type { FastifyReply } from 'fastify';
import { bandScores, type CompatibilityAnswer } from '#contract/compatibility/compatibility.ts';
import type { MatchReason, ReasonKind } from '#contract/discovery/match-reasons.ts';
import { pictureSchema } from '#contract/media/picture.ts';
import { publicUserSchema } from '#contract/profiles/user.ts';
import type { Caller } from '../../platform/session/caller.ts';
import { type PictureViews, unsigned } from '../../platform/session/pictures.ts';
import { serializerSchema } from '../../platform/http/mount.ts';
import type { Db } from '../../platform/db/db.ts';
import { answersCounted, compatibilityBand } from '../compatibility/public.ts';
import { distanceKm, maySeeActivity, pointOf, shownDistance, toShared } from '../profiles/public.ts';
import { candidateOf, viewerOf } from './deck/people.reads.ts';
import { type Page, type PageCard, peopleOf, type PersonRow } from './page.reads.ts';
import type { MarketStats } from './score/people.ts';
import { type FoundReason, reasonsFor } from './score/reasons.ts';

/** About 5 KB each. */
const peopleMost = 10_000;
const sheetsMost = 10_000;

/** Fields of a card's user that depend on the viewer, or are made of the pictures. */
const userSchema = serializerSchema(
  z.omit(publicUserSchema, { isOnline: true, lastActive: true, pictures: true, more_pictures: true }),
);
const onePictureSchema = serializerSchema(pictureSchema);

/** JSON text in parts; what signs the addresses of pictures for one viewer belongs between them. */
type UnsignedText = string[];

interface Person {
  version: string;
  row: PersonRow;
  user: UnsignedText;
  pictures: UnsignedText[];
}

interface Sheet {
  version: string;
  answers: CompatibilityAnswer[];
}

/**
 * People's data and ready-made JSON text for their cards. Each entry is used only under the version that the same request read from the
 * database together with its check of who may be shown; so no entry shows anyone, or anything, that has changed since.
 */
export interface CardTexts {
  /** The cards as the viewer sees them now, as JSON texts in order: a deck may be old, but the data on its cards must not be. */
  textsFor(request: CardRequest): Promise<string[]>;
}

interface CardRequest {
  db: Db;
  caller: Caller;
  page: Page;
  /** Of the page's cards, those to show. */
  cards: PageCard[];
  market: MarketStats;
  now: Date;
  /** Lists each picture once. */
  picturesOnce: boolean;
  reply: FastifyReply;
}

/** An empty memory of card texts; pictures are shown by `views`. */
export function createCardTexts(views: PictureViews): CardTexts {
  const people = new Map<string, Person>();
  const sheets = new Map<string, Sheet>();

  /** The people on cards; what is not known under its version is read again. */
  async function known({ db, page, cards, now, reply }: CardRequest, day: string): Promise<(Person | undefined)[]> {
    // Learned values are per gender of the viewer, ages per day.
    const keyOf = ({ id }: PageCard) => `${id} ${page.gender}`;
    const versionOf = ({ version }: PageCard) => `${version} ${day}`;
    const missing = cards.filter((card) => people.get(keyOf(card))?.version !== versionOf(card));
    if (missing.length > 0) {
      const ids = missing.map(({ id }) => id);
      const rows = new Map((await peopleOf(db, ids, page.gender)).map((row) => [row.account_id, row]));
      for (const card of missing) {
        const row = rows.get(card.id);
        people.delete(keyOf(card));
        if (row !== undefined) put(people, keyOf(card), personOf(row, versionOf(card), now, views, reply), peopleMost);
      }
    }
    return cards.map((card) => people.get(keyOf(card)));
  }

  async function answersOf({ db, page, cards, now }: CardRequest, day: string): Promise<Map<string, Sheet>> {
    const wanted = [{ id: page.account_id, sheet: page.ownSheet }, ...cards].filter(({ sheet }) => sheet !== null);
    const versionOf = (sheet: string | null) => `${sheet} ${day}`;
    const missing = wanted.filter(({ id, sheet }) => sheets.get(id)?.version !== versionOf(sheet));
    if (missing.length > 0) {
      const ids = missing.map(({ id }) => id);
      const found = await answersCounted(db, ids, now);
      for (const { id, sheet } of missing)
        put(sheets, id, { version: versionOf(sheet), answers: found.get(id) ?? [] }, sheetsMost);
    }
    return new Map(wanted.flatMap(({ id }) => (sheets.has(id) ? [[id, sheets.get(id) as Sheet]] : [])));
  }

  return {
    async textsFor(request) {
      const { caller, page, cards, market, now, picturesOnce } = request;
      if (cards.length === 0) return [];
      const day = now.toISOString().slice(0, 10);
      const [persons, answers] = await Promise.all([known(request, day), answersOf(request, day)]);
      const viewer = viewerOf(page, now);
      const mine = pointOf(page);
      const own = answers.get(page.account_id)?.answers ?? [];
      return cards.flatMap((card, index) => {
        const person = persons[index];
        if (person === undefined) return [];
        const { row } = person;
        const theirs = pointOf(row);
        const band = compatibilityBand(own, answers.get(card.id)?.answers ?? []);
        const km = mine === null || theirs === null ? null : distanceKm(mine, theirs);
        const candidate = candidateOf({ ...row, km, likes_viewer: card.likesViewer }, now);
        const found = reasonsFor(viewer, { ...candidate, answers: band }, market, card.kept.isExploration);
        const rest = {
          // From the viewer's search location, which premium may have changed.
          ...shownDistance(mine, theirs),
          compatibilityScore: band === null ? null : bandScores[band],
          compatibilityBand: band,
          reasons: stillTrue(card.kept.reasons, found),
        };
        const signature = views.signed(caller.accountId, card.id, now);
        const user = userText(person, card, signature, maySeeActivity(caller, row.show_last_active), picturesOnce);
        return [`{"user":${user},${JSON.stringify(rest).slice(1)}`];
      });
    },
  };
}

/** Adds an entry, and forgets the oldest when there are more than `most`. */
function put<T>(entries: Map<string, T>, key: string, entry: T, most: number): void {
  entries.set(key, entry);
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}

function personOf(row: PersonRow, version: string, now: Date, views: PictureViews, reply: FastifyReply): Person {
  const pictures = views.unsigned(row.pictures);
  const user = toShared({ ...row, id: row.account_id, gender: row.gender_name }, now, pictures);
  const textOf = (schema: Record<string, unknown>, value: Record<string, unknown>) =>
    String(reply.compileSerializationSchema(schema)(value)).split(unsigned);
  return {
    version,
    // Only what candidates are made of stays in memory.
    row: { ...row, bio: null, details: {}, pictures: [] },
    user: textOf(userSchema, user),
    pictures: pictures.map((picture) => textOf(onePictureSchema, picture)),
  };
}

function userText(
  person: Person,
  { online, lastActive }: PageCard,
  signature: string,
  isActivitySeen: boolean,
  picturesOnce: boolean,
): string {
  const pictures = person.pictures.map((parts) => parts.join(signature));
  const more = picturesOnce ? '' : pictures.slice(1).join(',');
  const at = isActivitySeen && lastActive !== null ? `"${new Date(lastActive).toISOString()}"` : 'null';
  const is = isActivitySeen ? String(online) : 'null';
  const own = person.user.join(signature).slice(0, -1);
  return `${own},"more_pictures":[${more}],"pictures":[${pictures.join(',')}],"isOnline":${is},"lastActive":${at}}`;
}

/** The reasons of these kinds as of now; reasons that no longer hold are left out. */
function stillTrue(kinds: ReasonKind[], found: FoundReason[]): MatchReason[] {
  return kinds.flatMap((kind) => found.flatMap(({ reason }) => (reason.kind === kind ? [reason] : [])));
}
