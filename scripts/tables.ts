// Writes the types of the tables. Run `npm run tables` after a migration that changes columns.
import { writeFileSync } from 'node:fs';
import startTestDatabase from '../server/test/global-setup.ts';
import { tablesFile, tableTypes } from './table-types.ts';

const stop = await startTestDatabase();
try {
  const url = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  url.pathname = 'heartwood_template';
  writeFileSync(tablesFile, await tableTypes(url.href));
} finally {
  await stop?.();
}
