import type { Feature } from '../../feature.ts';
import { certificateJob } from './certificates.ts';
import { mountMetrics } from './metrics.ts';
import { mountOperations } from './operations.ts';
import { mountStatus, operationsTickers } from './status.ts';

export const feature: Feature = {
  routes: [mountMetrics, mountOperations, mountStatus],
  jobs: [certificateJob],
  tickers: operationsTickers,
};
