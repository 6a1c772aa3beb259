import type { Feature } from '../../feature.ts';
import { mountBrandPictures } from './brand-pictures.ts';
import { mediaMails } from './decide.ts';
import { mediaJobs } from './jobs.ts';
import { mountMedia } from './routes.ts';

export const feature: Feature = { routes: [mountMedia, mountBrandPictures], jobs: mediaJobs, mails: mediaMails };
