import { run } from './prepare.mjs';

await run('dev.ts');
