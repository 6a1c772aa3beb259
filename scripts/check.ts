import { checks, runChecks } from './checks.ts';

const results = await runChecks(checks);
process.exit(results.every(({ ok }) => ok) ? 0 : 1);
