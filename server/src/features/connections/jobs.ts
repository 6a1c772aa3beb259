import type { TaskList } from 'graphile-worker';
import type { Deps } from '../../deps.ts';
import { hideFromKnowers } from './known-people.ts';

/** The background work of connections. */
export const connectionTasks = (deps: Deps): TaskList => ({
  'connections.hideFromKnowers': (payload) =>
    hideFromKnowers(deps, payload as { accountId: string; knowerId?: string }),
});
