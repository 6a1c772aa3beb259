import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import { defaultPageLimit, exactTotalMax } from '#contract/constants.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import type { listQueuedPictures, QueuedPicture } from '#contract/moderation/picture-queue.ts';
import type { Gender } from '#contract/profiles/profile-details.ts';
import type { Caller } from '#platform/session/caller.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { ageOn } from '#platform/process/clock.ts';
import { invalid } from '#platform/http/app-error.ts';
import type { Db } from '#platform/db/db.ts';
import { type MediaAddresses, pictureMimeType } from '#platform/session/pictures.ts';
import { seenBy } from '#platform/session/access.ts';
import { fullName } from '#platform/session/own-user.ts';
import type { PictureRow } from './pictures.ts';

type QueueState = 'pending' | 'approved';

type QueueRow = Pick<
  PictureRow,
  | 'id'
  | 'public_id'
  | 'account_id'
  | 'object_key'
  | 'name'
  | 'size'
  | 'width'
  | 'height'
  | 'placeholder'
  | 'state'
  | 'place'
  | 'reason'
  | 'labels'
  | 'external_labels'
> & {
  claimed_at: Date;
  first_name: string | null;
  last_name: string | null;
  birth_date: string | null;
  gender: Gender | null;
  position: string;
};

const queueColumns = sql`
  p.id, p.public_id, p.account_id, p.object_key, '' as name, p.size, p.width, p.height, p.placeholder, p.state, p.place, p.reason,
  p.labels, p.external_labels, p.claimed_at, f.first_name, f.last_name, f.birth_date, f.gender`;

/** The member of staff who reads the queue, the time, and the signer for the addresses of its pictures. */
interface QueueReader {
  db: Db;
  caller: Pick<Caller, 'accountId' | 'staffRole'>;
  now: Date;
  mediaAddresses: MediaAddresses;
}

/** The people with the same picture, by the id of the picture. */
type Others = Map<string, QueuedPicture['alsoOn']>;

function toQueued({ caller, now, mediaAddresses }: QueueReader, row: QueueRow, others: Others) {
  const addressOf = mediaAddresses.forSet(caller.accountId, row.account_id, now);
  const isGone = row.state === 'rejected';
  return {
    url: isGone ? '' : addressOf(row.object_key, 'large'),
    thumbnailUrl: isGone ? '' : addressOf(row.object_key, 'thumbnail'),
    publicId: row.public_id,
    name: row.name,
    size: row.size,
    mimeType: pictureMimeType,
    width: row.width,
    height: row.height,
    placeholder: row.placeholder,
    state: row.state as QueuedPicture['state'],
    reason: row.reason,
    isProfilePicture: row.place === 0,
    claimedAt: row.claimed_at,
    labels: row.labels,
    externalLabels: row.external_labels,
    alsoOn: others.get(row.id) ?? [],
    user: {
      _id: row.account_id,
      name: fullName(row.first_name, row.last_name),
      age: row.birth_date === null ? null : ageOn(row.birth_date, now),
      gender: row.gender,
    },
  };
}

/** One picture as staff see it in the queue; undefined for an unknown public id. */
export async function queuedPicture(reader: QueueReader, publicId: string) {
  const { rows } = await sql<QueueRow>`
    select ${queueColumns} from picture p join profile f on f.account_id = p.account_id
    where p.public_id = ${publicId} and p.state <> 'unclaimed'`.execute(reader.db);
  return rows[0] && toQueued(reader, rows[0], await othersWith(reader, rows));
}

interface QueuePage {
  pictures: ReturnType<typeof toQueued>[];
  pagination: { limit: number; total: number; totalIsExact?: boolean; nextCursor: string | null };
}

// Pending pictures are ordered by waiting time; decided ones by decision time, newest first.
const orders = {
  pending: { key: sql`p.claimed_at`, order: sql`p.claimed_at, p.id`, after: sql`>` },
  approved: { key: sql`p.decided_at`, order: sql`p.decided_at desc, p.id desc`, after: sql`<` },
} as const;

const tables = sql`picture p join account a on a.id = p.account_id`;

/** Whether account `a` isn't leaving and belongs to a person the viewer may act on. */
const isOpenTo = (caller: QueueReader['caller']) => sql`a.leaving_since is null and ${seenBy(caller, 'reach', 'a.id')}`;

