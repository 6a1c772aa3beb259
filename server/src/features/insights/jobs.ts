import type { TaskList } from 'graphile-worker';
import type { Deps } from '../../deps.ts';
import type { Reactions } from '../../events.ts';
import type { Schedule } from '#platform/jobs/jobs.ts';
import type { Recoveries } from '#platform/jobs/owed.ts';
import { rollUp } from './roll-up.ts';
import { endMail, mailWeek } from './weekly-mail.ts';

/** The background work of insights: the roll-up, and the Monday email. */
export const insightTasks = (deps: Deps): TaskList => ({
  'insights.rollUp': () => rollUp(deps),
  'insights.mailWeek': () => mailWeek(deps),
});

/** Hourly, so that the current day is never older; the first run of a day finishes the last one. */
export const insightSchedules: Schedule[] = [
  { cron: '7 * * * *', task: 'insights.rollUp' },
  { cron: '40 6 * * 1', task: 'insights.mailWeek' },
];

export const insightRecoveries: Recoveries = { 'insights.rollUp': { sweptBy: 'insights.rollUp' } };

export const insightReactions: Reactions = {
  async unsubscribed(tx, { accountId, kinds }) {
    if (kinds.includes('insights')) await endMail(tx, accountId);
  },
};
