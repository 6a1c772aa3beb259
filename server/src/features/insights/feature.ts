import type { Feature } from '../../feature.ts';
import { job } from '#platform/jobs/job.ts';
import { rollUp } from './roll-up.ts';
import { mountInsights } from './routes.ts';
import { endMail, insightMails, mailWeek } from './weekly-mail.ts';

export const feature: Feature = {
  routes: [mountInsights],
  jobs: [
    job({
      name: 'insights.rollUp',
      // Hourly, so that the current day is never older; the first run of a day finishes the last one.
      cron: '7 * * * *',
      sweep: { sweptBy: 'insights.rollUp' },
      slots: 'long',
      run: rollUp,
    }),
    job({ name: 'insights.mailWeek', cron: '40 6 * * 1', run: mailWeek }),
  ],
  reactions: {
    async unsubscribed(tx, { accountId, kinds }) {
      if (kinds.includes('insights')) await endMail(tx, accountId);
    },
  },
  mails: insightMails,
};
