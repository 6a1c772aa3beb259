import { parseArgs } from 'node:util';
import startTestDatabase from '../../server/test/global-setup.ts';
import { fuzz, type FuzzReport } from '../../server/test/fuzz/fuzzer.ts';
import { startApp } from '../../server/test/harness.ts';

const usage = 'Use: npm run fuzz -- [--requests=2000] [--seed=N] [--only="POST /auth/login"]';
const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '2000' },
    seed: { type: 'string' },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const count = Number(values.requests);
const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
if (values.help || !Number.isSafeInteger(count) || count < 1 || !Number.isSafeInteger(seed)) {
  process.stdout.write(`${usage}\n`);
  process.exit(values.help ? 0 : 1);
}

/** Sends the requests and prints the answers to every call; true if all passed. */
async function run(): Promise<boolean> {
  process.stdout.write(`Seed ${seed}: ${count} requests for each call\n`);
  const test = await startApp({ LOG_LEVEL: 'error' });
  const print = ({ call, sent, statuses, failure }: FuzzReport) => {
    const counts = Object.entries(statuses)
      .map(([status, times]) => `${times} × ${status}`)
      .join(', ');
    process.stdout.write(
      `${failure === null ? 'ok  ' : 'FAIL'} ${call.padEnd(34)} ${String(sent).padStart(5)}  ${counts}\n`,
    );
    if (failure !== null) process.stdout.write(`     ${failure}\n`);
  };
  const reports = await fuzz(test, { count, seed, only: values.only, done: print });
  await test.drain();
  const failed = reports.filter((report) => report.failure !== null).length;
  const sent = reports.reduce((sum, report) => sum + report.sent, 0);
  process.stdout.write(
    `${reports.length} calls, ${sent} requests, ${failed} calls failed. Repeat with --seed=${seed}\n`,
  );
  await test.close();
  return failed === 0 && reports.length > 0;
}

const stopDatabase = process.env['TEST_DATABASE_URL'] === undefined ? await startTestDatabase() : null;
try {
  process.exitCode = (await run()) ? 0 : 1;
} finally {
  await stopDatabase?.();
}
