import { msg } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type { AnswerInput, BodyOf } from '#contract/endpoint.ts';
import type { listInvitations, makeInvitation } from '#contract/service/invitations.ts';
import { newToken } from '#platform/config/secrets.ts';
import { actorOf, audit, given } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import { fullName } from '#platform/session/own-user.ts';

const daySeconds = 86_400;
const listed = 100;
const peopleListed = 50;

const linkOf = (publicUrl: string, token: string) => `${publicUrl}/app/join#invitation=${token}`;

/** Creates a link that lets people join; returns its URL. */
export async function makeLink(context: CommandContext, body: BodyOf<typeof makeInvitation>): Promise<string> {
  const { tx, caller, now, deps } = context;
  const token = newToken();
  const { note, most, days } = body;
  const { id } = await tx
    .insertInto('invitation')
    .values({
      token,
      note,
      most,
      ends_at: secondsAfter(now, days * daySeconds),
      made_at: now,
      made_by: actorOf(caller).name,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(context, { type: 'invitation', id }, 'invitation.made', { changes: given(body) });
  return linkOf(deps.config.publicUrl, token);
}

/** Ends a link; 404 if there is none, or it has already ended. */
export async function revokeLink(context: CommandContext, { id }: { id: string }): Promise<void> {
  const { tx, now } = context;
  const ended = await tx
    .updateTable('invitation')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .returning('id')
    .executeTakeFirst();
  if (ended === undefined) throw notFound();
  await audit(context, { type: 'invitation', id }, 'invitation.revoked');
}

/** The newest links, each with the newest people who joined with it. */
export async function readLinks(
  db: Db,
  publicUrl: string,
): Promise<AnswerInput<typeof listInvitations>['data']['invitations']> {
  const rows = await db.selectFrom('invitation').selectAll().orderBy('made_at', 'desc').limit(listed).execute();
  const ids = rows.map(({ id }) => id);
  const { rows: people } = await sql<{ invitation: string; id: string; first: string; last: string | null; at: Date }>`
    select i.id as invitation, u.account_id as id, p.first_name as first, p.last_name as last, u.used_at as at
    from invitation i cross join lateral (select * from invitation_use u where u.invitation_id = i.id
      order by used_at desc limit ${peopleListed}) u join profile p on p.account_id = u.account_id
    where i.id = any (${ids}::uuid[]) order by u.used_at desc`.execute(db);
  const by = Map.groupBy(people, ({ invitation }) => invitation);
  return rows.map((row) => ({
    _id: row.id,
    link: linkOf(publicUrl, row.token),
    note: row.note,
    most: row.most,
    uses: row.uses,
    endsAt: row.ends_at,
    madeAt: row.made_at,
    by: row.made_by,
    isRevoked: row.revoked_at !== null,
    people: (by.get(row.id) ?? []).map(({ id, first, last, at }) => ({
      _id: id,
      name: fullName(first, last) ?? '',
      usedAt: at,
    })),
  }));
}

const invalidLink = () =>
  new AppError('INVITATION_INVALID', msg`This invitation is unknown, used up or over. Ask for a new one.`);

/** Checks an invitation before anything else happens: 422 if it is unknown, used up or expired. */
export async function checkInvitation(db: Db, token: string, now: Date): Promise<void> {
  const { rows } = await sql`select from invitation
    where token = ${token} and uses < most and ends_at > ${now} and revoked_at is null`.execute(db);
  if (rows.length === 0) throw invalidLink();
}

/** Uses an invitation for a new account; 422 if it was used up meanwhile, which undoes the account. */
export async function takeInvitation(tx: Db, token: string, accountId: string, now: Date): Promise<void> {
  const { rows } = await sql`
    with taken as (update invitation set uses = uses + 1
      where token = ${token} and uses < most and ends_at > ${now} and revoked_at is null returning id)
    insert into invitation_use (account_id, invitation_id, used_at) select ${accountId}, id, ${now} from taken returning 1`.execute(
    tx,
  );
  if (rows.length === 0) throw invalidLink();
}

/** Whether the account in a column joined with an invitation. */
export const isInvited = (column: string): RawBuilder<boolean> =>
  sql`exists (select from invitation_use u where u.account_id = ${sql.ref(column)})`;

/** Frees the invitations of accounts that are about to be deleted and never verified their address. */
export async function giveInvitationsBack(tx: Db, accountIds: readonly string[]): Promise<void> {
  await sql`
    with gone as (delete from invitation_use u using account a
      where a.id = u.account_id and a.id = any (${accountIds}::uuid[]) and a.email_verified_at is null
      returning u.invitation_id as id)
    update invitation i set uses = i.uses - g.uses
    from (select id, count(*)::int as uses from gone group by id) g where i.id = g.id`.execute(tx);
}
