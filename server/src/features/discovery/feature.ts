import type { Feature } from '../../feature.ts';
import { discoveryJobs, discoveryTickers } from './jobs.ts';
import { mountDiscovery } from './routes.ts';

export const feature: Feature = { routes: [mountDiscovery], jobs: discoveryJobs, tickers: discoveryTickers };
