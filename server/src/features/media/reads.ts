import type { Db } from '#platform/db/db.ts';
import type { StoredPicture } from '#platform/session/pictures.ts';
import { sql } from 'kysely';
import { openedPictureSeconds } from '#contract/constants.ts';
import { may } from '#contract/roles.ts';
import type { StaffRole } from '#contract/staff-roles.ts';
import { seenBy } from '#platform/session/access.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { visibleTo } from '../profiles/public.ts';

/** An account's pictures as stored in its profile. */
export async function storedPictures(db: Db, accountId: string): Promise<StoredPicture[]> {
  const { pictures } = await db
    .selectFrom('profile')
    .select('pictures')
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  return pictures;
}

/** Storage keys of an account that its profile doesn't list: uploads, and the profile picture that is being replaced. */
export async function loosePictures(db: Db, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('picture')
    .select('object_key')
    .where('account_id', '=', accountId)
    .where((eb) => eb.or([eb('state', '=', 'unclaimed'), eb('place', '=', -1)]))
    .orderBy('uploaded_at')
    .execute();
  return rows.map(({ object_key: key }) => key);
}

/** The picture that a signed address points to: its owner, and whether the viewer may see it now. */
interface Served {
  /** The account or the report that the address is signed for. */
  of: string;
  isSeen: boolean;
}

const viewerIs = (viewerId: string) => sql`
  select v.id, v.staff_role is not null as is_staff from account v
  where v.id = ${viewerId}::uuid and v.is_active and v.leaving_since is null`;

/**
 * The picture with this key. Its visibility is checked on every request, so that an address stops working with the picture or the account,
 * after a block or a rejection, and during a pause. Owners and staff see everything; members see approved pictures (or pending ones with
 * `showsPending`) of people whose profile they may see.
 */
export async function pictureServed(
  db: Db,
  viewerId: string,
  objectKey: string,
  showsPending: boolean,
): Promise<Served | undefined> {
  if (!isUuid(viewerId)) return undefined;
  const shownStates = showsPending ? ['approved', 'pending'] : ['approved'];
  const { rows } = await sql<Served>`
    select p.account_id as of, coalesce((
      select p.state <> 'rejected' and (v.id = p.account_id or v.is_staff or (
        p.state = any (${shownStates}::text[]) and ${visibleTo(sql`v.id`, sql`p.account_id`)}
      )) from (${viewerIs(viewerId)}) v
    ), false) as "isSeen"
    from picture p where p.object_key = ${objectKey}
    order by 2 desc limit 1`.execute(db);
  return rows[0];
}

/**
 * A file of a message with this key, for the two people of a match that still exists, while each may see the other, until the message or
 * the file is deleted or removed. The receiver sees a view-once photo only by the address that opening it returned (`isOpening`), which is
 * signed for that photo and works for a minute. While a message is held, only its sender sees its files.
 */
export async function messageServed(
  db: Db,
  viewerId: string,
  objectKey: string,
  { isOpening, now }: { isOpening: boolean; now: Date },
): Promise<Served | undefined> {
  if (!isUuid(viewerId)) return undefined;
  // Other files are treated as deleted, so that no one notices what a legal hold keeps.
  const isThere = isOpening
    ? sql`f.opened_at > ${secondsAfter(now, -openedPictureSeconds)}`
    : sql`f.withdrawn_at is null and f.sent_at is not null`;
  const isServed = isOpening
    ? sql`f.account_id <> v.id and t.seq is not null and t.removed_at is null`
    : sql`not f.is_once and (f.account_id = v.id or t.seq is not null and t.removed_at is null)`;
  const { rows } = await sql<Served>`
    select ${isOpening ? sql`'opened ' || f.id` : sql`'messages ' || f.conversation_id`} as of, coalesce((
      select ${isServed} from (${viewerIs(viewerId)}) v
      join conversation c on c.id = f.conversation_id and c.ended_at is null and v.id in (c.low_id, c.high_id)
      join directory d on d.is_shown and d.account_id = case when c.low_id = v.id then c.high_id else c.low_id end
      where not v.is_staff
    ), false) as "isSeen"
    from message_media f left join message t on t.conversation_id = f.conversation_id and t.seq = f.seq and t.body is not null
    where f.object_key = ${objectKey} and ${isThere}`.execute(db);
  return rows[0];
}

/** A picture that a decision removed, for the member it was removed from, while the evidence is stored and not withheld. */
export async function removedServed(
  db: Db,
  viewerId: string,
  objectKey: string,
  sanctionId: string,
): Promise<Served | undefined> {
  if (!isUuid(viewerId) || !isUuid(sanctionId)) return undefined;
  const { rows } = await sql<Served>`
    select ${`sanction ${sanctionId}`} as of, coalesce((
      select v.id = s.account_id from (${viewerIs(viewerId)}) v
    ), false) as "isSeen"
    from sanction s join report_evidence c on c.id = (s.content ->> 'evidenceId')::uuid
      join evidence_picture e on e.evidence_id = c.id and e.object_key = ${objectKey}
    where s.id = ${sanctionId}::uuid and s.content ->> 'type' = 'picture' and s.content ->> 'isWithheld' is null
      and c.content::jsonb -> 'pictures' -> e.position ->> 'id' = s.content ->> 'key' limit 1`.execute(db);
  return rows[0];
}

/** A report's picture with this key, for staff who aren't a party to the report. */
export async function evidenceServed(
  db: Db,
  viewerId: string,
  objectKey: string,
  reportId: string,
): Promise<Served | undefined> {
  if (!isUuid(viewerId) || !isUuid(reportId)) return undefined;
  const { rows } = await sql<Served>`
    select ${`report ${reportId}`} as of, coalesce((
      select v.is_staff and ${seenBy({ accountId: viewerId }, 'evidence', 'r')}
      from (${viewerIs(viewerId)}) v
    ), false) as "isSeen"
    from evidence_picture e join report r on r.id = e.report_id
    where e.object_key = ${objectKey} and e.report_id = ${reportId}::uuid and r.deleted_at is null limit 1`.execute(db);
  return rows[0];
}

/** A selfie with this key, for staff who may review it, while it waits for review. */
export async function selfieServed(
  db: Db,
  viewerId: string,
  objectKey: string,
  checkId: string,
): Promise<Served | undefined> {
  if (!isUuid(viewerId) || !isUuid(checkId)) return undefined;
  const viewer = await sql<{ staffRole: StaffRole }>`
    select staff_role as "staffRole" from account where id = ${viewerId}::uuid and is_active and leaving_since is null`.execute(
    db,
  );
  const staffRole = viewer.rows[0]?.staffRole ?? null;
  const { rows } = await sql<Served>`
    select ${`selfie ${checkId}`} as of,
      ${may(staffRole, 'pictures.review')} and ${seenBy({ accountId: viewerId, staffRole }, 'reach', 'c.account_id')} as "isSeen"
    from selfie_check c
    where c.id = ${checkId}::uuid and c.state = 'waiting' and ${objectKey} in (c.front_key, c.posed_key)`.execute(db);
  return rows[0];
}
