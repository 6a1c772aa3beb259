import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type { AnswerInput, QueryOf } from '#contract/endpoint.ts';
import { type CaseView, caseViews, lateCountMost, type listCases } from '#contract/moderation/case-list.ts';
import { permissions } from '#contract/roles.ts';
import { daySchema } from '#contract/text.ts';
import { countEach, type Db } from '#platform/db/db.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { invalid } from '#platform/http/app-error.ts';
import { readHidden, seenBy, withHidden } from '#platform/session/access.ts';
import type { Viewer } from '../../profiles/public.ts';
import { type DecidedPlace, type DecidedSearch, decisionLines, newestLines, searchDecided } from './decided.reads.ts';
import {
  countedMost,
  findCases,
  isOpenList,
  listedBy,
  listedIn,
  type Order,
  orderOf,
  toCaseLine,
} from './list.reads.ts';

const defaultLimit = 25;

const timeOfDay = /^(?:[01]\d|2[0-3])(?::[0-5]\d){2}(?:\.\d{1,6})?[+-](?:0\d|1[0-4])(?::[0-5]\d)?$/;

/** Whether a string is a timestamp in the database's format, such as 2026-11-22 09:30:00.123456+00. */
function isTimestamp(text: string): boolean {
  const [day = '', time = ''] = text.split(' ');
  return daySchema.safeParse(day).success && timeOfDay.test(time);
}

/** The place in a cursor, which consists of a timestamp and an id; null without one. Throws 400. */
function placeIn(cursor: string | undefined): DecidedPlace | null {
  if (cursor === undefined) return null;
  const [at = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split('|');
  if ((at !== 'infinity' && !isTimestamp(at)) || !isUuid(id))
    throw invalid('cursor', msg`Use the cursor of the previous page`);
  return { at, id };
}

const cursorOf = ({ at, id }: DecidedPlace) => Buffer.from(`${at}|${id}`).toString('base64url');

/** The condition for cases after a place. */
function afterPlace(place: DecidedPlace | null, { by, isDescending }: Order): RawBuilder<unknown> {
  if (place === null) return sql``;
  return sql`and (${by}, c.id) ${isDescending ? sql`<` : sql`>`} (${place.at}::timestamptz, ${place.id}::uuid)`;
}

interface Page {
  cases: AnswerInput<typeof listCases>['data']['cases'];
  nextCursor: string | null;
}

/** The cases that match a search for decisions, each with its newest matching decision. */
async function searchedPage(db: Db, viewer: Viewer, search: DecidedSearch, now: Date): Promise<Page> {
  const { found, next } = await searchDecided(db, viewer, search);
  const ids = found.map(({ case_id }) => case_id);
  const wanted = sql`c.id = any (${ids}::uuid[])`;
  const [rows, decisions] = await Promise.all([findCases(db, wanted, ids.length), decisionLines(db, found)]);
  const lines = new Map(rows.map((row) => [row.id, toCaseLine(row, viewer, now)]));
  const cases = ids.flatMap((id) => {
    const line = lines.get(id);
    return line === undefined ? [] : [{ ...line, decision: decisions.get(id) ?? null }];
  });
  return { cases, nextCursor: next && cursorOf(next) };
}

/** One page of the cases that a query asks for. Throws 404 for a deleted list. */
async function pageOf(db: Db, viewer: Viewer, query: QueryOf<typeof listCases>, now: Date): Promise<Page> {
  const { ids, limit = ids?.length ?? defaultLimit } = query;
  const listed = await listedBy(db, viewer, query, now);
  const { list, decided: filters } = listed;
  const after = placeIn(query.cursor);
  if (ids === undefined && filters)
    return await searchedPage(db, viewer, { filters, isAppealed: list === 'appealed', after, limit }, now);
  const order = orderOf(listed);
  const wanted =
    ids === undefined
      ? listedIn(listed, viewer, now)
      : sql`c.id = any (${ids.filter(isUuid)}::uuid[]) and ${seenBy(viewer, 'case', 'c.id')}`;
  const found = await findCases(db, sql`${wanted} ${afterPlace(after, order)}`, limit + 1, order);
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const decisions = ids === undefined && !isOpenList(list) ? await newestLines(db, viewer, page) : null;
  const judged = await readHidden(db, viewer, 'decision');
  return {
    cases: page.map((row) => ({
      // Whether the account is active would reveal the decision to the person who reviews the case again.
      ...toCaseLine(judged.has(row.id) ? { ...row, is_active: true } : row, viewer, now),
      ...(decisions !== null && { decision: decisions.get(row.id) ?? null }),
    })),
    nextCursor: found.length > limit && last !== undefined ? cursorOf({ at: last.place, id: last.id }) : null,
  };
}

/** One page of a list of cases, and the size of each list, counted up to a limit. Throws 404 for a deleted list. */
export async function casesPage(
  db: Db,
  viewer: Viewer,
  query: QueryOf<typeof listCases>,
  now: Date,
): Promise<AnswerInput<typeof listCases>['data']> {
  // Rows are filtered by what is hidden when they are read; for counts, what was hidden a moment ago is enough.
  const seer = await withHidden(db, viewer, 'case', 'decision');
  const [page, [reviewers = 0, lateAppeals = 0, ...sizes]] = await Promise.all([
    pageOf(db, viewer, query, now),
    countEach(db, [
      [
        sql`account where staff_role = any (${permissions['appeals.decide']}::text[]) and is_active and leaving_since is null`,
        2,
      ],
      [
        sql`appeal o join moderation_case c on c.id = o.case_id where o.state in ('submitted', 'under_review')
          and o.due_at < ${now}::timestamptz and ${seenBy(seer, 'case', 'c.id')}`,
        lateCountMost,
      ],
      ...caseViews.map(
        (list) =>
          [
            sql`moderation_case c where ${listedIn({ list }, seer, now)}`,
            list === 'breached' ? lateCountMost : countedMost,
          ] as const,
      ),
    ]),
  ]);
  return {
    ...page,
    counts: Object.fromEntries(caseViews.map((of, index) => [of, sizes[index] ?? 0])) as Record<CaseView, number>,
    lateAppeals,
    hasSecondReviewer: reviewers > 1,
  };
}
