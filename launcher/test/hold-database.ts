import { startEmbeddedDatabase } from '../embedded-database/embedded-database.ts';
import { createLog } from '#platform/process/log.ts';

/** Runs as a separate process that starts the embedded database in the given folder, reports it, and never stops it. */
const [dataDir = ''] = process.argv.slice(2);
await startEmbeddedDatabase({ dataDir, log: createLog('silent'), settings: { fsync: 'off', shared_buffers: '16MB' } });
process.stdout.write('ready\n');
