import type { Feature } from '../../feature.ts';
import { selfieMails } from './decide.ts';
import { selfieJobs } from './jobs.ts';
import { mountSelfies } from './routes.ts';

export const feature: Feature = { routes: [mountSelfies], jobs: selfieJobs, mails: selfieMails };
