import { readConfig } from '#platform/config/config.ts';
import { explainFailure } from '#platform/process/lifecycle.ts';
import { checkDataDir } from './open-embedded.ts';
import { buildWebApp } from './web-build.ts';

try {
  const config = readConfig();
  if (config.databaseUrl === null) checkDataDir(config.dataDir);
  await buildWebApp();
} catch (error) {
  explainFailure(error);
  process.exit(1);
}
await import('./serve.ts');
