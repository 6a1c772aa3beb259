import type { Feature } from '../../feature.ts';
import { dateJobs, dateReactions } from './jobs.ts';
import { mountDates } from './routes.ts';

export const feature: Feature = { routes: [mountDates], jobs: dateJobs, reactions: dateReactions };
