import pg from 'pg';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { defaultPrices } from '../platform/config/config-payments.ts';
import { refusedConstraint } from '../platform/db/db.ts';
import { hashPassword } from '../features/auth/password/passwords.ts';
import { StartError } from '../platform/process/start-error.ts';
import { demoAccounts } from './demo-accounts.ts';
import { copyAnswers } from './demo-answers.ts';
import { demoMember } from './demo-members.ts';
import { copyLikes } from './demo-like-tables.ts';
import { copyReports, demoReportCount } from './demo-report-tables.ts';
import { copyEntitlements, copyPremium } from './demo-premium.ts';
import { demoPictures, hasPictures, pictureRows } from './demo-pictures.ts';
import { copyRows } from './copy-rows.ts';
import { copyMembers } from './demo-tables.ts';
import { withoutIndexes } from './without-indexes.ts';

export interface SeedOptions {
  /** How many accounts, the demo accounts among them. */
  members: number;
  /** The moment all times are counted back from. */
  now: Date;
  /** What the plans cost. */
  prices?: Record<Plan, Money>;
  log?: (line: string) => void;
}

/** Any number that no other part of the product locks. */
const advisoryLock = 4_073_211_510;
const chunkSize = 5000;
/** From here on building the indexes afterwards is faster than keeping them while rows come in. */
const manyMembers = 50_000;
const logEvery = 100_000;

/**
 * Fills the database with demo data unless that has happened before, which `installation` remembers. All of it is one
 * transaction, so that a start that is cut short leaves nothing behind; processes that call it at once wait for the first.
 */
export async function seedDemo(pool: pg.Pool, options: SeedOptions): Promise<void> {
  const { members } = options;
  // A connection of its own, since the pool's ones end statements that take long.
  const client = new pg.Client({ connectionString: pool.options.connectionString });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('set idle_in_transaction_session_timeout = 0');
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    if (await isSeeded(client)) return;
    await load(client, options);
    await client.query(
      `${members >= manyMembers ? 'vacuum (analyze)' : 'analyze'} account, presence, profile, picture, consent, directory, report, report_reply, report_event, block,
        answer_sheet, decision, match, discovery_row, standing, entitlement, subscription, invoice, statistic, statistic_delta`,
    );
  } finally {
    await client.end();
  }
}

async function isSeeded(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(`select from installation where name = 'demo'`);
  return rowCount === 1;
}

async function load(
  client: pg.Client,
  { members, now, prices = defaultPrices, log = () => undefined }: SeedOptions,
): Promise<void> {
  const hashes = await Promise.all(demoAccounts.map(({ password }) => hashPassword(password)));
  await client.query('begin');
  try {
    const make = (number: number) => demoMember(number, now, hashes);
    const fill = () => copyAll(client, members, make, now, log);
    await (members >= manyMembers
      ? withoutIndexes(client, ['presence', 'profile', 'directory', 'discovery_row'], fill)
      : fill());
    await copyPremium(client, members, make, prices, now);
    await copyAnswers(client, members, make);
    if (hasPictures(members)) await copyPictures(client, members, now);
    // Before the reports, whose blocks end matches.
    await copyLikes(client, members, make, now);
    await copyReports(client, [0, demoReportCount(members)], members, now);
    await client.query('select logic.statistic_fold()');
    await client.query(`insert into installation (name, value) values ('demo', $1)`, [
      { members, at: now.toISOString() },
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    if (refusedConstraint(error)?.startsWith('account_')) {
      throw new StartError(
        'Demo data cannot be added, since an account already has one of their e-mail addresses: set SEED=none.',
      );
    }
    throw error;
  }
}

async function copyPictures(client: pg.Client, members: number, now: Date): Promise<void> {
  for (let from = 0; from < members; from += chunkSize) {
    const numbers = Array.from({ length: Math.min(chunkSize, members - from) }, (_, i) => from + i);
    const pictures = numbers.flatMap((number) => demoPictures(number, demoMember(number, now, []), now));
    await copyRows(client, pictureRows, pictures);
  }
}

async function copyAll<T extends Parameters<typeof copyMembers>[1][number]>(
  client: pg.Client,
  members: number,
  make: (number: number) => T,
  now: Date,
  log: (line: string) => void,
): Promise<void> {
  for (let from = 0; from < members; from += chunkSize) {
    const count = Math.min(chunkSize, members - from);
    const made = Array.from({ length: count }, (_, i) => [from + i, make(from + i)] as const);
    await copyEntitlements(client, made, now);
    await copyMembers(
      client,
      made.map(([, member]) => member),
    );
    const done = from + count;
    if (done % logEvery === 0 || (done === members && members > logEvery)) log(`${done} of ${members} demo members`);
  }
}
