import { sql } from 'kysely';
import * as z from 'zod/mini';
import type { Feature } from '../../feature.ts';
import { job } from '#platform/jobs/job.ts';
import { hideFromKnowers } from './known-people.ts';
import { mountConnections, mountKeptPeople } from './routes.ts';

const unhidden = sql`select concat_ws(' ', account_id, knower_id) as key,
    jsonb_strip_nulls(jsonb_build_object('accountId', account_id, 'knowerId', knower_id)) as payload, due_since as since
  from hiding_due`;

export const feature: Feature = {
  routes: [mountConnections, mountKeptPeople],
  jobs: [
    job({
      name: 'connections.hideFromKnowers',
      payload: z.object({ accountId: z.string(), knowerId: z.optional(z.string()) }),
      sweep: { owed: () => unhidden },
      run: hideFromKnowers,
    }),
  ],
};