/** The pictures in a state, without those of people the viewer may not act on and of accounts that are leaving. */
const listedFor = (caller: QueueReader['caller'], state: QueueState) =>
  sql`p.state = ${sql.lit(state)} and ${isOpenTo(caller)}`;

/** The pictures `p` that wait for review by someone. */
export const waitingPictures = (caller: QueueReader['caller']) => sql`${tables} where ${listedFor(caller, 'pending')}`;

/** The most people that are named for one picture. */
const mostOthers = 5;

/** For each of these pictures, some of the other people with the same one on their profile. */
async function othersWith({ db, caller }: QueueReader, of: readonly Pick<QueueRow, 'id'>[]): Promise<Others> {
  const { rows } = await sql<{ of: string; id: string; first_name: string | null; last_name: string | null }>`
    select own.id as of, o.* from unnest(${of.map(({ id }) => id)}::uuid[]) own (id) cross join lateral (
      select distinct a.id, f.first_name, f.last_name
      from same_picture s join picture p on p.id = s.other_id join account a on a.id = p.account_id
        join profile f on f.account_id = a.id
      where s.picture_id = own.id and p.place is not null and ${isOpenTo(caller)} order by a.id limit ${mostOthers}
    ) o`.execute(db);
  const others = Map.groupBy(rows, (row) => row.of);
  return new Map(
    [...others].map(([id, people]) => [
      id,
      people.map((one) => ({ _id: one.id, name: fullName(one.first_name, one.last_name) })),
    ]),
  );
}

/** The number of pictures waiting for the viewer's review, counted up to `most`, and since when the oldest waits. */
export async function pendingPictures(
  db: Db,
  caller: QueueReader['caller'],
  most: number,
): Promise<{ count: number; since: Date | null }> {
  const { rows } = await sql<{ count: number; since: Date | null }>`
    select count(*)::int as count, min(claimed_at) as since from (
      select p.claimed_at from ${waitingPictures(caller)} order by p.claimed_at, p.id limit ${most}
    ) waiting`.execute(db);
  return rows[0] ?? { count: 0, since: null };
}

/**
 * One page of the pictures in a state, without those of people the viewer may not act on and of accounts that are leaving. The total is
 * exact up to 10,000.
 */
export async function queuePage(
  reader: QueueReader,
  { state = 'pending', page = 1, limit = defaultPageLimit, cursor }: QueryOf<typeof listQueuedPictures>,
): Promise<QueuePage> {
  const { db, caller } = reader;
  const { key, order, after } = orders[state];
  const position = cursor === undefined ? null : readCursor(cursor, state);
  const listed = listedFor(caller, state);
  const { rows } = await sql<QueueRow>`
    select ${queueColumns}, to_char(${key} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position
    from ${tables} join profile f on f.account_id = p.account_id
    where ${listed} and ${
      position === null ? sql`true` : sql`(${key}, p.id) ${after} (${position.at}::timestamptz, ${position.id}::uuid)`
    }
    order by ${order} limit ${limit + 1} offset ${cursor === undefined ? (page - 1) * limit : 0}`.execute(db);
  const counted = await sql<{ total: string }>`
    select count(*) as total from (select from ${tables} where ${listed} limit ${exactTotalMax + 1}) listed`.execute(
    db,
  );
  const total = Number(counted.rows[0]?.total);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  const others = await othersWith(reader, shown);
  return {
    pictures: shown.map((row) => toQueued(reader, row, others)),
    pagination: {
      limit,
      total: Math.min(total, exactTotalMax),
      ...(total > exactTotalMax ? { totalIsExact: false } : {}),
      nextCursor: rows.length > limit && last ? writeCursor(state, last) : null,
    },
  };
}

const writeCursor = (state: QueueState, { position, id }: QueueRow) =>
  Buffer.from(`${state} ${position} ${id}`).toString('base64url');

function readCursor(cursor: string, state: QueueState): { at: string; id: string } {
  const [ofState, at = '', id = ''] = Buffer.from(cursor, 'base64url').toString('utf8').split(' ');
  const isMoment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at) && !Number.isNaN(Date.parse(at));
  if (ofState !== state || !isMoment || !isUuid(id)) throw invalid('cursor', msg`This cursor belongs to another list`);
  return { at, id };
}
