import type { TaskList } from 'graphile-worker';
import { sql } from 'kysely';
import type { Deps } from '../../deps.ts';
import type { Recoveries } from '#platform/jobs/owed.ts';
import { hideFromKnowers } from './known-people.ts';

/** The background work of connections. */
export const connectionTasks = (deps: Deps): TaskList => ({
  'connections.hideFromKnowers': (payload) =>
    hideFromKnowers(deps, payload as { accountId: string; knowerId?: string }),
});

const unhidden = sql`select concat_ws(' ', account_id, knower_id) as key,
    jsonb_strip_nulls(jsonb_build_object('accountId', account_id, 'knowerId', knower_id)) as payload, due_since as since
  from hiding_due`;

export const connectionRecoveries: Recoveries = { 'connections.hideFromKnowers': { owed: () => unhidden } };
