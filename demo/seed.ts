import type pg from 'pg';
import type { Money, Plan } from '#contract/subscriptions/plan.ts';
import { defaultPrices } from '#platform/config/payments.ts';
import { withClient } from '#platform/db/connection.ts';
import { createDb, refusedConstraint } from '#platform/db/db.ts';
import { hashPassword } from '../server/src/features/auth/password/hashing.ts';
import { StartError } from '#platform/process/lifecycle.ts';
import { demoAccounts } from './accounts.ts';
import { withoutIndexes } from './bulk-load.ts';
import { copyFiles } from './files.ts';
import { copyLikes } from './likes/tables.ts';
import { demoMember } from './members/member.ts';
import { copyAnswers, copyMembers } from './members/tables.ts';
import { noteVisits } from './members/visits.ts';
import { createSandboxTables } from './payments/tables.ts';
import { copyPictures } from './pictures/rows.ts';
import { copyEntitlements, copyPremium, mirrorPremium } from './premium.ts';
import { appealDecisions, bringBackBanned, decideCases, openCases } from './reports/cases.ts';
import { copyReports } from './reports/tables.ts';

export interface SeedOptions {
  /** The number of accounts, including the demo accounts. */
  members: number;
  /** The time from which all times are counted back. */
  now: Date;
  /** The prices of the plans. */
  prices?: Record<Plan, Money>;
  /** Receives occasional progress lines. */
  log?: (line: string) => void;
  /** The serving role if it isn't the tables' owner; it owns the job queue and the payment sandbox. */
  serving?: pg.Pool;
}

/** An arbitrary lock number that no other part of the product uses. */
const advisoryLock = 4_073_211_510;
const chunkSize = 5000;
/** Larger demos are only for measuring lists of members, so they have no pictures, answers, likes and messages. */
const mostWithContent = 10_000;
/** From this number on, building indexes afterwards is faster than updating them row by row. */
const manyMembers = 50_000;
const logEvery = 100_000;

/**
 * Fills the database with demo data, unless that has happened before (noted in `installation`). All in one
 * transaction, so an interrupted start leaves nothing behind; processes that call this at the same time wait for the
 * first.
 */
export async function seedDemo(pool: pg.Pool, options: SeedOptions): Promise<void> {
  // A separate connection, since pool connections cancel long statements.
  await withClient(pool.options.connectionString ?? '', async (client) => {
    await client.query('select pg_advisory_lock($1)', [advisoryLock]);
    const { rowCount } = await client.query(`select from installation where name = 'demo'`);
    if (rowCount === 1) return;
    const serving = options.serving ?? pool;
    await createSandboxTables(createDb(serving));
    await load(client, options);
    await serving.query(
      `select graphile_worker.add_job(task) from unnest('{discovery.countWeeks,insights.rollUp}'::text[]) task`,
    );
    await client.query(
      `${options.members >= manyMembers ? 'vacuum (analyze)' : 'analyze'} account, presence, profile, picture, consent, directory, report, report_reply, report_event, moderation_case, case_event, block,
        answer_sheet, decision, match, discovery_row, standing, entitlement, subscription, invoice, statistic, statistic_delta`,
    );
  });
}

async function load(client: pg.Client, options: SeedOptions): Promise<void> {
  const { members, now } = options;
  const hashes = await Promise.all(demoAccounts.map(({ password }) => hashPassword(password)));
  await client.query('begin');
  try {
    const fill = () => copyChunks(client, options, hashes);
    await (members >= manyMembers
      ? withoutIndexes(client, ['presence', 'profile', 'directory', 'discovery_row'], fill)
      : fill());
    await mirrorPremium(client);
    if (members <= mostWithContent) {
      const all = Array.from({ length: members }, (_, number) => demoMember(number, now));
      await copyAnswers(client, all);
      await copyPictures(client, all, now);
      // Before the reports, since there is no block between people who matched.
      await copyLikes(client, all, now);
      await noteVisits(client);
    }
    await copyReports(client, { members, hasPictures: members <= mostWithContent, now });
    await openCases(client, now);
    await decideCases(client, now);
    await bringBackBanned(client, now);
    await appealDecisions(client, now);
    await copyFiles(client, members, now);
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

async function copyChunks(
  client: pg.Client,
  { members, now, prices = defaultPrices, log = () => undefined }: SeedOptions,
  hashes: readonly string[],
): Promise<void> {
  for (let from = 0; from < members; from += chunkSize) {
    const count = Math.min(chunkSize, members - from);
    const chunk = Array.from({ length: count }, (_, i) => demoMember(from + i, now, hashes));
    const entitled = await copyEntitlements(client, from, chunk, now);
    await copyMembers(client, chunk, entitled);
    await copyPremium(client, [from, chunk], prices, now);
    const done = from + count;
    if (done % logEvery === 0 || (done === members && members > logEvery)) log(`${done} of ${members} demo members`);
  }
}
