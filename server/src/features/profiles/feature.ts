import type { Feature } from '../../feature.ts';
import { ageMails } from './age/check.ts';
import { mountAge } from './age/routes.ts';
import { mountProfiles } from './routes.ts';
import { placesJob } from './place/shipped-places.ts';
import { refoldJob } from './search/refold.ts';
import { userMails } from './staff/age-mail.ts';
import { approvalMails } from './staff/approvals.ts';

export const feature: Feature = {
  routes: [mountProfiles, mountAge],
  jobs: [refoldJob, placesJob],
  mails: { ...userMails, ...approvalMails, ...ageMails },
};
