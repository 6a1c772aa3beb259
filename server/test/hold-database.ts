import { startEmbeddedDatabase } from '../../launcher/embedded-database/embedded-database.ts';
import { createLog } from '../src/platform/process/log.ts';

/** A process of its own that starts the embedded database in the folder it is given, says so, and never stops it. */
const [dataDir = ''] = process.argv.slice(2);
await startEmbeddedDatabase({ dataDir, log: createLog('silent'), settings: { fsync: 'off', shared_buffers: '16MB' } });
process.stdout.write('ready\n');
