import { type RawBuilder, sql } from 'kysely';
import { keyedHash } from '#platform/config/secrets.ts';
import type { Db } from '#platform/db/db.ts';
import { ownerNetwork, unknownNetwork } from '#platform/http/client-network.ts';
import type { CommandContext } from '#platform/http/mount.ts';
import { secondsAfter } from '#platform/process/clock.ts';
import type { Caller } from '#platform/session/caller.ts';
import { canonicalAddress } from '#platform/canonical-address.ts';
import { isSafety, safetyTypes } from '../work/policy.ts';
import type { ReportOfCase } from '../work/policy.ts';
import { holdsPerDay, isCredible, mayHold, type ReportFacts } from './report-power.policy.ts';

const daySeconds = 86_400;
/** How long a reporter can't hold anyone after a rejected report. */
const rejectedDays = 180;

/** A new report about someone whose account is locked. */
interface NewReport extends Pick<ReportOfCase, 'problem_type' | 'may_be_minor'> {
  id: string;
  caseId: string;
  personId: string;
}

type FoundFacts = Omit<ReportFacts, 'hasConfirmedAddress' | 'isDayOld' | 'hasSecond'> & { secondId: string | null };

/**
 * Decides whether a new report may hold the person, and stores it, because what the reporter was shown may change later. Must run before
 * anything hides the two from each other. A second reporter gives the first one's report the same power. Reports of the same reporters or
 * networks wait for each other until the transaction ends, so that they can't exceed the limits together. Returns the reports that a hold
 * counts for: both if neither may hold alone.
 */
export async function judgePower(
  { tx, deps, caller, now, network: from }: CommandContext,
  report: NewReport,
): Promise<string[]> {
  const hashOf = (name: string) => keyedHash(deps.banKey, `network ${ownerNetwork(name)}`);
  const network = hashOf(from);
  const others = isSafety(report) ? await independentOf(tx, report, { caller, network, hashOf }) : [];
  const subjects = [{ reporterId: caller.accountId, network }, ...others].flatMap((one) => [
    one.reporterId,
    one.network.toString('hex'),
  ]);
  await sql`select pg_advisory_xact_lock(hashtextextended(subject, 13))
    from unnest(${[...new Set(subjects)].toSorted()}::text[]) subject`.execute(tx);
  const asked = { ...report, reporterId: caller.accountId, network, others: others.map(({ id }) => id) };
  const { secondId, ...found } = await factsOf(tx, asked, now);
  const facts = {
    ...found,
    hasConfirmedAddress: caller.emailVerifiedAt !== null,
    isDayOld: caller.createdAt <= secondsAfter(now, -daySeconds),
    hasSecond: secondId !== null,
  };
  const may_hold = mayHold(facts);
  const power = { network, is_credible: isCredible(facts), may_hold };
  await tx
    .insertInto('report_power')
    .values({ report_id: report.id, filed_at: now, ...power })
    .execute();
  if (may_hold) await tx.updateTable('report_power').set({ may_hold }).where('report_id', '=', secondId).execute();
  return secondId === null || facts.wasShown ? [report.id] : [report.id, secondId];
}

/** Records that reports have held the person, for the limits. */
export async function noteHold(tx: Db, reportIds: readonly string[], now: Date): Promise<void> {
  if (reportIds.length === 0) return;
  await tx.updateTable('report_power').set({ held_at: now }).where('report_id', 'in', reportIds).execute();
}

/** A credible report by someone else about the same person. */
interface Other {
  id: string;
  reporterId: string;
  email: string;
  network: Buffer;
  /** The networks in which they recently joined or signed in. */
  known: string[];
}

/** A bound on what is read for one report, so that no one can make it costly. */
const othersCompared = 50;

