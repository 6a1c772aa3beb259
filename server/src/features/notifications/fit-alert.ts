import { sql, type Updateable } from 'kysely';
import type { NotificationChoice } from '#contract/notifications.ts';
import { type Db, inTransaction } from '#platform/db/db.ts';
import type { Database } from '#platform/db/schema.ts';
import { addJob } from '#platform/jobs/jobs.ts';
import { eachInTurn, pagesOf } from '#platform/jobs/turns.ts';
import { morningsAfter, notify } from '#platform/notify/notify.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Deps } from '../../deps.ts';
import { peopleWhoFit } from '../discovery/public.ts';
import { quietUntil } from './quiet-hours.ts';

/** Stores that a member wants to be notified of new people who fit, or removes that, according to their choice. */
export async function keepAlert(tx: Db, accountId: string, { mail, push }: NotificationChoice, now: Date) {
  if (mail === 'never' && !push) {
    await tx.deleteFrom('fit_alert').where('account_id', '=', accountId).execute();
    return;
  }
  await tx
    .insertInto('fit_alert')
    .values({ account_id: accountId, next_at: now, looked_at: now })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(nextLook(accountId, mail, now)))
    .execute();
  // The first check records who fits already, so that only later ones are new.
  await addJob(tx, 'notifications.fit', {}, { jobKey: 'notifications.fit now' });
}

/** The morning of the next check. A member who has just been notified isn't notified again within half a day. */
function nextLook(accountId: string, mail: NotificationChoice['mail'], now: Date, isTold = false) {
  const mornings = morningsAfter(accountId, isTold ? secondsAfter(now, 43_200) : now);
  return { next_at: mail === 'weekly' ? mornings.weekly : mornings.daily };
}

interface AlertRow {
  account_id: string;
  next_at: Date;
  looked_at: Date;
  looked_for: string;
  known: number[];
  mail: NotificationChoice['mail'];
  /** Whether the member can see people: not if they are paused, leaving, hidden, deactivated or held. */
  sees: boolean;
}

const readAtOnce = 200;
/** How many people are stored. */
const knownMost = 1000;
const noId = '00000000-0000-0000-0000-000000000000';

/** Checks for new people for every member who is due, and notifies those who have some. If it is interrupted, the rest stays due. */
export async function lookForNewPeople(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const due = pagesOf<AlertRow>(async (after) => {
    const { rows } = await sql<AlertRow>`
      select f.*, choice.mail, coalesce(r.visible, false) and not exists (
        select from account_hold h where h.account_id = f.account_id and h.ended_at is null) as sees
      from fit_alert f
        join notification_choice choice on choice.account_id = f.account_id and choice.kind = 'fit'
        left join discovery_row r on r.account_id = f.account_id
      where f.next_at <= ${now} and (f.next_at, f.account_id) > (${after?.next_at ?? '-infinity'}::timestamptz, ${after?.account_id ?? noId}::uuid)
      order by f.next_at, f.account_id limit ${readAtOnce}`.execute(deps.db);
    return rows;
  });
  await eachInTurn(due, (row) => look(deps, row, now), {
    round: 'notifications.fit',
    keyOf: (row) => row.account_id,
  });
}

/** Checks for one member. Counts before the transaction, which only stores the result and notifies. */
async function look(deps: Deps, row: AlertRow, now: Date): Promise<void> {
  const { account_id: accountId, mail } = row;
  const quietEnd = await quietUntil(deps.db, accountId, now);
  if (quietEnd !== null) return await change(deps.db, row, { next_at: quietEnd });
  if (!row.sees) return await change(deps.db, row, nextLook(accountId, mail, now));
  const { lookedFor, found, isWhole } = await peopleWhoFit(deps, accountId, now);
  const isSame = lookedFor === row.looked_for;
  const known = new Set(row.known);
  // After a change of filters, or if only the newest are examined, some people who fit are not new.
  const mayReturn = isSame && isWhole;
  const fresh = found.filter(({ key, joinedAt }) => !known.has(key) && (mayReturn || joinedAt > row.looked_at));
  const keys = new Set([...found.map(({ key }) => key), ...(isSame ? known : [])]);
  const looked = {
    looked_at: now,
    looked_for: lookedFor,
    known: [...keys].slice(0, Math.max(knownMost, found.length)),
  };
  const next = nextLook(accountId, mail, now, fresh.length > 0);
  await change(deps.db, row, { ...looked, ...next }, { people: fresh.length, now });
}

/** Updates an alert and notifies the member of new people, unless the member or another process has changed it meanwhile. */
async function change(
  db: Db,
  { account_id: accountId, next_at: dueAt }: AlertRow,
  changes: Updateable<Database['fit_alert']>,
  news?: { people: number; now: Date },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const changed = await tx
      .updateTable('fit_alert')
      .set(changes)
      .where('account_id', '=', accountId)
      .where('next_at', '=', dueAt)
      .executeTakeFirst();
    if (changed.numUpdatedRows === 0n || news === undefined || news.people === 0) return;
    await notify(tx, { accountId, kind: 'fit', subjectId: accountId, people: news.people }, news.now);
  });
}
