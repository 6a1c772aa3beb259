import { runChecks } from './checks.ts';

const results = await runChecks();
process.exit(results.some(({ code }) => code !== 0) ? 1 : 0);
