import { run } from './prepare.mjs';

await run('start.ts');
