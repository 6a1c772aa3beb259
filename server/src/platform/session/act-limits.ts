import { msg, plural } from '@lingui/core/runtime-macro';
import { type RawBuilder, sql } from 'kysely';
import type { AuditAction } from '#contract/moderation/audit.ts';
import { may, permissions } from '#contract/roles.ts';
import type { Db } from '../db/db.ts';
import { tooMany } from '../http/app-error.ts';
import type { CommandContext } from '../http/mount.ts';
import { secondsAfter } from '../process/clock.ts';

interface Limit {
  action: AuditAction;
  changes: object;
  leading: number;
  others: number;
}

/**
 * How many of most acts one colleague may do within an hour, because each affects a member at once and the account may have been taken
 * over.
 */
const few = { leading: 30, others: 10 };
/** The audit events of limited acts, with this action and with changes that contain these, and how many are allowed. */
const limitedActs = {
  emergency: { ...few, action: 'case.emergency', changes: {} },
  ownCase: { ...few, action: 'case.decided', changes: { isOwnInitiative: { to: true } } },
  /** More than normal work on a queue. Without it, a colleague could report people from a second account and decide about them all. */
  measure: { leading: 300, others: 60, action: 'case.decided', changes: { outcome: { to: 'actioned' } } },
  pictureBan: { ...few, action: 'picture.rejected', changes: { fromEveryone: { to: true } } },
  pictureRemoval: { ...few, action: 'picture.rejected', changes: { state: { from: 'approved' } } },
  profileEdit: { ...few, action: 'user.edited', changes: {} },
} as const satisfies Record<string, Limit>;
type LimitedAct = keyof typeof limitedActs;

const hourSeconds = 3600;

/** A condition: an audit event is one of these acts, after `since`. */
function isAct(act: LimitedAct, since: Date): RawBuilder<boolean> {
  const { action, changes } = limitedActs[act];
  return sql`(action = ${action} and at > ${since}::timestamptz and changes @> ${JSON.stringify(changes)}::jsonb)`;
}

/**
 * 429 once a colleague has done the maximum of these acts within an hour. Their requests wait for each other, so call it before other
 * locks.
 */
export async function requireFewActs(
  { tx, caller, now }: Pick<CommandContext, 'tx' | 'caller' | 'now'>,
  act: LimitedAct,
): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${caller.accountId}::text, 14))`.execute(tx);
  const most = limitedActs[act][may(caller.staffRole, 'cases.lead') ? 'leading' : 'others'];
  const since = secondsAfter(now, -hourSeconds);
  const { rows } = await sql<{ at: Date }>`select at from audit_event
    where actor_id = ${caller.accountId}::uuid and ${isAct(act, since)} order by at desc limit 1 offset ${most - 1}`.execute(
    tx,
  );
  const [freedBy] = rows;
  if (freedBy === undefined) return;
  const seconds = (freedBy.at.getTime() - since.getTime()) / 1000;
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  const text = msg`You have done this ${{ most }} times within an hour. Ask a colleague, or try again in ${plural({ minutes }, { one: 'a minute', other: '# minutes' })}.`;
  throw tooMany(text, seconds);
}

/** How many colleagues have done the maximum of a limited act within the last hour. */
export async function countAtLimit(db: Db, now: Date): Promise<number> {
  const since = secondsAfter(now, -hourSeconds);
  const eager = (Object.keys(limitedActs) as LimitedAct[]).map(
    (act) => sql`select actor_id from audit_event where actor_id is not null and ${isAct(act, since)}
      group by actor_id, actor_role having count(*) >= case when actor_role = any (${permissions['cases.lead']}::text[])
        then ${limitedActs[act].leading}::int else ${limitedActs[act].others}::int end`,
  );
  const { rows } = await sql<{ count: number }>`
    select count(distinct actor_id)::int as count from (${sql.join(eager, sql` union all `)}) eager`.execute(db);
  return rows[0]?.count ?? 0;
}
