import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Deps } from '../../deps.ts';
import { isUnheld } from '#platform/db/legal-hold.ts';
import type { Schedule } from '#platform/jobs/jobs.ts';
import type { Recoveries } from '#platform/jobs/owed.ts';
import { deleteWhere } from '#platform/jobs/due-rows.ts';
import { mailWhatIsDue } from './mail.ts';
import { pushOne, type PushJob } from './push.ts';
import type { Reactions } from '../../events.ts';

const keptDays = 90;

/** The background work of notifications: mails, push, and deleting old ones. */
export function notificationTasks(deps: Deps): TaskList {
  const { db, clock, unsubscribeKey } = deps;
  return {
    'notifications.mail': () => mailWhatIsDue(db, unsubscribeKey, clock.now()),
    'notifications.push': (payload) => pushOne(deps, payload as PushJob),
    'notifications.cleanUp': () =>
      deleteWhere(db, 'notification', sql`at <= ${secondsAfter(clock.now(), -keptDays * 86_400)} and ${isUnheld()}`),
  };
}

/** The tasks that call browser vendors. */
export const notificationOutsideJobs = ['notifications.push'];

export const notificationRecoveries: Recoveries = {
  'notifications.mail': { sweptBy: 'notifications.mail' },
  'notifications.push': {
    harmless: 'Hours later it would only disturb; the notification is in the list and in the mail.',
  },
};

export const notificationSchedules: Schedule[] = [
  { cron: '* * * * *', task: 'notifications.mail' },
  { cron: '27 3 * * *', task: 'notifications.cleanUp' },
];

/** Notifications of a match and of messages in it are deleted with the match. */
export const notificationReactions: Reactions = {
  async matchEnded(tx, { matchId }) {
    await sql`delete from notification where subject_id = ${matchId}::uuid`.execute(tx);
  },
  async accountsEnding(tx, { accountIds }) {
    await sql`delete from notification where subject_id in (
      select id from match where low_id = any (${accountIds}::uuid[])
      union all select id from match where high_id = any (${accountIds}::uuid[]))`.execute(tx);
  },
};
