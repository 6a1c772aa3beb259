import type { JobHelpers } from 'graphile-worker';
import type { RawBuilder } from 'kysely';
import * as z from 'zod/mini';
import type { Deps } from '../../deps.ts';
import { comesWithinTheHour, type Schedule } from './jobs.ts';

/**
 * What makes up for a lost job, which failed too often, was deleted, or is missing in a restored database: rows that remember the owed
 * work, in the columns `key`, `payload` and `since`; another job, which does the rest; or the reason why losing it is harmless. A job for
 * owed work has the key `<name> <key>`.
 */
export type Recovery = { owed: (deps: Deps) => RawBuilder<unknown> } | { sweptBy: string } | { harmless: string };

/** Separate slots, so that jobs that wait for the mail server, wait for another service, or may take longer than a second delay no others. */
type Slots = 'mail' | 'outside' | 'long';

/** Background work that is queued under its name, scheduled, or both. */
export interface Job {
  name: string;
  /** When it runs, as in a crontab, in UTC. */
  cron?: string;
  /** What makes up for a lost job; a test requires it for every queued job. */
  sweep?: Recovery;
  slots?: Slots;
  run(deps: Deps, payload: unknown, helpers: JobHelpers): unknown;
}

/** A job, and the schema of its payload, which must accept what the previous release queued. */
export interface Declaration<P> extends Omit<Job, 'run'> {
  payload?: z.ZodMiniType<P>;
  run: (deps: Deps, payload: P, helpers: JobHelpers) => unknown;
}

/** Declares a job, whose payload is parsed before it runs. */
export const job = <P>({ payload: schema, run, ...rest }: Declaration<P>): Job => ({
  ...rest,
  run: (deps, payload, helpers) => run(deps, schema?.parse(payload) as P, helpers),
});

/** The payloads of many jobs: the id of their subject. */
export const idPayload = z.object({ id: z.string() });
export const emailPayload = z.object({ email: z.string() });
export const accountPayload = z.object({ accountId: z.string() });

/** The schedules of the jobs that have one. */
export const schedulesOf = (jobs: readonly Job[]): Schedule[] =>
  jobs.flatMap(({ name, cron }) => (cron === undefined ? [] : [{ cron, task: name }]));

/** The names of the jobs in these slots. Those that run once a day or less often may take long. */
export const jobsIn = (jobs: readonly Job[], wanted: Slots): string[] =>
  jobs.flatMap(({ name, cron, slots }) => {
    const isRare = cron !== undefined && !comesWithinTheHour({ cron });
    return (isRare ? 'long' : slots) === wanted ? [name] : [];
  });
