import type { Feature } from '../../feature.ts';
import { mountTakeoutLinks } from './links.ts';
import { mountTakeout, takeoutJobs, takeoutMails } from './takeout.ts';

export const feature: Feature = {
  routes: [mountTakeout, mountTakeoutLinks],
  jobs: takeoutJobs,
  mails: takeoutMails,
};
