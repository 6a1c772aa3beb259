import { msg, plural } from '@lingui/core/runtime-macro';
import { sql } from 'kysely';
import type { AnswerInput, BodyOf, ParamsOf } from '#contract/endpoint.ts';
import type { revealUser } from '#contract/profiles/staff.ts';
import { revealsPerHour } from '#contract/roles.ts';
import { audit, type AuditEntry } from '#platform/db/audit.ts';
import type { Db } from '#platform/db/db.ts';
import { AppError, notFound } from '#platform/http/app-error.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Caller } from '#platform/session/caller.ts';
import { requireMayAct } from '#platform/session/access.ts';
import { userById } from '../reads.ts';
import type { UserRow } from '../views.ts';
import { eagerFrom } from './listed.ts';

const hourSeconds = 3600;
const daySeconds = 24 * hourSeconds;

/**
 * The address and birth date of a user for staff who see them masked, with the reason in the audit trail. Throws the errors of `revealTo`.
 */
export async function revealPrivate(
  context: Pick<CommandContext, 'tx' | 'caller' | 'now'>,
  { id, reason }: ParamsOf<typeof revealUser> & BodyOf<typeof revealUser>,
): Promise<AnswerInput<typeof revealUser>['data']> {
  const { users, remaining } = await revealTo(context, [id], { action: 'pii.revealed', reason });
  const [user] = users;
  if (user === undefined) throw notFound();
  return { email: user.email, birthDate: user.birth_date, remaining };
}

/**
 * Counts and audits that staff see private data of these users, each once. Throws 404; 403 if the caller may not act on one of them; 429
 * until the hour allows it. Refused attempts are audited too.
 */
export async function revealTo(
  { tx, caller, now }: Pick<CommandContext, 'tx' | 'caller' | 'now'>,
  ids: readonly string[],
  { action, ...details }: Pick<AuditEntry, 'action' | 'changes'> & { reason: string },
): Promise<{ users: UserRow[]; remaining: number }> {
  const users: UserRow[] = [];
  for (const id of ids) {
    await requireMayAct(tx, caller, 'user', id);
    const user = await userById(tx, id);
    if (user === undefined) throw notFound();
    users.push(user);
  }
  const { quota, used } = await countReveals(tx, caller, now);
  const freedBy = used[used.length - 1 - quota + ids.length];
  if (freedBy !== undefined) {
    const seconds = (secondsAfter(freedBy, hourSeconds).getTime() - now.getTime()) / 1000;
    const retryAfterSeconds = Math.max(1, Math.ceil(seconds));
    const minutes = Math.ceil(retryAfterSeconds / 60);
    const text = msg`You have revealed the data of ${{ quota }} people within an hour. Please try again in ${plural({ minutes }, { one: 'a minute', other: '# minutes' })}.`;
    throw new AppError('TOO_MANY_REQUESTS', text, {
      retryAfterSeconds,
      denied: { type: 'user', id: ids[0] ?? caller.accountId },
    });
  }
  for (const id of ids) {
    await tx.insertInto('pii_reveal').values({ staff_id: caller.accountId, at: now, quota }).execute();
    await audit({ tx, caller, now }, { type: 'user', id }, action, details);
  }
  return { users, remaining: quota - used.length - ids.length };
}

/** The caller's reveals of the last hour, oldest first. Locks their account, so that parallel requests are counted one after another. */
async function countReveals(
  tx: Db,
  { accountId, staffRole }: Caller,
  now: Date,
): Promise<{ quota: number; used: Date[] }> {
  await tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute();
  const own = tx.selectFrom('pii_reveal').where('staff_id', '=', accountId);
  await tx
    .deleteFrom('pii_reveal')
    .where('staff_id', '=', accountId)
    .where('at', '<', secondsAfter(now, -daySeconds))
    .execute();
  const rows = await own.select('at').where('at', '>', secondsAfter(now, -hourSeconds)).orderBy('at').execute();
  return { quota: staffRole === null ? 0 : revealsPerHour[staffRole], used: rows.map(({ at }) => at) };
}

/**
 * How many colleagues revealed more than half of their limit in at least two hours of the last day, or read thousands of people in lists.
 */
export async function countEagerReaders(db: Db, now: Date): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select staff_id from listed_person where at > ${secondsAfter(now, -daySeconds)}
      group by staff_id having count(*) >= ${eagerFrom}
      union select staff_id from (
        select staff_id from pii_reveal where at > ${secondsAfter(now, -daySeconds)}
        group by staff_id, date_trunc('hour', at) having 2 * count(*) > max(quota)
      ) hours group by staff_id having count(*) >= 2
    ) eager`.execute(db);
  return rows[0]?.count ?? 0;
}
