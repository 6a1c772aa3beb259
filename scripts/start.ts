import { readConfig } from '../server/src/platform/config.ts';
import { checkDataDir } from '../server/src/platform/open-database.ts';
import { explainFailure } from '../server/src/platform/start-error.ts';
import { buildWebApp } from './web-build.ts';

try {
  await checkDataDir(readConfig());
  await buildWebApp();
} catch (error) {
  explainFailure(error);
  process.exit(1);
}
await import('../server/src/main.ts');
