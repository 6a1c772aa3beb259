import { sql } from 'kysely';
import type { Feature } from '../../feature.ts';
import { job } from '#platform/jobs/job.ts';
import { forgetJob } from '#platform/people/forget.ts';
import { lookForNewPeople } from './fit-alert.ts';
import { mailWhatIsDue, notificationMails } from './mail.ts';
import { pushOne, pushSchema } from './push.ts';
import { mountNotifications } from './routes.ts';

export const feature: Feature = {
  routes: [mountNotifications],
  jobs: [
    job({
      name: 'notifications.mail',
      cron: '* * * * *',
      sweep: { sweptBy: 'notifications.mail' },
      run: ({ db, clock, unsubscribeKey }) => mailWhatIsDue(db, unsubscribeKey, clock.now()),
    }),
    job({
      name: 'notifications.fit',
      cron: '*/10 * * * *',
      sweep: { sweptBy: 'notifications.fit' },
      slots: 'long',
      run: lookForNewPeople,
    }),
    job({
      name: 'notifications.push',
      payload: pushSchema,
      sweep: { harmless: 'Hours later it would only disturb; the notification is in the list and in the mail.' },
      slots: 'outside',
      run: pushOne,
    }),
    forgetJob('notifications.cleanUp', '27 3 * * *'),
  ],
  // Notifications of a match and of messages in it are deleted with the match.
  reactions: {
    async matchEnded(tx, { matchId }) {
      await sql`delete from notification where subject_id = ${matchId}::uuid`.execute(tx);
    },
    async accountsEnding(tx, { accountIds }) {
      await sql`delete from notification where subject_id in (
        select id from match where low_id = any (${accountIds}::uuid[])
        union all select id from match where high_id = any (${accountIds}::uuid[]))`.execute(tx);
    },
  },
  mails: notificationMails,
};
