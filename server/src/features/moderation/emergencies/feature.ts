import type { Feature } from '../../../feature.ts';
import { mountHelpLines } from '../help-lines/routes.ts';
import { emergencyReactions } from './note.ts';
import { preservationReactions } from './preservation.ts';
import { emergencyJobs, emergencyMails } from './paging.ts';
import { restrictionMails, restrictionReactions } from './restrictions.ts';
import { mountEmergencies } from './routes.ts';

export const feature: Feature = {
  routes: [mountEmergencies, mountHelpLines],
  jobs: emergencyJobs,
  reactions: { ...preservationReactions, ...emergencyReactions, ...restrictionReactions },
  mails: { ...emergencyMails, ...restrictionMails },
};
