import type { FastifyInstance } from 'fastify';
import type { TaskList } from 'graphile-worker';
import type { Deps } from './deps.ts';
import type { Reactions } from './events.ts';
import type { Schedule, Ticker } from './platform/jobs/jobs.ts';
import type { MailTemplates } from './platform/notify/mail.ts';

/** What a feature adds to the app. */
export interface Feature {
  /** Mount the feature's endpoints. */
  routes: ((app: FastifyInstance, deps: Deps) => void | Promise<void>)[];
  /** Background jobs by the name they are queued under. */
  jobs?: (deps: Deps, app: FastifyInstance) => TaskList;
  /** The schedules of its jobs. */
  schedules?: Schedule[];
  /** Work that each process repeats every few seconds. */
  tickers?: (deps: Deps) => Ticker[];
  /** How it reacts to events of earlier features. */
  reactions?: Reactions;
  mails?: MailTemplates;
}
