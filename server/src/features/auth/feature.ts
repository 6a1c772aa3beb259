import type { Feature } from '../../feature.ts';
import { authJobs } from './jobs.ts';
import { authMails } from './mails.ts';
import { measureLedger } from './retention/ledger.ts';
import { mountAuth, mountFactors, mountHelp, mountHouse, mountIdentities } from './routes.ts';

export const feature: Feature = {
  routes: [mountAuth, mountFactors, mountHelp, mountHouse, mountIdentities, measureLedger],
  jobs: authJobs,
  mails: authMails,
};
