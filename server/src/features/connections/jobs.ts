import type { TaskList } from 'graphile-worker';
import type { Deps } from '../../deps.ts';
import type { Schedule } from '../../platform/jobs/jobs.ts';
import { hideFromKnowers, liftRemoved } from './known-people.ts';

/** The background work of connections. */
export const connectionTasks = (deps: Deps): TaskList => ({
  'connections.hideFromKnowers': (payload) =>
    hideFromKnowers(deps, payload as { accountId: string; knowerId?: string }),
  'connections.liftRemoved': () => liftRemoved(deps.db, deps.clock.now()),
});

export const connectionSchedules: Schedule[] = [{ cron: '47 3 * * *', task: 'connections.liftRemoved' }];
