import { sql } from 'kysely';
import { exactTotalMax } from '#contract/constants.ts';
import type { AnswerInput } from '#contract/endpoint.ts';
import { type listSelfies, type Pose, selfiesPerAnswer } from '#contract/photo-verification.ts';
import { countRows, type Db } from '#platform/db/db.ts';
import { ageOn } from '#platform/process/clock.ts';
import type { Caller } from '#platform/session/caller.ts';
import { fullName } from '#platform/session/own-user.ts';
import { seenBy, type Staff } from '#platform/session/access.ts';
import type { MediaAddresses, PictureViews, StoredPicture } from '#platform/session/pictures.ts';
import { selfiePrefix } from '../media/public.ts';

interface QueueRow {
  id: string;
  account_id: string;
  pose: Pose;
  sent_at: Date;
  front_key: string;
  posed_key: string;
  first_name: string | null;
  last_name: string | null;
  birth_date: string | null;
  pictures: StoredPicture[];
  rejected_before: number;
}

/** The member of staff who reads the queue, the time, and what addresses pictures. */
interface QueueReader {
  db: Db;
  caller: Caller;
  now: Date;
  mediaAddresses: MediaAddresses;
  pictures: PictureViews;
}

function toQueued({ caller, now, mediaAddresses, pictures }: QueueReader, row: QueueRow) {
  const addressOf = mediaAddresses.forSet(caller.accountId, `selfie ${row.id}`, now, `selfie=${row.id}&`);
  const urlOf = (key: string) => addressOf(key.replace(selfiePrefix, '').replace('.webp', ''), 'large');
  return {
    _id: row.id,
    pose: row.pose,
    sentAt: row.sent_at,
    frontUrl: urlOf(row.front_key),
    posedUrl: urlOf(row.posed_key),
    user: {
      _id: row.account_id,
      name: fullName(row.first_name, row.last_name),
      age: row.birth_date === null ? null : ageOn(row.birth_date, now),
    },
    pictures: pictures
      .forStaff(caller.accountId, row.account_id, row.pictures, now)
      .filter(({ state }) => state !== 'rejected'),
    rejectedBefore: row.rejected_before,
  };
}

/** The checks `c` of selfies that wait for someone, with account `a` and profile `f`. */
export const waitingSelfies = (caller: Staff) => sql`
  selfie_check c join account a on a.id = c.account_id join profile f on f.account_id = c.account_id
  where c.state = 'waiting' and a.leaving_since is null and a.is_active and ${seenBy(caller, 'reach', 'c.account_id')}`;

/** The selfies of people the caller may act on, longest waiting first. Those of accounts that are leaving or closed are left out. */
export async function selfieQueue(
  reader: QueueReader,
  limit = selfiesPerAnswer,
): Promise<AnswerInput<typeof listSelfies>['data']> {
  const { db, caller } = reader;
  const waiting = waitingSelfies(caller);
  const { rows } = await sql<QueueRow>`
    select c.id, c.account_id, c.pose, c.sent_at, c.front_key, c.posed_key, f.first_name, f.last_name, f.birth_date, f.pictures,
      (select count(*)::int from selfie_check r where r.account_id = c.account_id and r.state = 'rejected') as rejected_before
    from ${waiting} order by c.sent_at, c.id limit ${limit}`.execute(db);
  return {
    selfies: rows.map((row) => toQueued(reader, row)),
    total: await countRows(db, waiting, exactTotalMax),
    figures: await readFigures(db),
  };
}

async function readFigures(db: Db): Promise<{ verified: number; members: number }> {
  const { rows } = await sql<{ verified: number; members: number }>`
    select (select count(*)::int from profile where photo_verified_at is not null) as verified,
      (select coalesce(sum(value), 0)::int from (
        select value from statistic where kind = 'total' and key = 'complete'
        union all select delta from statistic_delta where kind = 'total' and key = 'complete') counted) as members`.execute(
    db,
  );
  return rows[0] ?? { verified: 0, members: 0 };
}
