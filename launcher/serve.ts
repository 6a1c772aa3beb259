import { startService } from '../server/src/start.ts';
import { installation } from './installation.ts';

await startService(installation);
