import { EventEmitter } from 'node:events';
import type { WorkerEvents } from 'graphile-worker';
import type pg from 'pg';

const leaseSeconds = 30;

/** Who works on which job, as leases that run out. */
export interface JobLeases {
  /** Where the worker tells which jobs it begins and ends. */
  events: WorkerEvents;
  /** Renews the leases of the jobs this process works on, and lets go of all that ran out; due every few seconds. */
  renew(): Promise<void>;
}

/**
 * Leases over `pool` for the jobs one worker takes. The library alone would keep a job locked for four hours when its process
 * was killed, or when the database's answer about it was lost on the way.
 */
export function createJobLeases(pool: pg.Pool): JobLeases {
  const running = new Set<string>();
  const events = new EventEmitter() as WorkerEvents;
  events.on('job:start', ({ job }) => running.add(job.id));
  events.on('job:complete', ({ job }) => running.delete(job.id));
  return {
    events,
    async renew() {
      await pool.query(
        `with renewed as (
           update graphile_worker._private_jobs set locked_at = now() where id = any ($1::bigint[]) and locked_at is not null
         )
         update graphile_worker._private_jobs set locked_at = null, locked_by = null
         where locked_at < now() - make_interval(secs => $2) and id <> all ($1::bigint[])`,
        [[...running], leaseSeconds],
      );
    },
  };
}
