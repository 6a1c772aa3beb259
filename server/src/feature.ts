import type { FastifyInstance } from 'fastify';
import type { Deps } from './deps.ts';
import type { Reactions } from './events.ts';
import type { Job } from '#platform/jobs/job.ts';
import type { Ticker } from '#platform/jobs/jobs.ts';
import type { MailTemplates } from '#platform/notify/mail.ts';

/** What a feature adds to the app. */
export interface Feature {
  /** Functions that mount the feature's endpoints. */
  routes: ((app: FastifyInstance, deps: Deps) => void | Promise<void>)[];
  jobs?: readonly Job[];
  /** Work that each process repeats every few seconds. */
  tickers?: (deps: Deps) => Ticker[];
  /** How the feature reacts to events of earlier features, in this order. */
  reactions?: Reactions | readonly Reactions[];
  mails?: MailTemplates;
}
