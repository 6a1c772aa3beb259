import { parseArgs } from 'node:util';
import Fastify from 'fastify';
import { demoProviders } from '../../demo/providers.ts';
import { buildApp } from '../../server/src/app.ts';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { systemClock } from '../../server/src/platform/process/clock.ts';
import { createDb } from '../../server/src/platform/db/db.ts';
import { createPool } from '../../server/src/platform/db/pool.ts';
import { createLog } from '../../server/src/platform/process/log.ts';
import { createAccessTokens } from '../../server/src/platform/session/access-tokens.ts';
import { installationSecret } from '../../server/src/platform/config/secrets.ts';
import { openSession } from '../../server/src/platform/session/sessions.ts';
import { answerDiscovery, type DiscoveryQuestion, sentStatements } from './discovery-questions.ts';
import { answerAboutProcess, type ProcessQuestion } from './profiling.ts';
import { childrenCpuMs, databaseCpuMs } from './usage.ts';

/** A separate process that serves one database as in production, plus a minimal route for comparison. */
const { values } = parseArgs({
  options: { database: { type: 'string', default: '' }, email: { type: 'string', default: '' } },
});

const config = readConfig({
  RATE_LIMITS: 'off',
  SEED: 'none',
  LOG_LEVEL: 'warn',
  MEDIA_DIR: process.env['MEDIA_DIR'],
  OTEL_EXPORTER_OTLP_ENDPOINT: process.env['OTEL_EXPORTER_OTLP_ENDPOINT'],
  OTEL_TRACES_SAMPLER_ARG: process.env['OTEL_TRACES_SAMPLER_ARG'],
});
const pool = createPool(values.database, { max: 20 });
const db = createDb(pool);
const app = await buildApp({
  config,
  pool,
  clock: systemClock,
  log: createLog('warn'),
  providers: demoProviders,
});
const tickers = app.background.startTickers();
const baseUrl = await app.listen({ port: 0, host: '127.0.0.1' });

const account = await db
  .selectFrom('account')
  .select(['id', 'staff_role'])
  .where('email', '=', values.email)
  .executeTakeFirstOrThrow();
const tokens = createAccessTokens(await installationSecret(db, 'jwt', config.secrets.jwt));
const isStaff = account.staff_role !== null;
const { token } = await openSession(
  db,
  { id: account.id, isStaff },
  { name: 'Bench', network: null },
  { tokens, now: new Date() },
);

const bare = Fastify();
bare.get('/bare', async () => {
  const { rows } = await pool.query<object>({
    name: 'bare',
    text: 'select * from profile where account_id = $1',
    values: [account.id],
  });
  return rows[0];
});
const bareUrl = await bare.listen({ port: 0, host: '127.0.0.1' });

process.on('message', (question) => {
  if (!process.connected) return;
  if (question === 'memory') process.send?.({ rss: process.memoryUsage.rss() });
  else if (question === 'usage') void sendUsage();
  else void answer(question as DiscoveryQuestion | ProcessQuestion);
});

async function sendUsage(): Promise<void> {
  const { user, system } = process.cpuUsage();
  const main = process.threadCpuUsage();
  const statements = sentStatements();
  process.send?.({
    serverMs: (user + system) / 1000 + childrenCpuMs(),
    mainMs: (main.user + main.system) / 1000,
    databaseMs: await databaseCpuMs(pool),
    statements,
  });
}

const isOfProcess = (question: DiscoveryQuestion | ProcessQuestion): question is ProcessQuestion =>
  'profile' in question || 'delay' in question;

async function answer(question: DiscoveryQuestion | ProcessQuestion): Promise<void> {
  try {
    const found = isOfProcess(question)
      ? await answerAboutProcess(question)
      : await answerDiscovery({ app, pool, db, tokens }, question);
    process.send?.({ answer: found });
  } catch (error) {
    process.send?.({ failed: String(error) });
  }
}

process.on('disconnect', () => {
  void tickers.stop().then(() => process.exit(0));
});
process.send?.({ baseUrl, bareUrl, token });
