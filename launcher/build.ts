import { buildWebApp, checkBudgets } from './web-build.ts';

try {
  await buildWebApp({ always: true });
  await checkBudgets();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
