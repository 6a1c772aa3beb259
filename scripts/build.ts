import { explainFailure } from '../server/src/platform/start-error.ts';
import { buildWebApp } from './web-build.ts';

try {
  await buildWebApp({ always: true });
} catch (error) {
  explainFailure(error);
  process.exit(1);
}
