import { createHmac, timingSafeEqual } from 'node:crypto';
import { msg } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { AnswerInput } from '#contract/endpoint.ts';
import type { openSharedDate } from '#contract/dates.ts';
import type { Deps } from '../../deps.ts';
import type { Db } from '#platform/db/db.ts';
import { isUuid } from '#platform/db/uuid.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { pictureMimeType, type StoredPicture } from '#platform/session/pictures.ts';
import { announce, deleteShare, isLinkOpenAt, lockOpenPlan, otherOf, planOf } from './plan.ts';

const sign = (key: string, id: string) =>
  createHmac('sha256', key).update(`date ${id}`).digest('base64url').slice(0, 32);

/** A member's link to a date. The token is in the fragment, which browsers send to no server. */
export const linkOf = ({ appealKey, config }: Pick<Deps, 'appealKey' | 'config'>, shareId: string): string =>
  new URL(`/app/date#${shareId}.${sign(appealKey, shareId)}`, config.publicUrl).href;

/**
 * Creates the caller's link to an accepted date, with the name by which they know the other person; one that exists stays. Returns the
 * match's id. Throws 404, and 409 before both agreed.
 */
export async function share(context: CommandContext, { id }: { id: string }): Promise<string> {
  const { tx, caller, now } = context;
  const plan = await lockOpenPlan(context, id);
  if (plan.state !== 'accepted')
    throw new AppError('CONFLICT', msg`You can share a date once you have both agreed to it.`);
  await sql`insert into date_share (plan_id, account_id, created_at, name)
    select ${id}::uuid, ${caller.accountId}::uuid, ${now}, coalesce(first_name, '') from profile
    where account_id = ${otherOf(plan, caller.accountId)}::uuid
    on conflict do nothing`.execute(tx);
  announce(context, plan.conversation_id, caller.accountId);
  return plan.conversation_id;
}

/** Ends the caller's link to a date, even if the match has ended. A new one has another address. Returns the match's id. Throws 403 and 404. */
export async function endShare(context: CommandContext, { id }: { id: string }): Promise<string> {
  const { tx, caller } = context;
  const plan = await planOf(tx, caller, id);
  if (plan === undefined) throw notFound();
  await deleteShare(context, id);
  announce(context, plan.conversation_id, caller.accountId);
  return plan.conversation_id;
}

type SharedRow = Record<'place' | 'zone' | 'name', string> & {
  by: string | null;
  at: Date;
  /** Null once the other person's account is deleted. */
  pictures: StoredPicture[] | null;
};

/** The date behind a link that has not ended. */
async function sharedRow(db: Db, shareId: string, now: Date): Promise<SharedRow | undefined> {
  const { rows } = await sql<SharedRow>`
    select d.place, d.at, d.zone, own.first_name as by, coalesce(s.name, p.first_name, '') as name, p.pictures
    from date_share s join date_plan d on d.id = s.plan_id
      join profile own on own.account_id = s.account_id
      left join profile p on p.account_id = case when d.proposed_by = s.account_id then d.proposed_to else d.proposed_by end
    where s.id = ${shareId}::uuid and ${isLinkOpenAt(now)}`.execute(db);
  return rows[0];
}

/** The share that a token names; undefined for a forged one. */
function shareIn(key: string, token: string): string | undefined {
  const [id = '', signature = '', ...more] = token.split('.');
  if (!isUuid(id) || more.length > 0) return undefined;
  const [expected, given] = [Buffer.from(sign(key, id)), Buffer.from(signature)];
  return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined;
}

/** How long before a date its link begins to show the picture of the person being met. */
const pictureHours = 24;

/**
 * What a friend sees of a date. The picture is part of the answer, so that no picture address outlives the link. It is shown only close to
 * the date, so that the link to a distant date doesn't show someone who has ended contact. Whether they have makes no difference, because
 * the sharer would notice it. Throws the same 404 for a forged token and for every reason why a link ends.
 */
export async function sharedDate(
  { db, storage, appealKey }: Pick<Deps, 'db' | 'storage' | 'appealKey'>,
  token: string,
  now: Date,
): Promise<AnswerInput<typeof openSharedDate>['data']['date']> {
  const id = shareIn(appealKey, token);
  const row = id === undefined ? undefined : await sharedRow(db, id, now);
  if (row === undefined) throw notFound();
  const { place, at, zone, by, name, pictures } = row;
  const isClose = at <= secondsAfter(now, pictureHours * 3600);
  const key = pictures?.find((picture) => picture.place === 0 && picture.state === 'approved')?.key;
  const bytes = key === undefined || !isClose ? null : await storage.get(`${key}.thumbnail`);
  const picture = bytes === null ? null : `data:${pictureMimeType};base64,${Buffer.from(bytes).toString('base64')}`;
  return { place, at, zone, by: by ?? '', name, picture };
}
