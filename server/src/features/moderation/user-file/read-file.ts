import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { AnswerInput, ParamsOf, QueryOf } from '#contract/endpoint.ts';
import type { getUserFile } from '#contract/moderation/user-file.ts';
import { type FileKind, fileKindNames, fileKinds, may } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { audit } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { invalid, notFound } from '#platform/http/app-error.ts';
import { isStorableMoment } from '#platform/process/clock.ts';
import { type Involvement, mayActOn } from '#platform/session/access.policy.ts';
import { withInvolvement } from '#platform/session/access.ts';
import type { Viewer } from '../../profiles/public.ts';
import type { StaffContext } from '../work/case-row.ts';
import { type FoundEntry, toEntry } from './entries.ts';
import { aboutThem, sourceColumns, sources } from './sources.ts';
import { tagsOf } from './tags.reads.ts';

const defaultLimit = 30;

/** The end of a page. Entries of the same millisecond are ordered by kind and key. */
interface Place {
  at: number;
  kind: FileKind;
  key: string;
}

const placeSchema = z.tuple([z.int(), z.enum(fileKindNames), z.string().check(z.regex(/^[\x20-\x7e]{1,200}$/))]);

function readPlace(cursor: string | undefined): Place | null {
  if (cursor === undefined) return null;
  try {
    const [at, kind, key] = placeSchema.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
    if (isStorableMoment(new Date(at))) return { at, kind, key };
  } catch {
    // Refused below.
  }
  throw invalid('cursor', msg`Use the cursor of the previous page`);
}

const cursorOf = ({ at, kind, key }: FoundEntry) =>
  Buffer.from(JSON.stringify([Number(at), kind, key])).toString('base64url');

const rank = (kind: FileKind) => fileKindNames.indexOf(kind);
const byPlace = (one: FoundEntry, other: FoundEntry) =>
  Number(other.at) - Number(one.at) || rank(one.kind) - rank(other.kind) || (one.key < other.key ? 1 : -1);

interface Wanted {
  id: string;
  viewer: Viewer;
  kinds: readonly FileKind[];
  /** Only entries after this place. */
  place: Place | null;
  /** The most entries of each kind. */
  limit: number;
}

/** The statement that reads the newest entries of each kind. */
export function newestOfEach({ id, viewer, kinds, place, limit }: Wanted) {
  const parts = kinds.map((kind) => {
    const isLaterKind = place !== null && rank(kind) >= rank(place.kind);
    // Places have whole milliseconds, the database has microseconds.
    const before = place === null ? 'infinity' : new Date(place.at + (isLaterKind ? 1 : 0));
    const isSameKind = place?.kind === kind;
    const further = isSameKind
      ? sql`and (s.at < ${new Date(place.at)}::timestamptz or s.key collate "C" < ${place.key})`
      : sql``;
    return sql`(select ${sql.lit(kind)} as kind, s.* from (${sources[kind](id, viewer)}) s ${sourceColumns} where s.at < ${before}::timestamptz ${further}
      order by s.at desc, s.key collate "C" desc limit ${limit})`;
  });
  return sql<FoundEntry>`with ${aboutThem(id)} ${sql.join(parts, sql` union all `)}`;
}

async function readEntries(db: Db, wanted: Wanted): Promise<FoundEntry[]> {
  if (wanted.kinds.length === 0) return [];
  const { rows } = await newestOfEach(wanted).execute(db);
  return rows.sort(byPlace);
}

/** Kinds that require the right to act on a person, not only to see them. */
const isPrivate = (kind: FileKind) =>
  kind === 'note' || kind === 'tag' || ['users.help', 'subscriptions.view'].includes(fileKinds[kind]);

/**
 * The kinds that a member of staff sees in a person's file: none if they are involved or review the case again, nothing private about
 * people above them.
 */
function kindsFor(viewer: Viewer & Involvement, person: { id: string; staff_role: StaffRole | null }): FileKind[] {
  if (viewer.involvedWith.has(person.id)) return [];
  const mayAct = mayActOn(viewer, person);
  return fileKindNames.filter((kind) => may(viewer.staffRole, fileKinds[kind]) && (mayAct || !isPrivate(kind)));
}

/** Views by the team, which are far more numerous than everything else, are included only on request. */
const comesUnasked = (kind: FileKind) => kind !== 'read';

/**
 * One page of a person's history, newest first, as far as the caller's role may see it. Kinds they may not see are left out, even when
 * requested. Writes an audit row. 404 for an unknown id.
 */
export async function readFile(
  { tx, caller, now }: StaffContext,
  { id, kind: asked, cursor, limit = defaultLimit }: ParamsOf<typeof getUserFile> & QueryOf<typeof getUserFile>,
): Promise<AnswerInput<typeof getUserFile>['data']> {
  const person = await tx.selectFrom('account').select(['id', 'staff_role']).where('id', '=', id).executeTakeFirst();
  if (person === undefined) throw notFound();
  const viewer = await withInvolvement(tx, caller);
  const kinds = kindsFor(viewer, person);
  const shown = asked === undefined ? kinds.filter(comesUnasked) : kinds.filter((kind) => asked.includes(kind));
  const found = await readEntries(tx, { id, viewer, kinds: shown, place: readPlace(cursor), limit: limit + 1 });
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const changes = { kinds: { from: null, to: shown } };
  await audit({ tx, caller, now }, { type: 'user', id }, 'user.fileRead', { changes });
  return {
    entries: page.map((entry) => toEntry(entry, caller, now)),
    kinds,
    tags: kinds.includes('tag') ? await tagsOf(tx, id) : [],
    nextCursor: found.length > limit && last !== undefined ? cursorOf(last) : null,
  };
}