/** The newest credible reports by people who share no ban, mailbox or network with the caller, as far as we know. */
async function independentOf(
  tx: Db,
  { caseId }: NewReport,
  { caller, network, hashOf }: { caller: Caller; network: Buffer; hashOf: (name: string) => Buffer },
): Promise<Other[]> {
  const reporter = sql`${caller.accountId}::uuid`;
  const knownOf = (id: RawBuilder<unknown>) =>
    sql`array(select distinct network from known_device where account_id = ${id} and network not in ('', ${unknownNetwork}))`;
  const { rows } = await sql<Other & { own: string[] }>`
    select r.id, r.reporter_id as "reporterId", a.email, p.network, ${knownOf(sql`a.id`)} as known, ${knownOf(reporter)} as own
    from report r join report_power p on p.report_id = r.id join account a on a.id = r.reporter_id
    where r.case_id = ${caseId}::uuid and p.is_credible and p.network <> ${network} and r.deleted_at is null and r.status <> 'rejected'
      and (r.may_be_minor or r.problem_type = any (${safetyTypes}::text[]))
      and r.reporter_id not in (select logic.own_accounts(${reporter}))
    order by r.created_at desc, r.id limit ${othersCompared}`.execute(tx);
  const placesOf = (filedFrom: Buffer, known: readonly string[]) =>
    [filedFrom, ...known.map(hashOf)].map((hash) => hash.toString('hex'));
  const own = new Set(placesOf(network, rows[0]?.own ?? []));
  const mailbox = canonicalAddress(caller.email);
  return rows.filter(
    (other) =>
      canonicalAddress(other.email) !== mailbox &&
      !placesOf(other.network, other.known).some((place) => own.has(place)),
  );
}

async function factsOf(
  tx: Db,
  {
    caseId,
    personId,
    reporterId,
    network,
    others,
  }: NewReport & { reporterId: string; network: Buffer; others: readonly string[] },
  now: Date,
): Promise<FoundFacts> {
  const [person, reporter, itsCase] = [sql`${personId}::uuid`, sql`${reporterId}::uuid`, sql`${caseId}::uuid`];
  const yesterday = sql`${secondsAfter(now, -daySeconds)}::timestamptz`;
  const heldBy = (
    id: RawBuilder<unknown>,
  ) => sql`(select count(*) from report own join report_power held on held.report_id = own.id
    where own.reporter_id = ${id} and held.held_at > ${yesterday})::int`;
  const heldFrom = (from: RawBuilder<unknown>) =>
    sql`(select count(*) from report_power held where held.network = ${from} and held.held_at > ${yesterday})::int`;
  const { rows } = await sql<FoundFacts>`
    select
      exists (select from report where reporter_id = ${reporter} and reported_id is not null and status = 'rejected'
        and created_at > ${secondsAfter(now, -rejectedDays * daySeconds)}::timestamptz) as "wasRejected",
      exists (select from decision where viewer_id = ${person} and target_id = ${reporter} and kind = 'like')
        or exists (select from conversation where low_id = least(${person}, ${reporter}) and high_id = greatest(${person}, ${reporter}))
        or exists (select from deck d join seen_people s using (viewer_id)
          where viewer_id = ${reporter} and ${person} = any (d.targets) and ${person} = any (s.ids)) as "wasShown",
      (select r.id from report r join report_power p on p.report_id = r.id
        where r.id = any (${others}::uuid[]) and ${heldBy(sql`r.reporter_id`)} < ${holdsPerDay.reporter}
          and ${heldFrom(sql`p.network`)} < ${holdsPerDay.network}
        order by r.created_at desc, r.id limit 1) as "secondId",
      greatest(
        (select max(coalesce(undone_at, decided_at)) from case_decision
          where case_id = ${itsCase} and (undone_at is null and outcome in ('no_violation', 'unfounded') or undone_at is not null and outcome = 'actioned')),
        (select max(ended_at) from account_hold where case_id = ${itsCase} and released_by_name is not null)
      ) > coalesce((select confirmed_at from moderation_case where id = ${itsCase}), '-infinity') is true as "isCleared",
      ${heldBy(reporter)} as "holdsByReporter", ${heldFrom(sql`${network}`)} as "holdsFromNetwork"`.execute(tx);
  const [facts] = rows;
  if (facts === undefined) throw new Error('a query without a table returns one row');
  return facts;
}
